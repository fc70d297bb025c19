#pragma once

#include <span>
#include <string>

namespace fremis::app {

/// `fremis_n_app httpserver …`: runs a worker until it is told to stop. Returns the process's exit code: 0 after
/// SIGTERM or SIGINT, 2 for a wrong command line, 78 for a model pack or a store that cannot be used, 1 for a store
/// that failed.
[[nodiscard]] int runWorkerCommand(std::span<const std::string> arguments);

} // namespace fremis::app
