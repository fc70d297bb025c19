#pragma once

#include "shared/base/ids.h"
#include "shared/hashing/rendezvous_order.h"

#include <array>

namespace fremis::hashing {

/// The cluster's own scheme: 256 slots, each owned by one node; a hash's slot is its partition. Each node holds its
/// exact weighted share rounded down or up. Its state is the table itself: changes move as few slots as the new shares
/// allow.
class SlotTable final : public Placement {
public:
    static constexpr std::size_t kSlots = base::kPartitionCount;
    using Owners = std::array<NodeIndex, kSlots>;

    /// Contiguous ranges in id order; boundaries floor(256 * i / n) for equal weights. At most 256 nodes.
    [[nodiscard]] static base::Result<PlacementPtr> create(NodeSet nodes, const SchemeOptions& options = {});
    /// A table from elsewhere, balanced or not. Fails with Reason::InvalidParams when an entry names no node.
    [[nodiscard]] static base::Result<std::shared_ptr<const SlotTable>> fromOwners(NodeSet nodes, const Owners& owners,
                                                                                   const SchemeOptions& options = {});

    [[nodiscard]] static constexpr base::Partition slotOf(std::uint64_t hash) {
        return static_cast<base::Partition>(hash >> 32);
    }
    [[nodiscard]] NodeIndex ownerOfSlot(base::Partition slot) const noexcept { return m_owners[slot]; }
    [[nodiscard]] const Owners& owners() const { return m_owners; }

    [[nodiscard]] Scheme scheme() const override { return Scheme::Slots; }
    [[nodiscard]] NodeIndex ownerOf(std::uint64_t hash) const noexcept override { return m_owners[slotOf(hash)]; }
    void preference(std::uint64_t hash, std::size_t wanted, std::vector<NodeIndex>& out) const override;
    [[nodiscard]] base::Result<PlacementPtr> add(Node node) const override;
    [[nodiscard]] base::Result<PlacementPtr> remove(std::string_view id) const override;
    [[nodiscard]] base::Result<PlacementPtr> weight(std::string_view id, std::uint32_t hundredths) const override;
    [[nodiscard]] std::size_t memoryBytes() const override { return sizeof(m_owners); }
    [[nodiscard]] Table table() const override;

    /// Slots each node should hold: the exact share 256 * w / sum(w) rounded down or up, sum 256. The ups go first to
    /// nodes that hold more than the rounded-down share (so that they keep it), then to larger fractions, then to
    /// smaller ids.
    [[nodiscard]] static std::vector<std::uint32_t> targets(const NodeSet& nodes, std::span<const std::uint32_t> held);

private:
    SlotTable(NodeSet nodes, const Owners& owners, const SchemeOptions& options);
    [[nodiscard]] base::Result<PlacementPtr> changedTo(base::Result<NodeSet> set) const;
    void writeState(ByteWriter& out) const override;

    Owners m_owners;
    RendezvousOrder m_order; // ranks the other nodes by slot, so that all keys of a slot have one list
};

} // namespace fremis::hashing
