#pragma once

#include "shared/routing/config_reader.h"
#include "shared/routing/yaml_tree.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fremis::routing {

/// A config.yml under edit or check: text, lines and what could be read of it.
struct YamlDocument {
    std::string text;
    TextLines lines{{}};
    YamlNode root;
    std::optional<TextFault> fault; ///< the text is not readable; root is Null
};
[[nodiscard]] std::shared_ptr<const YamlDocument> readDocument(std::string text);
[[nodiscard]] ConfigReading readDocumentConfig(const YamlDocument& document, const ConfigRules& rules);

/// One item of `nodes` as far as it makes sense.
struct RawEntry {
    std::size_t index = 0; ///< in the file
    Spot spot;             ///< of its first key
    Spot addressSpot;
    Spot startSpot;
    Spot nameSpot;
    std::optional<Address> address;
    std::optional<Range> range;
    std::optional<std::string> name;
    std::optional<Weight> weight;
};

/// What the schema check hands to the rules about the whole map.
struct RawConfig {
    std::vector<RawEntry> entries;
    Spot nodesSpot;
    Spot replicationSpot;
    std::optional<int> replication;
    std::optional<bool> allowPartialSearch;
    bool rangesKnown = false; ///< every entry has an address and a range: gaps and overlaps can be told
};

/// A problem whose message is one line whatever the operator wrote: control characters become '?'.
[[nodiscard]] Problem problemAt(Spot spot, Rule rule, Severity severity, Wording wording);

/// Checks keys and values one by one (rules V02 to V06, V12).
[[nodiscard]] RawConfig readSchema(const YamlDocument& document, const ConfigRules& rules, std::vector<Problem>& problems);

/// Checks what the entries mean together (rules V07 to V11, V14, doubled names and addresses).
void checkMap(const RawConfig& config, const ConfigRules& rules, std::vector<Problem>& problems);

/// The key of `known` that `key` was probably meant to be: at most two letters wrong, missing, extra or exchanged.
[[nodiscard]] std::optional<std::string_view> likelyKey(std::string_view key, std::span<const std::string_view> known);

} // namespace fremis::routing
