#pragma once

#include "shared/hashing/placement.h"

#include <list>
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
    std::vector<NodeIndex> skipped; ///< fuller nodes that came first
};
/// The first node in order of preference with room for one more. `loads` is by node index and counts this request nowhere yet.
[[nodiscard]] BoundedPick pickBounded(const Placement& placement, std::uint64_t hash, std::span<const std::uint64_t> loads,
                                      LoadBound bound);

/// Consistent hashing with bounded loads (Mirrokni, Thorup, Zadimoghaddam 2016, arXiv 1608.01350) for keys that stay: no node
/// ever holds more than its capacity, at any time, for any order of arrivals, departures and node changes. Each change returns
/// the keys it moved. The map depends on the order of arrivals, as the scheme has it. Thread: one at a time.
class BoundedLoads {
public:
    struct Move {
        std::string key;
        std::string from; ///< empty: the key was not placed before
        std::string to;   ///< empty: the key has left
        bool operator==(const Move&) const = default;
    };

    /// Fails with Reason::InvalidParams for an epsilon outside 5..100 that is not kUnlimited.
    [[nodiscard]] static base::Result<BoundedLoads> create(PlacementPtr placement, LoadBound bound);

    /// Places a key; the first move is the key's own, later ones are of keys that had to give way (none for equal weights).
    /// A placed key stays where it is. Fails with Reason::NotReady without nodes.
    [[nodiscard]] base::Result<std::vector<Move>> place(std::string key);
    /// Takes a key out; capacities fall, so some keys may move on. Fails with Reason::NotFound.
    [[nodiscard]] base::Result<std::vector<Move>> erase(std::string_view key);
    /// Goes over to another set of nodes: keys of nodes that left move, and keys above the new capacities. Fails with
    /// Reason::NotReady when keys are placed and the new placement has no node.
    [[nodiscard]] base::Result<std::vector<Move>> change(PlacementPtr placement);

    /// The node that holds a key. Fails with Reason::NotFound.
    [[nodiscard]] base::Result<std::string_view> owner(std::string_view key) const;
    [[nodiscard]] std::uint64_t keys() const { return m_where.size(); }
    [[nodiscard]] std::uint64_t load(NodeIndex node) const { return m_held[node].size(); }
    [[nodiscard]] std::uint64_t capacity(NodeIndex node) const;
    /// How many times a key went past a full node since creation.
    [[nodiscard]] std::uint64_t skips() const { return m_skips; }
    [[nodiscard]] const Placement& placement() const { return *m_placement; }

private:
    struct Held {
        NodeIndex node;
        std::list<std::string>::iterator at;
    };
    BoundedLoads(PlacementPtr placement, LoadBound bound);
    [[nodiscard]] NodeIndex seat(const std::string& key, std::uint64_t total);
    void settle(std::vector<Move>& moves);

    PlacementPtr m_placement;
    LoadBound m_bound;
    std::vector<std::list<std::string>> m_held; // by node, oldest first
    std::unordered_map<std::string, Held> m_where;
    std::uint64_t m_skips = 0;
};

} // namespace fremis::hashing
