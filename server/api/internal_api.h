#pragma once

#include "server/api/worker_api.h"
#include "server/engine/anti_entropy.h"
#include "server/engine/cluster_view.h"
#include "server/engine/replication.h"

namespace fremis::api {

/// What the handlers of a worker's internal plane call; all of it outlives the server that runs them.
struct InternalServices {
    const WorkerServices& worker;
    engine::ClusterView& cluster;
    engine::Replication& replication;
    engine::AntiEntropy& antiEntropy;
    base::WorkPool& bulkPool; ///< reads of whole partitions
};

/// The internal plane of a worker (shared/wire/internal.h). Each route has the right http::kInternalRight.
[[nodiscard]] std::vector<http::Route> internalRoutes(const InternalServices* services);

} // namespace fremis::api
