#pragma once

namespace fremis::console::ui {

/// The whole program; returns its exit code.
int runConsole(int argc, char** argv);

} // namespace fremis::console::ui
