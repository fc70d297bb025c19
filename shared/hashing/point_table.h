#pragma once

#include "shared/hashing/placement.h"

namespace fremis::hashing {

/// Points on the 64-bit circle, sorted by (position, node, number), with an index over the top bits of the position: a
/// lookup reads one index entry and then, on average, one or two points. 12 bytes a point and 8 to 16 of index.
/// Internal to this folder.
class PointTable {
public:
    struct Point {
        std::uint64_t position;
        NodeIndex node;
    };

    PointTable() = default;
    /// `points` in order of (node, number): equal positions keep that order, so ties go to the smaller node, then
    /// number.
    explicit PointTable(std::span<const Point> points);

    [[nodiscard]] std::size_t size() const { return m_owners.empty() ? 0 : m_owners.size() - 1; }
    [[nodiscard]] std::uint64_t position(std::size_t i) const { return m_positions[i]; }
    [[nodiscard]] NodeIndex node(std::size_t i) const { return m_owners[i]; }

    /// The first point at or after `hash`; size() when there is none (that entry repeats the first point's node).
    [[nodiscard]] std::size_t successor(std::uint64_t hash) const noexcept {
        const std::size_t bucket = hash >> m_shift;
        std::size_t at = m_index[bucket];
        if (m_crowded) [[unlikely]]
            return search(at, m_index[bucket + 1], hash);
        while (m_positions[at] < hash) // ends at the sentinel
            ++at;
        return at;
    }
    [[nodiscard]] NodeIndex ownerOf(std::uint64_t hash) const noexcept {
        return m_owners.empty() ? kNoNode : m_owners[successor(hash)];
    }
    /// Distinct nodes clockwise from `hash`, appended to `out` until it has grown by `wanted`.
    void walk(std::uint64_t hash, std::size_t wanted, std::size_t nodes, std::vector<NodeIndex>& out) const;
    [[nodiscard]] std::vector<Placement::Arc> arcs() const;
    [[nodiscard]] std::size_t memoryBytes() const;

private:
    [[nodiscard]] std::size_t search(std::size_t begin, std::size_t end, std::uint64_t hash) const noexcept;

    std::vector<std::uint64_t> m_positions; // and one sentinel at 2^64 - 1
    std::vector<NodeIndex> m_owners;        // and the first one again
    std::vector<std::uint32_t> m_index;     // first point whose top bits are at least the bucket's
    unsigned m_shift = 63;
    bool m_crowded = false; // some bucket holds so many points that a scan would hurt: a poor hash
};

} // namespace fremis::hashing
