#pragma once

#include "shared/routing/cluster_config.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace fremis::routing {

/// Where a key stands: in entry `entry` of `nodes` (0 = first), or at the top of the file when empty.
using Place = std::optional<std::size_t>;

/// Gives `key` a value; the key is added when it is missing. `text` quotes as the file does, numbers stay bare.
struct SetValue {
    Place place;
    std::string key;
    std::string value;
    bool quoted = false; ///< a text value; false for numbers and booleans
};
/// Takes `key` and its value out; nothing to do when it is not there.
struct RemoveKey {
    Place place;
    std::string key;
};
struct RenameKey {
    Place place;
    std::string key;
    std::string newKey;
};
/// Puts a new entry before the entry that is now number `at`; at = number of entries puts it last.
struct InsertEntry {
    std::size_t at = 0;
    NodeEntry entry;
};
/// Takes an entry out, with its comments. The last one cannot be removed.
struct RemoveEntry {
    std::size_t at = 0;
};

/// One change of a config document, in terms of the document before the change.
using Edit = std::variant<SetValue, RemoveKey, RenameKey, InsertEntry, RemoveEntry>;

[[nodiscard]] Edit setStart(std::size_t entry, int partition);
[[nodiscard]] Edit setEnd(std::size_t entry, int partition);
[[nodiscard]] std::vector<Edit> setRange(std::size_t entry, const Range& range);
[[nodiscard]] Edit setAddress(std::size_t entry, std::string_view address);
[[nodiscard]] Edit setName(std::size_t entry, const std::optional<std::string>& name);
[[nodiscard]] Edit setWeight(std::size_t entry, const std::optional<Weight>& weight);
[[nodiscard]] Edit setReplication(const std::optional<int>& replication);
[[nodiscard]] Edit setAllowPartialSearch(const std::optional<bool>& allowed);

} // namespace fremis::routing
