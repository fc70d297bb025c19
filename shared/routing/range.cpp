#include "shared/routing/range.h"

namespace fremis::routing {

namespace {

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ')
        text.remove_suffix(1);
    return text;
}

std::optional<Range> parseRange(std::string_view text) {
    const auto dash = text.find('-');
    const auto first = parsePlainDecimal(trimmed(text.substr(0, dash)));
    const auto last = dash == std::string_view::npos ? first : parsePlainDecimal(trimmed(text.substr(dash + 1)));
    if (!first || !last || *first > *last || *last >= base::kPartitionCount)
        return std::nullopt;
    return Range{*first, *last};
}

} // namespace

std::vector<Range> rangesOf(const PartitionSet& set) {
    std::vector<Range> ranges;
    for (const auto& [first, last] : hashing::PartitionSet(set).ranges())
        ranges.push_back({first, last});
    return ranges;
}

PartitionSet setOf(const Range& range) {
    PartitionSet set;
    for (int p = range.first; p <= range.last; ++p)
        set.set(static_cast<std::size_t>(p));
    return set;
}

std::string rangeText(const Range& range) {
    return rangesText(setOf(range));
}

std::string rangesText(const PartitionSet& set) {
    return hashing::PartitionSet(set).text();
}

std::optional<PartitionSet> parsePartitionList(std::string_view text) {
    PartitionSet set;
    for (;;) {
        const auto comma = text.find(',');
        const auto range = parseRange(trimmed(text.substr(0, comma)));
        if (!range)
            return std::nullopt;
        set |= setOf(*range);
        if (comma == std::string_view::npos)
            return set;
        text.remove_prefix(comma + 1);
    }
}

std::optional<int> parsePlainDecimal(std::string_view text) {
    constexpr std::size_t kMostDigits = 9; // fits an int whatever they are
    if (text.empty() || text.size() > kMostDigits || (text.size() > 1 && text.front() == '0'))
        return std::nullopt;
    int value = 0;
    for (const char c : text) {
        if (c < '0' || c > '9')
            return std::nullopt;
        value = value * 10 + (c - '0');
    }
    return value;
}

} // namespace fremis::routing
