#pragma once

#include "shared/http/client_access.h"
#include "shared/http/deadlines.h"
#include "server/engine/enrolment.h"
#include "server/engine/keyspaces.h"
#include "server/engine/matching.h"
#include "server/engine/photo_analyser.h"
#include "server/engine/recognition.h"
#include "server/engine/removal.h"
#include "shared/http/server.h"
#include "shared/metrics/resource_stats.h"
#include "shared/metrics/server_metrics.h"

namespace fremis::api {

/// What the handlers of a worker call; all of it outlives the server that runs them.
struct WorkerServices {
    engine::Node& node;
    engine::Enrolment& enrolment;
    engine::Recognition& recognition;
    engine::Matching& matching;
    engine::Removal& removal;
    engine::Keyspaces& keyspaces;
    engine::PhotoAnalyser& photos;
    const vision::ModelPack& pack;
    engine::PhotoRules photoRules;
    base::WorkPool& storePool; ///< reads of the store
    http::Deadlines& deadlines;
    metrics::Registry& registry;
    metrics::ServerMetrics& metrics;
    metrics::ResourceMonitor& resources;
    const base::Clock& clock;
    std::chrono::milliseconds startedAt;
    const http::ClientAccess* access = nullptr; ///< none: the client plane is open
    std::optional<std::uint64_t> maxFaces;
    std::optional<std::uint64_t> maxKeyspaces;
    std::optional<std::uint16_t> internalPort = std::nullopt; ///< once it listens
};

/// The client plane of a worker. With nullptr the routes may be listed but not served.
[[nodiscard]] std::vector<http::Route> clientRoutes(const WorkerServices* services);
/// The monitoring port: metrics and health.
[[nodiscard]] std::vector<http::Route> monitoringRoutes(const WorkerServices* services);

} // namespace fremis::api
