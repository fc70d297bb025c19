#include "coordinator/api/handlers.h"
#include "shared/wire/internal.h"
#include "shared/wire/json_writer.h"
#include "shared/wire/requests.h"

namespace fremis::coordinator {

using wire::JsonWriter;
using wire::internal::textOf;

namespace {

std::optional<std::string> timeOf(const std::optional<base::Version>& version) {
    return version ? std::optional(base::isoTime(version->time())) : std::nullopt;
}

/// By address where the map has the node.
std::string labelOf(const View& view, const storage::NodeId& node) {
    for (const auto& peer : view.peers)
        if (peer->node == node)
            return peer->address.text();
    return textOf(node);
}

std::string coordinatorsText(const CoordinatorServices& services) {
    const auto view = services.cluster.view();
    const auto& environment = services.environment;
    JsonWriter json;
    json.beginObject().member("coordinator", textOf(services.watchdog.id()));
    json.member("low_water", timeOf(services.deleteHorizon.ownLowWater())).key("others").beginArray();
    for (const auto& [id, other] : services.watchdog.coordinators().others()) {
        json.beginObject().member("coordinator", textOf(id));
        const auto silent =
            other.heardAt
                ? std::optional(std::chrono::duration_cast<std::chrono::seconds>(environment.steady() - *other.heardAt))
                : std::nullopt;
        json.member("silent_s", silent ? std::optional(silent->count()) : std::nullopt);
        json.member("low_water", timeOf(other.lowWater)).key("pending_nodes").beginArray();
        for (const auto& node : other.pending)
            json.value(labelOf(*view, node));
        json.endArray().endObject();
    }
    json.endArray().endObject();
    return json.take();
}

} // namespace

void clusterCoordinators(const CoordinatorServices& services, http::Request&&, http::Reply reply) {
    services.environment.post([&services, reply] { reply.json(coordinatorsText(services)); });
}

void forgetCoordinator(const CoordinatorServices& services, http::Request&& request, http::Reply reply) {
    if (const auto allowed = services.mayAdminister(request); !allowed)
        return reply.fail(allowed.error());
    const auto parsed = wire::parseForgetCoordinator(request.body);
    if (!parsed)
        return reply.fail(parsed.error());
    services.environment.post([&services, reply, gone = parsed->coordinator] {
        const auto forgotten = services.watchdog.coordinators().forget(gone);
        forgotten ? reply.json(coordinatorsText(services)) : reply.fail(forgotten.error());
    });
}

} // namespace fremis::coordinator
