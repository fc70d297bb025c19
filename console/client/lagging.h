#pragma once

#include "console/client/snapshot.h"

namespace fremis::console {

/// A replica that is back and lacks vectors which others of its partitions have, though no write waits for it: writes
/// for it expired or were lost. While faces are enrolled that is also seen for a moment.
struct LaggingReplica {
    QString address;
    quint64 missing = 0; ///< vectors, over all partitions
    PartitionSet partitions;
};
[[nodiscard]] std::vector<LaggingReplica> laggingReplicas(const Snapshot& snapshot);

} // namespace fremis::console
