#pragma once

#include "console/ui/shell/theme.h"

#include <QString>

namespace fremis::console::ui {

[[nodiscard]] QString iconOf(Severity severity);

} // namespace fremis::console::ui
