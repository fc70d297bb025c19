#include "shared/hashing/bounded_loads.h"

#include <algorithm>

namespace fremis::hashing {

using base::fail;
using base::Reason;

namespace {

__extension__ using Wide = unsigned __int128;

BoundedPick pick(const Placement& placement, std::uint64_t hash, std::span<const std::uint64_t> loads,
                 std::uint64_t total, std::uint64_t totalWeight, LoadBound bound) {
    BoundedPick result;
    const auto hasRoom = [&](NodeIndex node) {
        return loads[node] < bound.capacity(total, placement.nodes()[node].weight, totalWeight);
    };
    std::vector<NodeIndex> order;
    // Most keys find room on their first nodes, so the whole order is only asked for when those are full.
    for (std::size_t asked = 1; result.node == kNoNode && order.size() < placement.nodes().size(); asked *= 4) {
        const std::size_t known = order.size();
        order.clear();
        placement.preference(hash, std::min(asked, placement.nodes().size()), order);
        for (std::size_t i = known; i < order.size() && result.node == kNoNode; ++i) {
            if (hasRoom(order[i]))
                result.node = order[i];
            else
                result.skipped.push_back(order[i]);
        }
    }
    return result;
}

} // namespace

std::uint64_t LoadBound::capacity(std::uint64_t load, std::uint32_t weight, std::uint64_t totalWeight) const {
    if (epsilon == kUnlimited)
        return ~std::uint64_t{0};
    const Wide above = Wide{100 + epsilon} * load * weight;
    const Wide below = Wide{100} * totalWeight;
    return static_cast<std::uint64_t>((above + below - 1) / below);
}

BoundedPick pickBounded(const Placement& placement, std::uint64_t hash, std::span<const std::uint64_t> loads,
                        LoadBound bound) {
    std::uint64_t total = 1;
    for (const std::uint64_t load : loads)
        total += load;
    return pick(placement, hash, loads, total, placement.nodes().totalWeight(), bound);
}

base::Result<BoundedLoads> BoundedLoads::create(PlacementPtr placement, LoadBound bound) {
    if (bound.epsilon != LoadBound::kUnlimited && (bound.epsilon < 5 || bound.epsilon > 100))
        return fail(Reason::InvalidParams, "epsilon is between 0.05 and 1");
    return BoundedLoads(std::move(placement), bound);
}

BoundedLoads::BoundedLoads(PlacementPtr placement, LoadBound bound)
    : m_placement(std::move(placement)), m_bound(bound), m_totalWeight(m_placement->nodes().totalWeight()),
      m_loads(m_placement->nodes().size(), 0), m_held(m_placement->nodes().size()) {}

std::uint64_t BoundedLoads::capacity(NodeIndex node) const {
    return m_bound.capacity(keys(), m_placement->nodes()[node].weight, m_totalWeight);
}

// The capacities sum to at least (1 + epsilon) times all keys, so some node always has room.
NodeIndex BoundedLoads::seat(std::uint64_t arrival, std::string_view key) {
    const auto found = pick(*m_placement, m_placement->hashOf(key), m_loads, keys(), m_totalWeight, m_bound);
    m_skips += found.skipped.size();
    ++m_loads[found.node];
    m_held[found.node].insert(arrival);
    return found.node;
}

void BoundedLoads::unseat(std::uint64_t arrival, NodeIndex node) {
    --m_loads[node];
    m_held[node].erase(arrival);
}

base::Result<std::string_view> BoundedLoads::place(std::string_view key) {
    if (m_placement->nodes().empty())
        return fail(Reason::NotReady, "there is no node to place keys on");
    const auto [known, isNew] = m_arrivalOf.emplace(key, m_nextArrival);
    if (isNew) {
        const auto at = m_arrivals.emplace(m_nextArrival, Key{std::string(key), kNoNode}).first;
        at->second.node = seat(m_nextArrival, key);
        ++m_nextArrival;
    }
    return std::string_view(m_placement->nodes()[m_arrivals.at(known->second).node].id);
}

base::Result<std::vector<BoundedLoads::Move>> BoundedLoads::erase(std::string_view key) {
    const auto known = m_arrivalOf.find(std::string(key));
    if (known == m_arrivalOf.end())
        return fail(Reason::NotFound, "the key is not placed");
    const auto at = m_arrivals.find(known->second);
    unseat(at->first, at->second.node);
    m_arrivals.erase(at);
    m_arrivalOf.erase(known);
    return shed();
}

// The newest keys leave first: they would not have got in under the lower capacity.
std::vector<BoundedLoads::Move> BoundedLoads::shed() {
    std::vector<Move> moves;
    const auto nodes = m_placement->nodes().nodes();
    for (NodeIndex node = 0; node < nodes.size(); ++node)
        while (m_loads[node] > capacity(node)) {
            const std::uint64_t arrival = *m_held[node].rbegin();
            Key& key = m_arrivals.at(arrival);
            unseat(arrival, node);
            key.node = seat(arrival, key.name);
            moves.push_back({key.name, nodes[node].id, nodes[key.node].id});
        }
    return moves;
}

base::Result<std::vector<BoundedLoads::Move>> BoundedLoads::change(PlacementPtr placement) {
    if (placement->nodes().empty() && !m_arrivals.empty())
        return fail(Reason::NotReady, "there is no node to place keys on");
    BoundedLoads next(std::move(placement), m_bound);
    next.m_skips = m_skips;
    std::vector<Move> moves;
    for (const auto& [arrival, key] : m_arrivals) {
        auto to = next.place(key.name);
        if (!to)
            return tl::unexpected(std::move(to.error()));
        const std::string& from = m_placement->nodes()[key.node].id;
        if (*to != from)
            moves.push_back({key.name, from, std::string(*to)});
    }
    *this = std::move(next);
    return moves;
}

base::Result<std::string_view> BoundedLoads::owner(std::string_view key) const {
    const auto known = m_arrivalOf.find(std::string(key));
    if (known == m_arrivalOf.end())
        return fail(Reason::NotFound, "the key is not placed");
    return std::string_view(m_placement->nodes()[m_arrivals.at(known->second).node].id);
}

} // namespace fremis::hashing
