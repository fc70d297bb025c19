#pragma once

#include "shared/hashing/jump.h"

namespace fremis::hashing {

/// MementoHash (Coluzzi, Brocco, Leidi 2023, arXiv 2306.09783): jump hashing that remembers removals, so any node may
/// leave. A removed bucket's keys are hashed again over the buckets that worked when it left; the node that joins next
/// takes the bucket that left last. Without removals it is jump hashing.
class Memento final : public Placement {
public:
    [[nodiscard]] static base::Result<PlacementPtr> create(NodeSet nodes, const SchemeOptions& options = {});
    [[nodiscard]] static base::Result<PlacementPtr> restore(NodeSet nodes, const SchemeOptions& options,
                                                            class ByteReader& state);

    [[nodiscard]] Scheme scheme() const override { return Scheme::Memento; }
    [[nodiscard]] NodeIndex ownerOf(std::uint64_t hash) const noexcept override {
        if (m_state.buckets.empty())
            return kNoNode;
        const std::uint32_t bucket = jumpBucket(hash, static_cast<std::uint32_t>(m_state.buckets.size()));
        if (m_state.buckets[bucket] != kNoNode) [[likely]]
            return m_state.buckets[bucket];
        return m_state.buckets[replacement(bucket, hash)];
    }
    void preference(std::uint64_t hash, std::size_t wanted, std::vector<NodeIndex>& out) const override {
        m_order.after(ownerOf(hash), hash, wanted, out);
    }
    [[nodiscard]] base::Result<PlacementPtr> add(Node node) const override;
    [[nodiscard]] base::Result<PlacementPtr> remove(std::string_view id) const override;
    [[nodiscard]] base::Result<PlacementPtr> weight(std::string_view id, std::uint32_t hundredths) const override;
    [[nodiscard]] std::size_t memoryBytes() const override;
    /// Buckets that left and have not come back.
    [[nodiscard]] std::size_t removedBuckets() const { return m_state.removed.size(); }

private:
    struct State {
        std::vector<NodeIndex> buckets;     // kNoNode: removed
        std::vector<std::uint32_t> working; // of a removed bucket: how many worked after it left
        std::vector<std::uint32_t> removed; // in the order of leaving
        void remove(std::uint32_t bucket);
        void add(NodeIndex node);
    };
    Memento(NodeSet nodes, const SchemeOptions& options, State state);
    [[nodiscard]] std::uint32_t replacement(std::uint32_t bucket, std::uint64_t hash) const noexcept;
    void writeState(ByteWriter& out) const override;

    State m_state;
    RendezvousOrder m_order;
};

} // namespace fremis::hashing
