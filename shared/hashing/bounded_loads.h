#pragma once

#include "shared/hashing/placement.h"

#include <map>
#include <set>
#include <unordered_map>

namespace fremis::hashing {

/// How far a node may go above its weighted mean, in hundredths: 25 is 1.25 x the mean.
struct LoadBound {
    static constexpr std::uint32_t kUnlimited = 0xFFFFFFFFu;
    std::uint32_t epsilon = 25; ///< 5..100, or kUnlimited
    /// ceil((1 + epsilon) * load * weight / totalWeight), in integers.
    [[nodiscard]] std::uint64_t capacity(std::uint64_t load, std::uint32_t weight, std::uint64_t totalWeight) const;
};

/// Where a request may go when the caller counts the load itself (requests in flight, open sessions).
struct BoundedPick {
    NodeIndex node = kNoNode;
    std::vector<NodeIndex> skipped; ///< full nodes that came first
};
/// The first node in order of preference with room for one more. `loads` is by node index and does not count this
/// request yet.
[[nodiscard]] BoundedPick pickBounded(const Placement& placement, std::uint64_t hash,
                                      std::span<const std::uint64_t> loads, LoadBound bound);

/// Consistent hashing with bounded loads (Mirrokni, Thorup, Zadimoghaddam 2016, arXiv 1608.01350) for keys that stay:
/// no node ever holds more than its capacity, at any time, for any order of arrivals, departures and node changes.
/// Every change returns the keys it moved. The map depends on the order of arrivals, as the scheme has it. Thread: one
/// at a time.
class BoundedLoads {
public:
    struct Move {
        std::string key;
        std::string from; ///< empty: the key was not placed before
        std::string to;
        bool operator==(const Move&) const = default;
    };

    /// Fails with Reason::InvalidParams for an epsilon outside 5..100 that is not kUnlimited.
    [[nodiscard]] static base::Result<BoundedLoads> create(PlacementPtr placement, LoadBound bound);

    /// Places a key and returns its node; no other key moves, as capacities only rise. A placed key stays where it is.
    /// Fails with Reason::NotReady without nodes.
    [[nodiscard]] base::Result<std::string_view> place(std::string_view key);
    /// Takes a key out. Capacities fall, so the newest keys of a node may move on. Fails with Reason::NotFound.
    [[nodiscard]] base::Result<std::vector<Move>> erase(std::string_view key);
    /// Goes over to another set of nodes, by placing all keys anew in the order of their arrival; returns those that
    /// moved. Fails with Reason::NotReady when keys are placed and the new placement has no node.
    [[nodiscard]] base::Result<std::vector<Move>> change(PlacementPtr placement);

    /// The node that holds a key. Fails with Reason::NotFound.
    [[nodiscard]] base::Result<std::string_view> owner(std::string_view key) const;
    [[nodiscard]] std::uint64_t keys() const { return m_arrivals.size(); }
    [[nodiscard]] std::uint64_t load(NodeIndex node) const { return m_loads[node]; }
    [[nodiscard]] std::uint64_t capacity(NodeIndex node) const;
    /// How many times a key went past a full node since creation.
    [[nodiscard]] std::uint64_t skips() const { return m_skips; }
    [[nodiscard]] const Placement& placement() const { return *m_placement; }

private:
    struct Key {
        std::string name;
        NodeIndex node;
    };
    BoundedLoads(PlacementPtr placement, LoadBound bound);
    [[nodiscard]] NodeIndex seat(std::uint64_t arrival, std::string_view key);
    void unseat(std::uint64_t arrival, NodeIndex node);
    [[nodiscard]] std::vector<Move> shed();

    PlacementPtr m_placement;
    LoadBound m_bound;
    std::uint64_t m_totalWeight;
    std::uint64_t m_nextArrival = 0;
    std::uint64_t m_skips = 0;
    std::map<std::uint64_t, Key> m_arrivals;
    std::unordered_map<std::string, std::uint64_t> m_arrivalOf;
    std::vector<std::uint64_t> m_loads;          // by node
    std::vector<std::set<std::uint64_t>> m_held; // by node: arrivals
};

} // namespace fremis::hashing
