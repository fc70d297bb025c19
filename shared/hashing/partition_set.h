#pragma once

#include "shared/base/ids.h"

#include <bitset>
#include <span>
#include <string>
#include <vector>

namespace fremis::hashing {

/// Partitions from `first` to `last`, both included.
struct PartitionRange {
    base::Partition first = 0;
    base::Partition last = 0;
    auto operator<=>(const PartitionRange&) const = default;
};

/// Some of the 256 partitions. A value; thread: as any value.
class PartitionSet {
public:
    /// Bit p is partition p; for those who reckon with whole sets.
    using Bits = std::bitset<base::kPartitionCount>;

    PartitionSet() = default;
    explicit PartitionSet(std::span<const PartitionRange> ranges);
    explicit PartitionSet(const Bits& bits) : m_bits(bits) {}
    [[nodiscard]] static PartitionSet all();

    void insert(base::Partition partition) { m_bits.set(partition); }
    void insert(PartitionRange range);
    void erase(base::Partition partition) { m_bits.reset(partition); }
    [[nodiscard]] bool contains(base::Partition partition) const { return m_bits.test(partition); }
    [[nodiscard]] int count() const { return static_cast<int>(m_bits.count()); }
    [[nodiscard]] bool empty() const { return m_bits.none(); }
    [[nodiscard]] bool isAll() const { return m_bits.all(); }
    [[nodiscard]] bool overlaps(const PartitionSet& other) const { return (m_bits & other.m_bits).any(); }

    [[nodiscard]] PartitionSet operator|(const PartitionSet& other) const {
        return PartitionSet(m_bits | other.m_bits);
    }
    [[nodiscard]] PartitionSet operator&(const PartitionSet& other) const {
        return PartitionSet(m_bits & other.m_bits);
    }
    [[nodiscard]] PartitionSet operator-(const PartitionSet& other) const {
        return PartitionSet(m_bits & ~other.m_bits);
    }
    bool operator==(const PartitionSet&) const = default;

    [[nodiscard]] const Bits& bits() const { return m_bits; }
    /// Rising, disjoint, as few as possible.
    [[nodiscard]] std::vector<PartitionRange> ranges() const;
    /// "0-127, 200"; "none" when empty.
    [[nodiscard]] std::string text() const;

private:
    Bits m_bits;
};

} // namespace fremis::hashing
