#pragma once

#include <span>
#include <string>

namespace fremis::app {

/// `fremis_n_app models fetch|check …`: installs model packs and looks whether they are whole. Returns the exit code of
/// the process: 2 for a wrong command line, 78 for a pack that cannot be used, 1 for one that cannot be fetched.
[[nodiscard]] int runModelsCommand(std::span<const std::string> arguments);

} // namespace fremis::app
