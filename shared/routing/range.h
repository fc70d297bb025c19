#pragma once

#include "shared/hashing/partition_set.h"

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fremis::routing {

/// A set of partitions; bit p is partition p.
using PartitionSet = hashing::PartitionSet::Bits;

/// Partitions first..last, both included; first <= last.
struct Range {
    int first = 0;
    int last = 0;

    [[nodiscard]] int size() const { return last - first + 1; }
    [[nodiscard]] bool contains(int partition) const { return first <= partition && partition <= last; }
    [[nodiscard]] bool intersects(const Range& other) const { return first <= other.last && other.first <= last; }
    auto operator<=>(const Range&) const = default;
};

/// The fewest ranges that make up the set, ascending.
[[nodiscard]] std::vector<Range> rangesOf(const PartitionSet& set);
[[nodiscard]] PartitionSet setOf(const Range& range);

/// "0-84, 101, 200-255"; a single partition is written alone; the empty set is "none".
[[nodiscard]] std::string rangesText(const PartitionSet& set);
[[nodiscard]] std::string rangeText(const Range& range);

/// Reads "182-207, 5": plain decimal numbers 0..255, blanks allowed around each. Empty when the text is anything else.
[[nodiscard]] std::optional<PartitionSet> parsePartitionList(std::string_view text);

/// A plain decimal number (no sign, no leading zero, no blank) of at most 9 digits.
[[nodiscard]] std::optional<int> parsePlainDecimal(std::string_view text);

} // namespace fremis::routing
