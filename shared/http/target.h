#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fremis::http {

/// A request target taken apart: decoded once, never normalised.
struct Target {
    std::string path;
    std::vector<std::pair<std::string, std::string>> query;
};

/// Percent-decoding of `text`, once. Nothing for a bad escape or an encoded NUL.
[[nodiscard]] std::optional<std::string> percentDecoded(std::string_view text, bool plusIsSpace = false);

/// Nothing for a bad escape, an encoded NUL or a fragment. Whatever form the target has (absolute, authority,
/// asterisk), all before the first "?" is its path: only origin form can match a route.
[[nodiscard]] std::optional<Target> parseTarget(std::string_view target);

} // namespace fremis::http
