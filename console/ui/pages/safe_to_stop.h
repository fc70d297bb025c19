#pragma once

#include "console/client/snapshot.h"

#include <QStringList>

namespace fremis::console::ui {

/// Whether a node can be stopped without anybody becoming unfindable: each of its partitions has another healthy owner
/// with as many vectors, and no write waits for it. What is not known counts as no.
struct StopVerdict {
    bool isSafe = false;
    QStringList missing;     ///< sentences, empty when safe
    PartitionSet partitions; ///< those in the way
};
[[nodiscard]] StopVerdict safeToStop(const Snapshot& snapshot, const NodeView& node);

} // namespace fremis::console::ui
