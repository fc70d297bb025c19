#pragma once

#include <span>
#include <string>

namespace fremis::app {

/// `fremis_n_app plan ...`: splits, checks, shows and changes cluster maps. `args` are the words after "plan".
/// Prints to stdout, faults to stderr. Returns the exit status: 0, 1 (a check failed), 2 (usage), 78 (bad config).
[[nodiscard]] int runPlanCommand(std::span<const std::string> args);

} // namespace fremis::app
