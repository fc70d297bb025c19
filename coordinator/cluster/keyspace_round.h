#pragma once

#include "coordinator/cluster/cluster.h"

namespace fremis::coordinator {

/// Gives each worker that can be reached the keyspaces that others know. Thread: the environment's.
void shareKeyspacesOnce(Cluster& cluster, std::function<void()> done);

} // namespace fremis::coordinator
