#include "shared/hashing/hash_ring.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace fremis::hashing {

namespace {

// The texts "{id}#{number}" of one node, hashed some at a time so that two hashes can share the CPU's SHA unit.
class PointHasher {
public:
    explicit PointHasher(const KeyHash& hash) : m_hash(hash) {}

    void append(const Node& node, NodeIndex index, std::uint64_t count, std::vector<PointTable::Point>& out) {
        for (std::uint64_t number = 0; number < count;) {
            const std::size_t batch = std::min<std::uint64_t>(kBatch, count - number);
            for (std::size_t i = 0; i < batch; ++i)
                m_views[i] = write(m_texts[i], node.id, number + i);
            hashBatch(batch);
            for (std::size_t i = 0; i < batch; ++i)
                out.push_back({m_positions[i], index});
            number += batch;
        }
    }

private:
    static constexpr std::size_t kBatch = 16;
    using Text = std::array<char, 255 + 1 + 20>; // id, '#', a 64-bit number

    static std::string_view write(Text& text, const std::string& id, std::uint64_t number) {
        id.copy(text.data(), id.size());
        text[id.size()] = '#';
        const auto end = std::to_chars(text.data() + id.size() + 1, text.data() + text.size(), number).ptr;
        return {text.data(), static_cast<std::size_t>(end - text.data())};
    }
    void hashBatch(std::size_t size) {
        if (m_hash.of == &h64)
            return h64Batch(std::span(m_views).first(size), m_positions);
        for (std::size_t i = 0; i < size; ++i)
            m_positions[i] = m_hash.of(m_views[i]);
    }

    const KeyHash& m_hash;
    std::array<Text, kBatch> m_texts;
    std::array<std::string_view, kBatch> m_views;
    std::array<std::uint64_t, kBatch> m_positions;
};

std::uint64_t totalPoints(const NodeSet& nodes, std::uint32_t pointsPerNode) {
    std::uint64_t sum = 0;
    for (const Node& node : nodes.nodes())
        sum += HashRing::pointsOf(pointsPerNode, node.weight);
    return sum;
}

std::vector<PointTable::Point> pointsOfAll(const NodeSet& nodes, const SchemeOptions& options) {
    std::vector<PointTable::Point> points;
    points.reserve(totalPoints(nodes, options.pointsPerNode));
    PointHasher hasher(*options.hash);
    for (NodeIndex i = 0; i < nodes.size(); ++i)
        hasher.append(nodes[i], i, HashRing::pointsOf(options.pointsPerNode, nodes[i].weight), points);
    return points;
}

} // namespace

std::uint64_t HashRing::pointsOf(std::uint32_t pointsPerNode, std::uint32_t weight) {
    return std::max<std::uint64_t>(1, (std::uint64_t{pointsPerNode} * weight + 50) / 100);
}

base::Result<PlacementPtr> HashRing::create(NodeSet nodes, const SchemeOptions& options) {
    if (options.pointsPerNode < 1 || options.pointsPerNode > 100'000)
        return base::fail(base::Reason::InvalidParams, "a ring has 1 to 100000 points per node");
    if (totalPoints(nodes, options.pointsPerNode) > kMaxPoints)
        return base::fail(base::Reason::InvalidParams, "the ring would have more than " + std::to_string(kMaxPoints) +
                                                           " points: lower the weights or the points");
    return PlacementPtr(new HashRing(std::move(nodes), options));
}

HashRing::HashRing(NodeSet set, const SchemeOptions& options)
    : SetPlacement(std::move(set), options), m_points(pointsOfAll(nodes(), options)) {}

} // namespace fremis::hashing
