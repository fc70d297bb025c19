#pragma once

#include "shared/routing/live_rules.h"
#include "shared/routing/plan_output.h"

#include <string>
#include <string_view>
#include <vector>

namespace fremis::app {

/// Nodes before and after, moves by wave, figures and proof, for a terminal.
[[nodiscard]] std::string planText(const routing::Plan& plan);
/// One row per move.
[[nodiscard]] std::string planCsv(const routing::Plan& plan);

/// A map: its nodes, and a picture of the 256 partitions, 16 to a line. `vectors` may be empty.
[[nodiscard]] std::string mapText(const routing::PartitionMap& map, const std::optional<routing::PartitionVectors>& vectors);
/// One row per partition: owners in map order.
[[nodiscard]] std::string mapCsv(const routing::PartitionMap& map, const std::optional<routing::PartitionVectors>& vectors);
[[nodiscard]] std::string mapJson(const routing::PartitionMap& map, const std::optional<routing::PartitionVectors>& vectors);

/// One line per problem, "file:line:column: reason"; warnings and remarks say so.
[[nodiscard]] std::string problemsText(std::string_view file, const std::vector<routing::Problem>& problems);
[[nodiscard]] std::string problemsCsv(std::string_view file, const std::vector<routing::Problem>& problems);
/// `epoch` is empty when the file is refused.
[[nodiscard]] std::string problemsJson(std::string_view file, const std::vector<routing::Problem>& problems, std::string_view epoch);

/// An assignment without a past: as config.yml entries.
[[nodiscard]] std::string configCsv(const routing::ClusterConfig& config);
[[nodiscard]] std::string configJson(const routing::ClusterConfig& config);

} // namespace fremis::app
