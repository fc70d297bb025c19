#pragma once

#include "shared/hashing/rendezvous_order.h"
#include "shared/hashing/set_placement.h"

namespace fremis::hashing {

/// Maglev hashing (Eisenbud et al., NSDI 2016, section 3.4): a table of M entries, M prime, that the nodes fill in
/// turns in the order of their ids, each along its own permutation: offset hash("{id}#o") mod M, skip hash("{id}#s")
/// mod (M-1) + 1. A key's entry is hash mod M. A node takes floor(r w / wmax) - floor((r-1) w / wmax) turns in round r.
/// A change moves some more keys than it must; the larger M, the fewer.
class Maglev final : public SetPlacement {
public:
    static constexpr std::uint32_t kMaxTable = 1u << 28;

    /// Fails with Reason::InvalidParams when tableSize is no prime, is above kMaxTable or below the number of nodes.
    [[nodiscard]] static base::Result<PlacementPtr> create(NodeSet nodes, const SchemeOptions& options = {});
    /// The smallest prime of at least `entriesPerNode` * nodes, and of at least 65,537.
    [[nodiscard]] static std::uint32_t tableSizeFor(std::size_t nodes, std::uint32_t entriesPerNode);

    [[nodiscard]] Scheme scheme() const override { return Scheme::Maglev; }
    [[nodiscard]] NodeIndex ownerOf(std::uint64_t hash) const noexcept override {
        return m_table.empty() ? kNoNode : m_table[hash % m_table.size()];
    }
    void preference(std::uint64_t hash, std::size_t wanted, std::vector<NodeIndex>& out) const override {
        m_order.after(ownerOf(hash), hash, wanted, out);
    }
    [[nodiscard]] std::size_t memoryBytes() const override { return m_table.size() * sizeof(std::uint16_t); }
    [[nodiscard]] Table table() const override { return {{m_table.begin(), m_table.end()}, 0}; }

private:
    Maglev(NodeSet nodes, const SchemeOptions& options, std::vector<std::uint16_t> table);

    std::vector<std::uint16_t> m_table; // node indices: a NodeSet has at most 65,536
    RendezvousOrder m_order;
};

} // namespace fremis::hashing
