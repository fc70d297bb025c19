#pragma once

#include "shared/hashing/placement.h"

namespace fremis::hashing {

/// The order of nodes by mix64(hash xor hash(id)), best first, ties to the smaller id: rendezvous, and the replica
/// lists of the schemes that name an owner but no order. 8 bytes a node. Internal to this folder.
class RendezvousOrder {
public:
    RendezvousOrder() = default;
    RendezvousOrder(const NodeSet& nodes, const KeyHash& hash);

    [[nodiscard]] NodeIndex best(std::uint64_t hash) const noexcept;
    /// The best `wanted` nodes without `skip`, appended to `out`.
    void rank(std::uint64_t hash, std::size_t wanted, NodeIndex skip, std::vector<NodeIndex>& out) const;
    /// `first`, then the others in order; `wanted` in all.
    void after(NodeIndex first, std::uint64_t hash, std::size_t wanted, std::vector<NodeIndex>& out) const;
    [[nodiscard]] std::size_t memoryBytes() const { return m_seeds.size() * sizeof(std::uint64_t); }

private:
    std::vector<std::uint64_t> m_seeds; // rendezvousSeed(hash(id))
};

} // namespace fremis::hashing
