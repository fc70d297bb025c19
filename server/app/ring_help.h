#pragma once

#include <string>
#include <string_view>

namespace fremis::app::ring {

/// The page of a command ("locate"), or the overview for "" and unknown names.
[[nodiscard]] std::string helpText(std::string_view command);

} // namespace fremis::app::ring
