#pragma once

#include "shared/hashing/point_table.h"

namespace fremis::hashing {

/// A ring whose virtual nodes are placed, not hashed: few tokens per node (16) and yet every node within one percent of
/// its weighted share. A node that joins cuts its arcs out of the nodes that hold the most; when sixteen cuts cannot
/// even the ring out, tokens of other nodes slide a little, so a small part of the keys moves between survivors. The
/// tokens are its history: explicit, serialised, the same on every platform.
class PlacedRing final : public Placement {
public:
    struct Token {
        std::uint64_t end; ///< its arc reaches from the token before (excluded) to here
        NodeIndex node;
        bool operator==(const Token&) const = default;
    };

    [[nodiscard]] static base::Result<PlacementPtr> create(NodeSet nodes, const SchemeOptions& options = {});
    [[nodiscard]] static base::Result<PlacementPtr> restore(NodeSet nodes, const SchemeOptions& options,
                                                            class ByteReader& state);

    [[nodiscard]] Scheme scheme() const override { return Scheme::PlacedRing; }
    [[nodiscard]] NodeIndex ownerOf(std::uint64_t hash) const noexcept override { return m_points.ownerOf(hash); }
    void preference(std::uint64_t hash, std::size_t wanted, std::vector<NodeIndex>& out) const override {
        m_points.walk(hash, wanted, nodes().size(), out);
    }
    [[nodiscard]] base::Result<PlacementPtr> add(Node node) const override;
    [[nodiscard]] base::Result<PlacementPtr> remove(std::string_view id) const override;
    [[nodiscard]] base::Result<PlacementPtr> weight(std::string_view id, std::uint32_t hundredths) const override;
    [[nodiscard]] std::size_t memoryBytes() const override { return m_points.memoryBytes(); }
    [[nodiscard]] std::vector<Arc> arcs() const override { return m_points.arcs(); }

private:
    PlacedRing(NodeSet nodes, const SchemeOptions& options, std::span<const Token> tokens);
    [[nodiscard]] std::vector<Token> tokensFor(const NodeSet& set) const;
    void writeState(ByteWriter& out) const override;

    PointTable m_points;
};

} // namespace fremis::hashing
