#include "shared/hashing/partition_set.h"

namespace fremis::hashing {

PartitionSet::PartitionSet(std::span<const PartitionRange> ranges) {
    for (const auto& range : ranges)
        insert(range);
}

PartitionSet PartitionSet::all() {
    return PartitionSet(Bits().set());
}

void PartitionSet::insert(PartitionRange range) {
    for (int partition = range.first; partition <= range.last; ++partition)
        m_bits.set(static_cast<std::size_t>(partition));
}

std::vector<PartitionRange> PartitionSet::ranges() const {
    std::vector<PartitionRange> found;
    for (int partition = 0; partition < base::kPartitionCount; ++partition) {
        const auto number = static_cast<base::Partition>(partition);
        if (!contains(number))
            continue;
        if (!found.empty() && found.back().last + 1 == partition)
            found.back().last = number;
        else
            found.push_back({number, number});
    }
    return found;
}

std::string PartitionSet::text() const {
    std::string text;
    for (const auto& [first, last] : ranges()) {
        if (!text.empty())
            text += ", ";
        text += std::to_string(first);
        if (last != first)
            text += '-' + std::to_string(last);
    }
    return text.empty() ? "none" : text;
}

} // namespace fremis::hashing
