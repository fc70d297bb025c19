#pragma once

#include "shared/routing/assignment.h"
#include "shared/routing/planner.h"
#include "shared/routing/shares.h"

#include <vector>

namespace fremis::routing {

/// A request made ready for the assignment methods: who takes part, with what shares, and what each node of the plan holds.
struct PlanTask {
    std::vector<PlanNode> nodes;         ///< of the plan; `after` still empty
    std::vector<std::size_t> nodeOfSeat; ///< seats are the nodes that stay or join, sorted by id
    AssignTask assign;
    std::vector<Share> shares;           ///< by seat
    std::vector<int> held;               ///< partitions by seat
};

/// Fails with Reason::InvalidConfig when the wish contradicts the map or itself.
[[nodiscard]] base::Result<PlanTask> planTask(const PlanRequest& request);

/// Numbers that are equal exactly for nodes on one machine / in one zone. Nodes of unknown zone are zones by host.
void numberHostsAndZones(std::span<const PlanNode> nodes, std::span<const std::size_t> nodeOfSeat, AssignTask& task);

/// Balances vectors instead of counts: missing copies go to the emptiest node, then partitions leave the fullest node for the
/// emptiest as long as the squares of the distances from the shares shrink. Deterministic; not exact (bin packing).
[[nodiscard]] Assignment balanceVectors(const AssignTask& task, std::span<const Share> shares, const PartitionVectors& vectors);

/// One range per node with cuts where the vectors, not the counts, reach the shares; new nodes together at the best place.
/// Replication 1 only.
[[nodiscard]] Assignment lineByVectors(const AssignTask& task, std::span<const Share> shares, const PartitionVectors& vectors);

/// From each node's `before`, `after`, `target`, role and pins: moves with reasons, waves, figures, configs, epochs. `plan` has
/// nodes, replication, mode, rates, vectors and `before` filled in.
void completePlan(Plan& plan);

/// The assignment of the nodes (`after` or `before`) as a config.
[[nodiscard]] ClusterConfig configOfNodes(std::span<const PlanNode> nodes, PartitionSet PlanNode::*assignment,
                                          const std::optional<int>& replication, const std::optional<bool>& allowPartialSearch);

} // namespace fremis::routing
