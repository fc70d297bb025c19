#include "shared/hashing/rendezvous.h"

#include "shared/hashing/fixed_log2.h"
#include "shared/hashing/rendezvous_simd.h"

#include <algorithm>
#include <array>

namespace fremis::hashing {

namespace {

__extension__ using Wide = unsigned __int128;

std::vector<std::uint64_t> seedsOf(const NodeSet& nodes, const KeyHash& hash) {
    std::vector<std::uint64_t> seeds;
    seeds.reserve(nodes.size());
    for (const Node& node : nodes.nodes())
        seeds.push_back(rendezvousSeed(hash.of(node.id)));
    return seeds;
}

} // namespace

RendezvousOrder::RendezvousOrder(const NodeSet& nodes, const KeyHash& hash) : m_seeds(seedsOf(nodes, hash)) {}

NodeIndex RendezvousOrder::best(std::uint64_t hash) const noexcept {
    if (m_seeds.empty())
        return kNoNode;
    return static_cast<NodeIndex>(rendezvousKernel().best(m_seeds.data(), m_seeds.size(), rendezvousSeed(hash)));
}

void RendezvousOrder::rank(std::uint64_t hash, std::size_t wanted, NodeIndex skip, std::vector<NodeIndex>& out) const {
    struct Entry {
        std::uint64_t rank;
        NodeIndex node;
    };
    const std::uint64_t key = rendezvousSeed(hash);
    std::vector<Entry> entries;
    entries.reserve(m_seeds.size());
    for (NodeIndex i = 0; i < m_seeds.size(); ++i)
        if (i != skip)
            entries.push_back({rankOne(key ^ m_seeds[i]), i});
    const auto end = entries.begin() + static_cast<std::ptrdiff_t>(std::min(wanted, entries.size()));
    std::partial_sort(entries.begin(), end, entries.end(), [](const Entry& a, const Entry& b) {
        return a.rank != b.rank ? a.rank > b.rank : a.node < b.node;
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
    : SetPlacement(std::move(set), options), m_seeds(seedsOf(nodes(), *options.hash)) {
    for (const Node& node : nodes().nodes()) {
        m_weights.push_back(node.weight);
        m_factors.push_back((std::uint32_t{1} << 31) / node.weight);
        m_inverses.push_back(1 / static_cast<float>(node.weight));
        m_lightest = std::min(m_lightest, node.weight);
        m_heaviest = std::max(m_heaviest, node.weight);
    }
}

bool WeightedRendezvous::Score::beats(const Score& other) const noexcept {
    const Wide mine = Wide{log} * other.weight;
    const Wide theirs = Wide{other.log} * weight;
    return mine != theirs ? mine < theirs : node < other.node;
}

WeightedRendezvous::Score WeightedRendezvous::scoreOf(NodeIndex node, std::uint64_t key) const noexcept {
    return {negativeLog2(mixOne(key ^ m_seeds[node])), m_weights[node], node};
}

NodeIndex WeightedRendezvous::ownerByDefinition(std::uint64_t hash) const noexcept {
    if (m_seeds.empty())
        return kNoNode;
    const std::uint64_t key = rendezvousSeed(hash);
    Score best = scoreOf(0, key);
    for (NodeIndex i = 1; i < m_seeds.size(); ++i)
        if (const Score score = scoreOf(i, key); score.beats(best))
            best = score;
    return best.node;
}

// The score of a lone contender is not needed unless there are more blocks; its log stays 0.
WeightedRendezvous::Score WeightedRendezvous::bestOfBlock(std::size_t begin, std::uint64_t key,
                                                          const RendezvousKernel& kernel) const noexcept {
    std::array<std::uint32_t, WeightedNodes::kBlock> contenders;
    const std::size_t size = std::min(WeightedNodes::kBlock, m_seeds.size() - begin);
    const std::size_t count = kernel.contenders(
        {&m_seeds[begin], &m_weights[begin], &m_factors[begin], &m_inverses[begin], size, m_lightest, m_heaviest}, key,
        contenders.data());
    const auto nodeOf = [&](std::size_t i) { return static_cast<NodeIndex>(begin + contenders[i]); };
    if (count == 1 && size == m_seeds.size()) [[likely]]
        return {0, 0, nodeOf(0)};
    Score best = scoreOf(nodeOf(0), key);
    for (std::size_t i = 1; i < count; ++i)
        if (const Score score = scoreOf(nodeOf(i), key); score.beats(best))
            best = score;
    return best;
}

NodeIndex WeightedRendezvous::ownerBy(const RendezvousKernel& kernel, std::uint64_t hash) const noexcept {
    if (m_seeds.empty())
        return kNoNode;
    const std::uint64_t key = rendezvousSeed(hash);
    Score best = bestOfBlock(0, key, kernel);
    for (std::size_t begin = WeightedNodes::kBlock; begin < m_seeds.size(); begin += WeightedNodes::kBlock)
        if (const Score other = bestOfBlock(begin, key, kernel); other.beats(best))
            best = other;
    return best.node;
}

void WeightedRendezvous::preference(std::uint64_t hash, std::size_t wanted, std::vector<NodeIndex>& out) const {
    const std::uint64_t key = rendezvousSeed(hash);
    std::vector<Score> scores;
    scores.reserve(m_seeds.size());
    for (NodeIndex i = 0; i < m_seeds.size(); ++i)
        scores.push_back(scoreOf(i, key));
    const auto end = scores.begin() + static_cast<std::ptrdiff_t>(std::min(wanted, scores.size()));
    std::partial_sort(scores.begin(), end, scores.end(), [](const Score& a, const Score& b) { return a.beats(b); });
    for (auto at = scores.begin(); at != end; ++at)
        out.push_back(at->node);
}

std::size_t WeightedRendezvous::memoryBytes() const {
    return m_seeds.size() * (sizeof(std::uint64_t) + 2 * sizeof(std::uint32_t) + sizeof(float));
}

} // namespace fremis::hashing
