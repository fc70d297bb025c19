#include "console/client/lagging.h"

namespace fremis::console {

std::vector<LaggingReplica> laggingReplicas(const Snapshot& snapshot) {
    std::vector<LaggingReplica> lagging;
    for (const auto& node : snapshot.nodes) {
        if (node.state != NodeState::Ok || !node.queue || node.queue->ops > 0)
            continue;
        LaggingReplica replica{node.address, 0, {}};
        for (int number = 0; number < base::kPartitionCount; ++number) {
            const auto partition = static_cast<Partition>(number);
            const auto& view = snapshot.partitions[partition];
            const auto held = node.vectorsOf(partition);
            if (!node.assigned.contains(partition) || !held || !view.vectors || *held >= *view.vectors)
                continue;
            replica.missing += *view.vectors - *held;
            replica.partitions.insert(partition);
        }
        if (replica.missing > 0)
            lagging.push_back(std::move(replica));
    }
    return lagging;
}

} // namespace fremis::console
