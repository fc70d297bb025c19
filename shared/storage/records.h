#pragma once

#include "shared/base/ids.h"
#include "shared/base/version.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fremis::storage {

/// One keyspace as it is now. Dropped ones are not listed.
struct KeyspaceRecord {
    base::KeyspaceName name;
    std::string incarnation;              ///< new with each creation; rows belong to it, not to the name
    std::optional<double> matchThreshold; ///< cosine; none: the model pack's
    base::Version version;                ///< of its creation
    std::chrono::milliseconds createdAt;  ///< since 1970
};

/// One stored photo of a face. (incarnation, face, variation) is its key.
struct Enrollment {
    std::string incarnation;
    base::FaceId face;
    base::Variation variation;
    base::Partition partition = 0; ///< hashing::partitionOf(keyspace name, face); a store checks it
    base::Version version;
    std::string space;            ///< embedding space; the one the store has claimed
    std::vector<float> embedding; ///< the claimed dimension, finite, unit length
    double norm = 0;              ///< length of the raw embedding: a measure of the photo's quality
    std::chrono::milliseconds createdAt{0};
};

/// An Enrollment during a bulk read. Everything points into a buffer that lives until the visitor returns.
struct EnrollmentView {
    std::string_view incarnation;
    std::string_view face;
    base::Variation variation;
    base::Partition partition = 0;
    base::Version version;
    std::string_view space;
    std::span<const float> embedding;
    double norm = 0;
    std::chrono::milliseconds createdAt{0};
};

/// What remains of something deleted, so that an older write that comes late is known to be older. Holds no embedding.
struct TombstoneView {
    std::string_view incarnation;
    std::string_view face;
    std::optional<base::Variation> variation; ///< none: the whole face
    base::Partition partition = 0;
    base::Version version;
};

struct VariationRecord {
    base::Variation variation;
    base::Version version;
    std::string space;
    double norm = 0;
    std::chrono::milliseconds createdAt{0};
};

/// A face with at least one variation.
struct FaceRecord {
    base::FaceId face;
    base::Partition partition = 0;
    std::vector<VariationRecord> variations; ///< rising
    std::chrono::milliseconds updatedAt{0};  ///< time of its newest variation's version
};

struct FaceSummary {
    base::FaceId face;
    base::Partition partition = 0;
    std::uint64_t variations = 0;
    std::chrono::milliseconds updatedAt{0};
};

/// A place in the order of a listing: partition, then the bytes of the face id.
struct FacePosition {
    base::Partition partition = 0;
    std::string face;
};

/// A place in the order of a walk through one partition: the bytes of the incarnation and the face id, the variation.
struct RowPosition {
    std::string incarnation;
    std::string face;
    std::uint64_t variation = 0;
    auto operator<=>(const RowPosition&) const = default;
};

struct FacePage {
    std::vector<FaceSummary> faces;
    bool more = false; ///< continue after the last face
};

struct KeyspaceCounts {
    base::KeyspaceName name;
    std::string incarnation;
    std::uint64_t faces = 0;
    std::uint64_t variations = 0;
};

/// Outcome of a bulk read.
struct ScanReport {
    std::uint64_t rows = 0;     ///< given to the visitor
    std::uint64_t degraded = 0; ///< skipped: wrong length, not finite, not UTF-8 or a checksum that differs
};

/// Who a store is. The id stays with the data, not with an address.
struct StoreIdentity {
    std::array<std::uint8_t, 16> nodeId{};
    std::uint64_t writer = 0;     ///< for Version::writer
    std::uint64_t generation = 0; ///< rises at each open
};

} // namespace fremis::storage
