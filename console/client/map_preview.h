#pragma once

#include "console/client/snapshot.h"

namespace fremis::console {

/// The cluster as it would be with another map, for views that show snapshots: a draft, a plan, a step of one. Nodes
/// keep their places (and so their colours), new ones follow; a node that is not in the map owns nothing. States,
/// vectors and queues are those of `live`, which may be null: then every owner counts as healthy. Partitions are
/// classed by the map alone: gap, over, thin by number of owners.
[[nodiscard]] SnapshotPtr previewOf(const SnapshotPtr& live, const routing::PartitionMap& map);

} // namespace fremis::console
