#pragma once

#include "coordinator/cluster/cluster.h"

namespace fremis::coordinator {

/// What comparisons found and mended.
struct RepairReport {
    bool running = false;
    int partitionsChecked = 0;     ///< of the last or present run
    std::uint64_t differences = 0; ///< leaves that differed between two replicas
    std::uint64_t mended = 0;      ///< operations that changed something
    int partitionsCollected = 0;   ///< whose delete horizon was raised
    std::uint64_t failures = 0;    ///< partitions that could not be compared: a replica is away or failed
    std::optional<std::chrono::milliseconds> endedAt; ///< since 1970
};

/// How far the tombstones of a partition may go once all its replicas are found equal. Nothing: not at all.
using Collectable = std::function<std::optional<base::Version>(const View&, base::Partition)>;
/// The replicas that took part, and whether they are equal now.
using Compared = std::function<void(const std::vector<std::shared_ptr<Peer>>& replicas, bool equal)>;

/// Compares the replicas of one partition and gives each what the others have more, see Repair. Counts into `report`,
/// which outlives it. Thread: the environment's.
void comparePartition(Cluster& cluster, base::Partition partition, Collectable collectable, RepairReport& report,
                      Compared done);

} // namespace fremis::coordinator
