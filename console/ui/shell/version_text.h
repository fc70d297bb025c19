#pragma once

#include <QString>

namespace fremis::console::ui {

/// Version, Qt version and build options, as --version and Help > About say them.
[[nodiscard]] QString versionText();

} // namespace fremis::console::ui
