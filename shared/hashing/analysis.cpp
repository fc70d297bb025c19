#include "shared/hashing/analysis.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>
#include <unordered_map>

namespace fremis::hashing {

namespace {

constexpr double kCircle = 18446744073709551616.0; // 2^64
constexpr std::uint64_t kMaxTableSteps = std::uint64_t{1} << 27;

std::vector<double> sharesOfArcs(const Placement& placement, const std::vector<Placement::Arc>& arcs) {
    __extension__ using Wide = unsigned __int128;
    std::vector<Wide> sums(placement.nodes().size(), 0);
    std::uint64_t start = arcs.back().end;
    for (const Placement::Arc& arc : arcs) {
        sums[arc.owner] += arcs.size() == 1 ? Wide{1} << 64 : Wide{arc.end - start};
        start = arc.end;
    }
    std::vector<double> shares;
    for (const Wide sum : sums)
        shares.push_back(static_cast<double>(sum) / kCircle);
    return shares;
}

template<class Owners> std::vector<double> sharesOfOwners(std::size_t nodes, const Owners& owners) {
    std::vector<std::size_t> counts(nodes, 0);
    for (const NodeIndex owner : owners)
        ++counts[owner];
    std::vector<double> shares;
    for (const std::size_t count : counts)
        shares.push_back(static_cast<double>(count) / static_cast<double>(owners.size()));
    return shares;
}

std::vector<NodeIndex> ownersOfAll(const Placement& placement, std::span<const std::uint64_t> hashes) {
    std::vector<NodeIndex> owners;
    owners.reserve(hashes.size());
    for (const std::uint64_t hash : hashes)
        owners.push_back(placement.ownerOf(hash));
    return owners;
}

void summarise(Balance& balance, const NodeSet& nodes) {
    const auto total = static_cast<double>(nodes.totalWeight());
    for (NodeIndex i = 0; i < nodes.size(); ++i)
        balance.relative.push_back(balance.shares[i] * total / nodes[i].weight);
    const double count = static_cast<double>(balance.relative.size());
    const double mean = std::accumulate(balance.relative.begin(), balance.relative.end(), 0.0) / count;
    double squares = 0;
    for (const double value : balance.relative)
        squares += (value - mean) * (value - mean);
    balance.deviation = std::sqrt(squares / count) / mean;
    const auto [least, most] = std::minmax_element(balance.relative.begin(), balance.relative.end());
    balance.least = *least;
    balance.most = *most;
}

/// Adds up the shares that change their node, by (from, to); kNoNode stands for a map without nodes.
class PairSums {
public:
    PairSums(const NodeSet& from, const NodeSet& to) : m_from(from), m_to(to) {
        for (const Node& node : from.nodes())
            m_sameAs.push_back(to.find(node.id));
    }
    void add(NodeIndex from, NodeIndex to, double share) {
        const bool stays = from != kNoNode && to != kNoNode && m_sameAs[from] == to;
        if (!stays && share > 0)
            m_sums[std::uint64_t{from} << 32 | to] += share;
    }
    void finish(Movement& movement, double scale) const {
        for (const auto& [pair, sum] : m_sums) {
            const auto from = static_cast<NodeIndex>(pair >> 32);
            const auto to = static_cast<NodeIndex>(pair);
            movement.pairs.push_back({idOf(m_from, from), idOf(m_to, to), sum * scale});
        }
        std::sort(movement.pairs.begin(), movement.pairs.end(), [](const auto& a, const auto& b) {
            return a.share != b.share ? a.share > b.share : std::tie(a.from, a.to) < std::tie(b.from, b.to);
        });
        for (const Movement::Pair& pair : movement.pairs) { // in this order the sums round the same everywhere
            movement.moved += pair.share;
            movement.betweenSurvivors += survives(pair.from) && survives(pair.to) ? pair.share : 0;
        }
    }

private:
    [[nodiscard]] static std::string idOf(const NodeSet& set, NodeIndex node) {
        return node == kNoNode ? std::string() : set[node].id;
    }
    [[nodiscard]] bool survives(const std::string& id) const {
        const NodeIndex before = m_from.find(id);
        const NodeIndex after = m_to.find(id);
        return before != kNoNode && after != kNoNode && m_from[before].weight == m_to[after].weight;
    }

