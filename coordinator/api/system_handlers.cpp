#include "coordinator/api/handlers.h"

#include "resources/openapi/openapi.h"

namespace fremis::coordinator {

using base::Reason;

namespace {

struct Searchable {
    hashing::PartitionSet active; ///< partitions with an active owner
    std::uint64_t vectors = 0;    ///< loaded by active workers
};

Searchable searchableOf(const View& view) {
    Searchable searchable;
    for (const auto& peer : view.peers) {
        if (peer->state != PeerState::Active)
            continue;
        searchable.active = searchable.active | peer->served();
        searchable.vectors += peer->facts->vectorsLoaded;
    }
    return searchable;
}

wire::Health healthOf(const CoordinatorServices& services) {
    const auto view = services.cluster.view();
    const auto searchable = searchableOf(*view);
    const auto now = services.environment.sinceEpoch();
    wire::Health health;
    health.state = !searchable.active.empty() ? "ACTIVE" : services.watchdog.roundDone() ? "DOWN" : "LOADING";
    health.loadedPercent = 100.0 * searchable.active.count() / base::kPartitionCount;
    health.role = "coordinator";
    health.version = FREMIS_VERSION;
    health.time = now;
    health.uptimeSeconds = std::chrono::duration_cast<std::chrono::seconds>(now - services.startedAt).count();
    health.vectorsLoaded = searchable.vectors;
    health.vectorsExpected = searchable.vectors;
    for (const auto& range : searchable.active.ranges())
        health.partitions.push_back({range.first, range.last});
    if (!services.watchdog.space().empty())
        health.space = services.watchdog.space();
    health.clientAuth = services.access ? "required" : "open";
    health.partitionsSearchable = searchable.active.count();
    health.complete = searchable.active.isAll();
    health.configEpoch = view->map.epoch();
    return health;
}

const auto kBody = [](const auto& reply) { return wire::toJson(reply); };

} // namespace

void healthcheck(const CoordinatorServices& services, http::Request&&, http::Reply reply) {
    services.environment.post([&services, reply] {
        const auto health = healthOf(services);
        if (health.state == "ACTIVE")
            return reply.json(wire::toJson(health));
        const auto* why =
            health.state == "LOADING" ? "the workers are being asked for the first time" : "no worker answers";
        reply.fail({Reason::NotReady, why, {}}, wire::notReadyMembers(health));
    });
}

void livez(const CoordinatorServices& services, http::Request&&, http::Reply reply) {
    services.environment.post([&services, reply] { reply.json(wire::toJson(healthOf(services))); });
}

void limitUsage(const CoordinatorServices& services, http::Request&& request, http::Reply reply) {
    auto shared = inTime(services, std::move(reply), Kind::Read, request.received + kAnswerTime);
    services.environment.post([&services, shared, context = contextOf(request)] {
        services.reads.limitUsage(context, answerTo<wire::LimitUsage>(shared, kBody));
    });
}

void loadedVectors(const CoordinatorServices& services, http::Request&& request, http::Reply reply) {
    auto shared = inTime(services, std::move(reply), Kind::Read, request.received + kAnswerTime);
    services.environment.post([&services, shared, context = contextOf(request)] {
        services.reads.loadedVectors(context, answerTo<wire::LoadedVectors>(shared, kBody));
    });
}

void resourceStats(const CoordinatorServices& services, http::Request&&, http::Reply reply) {
    reply.json(wire::toJson(services.resources.latest()));
}

void openApi(const CoordinatorServices&, http::Request&&, http::Reply reply) {
    reply.json(std::string(openapi::openapiJson()));
}

void metricsText(const CoordinatorServices& services, http::Request&&, http::Reply reply) {
    services.environment.post([&services, reply] {
        const auto view = services.cluster.view();
        const auto health = healthOf(services);
        services.metrics.vectorsLoaded.set(static_cast<double>(health.vectorsLoaded));
        services.metrics.setState(health.state);
        for (const auto& peer : view->peers)
            services.registry
                .gauge("fremisn_node_up", "1 while the worker answers reads.", {{"node", peer->address.text()}})
                .set(peer->state == PeerState::Active);
        services.registry.gauge("fremisn_config_epoch_info", "1 for the present map.", {{"epoch", view->map.epoch()}})
            .set(1);
        services.queue.stats([&services, reply, view](const base::Result<QueueStats>& stats) {
            const auto now = services.environment.sinceEpoch();
            for (const auto& peer : view->peers) {
                const auto target = statsOf(stats.value_or(QueueStats()), *peer);
                const metrics::Labels labels{{"node", peer->address.text()}};
                services.registry.gauge("fremisn_queue_ops", "Writes that wait for the worker.", labels)
                    .set(static_cast<double>(target.ops));
                services.registry.gauge("fremisn_queue_oldest_seconds", "Age of the oldest of them.", labels)
                    .set(target.oldestAt ? static_cast<double>((now - *target.oldestAt).count()) / 1000.0 : 0);
            }
            reply.text(std::string(metrics::Registry::kContentType), services.registry.prometheusText());
        });
    });
}

} // namespace fremis::coordinator
