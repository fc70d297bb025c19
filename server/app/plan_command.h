#pragma once

#include <span>
#include <string>

namespace fremis::app {

/// What a command leaves behind.
struct CommandOutcome {
    int status = 0;  ///< 0, 1 (a check failed), 2 (usage), 78 (bad config)
    std::string out; ///< for standard output
    std::string err; ///< for standard error
};

/// `fremis_n_app plan ...`: splits, checks, shows and changes cluster maps. `args` are the words after "plan". Writes the files
/// named by --config-out, --plan-out and --runbook-out, nothing else. Never throws.
[[nodiscard]] CommandOutcome planCommand(std::span<const std::string> args);

/// The same, printed. Returns the exit status.
[[nodiscard]] int runPlanCommand(std::span<const std::string> args);

} // namespace fremis::app
