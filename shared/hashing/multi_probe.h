#pragma once

#include "shared/hashing/point_table.h"
#include "shared/hashing/set_placement.h"

namespace fremis::hashing {

/// Multi-probe consistent hashing (Appleton and O'Reilly 2015, arXiv 1505.00062): one point per node at hash("{id}#0"),
/// k probes per key at mix64(hash + i * 0x9e3779b97f4a7c15), i = 0..k-1. The node with the shortest way clockwise from
/// any probe owns the key. Little memory, an even spread, slow lookups. No weights.
class MultiProbe final : public SetPlacement {
public:
    [[nodiscard]] static base::Result<PlacementPtr> create(NodeSet nodes, const SchemeOptions& options = {});

    [[nodiscard]] Scheme scheme() const override { return Scheme::MultiProbe; }
    [[nodiscard]] NodeIndex ownerOf(std::uint64_t hash) const noexcept override;
    void preference(std::uint64_t hash, std::size_t wanted, std::vector<NodeIndex>& out) const override;
    [[nodiscard]] std::size_t memoryBytes() const override { return m_points.memoryBytes(); }

private:
    MultiProbe(NodeSet nodes, const SchemeOptions& options);
    [[nodiscard]] static std::uint64_t probe(std::uint64_t hash, std::uint64_t number) {
        return mix64(hash + number * 0x9e3779b97f4a7c15ull);
    }

    PointTable m_points;
};

} // namespace fremis::hashing
