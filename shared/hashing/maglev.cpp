#include "shared/hashing/maglev.h"

#include <algorithm>

namespace fremis::hashing {

namespace {

bool isPrime(std::uint64_t n) {
    if (n < 4)
        return n >= 2;
    if (n % 2 == 0)
        return false;
    for (std::uint64_t d = 3; d * d <= n; d += 2)
        if (n % d == 0)
            return false;
    return true;
}

// A node's walk through the table.
struct Walk {
    std::uint32_t at;
    std::uint32_t skip;
    std::uint32_t weight;
};

std::vector<Walk> walksOf(const NodeSet& nodes, const SchemeOptions& options) {
    const std::uint32_t size = options.tableSize;
    std::vector<Walk> walks;
    walks.reserve(nodes.size());
    for (const Node& node : nodes.nodes())
        walks.push_back({static_cast<std::uint32_t>(options.hash->of(node.id + "#o") % size),
                         static_cast<std::uint32_t>(options.hash->of(node.id + "#s") % (size - 1) + 1), node.weight});
    return walks;
}

class Filler {
public:
    explicit Filler(std::uint32_t size) : m_table(size, 0), m_taken(size, false), m_left(size) {}

    // The first free entry of the walk becomes the node's. M is prime, so a walk meets every entry.
    void turn(Walk& walk, std::size_t node) {
        while (m_taken[walk.at])
            step(walk);
        m_taken[walk.at] = true;
        m_table[walk.at] = static_cast<std::uint16_t>(node);
        step(walk);
        --m_left;
    }
    [[nodiscard]] bool full() const { return m_left == 0; }
    [[nodiscard]] std::vector<std::uint16_t> take() { return std::move(m_table); }

private:
    void step(Walk& walk) const {
        const std::uint64_t next = std::uint64_t{walk.at} + walk.skip;
        walk.at = static_cast<std::uint32_t>(next < m_table.size() ? next : next - m_table.size());
    }
    std::vector<std::uint16_t> m_table;
    std::vector<bool> m_taken;
    std::size_t m_left;
};

std::vector<std::uint16_t> fill(std::vector<Walk> walks, std::uint32_t size) {
    std::uint64_t heaviest = 1;
    for (const Walk& walk : walks)
        heaviest = std::max<std::uint64_t>(heaviest, walk.weight);
    Filler filler(size);
    for (std::uint64_t round = 1; !filler.full(); ++round)
        for (std::size_t i = 0; i < walks.size() && !filler.full(); ++i)
            if (round * walks[i].weight / heaviest != (round - 1) * walks[i].weight / heaviest)
                filler.turn(walks[i], i);
    return filler.take();
}

} // namespace

base::Result<PlacementPtr> Maglev::create(NodeSet nodes, const SchemeOptions& options) {
    const std::uint32_t size = options.tableSize;
    if (size > kMaxTable || size < nodes.size() || !isPrime(size) || size < 3)
        return base::fail(base::Reason::InvalidParams,
                          "a Maglev table's size is a prime from the number of nodes to " + std::to_string(kMaxTable));
    auto table = nodes.empty() ? std::vector<std::uint16_t>() : fill(walksOf(nodes, options), size);
    return PlacementPtr(new Maglev(std::move(nodes), options, std::move(table)));
}

Maglev::Maglev(NodeSet set, const SchemeOptions& options, std::vector<std::uint16_t> table)
    : SetPlacement(std::move(set), options), m_table(std::move(table)), m_order(nodes(), *options.hash) {}

std::uint32_t Maglev::tableSizeFor(std::size_t nodes, std::uint32_t entriesPerNode) {
    constexpr std::uint64_t kDefault = 65537;
    std::uint64_t size = std::max(kDefault, std::uint64_t{nodes} * entriesPerNode);
    size = std::min<std::uint64_t>(size, kMaxTable - 100); // there is a prime in the last hundred
    while (!isPrime(size))
        ++size;
    return static_cast<std::uint32_t>(size);
}

} // namespace fremis::hashing
