#pragma once

#include "shared/base/ids.h"

#include <cstdint>
#include <string_view>

namespace fremis::hashing {

/// Names the rule below in every store; a store made with another rule is refused.
inline constexpr std::string_view kPartitionRule = "sha1-be32-mod256";

/// The partition that holds a face: SHA-1 over the UTF-8 bytes of "{keyspace}-{face_id}", its first 4 bytes read as a
/// big-endian integer, mod 256. The keyspace's name counts, not its incarnation. Thread: any.
[[nodiscard]] base::Partition partitionOf(std::string_view keyspace, std::string_view faceId);

/// Where a face sits inside the anti-entropy trees: its partition (digest byte 3) and its leaf there (digest byte 4).
struct FacePlace {
    base::Partition partition = 0;
    std::uint8_t leaf = 0;
    bool operator==(const FacePlace&) const = default;
};
[[nodiscard]] FacePlace placeOf(std::string_view keyspace, std::string_view faceId);

} // namespace fremis::hashing
