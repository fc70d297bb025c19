#include "shared/hashing/point_table.h"

#include <algorithm>
#include <bit>

namespace fremis::hashing {

namespace {

// A good hash puts more than this into one of 32,000 buckets of mean 1/2 less than once in 10^20.
constexpr std::size_t kCrowd = 24;

using Point = PointTable::Point;

// std::stable_sort asks for a buffer even to sort two.
void insertionSort(std::span<Point> points) {
    for (std::size_t i = 1; i < points.size(); ++i) {
        const Point moving = points[i];
        std::size_t at = i;
        for (; at > 0 && points[at - 1].position > moving.position; --at)
            points[at] = points[at - 1];
        points[at] = moving;
    }
}

void sortBucket(std::span<Point> points) {
    if (points.size() <= kCrowd)
        insertionSort(points);
    else
        std::stable_sort(points.begin(), points.end(),
                         [](const Point& a, const Point& b) { return a.position < b.position; });
}

} // namespace

// A counting sort by the top bits, then insertion within each bucket: linear for a good hash, where std::sort would
// take longer than hashing the points did. Scattering keeps the order of equal positions, and so does the sort of a
// crowded bucket.
PointTable::PointTable(std::span<const Point> points) {
    if (points.empty())
        return;
    const std::size_t buckets =
        2 * std::bit_ceil(points.size()); // mean load 1/4 to 1/2: a lookup scans past few points
    m_shift = 64 - static_cast<unsigned>(std::countr_zero(buckets));
    m_index.assign(buckets + 1, 0);
    for (const Point& point : points)
        ++m_index[(point.position >> m_shift) + 1];
    for (std::size_t b = 1; b <= buckets; ++b) {
        m_crowded = m_crowded || m_index[b] > kCrowd;
        m_index[b] += m_index[b - 1];
    }
    std::vector<Point> sorted(points.size());
    std::vector<std::uint32_t> next(m_index.begin(), m_index.end() - 1);
    for (const Point& point : points)
        sorted[next[point.position >> m_shift]++] = point;
    for (std::size_t b = 0; b < buckets; ++b)
        sortBucket(std::span(sorted).subspan(m_index[b], m_index[b + 1] - m_index[b]));

    m_positions.reserve(points.size() + 1);
    m_owners.reserve(points.size() + 1);
    for (const Point& point : sorted) {
        m_positions.push_back(point.position);
        m_owners.push_back(point.node);
    }
    m_positions.push_back(~std::uint64_t{0});
    m_owners.push_back(m_owners.front());
}

std::size_t PointTable::search(std::size_t begin, std::size_t end, std::uint64_t hash) const noexcept {
    const auto first = m_positions.begin();
    const auto at =
        std::lower_bound(first + static_cast<std::ptrdiff_t>(begin), first + static_cast<std::ptrdiff_t>(end), hash);
    return static_cast<std::size_t>(at - first);
}

void PointTable::walk(std::uint64_t hash, std::size_t wanted, std::size_t nodes, std::vector<NodeIndex>& out) const {
    if (m_owners.empty())
        return;
    const std::size_t goal = out.size() + std::min(wanted, nodes);
    std::vector<bool> seen(nodes);
    std::size_t at = successor(hash);
    for (std::size_t step = 0; step < size() && out.size() < goal; ++step, ++at) {
        at = at >= size() ? 0 : at;
        if (!seen[m_owners[at]]) {
            seen[m_owners[at]] = true;
            out.push_back(m_owners[at]);
        }
    }
}

std::vector<Placement::Arc> PointTable::arcs() const {
    std::vector<Placement::Arc> arcs;
    arcs.reserve(size());
    for (std::size_t i = 0; i < size(); ++i)
        if (arcs.empty() || arcs.back().end != m_positions[i]) // of points at one place only the first is ever reached
            arcs.push_back({m_positions[i], m_owners[i]});
    return arcs;
}

std::size_t PointTable::memoryBytes() const {
    return m_positions.size() * sizeof(std::uint64_t) + m_owners.size() * sizeof(NodeIndex) +
           m_index.size() * sizeof(std::uint32_t);
}

} // namespace fremis::hashing
