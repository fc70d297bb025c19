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
    const bool down = !services.queue.trouble().empty();
    health.state = !down && !searchable.active.empty()     ? "ACTIVE"
                   : down || services.watchdog.roundDone() ? "DOWN"
                                                           : "LOADING";
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

void measureNode(metrics::ServerMetrics& metrics, const Peer& peer) {
    const auto& node = peer.address.text();
    metrics.ofNode("fremisn_node_up", node).set(peer.state == PeerState::Active);
    for (const auto state : kPeerStates)
        metrics.ofNode("fremisn_node_state", node, {{"state", std::string(nameOf(state))}}).set(peer.state == state);
    metrics.ofNode("fremisn_node_loaded_percent", node).set(peer.facts ? peer.facts->loadedPercent : 0);
    metrics.ofNode("fremisn_node_vectors_loaded", node)
        .set(peer.facts ? static_cast<double>(peer.facts->vectorsLoaded) : 0);
    for (const auto& [percent, quantile] : {std::pair(50, "0.500000"), std::pair(99, "0.990000")})
        metrics.ofNode("fremisn_node_latency_milliseconds", node, {{"quantile", quantile}})
            .set(milliseconds(peer.calls.percentile(percent)));
}

void measureQueue(metrics::ServerMetrics& metrics, const Peer& peer, const TargetStats& target,
                  std::chrono::milliseconds now) {
    const auto& node = peer.address.text();
    metrics.ofNode("fremisn_queue_ops", node).set(static_cast<double>(target.ops));
    metrics.ofNode("fremisn_queue_bytes", node).set(static_cast<double>(target.bytes));
    metrics.ofNode("fremisn_queue_parked_ops", node).set(static_cast<double>(target.parked));
    metrics.ofNode("fremisn_queue_oldest_seconds", node)
        .set(target.oldestAt ? static_cast<double>((now - *target.oldestAt).count()) / 1000.0 : 0);
    metrics.ofNode("fremisn_node_needs_resync", node).set(target.resync != ResyncMark::None);
}

const auto kBody = [](const auto& reply) { return wire::toJson(reply); };

} // namespace

void healthcheck(const CoordinatorServices& services, http::Request&&, http::Reply reply) {
    services.environment.post([&services, reply] {
        const auto health = healthOf(services);
        if (health.state == "ACTIVE")
            return reply.json(wire::toJson(health));
        auto why = services.queue.trouble();
        if (why.empty())
            why = health.state == "LOADING" ? "the workers are being asked for the first time" : "no worker answers";
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
        services.queue.stats([&services, reply](const base::Result<QueueStats>& stats) {
            const auto view = services.cluster.view();
            const auto health = healthOf(services);
            services.metrics.vectorsLoaded.set(static_cast<double>(health.vectorsLoaded));
            services.metrics.setState(health.state);
            services.registry
                .gauge("fremisn_config_epoch_info", "1 for the present map.", {{"epoch", view->map.epoch()}})
                .set(1);
            std::set<std::string> nodes;
            for (const auto& peer : view->peers)
                nodes.insert(peer->address.text());
            services.metrics.keepNodes(nodes);
            for (const auto& peer : view->peers) {
                measureNode(services.metrics, *peer);
                measureQueue(services.metrics, *peer, statsOf(stats.value_or(QueueStats()), *peer),
                             services.environment.sinceEpoch());
            }
            reply.text(std::string(metrics::Registry::kContentType), services.registry.prometheusText());
        });
    });
}

} // namespace fremis::coordinator
