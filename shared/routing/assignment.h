#pragma once

#include "shared/routing/range.h"

#include <optional>
#include <string>
#include <vector>

namespace fremis::routing {

/// A node that takes part in the new map. Seats come sorted by id; hosts and zones are numbers, equal = together.
struct Seat {
    PartitionSet held;
    PartitionSet pinned;
    int target = 0;
    int host = 0;
    int zone = 0;
};

inline constexpr int kMaxPlannedReplication = 16;

/// Who shall hold what. The sum of targets is partitions x replication.
struct AssignTask {
    int partitions = base::kPartitionCount; ///< 0..partitions-1; smaller only in tests
    int replication = 1;
    std::vector<Seat> seats;
    bool spreadHosts = true;
    bool spreadZones = true;
    bool mendSpread = true; ///< also where the present copies share a host or zone
};

using Assignment = std::vector<PartitionSet>; ///< by seat

/// Copies that travel: what a seat gets beyond what it holds.
[[nodiscard]] int copiesMoved(const AssignTask& task, const Assignment& assignment);
/// No assignment with these targets moves fewer copies.
[[nodiscard]] int lowerBound(const AssignTask& task);
/// Pairs of replicas beyond the first in one zone (first) and on one host (second), over all partitions.
[[nodiscard]] std::pair<int, int> sharings(const AssignTask& task, const Assignment& assignment);

/// Several ranges per node. Pins first, then the fewest sharings of zones and hosts, then the fewest moves; all exact while
/// no host lies in two zones (the plan is then valid, but may share more than it has to). Among equals few ranges and low partition numbers (a greedy choice of blocks). Empty when the targets cannot be met or a pin
/// not be kept.
[[nodiscard]] std::optional<Assignment> assignMulti(const AssignTask& task);

} // namespace fremis::routing
