#include "shared/hashing/rendezvous.h"

#include "shared/hashing/fixed_log2.h"
#include "shared/hashing/rendezvous_kernels.h"

#include <algorithm>
#include <array>

namespace fremis::hashing {

namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::size_t kBlock = 512; // nodes whose bounds fit a lookup's stack

std::vector<std::uint64_t> hashesOf(const NodeSet& nodes, const KeyHash& hash) {
    std::vector<std::uint64_t> hashes;
    hashes.reserve(nodes.size());
    for (const Node& node : nodes.nodes())
        hashes.push_back(hash.of(node.id));
    return hashes;
}

/// What another node's bound must not exceed to be a candidate, when the best bound's node has `v` and `weight`; v is
/// 32 bits of 1-u. With real numbers and s = -ln(u)/w: 1-u is in (v, v+1) / 2^32, so any node has s > v / (2^32 w) >=
/// bound / 2^63, and the best one has s < (v+1) / (2^32 - v - 1) / w. The slack is more than the fixed-point logarithm
/// can err.
std::uint64_t candidateLimit(std::uint64_t v, std::uint32_t weight) {
    constexpr std::uint64_t kAll = (std::uint64_t{1} << 63) - 1;
    constexpr std::uint64_t kHalf = std::uint64_t{1} << 31;
    constexpr std::uint64_t kSlack = 1024;
    if (v + 1 >= kHalf)
        return kAll; // u below a half: the upper bound tells little
    const std::uint64_t ratio = ((v + 1) << 31) / (2 * kHalf - v - 1) + 1; // rounded up, 31 fractional bits, at most 1
    return std::min(kAll, (ratio << 32) / weight + 1 + kSlack);
}

} // namespace

RendezvousOrder::RendezvousOrder(const NodeSet& nodes, const KeyHash& hash) : m_hashes(hashesOf(nodes, hash)) {}

NodeIndex RendezvousOrder::best(std::uint64_t hash) const noexcept {
    if (m_hashes.empty())
        return kNoNode;
    return static_cast<NodeIndex>(rendezvousKernel().best(m_hashes.data(), m_hashes.size(), hash));
}

void RendezvousOrder::rank(std::uint64_t hash, std::size_t wanted, NodeIndex skip, std::vector<NodeIndex>& out) const {
    struct Entry {
        std::uint64_t score;
        NodeIndex node;
    };
    std::vector<Entry> entries;
    entries.reserve(m_hashes.size());
    for (NodeIndex i = 0; i < m_hashes.size(); ++i)
        if (i != skip)
            entries.push_back({mix64(hash ^ m_hashes[i]), i});
    const auto end = entries.begin() + static_cast<std::ptrdiff_t>(std::min(wanted, entries.size()));
    std::partial_sort(entries.begin(), end, entries.end(), [](const Entry& a, const Entry& b) {
        return a.score != b.score ? a.score > b.score : a.node < b.node;
    });
    for (auto at = entries.begin(); at != end; ++at)
        out.push_back(at->node);
}

void RendezvousOrder::after(NodeIndex first, std::uint64_t hash, std::size_t wanted,
                            std::vector<NodeIndex>& out) const {
    if (first == kNoNode || wanted == 0)
        return;
    out.push_back(first);
    if (wanted > 1)
        rank(hash, wanted - 1, first, out);
}

base::Result<PlacementPtr> Rendezvous::create(NodeSet nodes, const SchemeOptions& options) {
    if (!nodes.hasEqualWeights())
        return base::fail(base::Reason::InvalidParams, "plain rendezvous has no weights: use weighted-hrw");
    return PlacementPtr(new Rendezvous(std::move(nodes), options));
}

Rendezvous::Rendezvous(NodeSet set, const SchemeOptions& options)
    : SetPlacement(std::move(set), options), m_order(nodes(), *options.hash) {}

