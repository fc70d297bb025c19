#pragma once

#include "shared/routing/wording.h"

#include <QString>

namespace fremis::console {

/// What the rules and the planner say, in the language of the program.
[[nodiscard]] QString sentenceOf(const routing::Wording& wording);

} // namespace fremis::console