    const NodeSet& m_from;
    const NodeSet& m_to;
    std::vector<NodeIndex> m_sameAs;
    std::unordered_map<std::uint64_t, double> m_sums; // most keys stay, so few pairs are ever met
};

double idealMovement(const NodeSet& from, const NodeSet& to) {
    std::map<std::string_view, double> change;
    for (const Node& node : from.nodes())
        change[node.id] -= node.weight / static_cast<double>(from.totalWeight());
    for (const Node& node : to.nodes())
        change[node.id] += node.weight / static_cast<double>(to.totalWeight());
    double sum = 0;
    for (const auto& [id, difference] : change)
        sum += std::abs(difference);
    return from.empty() || to.empty() ? 1.0 : sum / 2;
}

// Both circles cut at all ends of either: between two cuts both owners are constant.
void sumArcs(PairSums& sums, const std::vector<Placement::Arc>& from, const std::vector<Placement::Arc>& to) {
    std::size_t f = 0;
    std::size_t t = 0;
    std::uint64_t start =
        std::max(from.back().end, to.back().end); // the wrapping piece belongs to the first arcs of both
    while (f < from.size() || t < to.size()) {
        const bool fromEnds = t == to.size() || (f < from.size() && from[f].end <= to[t].end);
        const std::uint64_t end = fromEnds ? from[f].end : to[t].end;
        const double length = static_cast<double>(end - start);
        sums.add(from[f % from.size()].owner, to[t % to.size()].owner, length);
        start = end;
        f += f < from.size() && from[f].end == end ? 1 : 0;
        t += t < to.size() && to[t].end == end ? 1 : 0;
    }
}

// Tables of sizes a and b are periodic together with lcm(a, b); with the same shift and for a = b that is one pass.
bool sumTables(PairSums& sums, const Placement::Table& from, const Placement::Table& to, std::uint64_t& steps) {
    if (from.shift != to.shift)
        return false;
    steps = std::lcm<std::uint64_t>(from.owners.size(), to.owners.size());
    if (steps > kMaxTableSteps)
        return false;
    std::size_t f = 0;
    std::size_t t = 0;
    for (std::uint64_t i = 0; i < steps; ++i) {
        sums.add(from.owners[f], to.owners[t], 1.0);
        f = f + 1 == from.owners.size() ? 0 : f + 1;
        t = t + 1 == to.owners.size() ? 0 : t + 1;
    }
    return true;
}

bool sumExactly(Movement& movement, const Placement& from, const Placement& to) {
    PairSums sums(from.nodes(), to.nodes());
    const auto fromArcs = from.arcs();
    const auto toArcs = to.arcs();
    if (fromArcs.size() > 1 && toArcs.size() > 1) {
        sumArcs(sums, fromArcs, toArcs);
        sums.finish(movement, 1.0 / kCircle);
        return true;
    }
    const auto fromTable = from.table();
    const auto toTable = to.table();
    std::uint64_t steps = 0;
    if (fromTable.owners.empty() || toTable.owners.empty() || !sumTables(sums, fromTable, toTable, steps))
        return false;
    sums.finish(movement, 1.0 / static_cast<double>(steps));
    return true;
}

void sumSampled(Movement& movement, const Placement& from, const Placement& to, std::span<const std::uint64_t> hashes) {
    PairSums sums(from.nodes(), to.nodes());
    for (const std::uint64_t hash : hashes)
        sums.add(from.ownerOf(hash), to.ownerOf(hash), 1.0);
    movement.method = Method::Sampled;
    movement.keys = hashes.size();
    sums.finish(movement, 1.0 / static_cast<double>(hashes.size()));
}

Failure failureOf(const Placement& placement, const Movement& movement, NodeIndex node) {
    Failure failure{node, 0, 0, 0, movement.betweenSurvivors};
    for (const Movement::Pair& pair : movement.pairs) {
        if (pair.from != placement.nodes()[node].id)
            continue;
        failure.share += pair.share;
        failure.largest = std::max(failure.largest, pair.share);
        ++failure.receivers;
    }
    failure.largest = failure.share > 0 ? failure.largest / failure.share : 0;
    return failure;
}

} // namespace

std::vector<std::uint64_t> sampleHashes(std::size_t count) {
    std::vector<std::uint64_t> hashes(count);
    for (std::size_t i = 0; i < count; ++i)
        hashes[i] = mix64((i + 1) * 0x9e3779b97f4a7c15ull); // splitmix64, Steele et al. 2014
    return hashes;
}

Balance balanceOf(const Placement& placement, std::span<const std::uint64_t> hashes) {
    Balance balance;
    const NodeSet& nodes = placement.nodes();
    if (nodes.empty())
        return balance;
    const auto arcs = hashes.empty() ? placement.arcs() : std::vector<Placement::Arc>();
    const auto table = hashes.empty() ? placement.table() : Placement::Table();
    if (!arcs.empty()) {
        balance.shares = sharesOfArcs(placement, arcs);
    } else if (!table.owners.empty()) {
        balance.shares = sharesOfOwners(nodes.size(), table.owners);
    } else {
        const auto sample = hashes.empty() ? sampleHashes(kSampleSize) : std::vector<std::uint64_t>();
        const auto used = hashes.empty() ? std::span<const std::uint64_t>(sample) : hashes;
        balance.method = Method::Sampled;
        balance.keys = used.size();
        balance.shares = sharesOfOwners(nodes.size(), ownersOfAll(placement, used));
    }
    summarise(balance, nodes);
    return balance;
}

base::Result<Movement> diff(const Placement& from, const Placement& to, std::span<const std::uint64_t> hashes) {
    if (from.options().hash->name != to.options().hash->name)
        return base::fail(base::Reason::InvalidParams, "the two maps hash keys differently");
    Movement movement;
    movement.ideal = idealMovement(from.nodes(), to.nodes());
    if (!hashes.empty())
        sumSampled(movement, from, to, hashes);
    else if (!sumExactly(movement, from, to))
        sumSampled(movement, from, to, sampleHashes(kSampleSize));
    return movement;
}

std::vector<Failure> failures(const Placement& placement, std::span<const std::uint64_t> hashes, std::size_t limit,
                              const Progress& progress) {
    std::vector<Failure> found;
    const std::size_t nodes = placement.nodes().size();
    const std::size_t count = std::min(limit, nodes);
    for (std::size_t i = 0; i < count && nodes > 1; ++i) {
        const auto node = static_cast<NodeIndex>(i * nodes / count);
        if (progress)
            progress(static_cast<double>(i) / static_cast<double>(count));
        const auto without = placement.remove(placement.nodes()[node].id);
        if (!without)
            continue;
        if (const auto movement = diff(placement, **without, hashes))
            found.push_back(failureOf(placement, *movement, node));
    }
    return found;
}

std::vector<Overlap> replicaOverlaps(const Placement& placement, std::size_t replicas, SpreadRules rules,
                                     std::span<const std::uint64_t> hashes) {
    const std::size_t nodes = placement.nodes().size();
    std::vector<std::map<NodeIndex, std::size_t>> together(nodes);
    std::vector<std::size_t> held(nodes, 0);
    for (const std::uint64_t hash : hashes) {
        const auto list = placement.ownersOf(hash, replicas, rules).nodes;
        for (const NodeIndex a : list) {
            ++held[a];
            for (const NodeIndex b : list)
                if (a != b)
                    ++together[a][b];
        }
    }
    std::vector<Overlap> overlaps;
    for (NodeIndex node = 0; node < nodes; ++node) {
        std::size_t largest = 0;
        for (const auto& [other, count] : together[node])
            largest = std::max(largest, count);
        overlaps.push_back({node, together[node].size(),
                            held[node] == 0 ? 0 : static_cast<double>(largest) / static_cast<double>(held[node])});
    }
    return overlaps;
}

} // namespace fremis::hashing