base::Result<PlacementPtr> WeightedRendezvous::create(NodeSet nodes, const SchemeOptions& options) {
    return PlacementPtr(new WeightedRendezvous(std::move(nodes), options));
}

WeightedRendezvous::WeightedRendezvous(NodeSet set, const SchemeOptions& options)
    : SetPlacement(std::move(set), options), m_hashes(hashesOf(nodes(), *options.hash)) {
    for (const Node& node : nodes().nodes()) {
        m_weights.push_back(node.weight);
        m_factors.push_back((std::uint64_t{1} << 31) / node.weight);
    }
}

bool WeightedRendezvous::Score::beats(const Score& other) const noexcept {
    const Wide mine = Wide{log} * other.weight;
    const Wide theirs = Wide{other.log} * weight;
    return mine != theirs ? mine < theirs : node < other.node;
}

WeightedRendezvous::Score WeightedRendezvous::scoreOf(NodeIndex node, std::uint64_t hash) const noexcept {
    return {negativeLog2(mix64(hash ^ m_hashes[node])), m_weights[node], node};
}

NodeIndex WeightedRendezvous::ownerByDefinition(std::uint64_t hash) const noexcept {
    if (m_hashes.empty())
        return kNoNode;
    Score best = scoreOf(0, hash);
    for (NodeIndex i = 1; i < m_hashes.size(); ++i)
        if (const Score score = scoreOf(i, hash); score.beats(best))
            best = score;
    return best.node;
}

NodeIndex WeightedRendezvous::bestOfBlock(std::size_t begin, std::size_t size, std::uint64_t hash) const noexcept {
    std::array<std::uint64_t, kBlock> bounds;
    const RendezvousKernel& kernel = rendezvousKernel();
    const std::size_t least = kernel.bounds(&m_hashes[begin], &m_factors[begin], size, hash, bounds.data());
    const std::uint64_t v = ~mix64(hash ^ m_hashes[begin + least]) >> 32;
    const std::uint64_t limit = candidateLimit(v, m_weights[begin + least]);
    const auto leader = static_cast<NodeIndex>(begin + least);
    if (kernel.countAtMost(bounds.data(), size, limit) == 1)
        return leader;
    Score best = scoreOf(leader, hash);
    for (std::size_t i = 0; i < size; ++i) {
        if (bounds[i] > limit || i == least)
            continue;
        if (const Score score = scoreOf(static_cast<NodeIndex>(begin + i), hash); score.beats(best))
            best = score;
    }
    return best.node;
}

NodeIndex WeightedRendezvous::ownerOf(std::uint64_t hash) const noexcept {
    if (m_hashes.empty())
        return kNoNode;
    NodeIndex best = bestOfBlock(0, std::min(kBlock, m_hashes.size()), hash);
    for (std::size_t begin = kBlock; begin < m_hashes.size(); begin += kBlock) {
        const NodeIndex other = bestOfBlock(begin, std::min(kBlock, m_hashes.size() - begin), hash);
        if (scoreOf(other, hash).beats(scoreOf(best, hash)))
            best = other;
    }
    return best;
}

void WeightedRendezvous::preference(std::uint64_t hash, std::size_t wanted, std::vector<NodeIndex>& out) const {
    std::vector<Score> scores;
    scores.reserve(m_hashes.size());
    for (NodeIndex i = 0; i < m_hashes.size(); ++i)
        scores.push_back(scoreOf(i, hash));
    const auto end = scores.begin() + static_cast<std::ptrdiff_t>(std::min(wanted, scores.size()));
    std::partial_sort(scores.begin(), end, scores.end(), [](const Score& a, const Score& b) { return a.beats(b); });
    for (auto at = scores.begin(); at != end; ++at)
        out.push_back(at->node);
}

std::size_t WeightedRendezvous::memoryBytes() const {
    return m_hashes.size() * (2 * sizeof(std::uint64_t) + sizeof(std::uint32_t));
}

} // namespace fremis::hashing
