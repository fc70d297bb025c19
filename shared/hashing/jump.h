#pragma once

#include "shared/hashing/rendezvous_order.h"

namespace fremis::hashing {

/// Jump consistent hash (Lamping and Veach 2014, arXiv 1406.2294, figure 1). buckets >= 1; returns 0..buckets-1. Its
/// one division is of IEEE doubles, exact to the last bit on every platform.
[[nodiscard]] inline std::uint32_t jumpBucket(std::uint64_t key, std::uint32_t buckets) noexcept {
    std::int64_t bucket = -1;
    std::int64_t next = 0;
    while (next < static_cast<std::int64_t>(buckets)) {
        bucket = next;
        key = key * 2862933555777941757ull + 1;
        next = static_cast<std::int64_t>(static_cast<double>(bucket + 1) * (static_cast<double>(std::int64_t{1} << 31) /
                                                                            static_cast<double>((key >> 33) + 1)));
    }
    return static_cast<std::uint32_t>(bucket);
}

/// Jump hashing over a table bucket -> node. A node that joins gets a new last bucket; only the node of the last bucket
/// may leave.
class Jump final : public Placement {
public:
    [[nodiscard]] static base::Result<PlacementPtr> create(NodeSet nodes, const SchemeOptions& options = {});
    [[nodiscard]] static base::Result<PlacementPtr> restore(NodeSet nodes, const SchemeOptions& options,
                                                            class ByteReader& state);

    [[nodiscard]] Scheme scheme() const override { return Scheme::Jump; }
    [[nodiscard]] NodeIndex ownerOf(std::uint64_t hash) const noexcept override {
        return m_buckets.empty() ? kNoNode : m_buckets[jumpBucket(hash, static_cast<std::uint32_t>(m_buckets.size()))];
    }
    void preference(std::uint64_t hash, std::size_t wanted, std::vector<NodeIndex>& out) const override {
        m_order.after(ownerOf(hash), hash, wanted, out);
    }
    [[nodiscard]] base::Result<PlacementPtr> add(Node node) const override;
    [[nodiscard]] base::Result<PlacementPtr> remove(std::string_view id) const override;
    [[nodiscard]] base::Result<PlacementPtr> weight(std::string_view id, std::uint32_t hundredths) const override;
    [[nodiscard]] std::size_t memoryBytes() const override { return m_buckets.size() * sizeof(NodeIndex); }
    /// The node of each bucket.
    [[nodiscard]] std::span<const NodeIndex> buckets() const { return m_buckets; }

private:
    Jump(NodeSet nodes, const SchemeOptions& options, std::vector<NodeIndex> buckets);
    void writeState(ByteWriter& out) const override;

    std::vector<NodeIndex> m_buckets;
    RendezvousOrder m_order;
};

} // namespace fremis::hashing
