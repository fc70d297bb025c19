#pragma once

#include "shared/routing/planner.h"

#include <string>
#include <string_view>

namespace fremis::routing {

enum class Language { English, Indonesian };

/// The plan as JSON, `"format":"fremis-plan/1"`; holds the original assignment, so that the way back needs nothing else.
[[nodiscard]] std::string planJson(const Plan& plan);
/// Reads what planJson() wrote. Fails with Reason::InvalidJson.
[[nodiscard]] base::Result<Plan> parsePlanJson(std::string_view json);

/// Steps for an operator, as Markdown.
[[nodiscard]] std::string planRunbook(const Plan& plan, Language language);

/// Tables for a terminal: nodes before and after, moves by wave, figures, proof, warnings.
[[nodiscard]] std::string planTable(const Plan& plan);
/// One row per move; a header line first.
[[nodiscard]] std::string planCsv(const Plan& plan);

/// The given config.yml text with the plan's assignment, edited losslessly; or a fresh text when `original` is empty.
[[nodiscard]] base::Result<std::string> planConfig(const Plan& plan, std::string_view original);

/// A config.yml from nothing.
[[nodiscard]] std::string configText(const ClusterConfig& config);

/// Vector counts from the reply of GET /v1/loaded-vectors, a worker's or the coordinator's. Fails with Reason::InvalidJson.
[[nodiscard]] base::Result<PartitionVectors> parseLoadedVectors(std::string_view json);

} // namespace fremis::routing
