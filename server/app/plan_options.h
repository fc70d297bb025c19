#pragma once

#include "shared/base/error.h"
#include "shared/routing/plan_output.h"

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace fremis::app {

enum class OutputFormat { Table, Json, Csv };

/// The words and flags of one `plan` command, checked as far as they can be without reading files.
struct PlanOptions {
    std::string command;            ///< even, check, show, add, remove, weight, diff; empty with help
    std::vector<std::string> words; ///< what is not a flag
    bool help = false;
    OutputFormat format = OutputFormat::Table;
    std::filesystem::path config;
    std::string nodes; ///< --nodes as given
    std::optional<int> replication;
    routing::PlanMode mode = routing::PlanMode::Multi;
    routing::Objective objective = routing::Objective::Moves;
    routing::Spread spread = routing::Spread::Enforce;
    std::vector<std::pair<int, std::string>> pins;          ///< partition, node
    std::vector<std::pair<std::string, std::string>> zones; ///< node, zone
    std::filesystem::path vectors;
    std::optional<int> maxMoves;
    routing::CopyRates rates;
    bool drain = false;
    bool strict = false;
    bool reverse = false;
    routing::PartitionSet copied;           ///< --copied: data already migrated
    std::optional<routing::Address> listen; ///< check: the coordinator's own address
    std::filesystem::path configOut;
    std::filesystem::path planOut;
    std::filesystem::path runbookOut;
    routing::Language language = routing::Language::English;
};

/// Reads the words after "plan". Failures are usage errors: one line for standard error, exit 2.
[[nodiscard]] base::Result<PlanOptions> parsePlanOptions(std::span<const std::string> args);

/// "host:port[:[weight][:zone]]"; an IPv6 host in brackets.
[[nodiscard]] base::Result<routing::NodeWish> parseNodeWish(std::string_view text);

/// The help of a command, or the overview for an unknown one.
[[nodiscard]] std::string planHelp(std::string_view command);

} // namespace fremis::app
