#include "server/api/handlers.h"
#include "shared/wire/internal.h"

#include "resources/openapi/openapi.h"

namespace fremis::api {

using base::Reason;

namespace {

wire::Health healthOf(const WorkerServices& services, const engine::NodeStatus& status) {
    wire::Health health;
    const auto now = services.clock.sinceEpoch();
    health.state = engine::nameOf(status.state);
    health.loadedPercent = status.loadedPercent();
    health.role = "worker";
    health.version = FREMIS_VERSION;
    health.time = now;
    health.uptimeSeconds = std::chrono::duration_cast<std::chrono::seconds>(now - services.startedAt).count();
    health.vectorsLoaded = status.vectorsLoaded;
    health.vectorsExpected = status.vectorsExpected;
    health.partitions = rangesOf(services.node.options().owned);
    health.space = services.pack.space();
    health.instance = instanceOf(services);
    if (services.internalPort)
        health.internalPort = *services.internalPort;
    health.clientAuth = services.access ? "required" : "open";
    return health;
}

} // namespace

std::vector<wire::PartitionRange> rangesOf(const hashing::PartitionSet& set) {
    std::vector<wire::PartitionRange> ranges;
    for (const auto& range : set.ranges())
        ranges.push_back({range.first, range.last});
    return ranges;
}

std::optional<std::string> instanceOf(const WorkerServices& services) {
    const auto identity = services.node.identity();
    return identity ? std::optional(wire::internal::instanceOf(identity->nodeId, identity->generation)) : std::nullopt;
}

base::Status isMeantForUs(const WorkerServices& services, const http::Request& request) {
    const auto* meant = request.header(wire::internal::kInstanceHeader);
    if (!meant || *meant == instanceOf(services))
        return {};
    return base::fail(Reason::OtherInstance, "another worker, or an earlier life of this one, was meant");
}

void healthcheck(const WorkerServices& services, http::Request&&, http::Reply reply) {
    const auto status = services.node.status();
    const auto health = healthOf(services, status);
    if (status.state == engine::NodeState::Active)
        return reply.json(wire::toJson(health));
    reply.fail({Reason::NotReady, status.why, {}}, wire::notReadyMembers(health));
}

void livez(const WorkerServices& services, http::Request&&, http::Reply reply) {
    reply.json(wire::toJson(healthOf(services, services.node.status())));
}

void limitUsage(const WorkerServices& services, http::Request&&, http::Reply reply) {
    wire::LimitUsage usage;
    usage.currentEnrollment = static_cast<std::int64_t>(services.node.index().counts().faces);
    usage.currentKeyspace = static_cast<std::int64_t>(services.node.catalog().size());
    usage.maximumEnrollment = static_cast<std::int64_t>(services.maxFaces.value_or(wire::kNoLimit));
    usage.maximumKeyspace = static_cast<std::int64_t>(services.maxKeyspaces.value_or(wire::kNoLimit));
    reply.json(wire::toJson(usage));
}

void loadedVectors(const WorkerServices& services, http::Request&&, http::Reply reply) {
    const auto status = services.node.status();
    const auto counts = services.node.index().counts();
    wire::LoadedVectors loaded;
    loaded.state = engine::nameOf(status.state);
    loaded.loadedPercent = status.loadedPercent();
    loaded.space = services.pack.space();
    loaded.dim = services.pack.dim();
    loaded.index = index::engineName(services.node.index().options().engine);
    loaded.owned = rangesOf(services.node.options().owned);
    loaded.total = counts.vectors;
    loaded.faces = counts.faces;
    loaded.memoryBytes = services.node.index().memoryBytes();
    for (int partition = 0; partition < base::kPartitionCount; ++partition) {
        const auto number = static_cast<base::Partition>(partition);
        if (services.node.owns(number))
            loaded.partitions.push_back({number, counts.partitions[number].vectors, counts.partitions[number].faces});
    }
    for (const auto& keyspace : counts.keyspaces)
        if (const auto name = services.node.catalog().nameOf(keyspace.keyspace))
            loaded.keyspaces.push_back({*name, keyspace.vectors, keyspace.faces});
    reply.json(wire::toJson(loaded));
}

void resourceStats(const WorkerServices& services, http::Request&&, http::Reply reply) {
    reply.json(wire::toJson(services.resources.latest()));
}

void openApi(const WorkerServices&, http::Request&&, http::Reply reply) {
    reply.json(std::string(openapi::openapiJson()));
}

void metricsText(const WorkerServices& services, http::Request&&, http::Reply reply) {
    services.metrics.queueFace.set(static_cast<double>(services.photos.waiting()));
    services.metrics.vectorsLoaded.set(static_cast<double>(services.node.index().counts().vectors));
    services.metrics.setState(engine::nameOf(services.node.status().state));
    reply.text(std::string(metrics::Registry::kContentType), services.registry.prometheusText());
}

} // namespace fremis::api
