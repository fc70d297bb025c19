#pragma once

#include "coordinator/cluster/config_keeper.h"
#include "coordinator/cluster/delete_horizon.h"
#include "coordinator/cluster/map_retry.h"
#include "coordinator/cluster/qt_environment.h"
#include "coordinator/cluster/queue_control.h"
#include "coordinator/cluster/reads.h"
#include "coordinator/cluster/repair.h"
#include "coordinator/cluster/search.h"
#include "coordinator/cluster/writes.h"
#include "shared/http/client_access.h"
#include "shared/http/deadlines.h"
#include "shared/http/server.h"
#include "shared/metrics/resource_stats.h"
#include "shared/metrics/server_metrics.h"

namespace fremis::coordinator {

/// What the handlers of a coordinator call; all of it outlives the server that runs them. The first group belongs to
/// the environment's thread: handlers reach it through QtEnvironment::post().
struct CoordinatorServices {
    QtEnvironment& environment;
    Cluster& cluster;
    Watchdog& watchdog;
    ConfigKeeper& config;
    DeleteHorizon& deleteHorizon;
    Search& search;
    Reads& reads;
    Writes& writes;
    WriteQueue& queue;
    Repair& repair;
    Replay& replay;
    QueueControl& queueControl;

    http::Deadlines& deadlines;
    metrics::Registry& registry;
    metrics::ServerMetrics& metrics;
    metrics::ResourceMonitor& resources;
    std::chrono::milliseconds startedAt{0};
    const http::ClientAccess* access = nullptr; ///< none: the client plane is open
    bool allowPartialByFlag = false;
    SettleMap settleMap; ///< reads a changed config.yml and tells the workers of the map
    /// Whether a request of the internal plane may pass: the pair's signature, or loopback without a pair.
    std::function<base::Status(const http::Request&)> mayAdminister;
};

/// The client plane of a coordinator: that of a worker, and /v1/cluster. With nullptr the routes may be listed but not
/// served.
[[nodiscard]] std::vector<http::Route> clientRoutes(const CoordinatorServices* services);
/// The monitoring port: metrics and health.
[[nodiscard]] std::vector<http::Route> monitoringRoutes(const CoordinatorServices* services);

} // namespace fremis::coordinator
