#include "server/api/handlers.h"

#include <unordered_map>

namespace fremis::api {

using base::Reason;
using base::Result;

void createKeyspace(const WorkerServices& services, http::Request&& request, http::Reply reply) {
    auto parsed = wire::parseCreateKeyspace(request.body);
    if (!parsed)
        return reply.fail(parsed.error());
    if (const auto allowed = mayUse(services, request, parsed->keyspace); !allowed)
        return reply.fail(allowed.error());
    const auto shared = inTime(services, std::move(reply), Kind::Write, deadlineOf(request));
    services.keyspaces.create(*parsed, {}, [shared](Result<engine::KeyspaceCreated> made) {
        if (!made)
            return shared->fail(made.error());
        shared->json(wire::toJson(wire::CreateKeyspaceReply{
            made->keyspace.name, made->created, made->keyspace.incarnation, made->keyspace.matchThreshold, {}}));
    });
}

void listKeyspaces(const WorkerServices& services, http::Request&& request, http::Reply reply) {
    const auto asked = wire::parseListKeyspaces(request.query);
    if (!asked)
        return reply.fail(asked.error());
    const auto named = services.node.partitions(asked->partitions);
    if (!named)
        return reply.fail(named.error());
    const auto shared = inTime(services, std::move(reply), Kind::Read, deadlineOf(request));
    const bool taken = services.storePool.tryRun([&services, shared, partitions = *named,
                                                  asker = std::move(request)](int) {
        // The index counts what a search can find; of some partitions, or while it is being filled, the store tells.
        std::unordered_map<std::string, std::pair<std::uint64_t, std::uint64_t>> counts;
        if (services.node.searchable() && partitions == services.node.options().owned) {
            for (const auto& keyspace : services.node.index().counts().keyspaces)
                counts[keyspace.keyspace] = {keyspace.faces, keyspace.vectors};
        } else {
            const auto stored = services.node.store().counts(partitions);
            if (!stored)
                return shared->fail(stored.error());
            for (const auto& keyspace : *stored)
                counts[keyspace.incarnation] = {keyspace.faces, keyspace.variations};
        }
        wire::ListKeyspacesReply body;
        for (const auto& record : services.node.catalog().all()) {
            if (!mayUse(services, asker, record.name))
                continue;
            const auto [faces, variations] = counts[record.incarnation];
            body.keyspaces.push_back(
                {record.name, record.incarnation, faces, variations, record.createdAt, record.matchThreshold});
        }
        shared->json(wire::toJson(body));
    });
    if (!taken)
        shared->fail({Reason::Overloaded, "too many reads are waiting", {}});
}

void deleteKeyspace(const WorkerServices& services, http::Request&& request, http::Reply reply) {
    auto parsed = wire::parseDeleteKeyspace(request.body);
    if (!parsed)
        return reply.fail(parsed.error());
    if (const auto allowed = mayUse(services, request, parsed->keyspace); !allowed)
        return reply.fail(allowed.error());
    const auto shared = inTime(services, std::move(reply), Kind::Write, deadlineOf(request));
    services.keyspaces.remove(*parsed, {}, [shared, name = parsed->keyspace](Result<engine::KeyspaceRemoved> removed) {
        if (!removed)
            return shared->fail(removed.error());
        shared->json(wire::toJson(wire::DeleteKeyspaceReply{name, removed->faces, {}}));
    });
}

} // namespace fremis::api
