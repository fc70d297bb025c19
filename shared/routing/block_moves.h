#pragma once

#include "shared/routing/assignment.h"

namespace fremis::routing {

/// Moves whole blocks from those who hold too much to those who lack, each time the block that leaves the fewest ranges, then
/// the longest, then the lowest. With replication 1, no partition held twice and no pins to others this is complete and moves
/// lowerBound() copies; otherwise some copies may be left unplaced for the exact method.
[[nodiscard]] Assignment moveBlocks(const AssignTask& task);

} // namespace fremis::routing
