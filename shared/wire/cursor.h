#pragma once

#include "shared/base/ids.h"

#include <string>
#include <string_view>

namespace fremis::wire {

/// Where a walk over a keyspace's faces stopped: the last face that was listed, in the order (partition, face_id
/// bytes).
struct ListCursor {
    std::string incarnation; ///< of the keyspace when the walk began; at most 255 bytes
    base::Partition partition = 0;
    std::string faceId;
    bool operator==(const ListCursor&) const = default;
};

/// URL-safe text without padding that clients pass back unread. It has a checksum against slips, no secret: it grants
/// nothing.
[[nodiscard]] std::string encodeCursor(const ListCursor& cursor);

/// Fails with Reason::InvalidCursor when the text is not whole.
[[nodiscard]] base::Result<ListCursor> decodeCursor(std::string_view text);
/// The same, and when it belongs to another incarnation than `incarnation`.
[[nodiscard]] base::Result<ListCursor> decodeCursor(std::string_view text, std::string_view incarnation);

} // namespace fremis::wire
