#pragma once

#include "shared/routing/assignment.h"
#include "shared/routing/shares.h"

#include <optional>
#include <span>
#include <vector>

namespace fremis::routing {

/// One stretch per node on a line of partitions x replication places (place modulo partitions is the partition, so a stretch
/// over the end of the partitions is written as two ranges).
struct LineTask {
    AssignTask task;               ///< targets are not read: the line decides who gets a partition more
    std::vector<Share> shares;     ///< by seat
    std::vector<std::size_t> kept; ///< seats that hold something, in the order of the line
    std::vector<std::size_t> fresh; ///< seats that hold nothing
    bool largerRestsFirst = false; ///< Objective::Balance: only equal fractions are free to choose
    bool append = false;           ///< new nodes only at the end
};

struct LinePlan {
    Assignment assignment;
    std::vector<std::size_t> order; ///< seats along the line
};

/// Seats that hold something, as they lie on the line: R layers of disjoint stretches, each from low to high partitions.
[[nodiscard]] std::vector<std::size_t> lineOrder(const AssignTask& task);

/// The best positions for new nodes and the best choice of who gets a partition more, such that the most copies stay; kept
/// nodes stay in order. Exact (dynamic programming) for that order; new nodes of equal weight are interchangeable. Empty when
/// the pins cannot be kept.
[[nodiscard]] std::optional<LinePlan> assignLine(const LineTask& task);

} // namespace fremis::routing
