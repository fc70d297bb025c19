#include "coordinator/api/handlers.h"
#include "shared/wire/internal.h"
#include "shared/wire/json_writer.h"

namespace fremis::coordinator {

using wire::JsonWriter;

namespace {

std::string_view nameOf(QueuedKind kind) {
    return kind == QueuedKind::Enrollment ? "enrollment" : kind == QueuedKind::Delete ? "delete" : "keyspace";
}

std::string_view stateOf(const TargetStats& stats, const Peer& peer, const Replay::Progress& progress) {
    if (stats.resync != ResyncMark::None)
        return "lost";
    if (stats.ops == 0)
        return "idle";
    if (stats.ops == stats.parked || progress.paused)
        return "blocked";
    return progress.running && peer.takesWrites() ? "replaying" : "accumulating";
}

/// The replay's own trouble says more than that of the probes.
std::optional<std::string> lastErrorOf(const Peer& peer, const Replay::Progress& progress) {
    const auto& error = progress.lastError.empty() ? peer.lastError : progress.lastError;
    return error.empty() ? std::nullopt : std::optional(error);
}

void writeParked(JsonWriter& json, const QueueControl::ParkedPage& page) {
    json.key("parked").beginArray();
    for (const auto& entry : page.entries) {
        json.beginObject().member("op_id", wire::internal::textOf(entry.opId)).member("kind", nameOf(entry.kind));
        json.member("partition", entry.partition ? std::optional(int{*entry.partition}) : std::nullopt);
        json.member("error", entry.parkedBecause).member("attempts", entry.attempts);
        json.member("queued_at", base::isoTime(entry.queuedAt)).endObject();
    }
    json.endArray();
    json.member("next_cursor", page.next ? std::optional(std::to_string(*page.next)) : std::nullopt);
}

void writeQueueOf(JsonWriter& json, const CoordinatorServices& services, const Peer& peer, const TargetStats& target,
                  const QueueControl::ParkedPage& parked) {
    const auto progress = peer.node ? services.replay.progress(*peer.node) : Replay::Progress();
    const auto rate = peer.node ? services.queueControl.rates().of(*peer.node) : QueueRates::Rate();
    json.beginObject().member("address", peer.address.text()).member("ops", target.ops);
    json.member("enrollments", target.enrollments).member("deletes", target.deletes);
    json.member("keyspace_ops", target.keyspaceOps).member("bytes", target.bytes);
    json.member("oldest_age_s", secondsSince(target.oldestAt, services.environment.sinceEpoch()));
    json.member("state", stateOf(target, peer, progress)).member("paused", progress.paused);
    json.member("in_per_s", rate.inPerSecond).member("out_per_s", rate.outPerSecond);
    json.member("in_total", target.queuedInTotal).member("out_total", target.leftInTotal);
    json.member("attempts", progress.attempts).member("last_error", lastErrorOf(peer, progress));
    json.member("parked_ops", target.parked);
    writeParked(json, parked);
    json.member("needs_full_resync", target.resync != ResyncMark::None).endObject();
}

} // namespace

TargetStats statsOf(const QueueStats& stats, const Peer& peer) {
    if (!peer.node)
        return {};
    const auto found = stats.targets.find(*peer.node);
    return found == stats.targets.end() ? TargetStats() : found->second;
}

double milliseconds(std::optional<std::chrono::microseconds> time) {
    return time ? static_cast<double>(time->count()) / 1000.0 : 0;
}

std::int64_t secondsSince(std::optional<std::chrono::milliseconds> then, std::chrono::milliseconds now) {
    return then ? std::chrono::duration_cast<std::chrono::seconds>(now - *then).count() : 0;
}

void clusterQueue(const CoordinatorServices& services, http::Request&&, http::Reply reply) {
    services.environment.post([&services, reply] {
        services.queueControl.overview([&services, reply](const base::Result<QueueControl::Overview>& overview) {
            if (!overview)
                return reply.fail(overview.error());
            JsonWriter json;
            json.beginObject().member("total_ops", overview->stats.ops).member("total_bytes", overview->stats.bytes);
            json.member("limit_bytes", overview->stats.limitBytes).key("nodes").beginArray();
            for (const auto& peer : services.cluster.view()->peers) {
                const auto parked = peer->node ? overview->parked.find(*peer->node) : overview->parked.end();
                writeQueueOf(json, services, *peer, statsOf(overview->stats, *peer),
                             parked == overview->parked.end() ? QueueControl::ParkedPage() : parked->second);
            }
            json.endArray().endObject();
            reply.json(json.take());
        });
    });
}

void actOnQueue(const CoordinatorServices& services, http::Request&& request, http::Reply reply) {
    if (const auto allowed = services.mayAdminister(request); !allowed)
        return reply.fail(allowed.error());
    auto parsed = wire::parseQueueAction(request.body);
    if (!parsed)
        return reply.fail(parsed.error());
    services.environment.post([&services, reply, action = std::move(*parsed)] {
        services.queueControl.act(action, [&services, reply,
                                           kind = action.kind](const base::Result<QueueControl::Outcome>& outcome) {
            if (!outcome)
                return reply.fail(outcome.error());
            JsonWriter json;
            json.beginObject().member("action", wire::nameOf(kind)).member("changed", outcome->changed).key("queue");
            writeQueueOf(json, services, *outcome->peer, outcome->stats, outcome->parked);
            json.endObject();
            reply.json(json.take());
        });
    });
}

} // namespace fremis::coordinator
