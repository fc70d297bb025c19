#include "coordinator/api/handlers.h"
#include "shared/wire/internal.h"
#include "shared/wire/json_writer.h"
#include "shared/wire/requests.h"

namespace fremis::coordinator {

using base::fail;
using base::Reason;
using wire::JsonWriter;

namespace {

void writeRanges(JsonWriter& json, std::string_view name, const hashing::PartitionSet& set) {
    json.key(name).beginArray();
    for (const auto& range : set.ranges())
        json.beginObject().member("start", int{range.first}).member("end", int{range.last}).endObject();
    json.endArray();
}

void writeWarnings(JsonWriter& json, const std::vector<std::string>& warnings) {
    json.key("warnings").beginArray();
    for (const auto& warning : warnings)
        json.value(warning);
    json.endArray();
}

std::vector<std::string> configWarnings(const ConfigKeeper& config) {
    std::vector<std::string> warnings;
    for (const auto& problem : config.present().file.warnings)
        warnings.push_back("config.yml:" + std::to_string(problem.line) + ": " + problem.message);
    return warnings;
}

/// What an operator should know and would not see otherwise.
std::vector<std::string> clusterWarnings(const CoordinatorServices& services, const View& view) {
    auto warnings = configWarnings(services.config);
    bool replicated = false;
    for (int partition = 0; partition < base::kPartitionCount; ++partition)
        replicated = replicated || view.map.owners(static_cast<base::Partition>(partition)).size() > 1;
    for (const auto& peer : view.peers) {
        if (peer->facts && !(peer->assigned - peer->facts->partitions).empty())
            warnings.push_back(peer->address.text() + " does not own the partitions " +
                               (peer->assigned - peer->facts->partitions).text() + " that the map gives it");
        if (replicated && peer->facts && !peer->hasInternalPlane())
            warnings.push_back(peer->address.text() + " cannot get replicated writes: " + peer->internalPlane);
    }
    for (const auto& [id, other] : services.watchdog.coordinators().others())
        if (services.environment.steady() - other.heardAt.value_or(services.watchdog.startedAt()) >
            Coordinators::kSilent)
            warnings.push_back("the coordinator " + wire::internal::textOf(id) +
                               " is silent; it may hold writes, so no deletion is forgotten; when it is gone for good, "
                               "forget it");
    return warnings;
}

void writeNode(JsonWriter& json, const Peer& peer, const routing::MapNode& node, std::uint64_t queued) {
    json.beginObject().member("address", peer.address.text()).member("name", node.name);
    json.key("weight").raw(node.weight.text());
    json.member("state", nameOf(peer.state)).member("loaded_percent", peer.facts ? peer.facts->loadedPercent : 0.0);
    writeRanges(json, "partitions", peer.assigned);
    writeRanges(json, "reported_partitions", peer.facts ? peer.facts->partitions : hashing::PartitionSet());
    json.member("space", peer.facts ? std::optional(peer.facts->space) : std::nullopt);
    json.member("version", peer.facts ? std::optional(peer.facts->version) : std::nullopt);
    json.member("since", base::isoTime(peer.since));
    json.member("last_ok_at", peer.lastOkAt ? std::optional(base::isoTime(*peer.lastOkAt)) : std::nullopt);
    json.member("last_error", peer.lastError.empty() ? std::nullopt : std::optional(peer.lastError));
    json.key("latency_ms").beginObject().member("p50", milliseconds(peer.calls.percentile(50)));
    json.member("p99", milliseconds(peer.calls.percentile(99))).endObject();
    json.member("queued_ops", queued).member("internal_plane", peer.internalPlane).endObject();
}

std::string changeText(const ConfigKeeper::Change& change, const ConfigKeeper& config, const std::string& epoch) {
    JsonWriter json;
    json.beginObject().member("config_epoch", epoch).member("previous_epoch", change.previousEpoch);
    json.member("changed", change.changed).member("changed_partitions", change.changedPartitions);
    writeWarnings(json, configWarnings(config));
    json.endObject();
    return json.take();
}

/// `"problems":[…]` for a config that cannot be used.
std::string problemMembers(const std::string& yaml, const routing::ConfigRules& rules) {
    JsonWriter json;
    json.beginObject().key("problems").beginArray();
    for (const auto& problem : routing::readConfig(yaml, rules).problems)
        if (problem.severity == routing::Severity::Error)
            json.beginObject()
                .member("line", problem.line)
                .member("column", problem.column)
                .member("reason", problem.message)
                .endObject();
    json.endArray().endObject();
    return json.text().substr(1, json.text().size() - 2);
}

/// Vectors of partitions that the new map gives only to workers which do not own them now would be out of reach.
base::Status checkDataStays(const View& view, const routing::PartitionMap& after) {
    hashing::PartitionSet orphaned;
    for (const auto& change : routing::changesBetween(view.map, after)) {
        bool held = false;
        for (const auto number : after.owners(change.partition)) {
            const auto before = view.map.nodeAt(after.nodes()[number].address);
            held = held || (before && view.peers[*before]->served().contains(change.partition));
        }
        if (!held)
            orphaned.insert(change.partition);
    }
    if (orphaned.empty())
        return {};
    return fail(Reason::DataNotMoved, "the new owners of the partitions " + orphaned.text() +
                                          " do not hold their data; move it first, or force");
}

std::string reportText(const Repair::Report& report) {
    JsonWriter json;
    json.beginObject().member("running", report.running).member("partitions_checked", report.partitionsChecked);
    json.member("differences", report.differences).member("mended", report.mended).member("failures", report.failures);
    json.member("partitions_collected", report.partitionsCollected);
    json.member("ended_at", report.endedAt ? std::optional(base::isoTime(*report.endedAt)) : std::nullopt).endObject();
    return json.take();
}

} // namespace

void clusterStatus(const CoordinatorServices& services, http::Request&&, http::Reply reply) {
    services.environment.post([&services, reply] {
        services.queue.stats([&services, reply](const base::Result<QueueStats>& answer) {
            const auto stats = answer.value_or(QueueStats());
            const auto view = services.cluster.view();
            std::array<int, base::kPartitionCount> active{};
            int nodesActive = 0;
            std::optional<std::chrono::milliseconds> oldest;
            for (const auto& peer : view->peers) {
                const auto target = statsOf(stats, *peer);
                if (target.oldestAt)
                    oldest = std::min(oldest.value_or(*target.oldestAt), *target.oldestAt);
                if (peer->state != PeerState::Active)
                    continue;
                ++nodesActive;
                for (int partition = 0; partition < base::kPartitionCount; ++partition)
                    active[static_cast<std::size_t>(partition)] +=
                        peer->served().contains(static_cast<base::Partition>(partition));
            }
            hashing::PartitionSet atRisk;
            hashing::PartitionSet thin;
            for (int partition = 0; partition < base::kPartitionCount; ++partition) {
                const auto number = static_cast<base::Partition>(partition);
                if (active[number] == 0)
                    atRisk.insert(number);
                if (static_cast<std::size_t>(active[number]) < view->map.owners(number).size())
                    thin.insert(number);
            }
            const auto& config = services.config.present();
            JsonWriter json;
            json.beginObject().member("config_epoch", view->map.epoch());
            json.member("config_loaded_at", base::isoTime(config.loadedAt));
            json.member("client_auth", services.access ? "required" : "open")
                .member("replication", view->map.replication());
            json.member("allow_partial_search",
                        services.allowPartialByFlag || view->map.allowPartialSearch().value_or(false));
            json.member("write_acks", nameOf(services.writes.acks())).member("partitions_total", base::kPartitionCount);
            json.member("partitions_searchable", base::kPartitionCount - atRisk.count());
            writeRanges(json, "partitions_at_risk", atRisk);
            writeRanges(json, "partitions_thin", thin);
            json.member("nodes_total", view->peers.size()).member("nodes_active", nodesActive);
            json.key("queue").beginObject().member("ops", stats.ops).member("bytes", stats.bytes);
            json.member("oldest_age_s", secondsSince(oldest, services.environment.sinceEpoch())).endObject();
            json.member("moves_running", 0);
            writeWarnings(json, clusterWarnings(services, *view));
            json.endObject();
            reply.json(json.take());
        });
    });
}

void clusterNodes(const CoordinatorServices& services, http::Request&&, http::Reply reply) {
    services.environment.post([&services, reply] {
        services.queue.stats([&services, reply](const base::Result<QueueStats>& answer) {
            const auto stats = answer.value_or(QueueStats());
            const auto view = services.cluster.view();
            JsonWriter json;
            json.beginObject().member("config_epoch", view->map.epoch()).key("nodes").beginArray();
            for (std::size_t node = 0; node < view->peers.size(); ++node)
                writeNode(json, *view->peers[node], view->map.nodes()[node], statsOf(stats, *view->peers[node]).ops);
            json.endArray().endObject();
            reply.json(json.take());
        });
    });
}

void clusterConfig(const CoordinatorServices& services, http::Request&&, http::Reply reply) {
    services.environment.post([&services, reply] {
        const auto& present = services.config.present();
        JsonWriter json;
        json.beginObject().member("config_epoch", present.file.epoch());
        json.member("loaded_at", base::isoTime(present.loadedAt)).member("yaml", present.file.text);
        writeWarnings(json, configWarnings(services.config));
        json.endObject();
        reply.json(json.take(), 200, {{"ETag", "\"" + present.file.epoch() + "\""}});
    });
}

void replaceClusterConfig(const CoordinatorServices& services, http::Request&& request, http::Reply reply) {
    if (const auto allowed = services.mayAdminister(request); !allowed)
        return reply.fail(allowed.error());
    auto parsed = wire::parseReplaceConfig(request.body);
    if (!parsed)
        return reply.fail(parsed.error());
    const auto* match = request.header("If-Match");
    if (!match)
        return reply.fail(
            {Reason::PreconditionRequired, "send If-Match with the epoch that the change is based on", {}});
    services.environment.post([&services, reply, match = *match, asked = std::move(*parsed)] {
        auto& config = services.config;
        if (match != "\"" + config.present().file.epoch() + "\"")
            return reply.fail({Reason::ConfigChanged, "the present epoch is " + config.present().file.epoch(), {}});
        const auto draft = routing::loadConfigText(asked.yaml, "config.yml", config.rules());
        if (!draft)
            return reply.fail(draft.error(), problemMembers(asked.yaml, config.rules()));
        if (!asked.force)
            if (const auto stays = checkDataStays(*services.cluster.view(), draft->map); !stays)
                return reply.fail(stays.error());
        const auto change = config.replace(asked.yaml, asked.dryRun, services.environment.sinceEpoch());
        if (!change)
            return reply.fail(change.error());
        reply.json(changeText(*change, config, draft->epoch()));
    });
}

void reloadCluster(const CoordinatorServices& services, http::Request&& request, http::Reply reply) {
    if (const auto allowed = services.mayAdminister(request); !allowed)
        return reply.fail(allowed.error());
    services.environment.post([&services, reply] {
        const auto change = services.config.load(services.environment.sinceEpoch());
        change ? reply.json(changeText(*change, services.config, services.config.present().file.epoch()))
               : reply.fail(change.error());
    });
}

void repairReport(const CoordinatorServices& services, http::Request&&, http::Reply reply) {
    services.environment.post([&services, reply] { reply.json(reportText(services.repair.report())); });
}

void startRepair(const CoordinatorServices& services, http::Request&& request, http::Reply reply) {
    if (const auto allowed = services.mayAdminister(request); !allowed)
        return reply.fail(allowed.error());
    auto parsed = wire::parseRepair(request.body);
    if (!parsed)
        return reply.fail(parsed.error());
    hashing::PartitionSet partitions;
    for (const auto partition : parsed->partitions)
        partitions.insert(partition);
    services.environment.post(
        [&services, reply, partitions = partitions.empty() ? hashing::PartitionSet::all() : partitions] {
            services.repair.start(partitions);
            reply.json(reportText(services.repair.report()));
        });
}

} // namespace fremis::coordinator
