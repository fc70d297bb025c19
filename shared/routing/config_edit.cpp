#include "shared/routing/config_edit.h"

namespace fremis::routing {

namespace {

template<class T, class ToText>
Edit setOrRemove(Place place, std::string key, const std::optional<T>& value, bool quoted, ToText toText) {
    if (!value)
        return RemoveKey{place, std::move(key)};
    return SetValue{place, std::move(key), toText(*value), quoted};
}

} // namespace

Edit setStart(std::size_t entry, int partition) {
    return SetValue{entry, "partition_start", std::to_string(partition), false};
}

Edit setEnd(std::size_t entry, int partition) {
    return SetValue{entry, "partition_end", std::to_string(partition), false};
}

std::vector<Edit> setRange(std::size_t entry, const Range& range) {
    return {setStart(entry, range.first), setEnd(entry, range.last)};
}

Edit setAddress(std::size_t entry, std::string_view address) {
    return SetValue{entry, "address", std::string(address), true};
}

Edit setName(std::size_t entry, const std::optional<std::string>& name) {
    return setOrRemove(entry, "name", name, true, [](const std::string& text) { return text; });
}

Edit setWeight(std::size_t entry, const std::optional<Weight>& weight) {
    return setOrRemove(entry, "weight", weight, false, [](const Weight& w) { return w.text(); });
}

Edit setReplication(const std::optional<int>& replication) {
    return setOrRemove(std::nullopt, "replication", replication, false, [](int r) { return std::to_string(r); });
}

Edit setAllowPartialSearch(const std::optional<bool>& allowed) {
    return setOrRemove(std::nullopt, "allow_partial_search", allowed, false, [](bool b) { return b ? "true" : "false"; });
}

} // namespace fremis::routing
