#pragma once

#include "shared/hashing/rendezvous_order.h"
#include "shared/hashing/set_placement.h"

namespace fremis::hashing {

/// Node number hash mod n: here to show what consistent hashing avoids. Going from n to m nodes keeps min(n, m) /
/// lcm(n, m) of the keys where they were.
class Modulo final : public SetPlacement {
public:
    [[nodiscard]] static base::Result<PlacementPtr> create(NodeSet nodes, const SchemeOptions& options = {});

    [[nodiscard]] Scheme scheme() const override { return Scheme::Modulo; }
    [[nodiscard]] NodeIndex ownerOf(std::uint64_t hash) const noexcept override {
        return nodes().empty() ? kNoNode : static_cast<NodeIndex>(hash % nodes().size());
    }
    void preference(std::uint64_t hash, std::size_t wanted, std::vector<NodeIndex>& out) const override {
        m_order.after(ownerOf(hash), hash, wanted, out);
    }
    [[nodiscard]] std::size_t memoryBytes() const override { return 0; }
    [[nodiscard]] Table table() const override;

private:
    Modulo(NodeSet nodes, const SchemeOptions& options);

    RendezvousOrder m_order;
};

} // namespace fremis::hashing
