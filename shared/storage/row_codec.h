#pragma once

#include "shared/storage/records.h"

#include <bit>

namespace fremis::storage {

// How values lie in columns, the same in both databases. See resources/docs/storage.md.

/// Unsigned 64-bit values (variations, both halves of a version) are stored in signed columns, shifted by 2^63: the
/// full range fits and SQL's order is the order of the numbers.
[[nodiscard]] constexpr std::int64_t toColumn(std::uint64_t value) {
    return std::bit_cast<std::int64_t>(value ^ (1ULL << 63));
}
[[nodiscard]] constexpr std::uint64_t fromColumn(std::int64_t column) {
    return std::bit_cast<std::uint64_t>(column) ^ (1ULL << 63);
}

/// The bytes of an embedding column: float32, little-endian.
[[nodiscard]] std::span<const std::byte> bytesOf(std::span<const float> embedding);

/// A row as it lies in the table. Points into the database's buffers.
struct StoredRow {
    std::string_view incarnation;
    std::string_view face;
    std::uint64_t variation = 0;
    int partition = 0; ///< as read, maybe out of range
    base::Version version;
    std::string_view space;
    std::span<const std::byte> embedding;
    double norm = 0;
    std::int64_t createdAt = 0;
    std::int64_t checksum = 0;
};

/// XXH3 over all other fields of the row, its keyspace by incarnation and its space by name, so that a row that has
/// moved under another key is found as well as a flipped bit.
[[nodiscard]] std::int64_t checksumOf(const StoredRow& row);
[[nodiscard]] std::int64_t checksumOf(const Enrollment& row);

/// True when each value is finite.
[[nodiscard]] bool isFinite(std::span<const float> values);

/// Turns stored rows into views, refusing those that cannot be used. Keeps the buffer a view's embedding points to.
class RowDecoder {
public:
    explicit RowDecoder(int dimension) : m_embedding(static_cast<std::size_t>(dimension)) {}
    /// none: wrong length, not finite, an id that is not UTF-8, a partition that is none, or a checksum that differs.
    [[nodiscard]] std::optional<EnrollmentView> decode(const StoredRow& row);

    /// decode() with a copy of everything.
    [[nodiscard]] std::optional<Enrollment> copy(const StoredRow& row);

private:
    std::vector<float> m_embedding; ///< aligned, which a database's buffer is not
};

} // namespace fremis::storage
