#pragma once

#include "shared/routing/planner.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace fremis::routing {

/// A node's exact share of all copies, partitions x replication x weight / weights, as a fraction; at most `partitions`,
/// because a node holds a partition once.
struct Share {
    int whole = 0;
    std::int64_t rest = 0;    ///< numerator of the fraction, below `divisor`
    std::int64_t divisor = 1;
    [[nodiscard]] double value() const { return whole + static_cast<double>(rest) / static_cast<double>(divisor); }
};

/// Weights in hundredths. What is above a node's limit is shared out among the others again. At least `replication` nodes.
[[nodiscard]] std::vector<Share> exactShares(std::span<const int> weights, int partitions, int replication);

/// How many shares have to be rounded up so that all copies are given out.
[[nodiscard]] int roundUps(std::span<const Share> shares, int partitions, int replication);

/// Each share rounded down or up, the sum exact. With Objective::Balance larger fractions are rounded up first; otherwise
/// first those who hold more than the rounded-down share, so that they keep it. Ties by place: nodes come sorted by id.
[[nodiscard]] std::vector<int> roundShares(std::span<const Share> shares, std::span<const int> held, int partitions,
                                           int replication, Objective objective);

} // namespace fremis::routing
