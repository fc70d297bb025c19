#include "console/client/map_preview.h"

#include <algorithm>

namespace fremis::console {

namespace {

NodeView& nodeOf(Snapshot& preview, const routing::MapNode& mapped) {
    const auto address = QString::fromStdString(mapped.address.text());
    const auto at = preview.nodeAt(address);
    NodeView& node = at ? preview.nodes[static_cast<std::size_t>(*at)] : preview.nodes.emplace_back();
    if (!at) {
        node.address = address;
        node.state = NodeState::Ok;
    }
    if (mapped.name && node.name.isEmpty())
        node.name = QString::fromStdString(*mapped.name);
    return node;
}

void fillPartition(Snapshot& preview, Partition number, const routing::PartitionMap& map) {
    PartitionView& view = preview.partitions[number];
    view = {};
    for (std::size_t at = 0; at < preview.nodes.size(); ++at) {
        const NodeView& node = preview.nodes[at];
        // What a partition weighs is known from whoever holds it, not only from its owners to be.
        if (const auto vectors = node.vectorsOf(number)) {
            view.vectors = std::max(view.vectors.value_or(0), *vectors);
            view.fewest = std::min(view.fewest.value_or(*vectors), *vectors);
        }
        if (!node.assigned.contains(number))
            continue;
        view.owners.push_back(static_cast<int>(at));
        ++view.healthy;
    }
    const int owners = static_cast<int>(view.owners.size());
    view.expected = map.replication().value_or(owners);
    view.health = owners == 0              ? PartitionClass::Gap
                  : owners < view.expected ? PartitionClass::Thin
                  : owners > view.expected ? PartitionClass::Over
                                           : PartitionClass::Ok;
}

} // namespace

SnapshotPtr previewOf(const SnapshotPtr& live, const routing::PartitionMap& map) {
    auto preview = live ? std::make_shared<Snapshot>(*live) : std::make_shared<Snapshot>();
    for (NodeView& node : preview->nodes)
        node.assigned = {};
    for (const auto& mapped : map.nodes())
        nodeOf(*preview, mapped).assigned = PartitionSet(mapped.partitions);
    preview->counts.partitions = {};
    for (int number = 0; number < base::kPartitionCount; ++number) {
        fillPartition(*preview, static_cast<Partition>(number), map);
        ++preview->counts
              .partitions[static_cast<std::size_t>(preview->partitions[static_cast<std::size_t>(number)].health)];
    }
    return preview;
}

} // namespace fremis::console
