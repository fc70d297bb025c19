#pragma once

#include "shared/routing/config_text.h"

#include <tl/expected.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace fremis::routing {

/// A value of a YAML text with the bytes it stands on.
struct YamlNode {
    enum class Kind { Null, Scalar, List, Map };
    Kind kind = Kind::Null;
    std::size_t begin = 0; ///< first byte in the text
    std::size_t end = 0;   ///< after its last byte: closing quote or bracket included; block collections: after the last part
    bool quoted = false;
    bool flow = false;     ///< written with brackets
    std::string value;     ///< scalars: the meaning
    std::vector<YamlNode> items; ///< List: the items; Map: key, value, key, value, ...; keys are scalars

    [[nodiscard]] bool isScalar() const { return kind == Kind::Scalar; }
    /// The value under a key of a map, or null. With a doubled key: the first.
    [[nodiscard]] const YamlNode* find(std::string_view key) const;
    [[nodiscard]] const YamlNode* findKey(std::string_view key) const;
};

/// Reads one YAML document without anchors, aliases, tags or values over several lines, nested at most kMaxNesting deep.
/// The text has passed checkText(). An empty text gives a Null node. Never throws.
[[nodiscard]] tl::expected<YamlNode, TextFault> readYaml(std::string_view text);

} // namespace fremis::routing
