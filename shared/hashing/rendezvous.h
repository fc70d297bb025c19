#pragma once

#include "shared/hashing/rendezvous_kernels.h"
#include "shared/hashing/rendezvous_order.h"
#include "shared/hashing/set_placement.h"

namespace fremis::hashing {

/// Rendezvous hashing (Thaler and Ravishankar 1998): the owner is the node with the largest mix64(h(key) xor h(id)).
class Rendezvous final : public SetPlacement {
public:
    /// Fails with Reason::InvalidParams when weights differ.
    [[nodiscard]] static base::Result<PlacementPtr> create(NodeSet nodes, const SchemeOptions& options = {});

    [[nodiscard]] Scheme scheme() const override { return Scheme::Rendezvous; }
    [[nodiscard]] NodeIndex ownerOf(std::uint64_t hash) const noexcept override { return m_order.best(hash); }
    void preference(std::uint64_t hash, std::size_t wanted, std::vector<NodeIndex>& out) const override {
        m_order.rank(hash, wanted, kNoNode, out);
    }
    [[nodiscard]] std::size_t memoryBytes() const override { return m_order.memoryBytes(); }

private:
    Rendezvous(NodeSet nodes, const SchemeOptions& options);

    RendezvousOrder m_order;
};

/// Weighted rendezvous (Schindelhauer and Schomaker 2005, logarithmic method): the owner has the least -log2(u) / w,
/// where u in (0, 1) comes from the score of plain rendezvous. Decided by negativeLog2() and 128-bit cross products,
/// ties to the smaller id. Most lookups need no logarithm: 1-u <= -ln u <= (1-u)/u leaves one candidate.
class WeightedRendezvous final : public SetPlacement {
public:
    [[nodiscard]] static base::Result<PlacementPtr> create(NodeSet nodes, const SchemeOptions& options = {});

    [[nodiscard]] Scheme scheme() const override { return Scheme::WeightedRendezvous; }
    [[nodiscard]] NodeIndex ownerOf(std::uint64_t hash) const noexcept override {
        return ownerBy(rendezvousKernel(), hash);
    }
    void preference(std::uint64_t hash, std::size_t wanted, std::vector<NodeIndex>& out) const override;
    [[nodiscard]] std::size_t memoryBytes() const override;
    /// ownerOf() with this kernel.
    [[nodiscard]] NodeIndex ownerBy(const RendezvousKernel& kernel, std::uint64_t hash) const noexcept;
    /// The definition without short cuts, which ownerOf() must equal.
    [[nodiscard]] NodeIndex ownerByDefinition(std::uint64_t hash) const noexcept;

private:
    struct Score {
        std::uint64_t log;
        std::uint32_t weight;
        NodeIndex node;
        [[nodiscard]] bool beats(const Score& other) const noexcept;
    };
    WeightedRendezvous(NodeSet nodes, const SchemeOptions& options);
    [[nodiscard]] Score scoreOf(NodeIndex node, std::uint64_t key) const noexcept;
    [[nodiscard]] Score bestOfBlock(std::size_t begin, std::uint64_t key,
                                    const RendezvousKernel& kernel) const noexcept;

    std::vector<std::uint64_t> m_seeds;
    std::vector<std::uint32_t> m_weights;
    std::vector<std::uint32_t> m_factors; // floor(2^31 / w)
    std::vector<float> m_inverses;        // 1 / w; rules nodes out, decides nothing
    std::uint32_t m_lightest = kMaxWeight;
    std::uint32_t m_heaviest = kMinWeight;
};

} // namespace fremis::hashing
