#include "shared/hashing/slot_table.h"

#include "shared/hashing/codec.h"
#include "shared/hashing/history.h"

#include <algorithm>
#include <numeric>

namespace fremis::hashing {

using base::fail;
using base::Reason;

namespace {

constexpr std::uint32_t kSlotCount = SlotTable::kSlots;

[[nodiscard]] base::Status checkCount(const NodeSet& nodes) {
    if (nodes.size() > kSlotCount)
        return fail(Reason::InvalidParams, "256 slots cannot serve more than 256 nodes");
    return {};
}

std::vector<std::uint32_t> heldBy(std::size_t nodes, const SlotTable::Owners& owners) {
    std::vector<std::uint32_t> held(nodes, 0);
    for (const NodeIndex owner : owners)
        if (owner != kNoNode)
            ++held[owner];
    return held;
}

// Takes slots from the end of each node above its target, then hands free slots, lowest first, to nodes below theirs.
void reachTargets(SlotTable::Owners& owners, std::span<const std::uint32_t> targets) {
    auto held = heldBy(targets.size(), owners);
    for (auto slot = owners.rbegin(); slot != owners.rend(); ++slot)
        if (*slot != kNoNode && held[*slot] > targets[*slot]) {
            --held[*slot];
            *slot = kNoNode;
        }
    NodeIndex receiver = 0;
    for (NodeIndex& owner : owners) {
        if (owner != kNoNode)
            continue;
        while (held[receiver] >= targets[receiver])
            ++receiver;
        owner = receiver;
        ++held[receiver];
    }
}

} // namespace

std::vector<std::uint32_t> SlotTable::targets(const NodeSet& nodes, std::span<const std::uint32_t> held) {
    const std::uint64_t total = nodes.totalWeight();
    std::vector<std::uint32_t> targets;
    for (const Node& node : nodes.nodes())
        targets.push_back(static_cast<std::uint32_t>(kSlotCount * std::uint64_t{node.weight} / total));
    std::uint32_t left = kSlotCount - std::accumulate(targets.begin(), targets.end(), std::uint32_t{0});
    std::vector<NodeIndex> order;
    for (NodeIndex i = 0; i < nodes.size(); ++i)
        if (kSlotCount * std::uint64_t{nodes[i].weight} % total != 0) // a whole share has no up
            order.push_back(i);
    std::stable_sort(order.begin(), order.end(), [&](NodeIndex a, NodeIndex b) {
        const bool aKeeps = held[a] > targets[a];
        const bool bKeeps = held[b] > targets[b];
        if (aKeeps != bKeeps)
            return aKeeps;
        return kSlotCount * std::uint64_t{nodes[a].weight} % total >
               kSlotCount * std::uint64_t{nodes[b].weight} % total;
    });
    for (auto at = order.begin(); left > 0; ++at, --left)
        ++targets[*at];
    return targets;
}

base::Result<PlacementPtr> SlotTable::create(NodeSet nodes, const SchemeOptions& options) {
    if (auto status = checkCount(nodes); !status)
        return tl::unexpected(std::move(status.error()));
    Owners owners;
    owners.fill(kNoNode);
    const std::uint64_t total = nodes.totalWeight();
    std::uint64_t sum = 0;
    std::uint64_t begin = 0;
    for (NodeIndex i = 0; i < nodes.size(); ++i) {
        sum += nodes[i].weight;
        const std::uint64_t end = kSlotCount * sum / total; // sizes are each share rounded down or up
        std::fill(owners.begin() + static_cast<std::ptrdiff_t>(begin),
                  owners.begin() + static_cast<std::ptrdiff_t>(end), i);
        begin = end;
    }
    return PlacementPtr(new SlotTable(std::move(nodes), owners, options));
}

base::Result<std::shared_ptr<const SlotTable>> SlotTable::fromOwners(NodeSet nodes, const Owners& owners,
                                                                     const SchemeOptions& options) {
    if (auto status = checkCount(nodes); !status)
        return tl::unexpected(std::move(status.error()));
    const bool named = std::all_of(owners.begin(), owners.end(), [&](NodeIndex owner) {
        return nodes.empty() ? owner == kNoNode : owner < nodes.size();
    });
    if (!named)
        return fail(Reason::InvalidParams, "a slot has no owner among the nodes");
    return std::shared_ptr<const SlotTable>(new SlotTable(std::move(nodes), owners, options));
}

SlotTable::SlotTable(NodeSet set, const Owners& owners, const SchemeOptions& options)
    : Placement(std::move(set), options), m_owners(owners), m_order(nodes(), *options.hash) {}

void SlotTable::preference(std::uint64_t hash, std::size_t wanted, std::vector<NodeIndex>& out) const {
    m_order.after(ownerOf(hash), mix64(slotOf(hash) + std::uint64_t{1}), wanted, out);
}

Placement::Table SlotTable::table() const {
    return nodes().empty() ? Table{} : Table{{m_owners.begin(), m_owners.end()}, 32};
}

base::Result<PlacementPtr> SlotTable::changedTo(base::Result<NodeSet> set) const {
    if (!set)
        return tl::unexpected(std::move(set.error()));
    if (auto status = checkCount(*set); !status)
        return tl::unexpected(std::move(status.error()));
    const auto kept = translated(m_owners, nodes(), *set);
    Owners owners;
    std::copy(kept.begin(), kept.end(), owners.begin());
    if (!set->empty())
        reachTargets(owners, targets(*set, heldBy(set->size(), owners)));
    return PlacementPtr(new SlotTable(std::move(*set), owners, options()));
}

base::Result<PlacementPtr> SlotTable::add(Node node) const {
    return changedTo(nodes().with(std::move(node)));
}

base::Result<PlacementPtr> SlotTable::remove(std::string_view id) const {
    return changedTo(nodes().without(id));
}

base::Result<PlacementPtr> SlotTable::weight(std::string_view id, std::uint32_t hundredths) const {
    return changedTo(nodes().withWeight(id, hundredths));
}

void SlotTable::writeState(ByteWriter& out) const {
    for (const NodeIndex owner : m_owners)
        out.u32(owner);
}

} // namespace fremis::hashing
