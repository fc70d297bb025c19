#pragma once

#include "shared/routing/planner.h"

#include <string>
#include <string_view>

namespace fremis::routing {

enum class Language { English, Indonesian };

[[nodiscard]] std::string_view wordOf(PlanMode mode);           ///< "contiguous", "multi"
[[nodiscard]] std::string_view wordOf(Objective objective);     ///< "moves", "balance", "vectors", "ranges"
[[nodiscard]] std::string_view wordOf(PlanNode::Role role);     ///< "stays", "joins", "leaves", "drained"
[[nodiscard]] std::string_view wordOf(PlanMove::Kind kind);     ///< "move", "copy", "drop"
[[nodiscard]] std::optional<PlanMode> planModeOf(std::string_view word);
[[nodiscard]] std::optional<Objective> objectiveOf(std::string_view word);

/// The plan as JSON, `"format":"fremis-plan/1"`; holds the original assignment, so that the way back needs nothing else.
[[nodiscard]] std::string planJson(const Plan& plan);
/// Reads what planJson() wrote. Fails with Reason::InvalidJson.
[[nodiscard]] base::Result<Plan> parsePlanJson(std::string_view json);

/// Steps for an operator, as Markdown.
[[nodiscard]] std::string planRunbook(const Plan& plan, Language language);

/// Moves of one wave between the same two nodes for the same reason, as one line of a list.
struct MoveGroup {
    int wave = 0;
    PlanMove::Kind kind = PlanMove::Kind::Move;
    Address from;
    std::optional<Address> to;
    PartitionSet partitions;
    std::uint64_t vectors = 0;
    std::uint64_t bytes = 0;
    Wording reason;
};
[[nodiscard]] std::vector<MoveGroup> groupMoves(const Plan& plan);

/// The given config.yml text with the plan's assignment, edited losslessly. Fails with Reason::InvalidConfig when the text
/// cannot be edited, or is not the config the plan was made for.
[[nodiscard]] base::Result<std::string> planConfig(const Plan& plan, std::string_view original);

/// A config.yml from nothing.
[[nodiscard]] std::string configText(const ClusterConfig& config);

/// Vector counts from the reply of GET /v1/loaded-vectors, a worker's or the coordinator's. Fails with Reason::InvalidJson.
[[nodiscard]] base::Result<PartitionVectors> parseLoadedVectors(std::string_view json);

} // namespace fremis::routing
