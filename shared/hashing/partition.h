#pragma once

#include "shared/base/ids.h"

#include <string_view>

namespace fremis::hashing {

/// Names the rule below in every store; a store made with another rule is refused.
inline constexpr std::string_view kPartitionRule = "sha1-be32-mod256";

/// The partition that holds a face: SHA-1 over the UTF-8 bytes of "{keyspace}-{face_id}", its first 4 bytes read as a
/// big-endian integer, mod 256. The keyspace's name counts, not its incarnation. Thread: any.
[[nodiscard]] base::Partition partitionOf(std::string_view keyspace, std::string_view faceId);

} // namespace fremis::hashing
