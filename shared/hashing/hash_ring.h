#pragma once

#include "shared/hashing/point_table.h"
#include "shared/hashing/set_placement.h"

namespace fremis::hashing {

/// The hash ring (Karger et al. 1997) with virtual nodes: a node of weight w has max(1, round(v * w)) points at
/// hash("{id}#{number}"); a key belongs to the first point at or after its own hash, the circle's end leading to its
/// start. Ties go to the smaller id, then the smaller number, and colliding points are all kept: removing one node
/// uncovers the other.
class HashRing final : public SetPlacement {
public:
    static constexpr std::size_t kMaxPoints = std::size_t{1} << 24;

    [[nodiscard]] static base::Result<PlacementPtr> create(NodeSet nodes, const SchemeOptions& options = {});
    /// Points of a node: max(1, floor((v * w + 50) / 100)), w in hundredths.
    [[nodiscard]] static std::uint64_t pointsOf(std::uint32_t pointsPerNode, std::uint32_t weight);

    [[nodiscard]] Scheme scheme() const override { return Scheme::Ring; }
    [[nodiscard]] NodeIndex ownerOf(std::uint64_t hash) const noexcept override { return m_points.ownerOf(hash); }
    void preference(std::uint64_t hash, std::size_t wanted, std::vector<NodeIndex>& out) const override {
        m_points.walk(hash, wanted, nodes().size(), out);
    }
    [[nodiscard]] std::size_t memoryBytes() const override { return m_points.memoryBytes(); }
    [[nodiscard]] std::vector<Arc> arcs() const override { return m_points.arcs(); }
    [[nodiscard]] const PointTable& points() const { return m_points; }

private:
    HashRing(NodeSet nodes, const SchemeOptions& options);

    PointTable m_points;
};

} // namespace fremis::hashing
