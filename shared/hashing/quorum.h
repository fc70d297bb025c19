#pragma once

#include "shared/base/error.h"

#include <string>

namespace fremis::hashing {

/// Copies of each key (N), acknowledgements a write waits for (W), copies a read asks (R).
struct Quorum {
    int copies = 1;
    int reads = 1;
    int writes = 1;
    /// Fails with Reason::InvalidParams unless 1 <= reads, writes <= copies.
    [[nodiscard]] static base::Result<Quorum> create(int copies, int reads, int writes);
};

/// R + W > N: every read meets at least one copy that has the last acknowledged write.
[[nodiscard]] constexpr bool overlaps(const Quorum& q) {
    return q.reads + q.writes > q.copies;
}
/// 2 W > N: two writes always meet on a copy, so neither can be lost unseen.
[[nodiscard]] constexpr bool writesOverlap(const Quorum& q) {
    return 2 * q.writes > q.copies;
}
/// Copies that may be away while reads, writes, or both still succeed.
[[nodiscard]] constexpr int toleratedByReads(const Quorum& q) {
    return q.copies - q.reads;
}
[[nodiscard]] constexpr int toleratedByWrites(const Quorum& q) {
    return q.copies - q.writes;
}
[[nodiscard]] constexpr int tolerated(const Quorum& q) {
    return q.copies - (q.reads > q.writes ? q.reads : q.writes);
}
/// The three facts in English, one sentence each, with the numbers filled in.
[[nodiscard]] std::string explain(const Quorum& q);

} // namespace fremis::hashing
