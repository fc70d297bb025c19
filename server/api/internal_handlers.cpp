#include "server/api/internal_handlers.h"

#include "server/api/handlers.h"
#include "shared/hashing/partition.h"
#include "shared/storage/operation_codec.h"
#include "shared/wire/internal.h"

namespace fremis::api::internal {

namespace plane = wire::internal;
using base::fail;
using base::Reason;
using base::Result;

namespace {

/// Most time for reading partitions from the database.
constexpr std::chrono::seconds kReadTime = kBulkAnswerTime;

hashing::PartitionSet setOf(std::span<const wire::PartitionRange> ranges) {
    hashing::PartitionSet set;
    for (const auto& range : ranges)
        set.insert(hashing::PartitionRange{range.start, range.end});
    return set;
}

std::vector<plane::Record> encoded(std::span<const storage::Operation> operations) {
    std::vector<plane::Record> records;
    records.reserve(operations.size());
    for (const auto& operation : operations)
        records.push_back(storage::encode(operation));
    return records;
}

/// The request, when it is well-formed and of no outdated map; else it is answered here.
template<class Message>
std::optional<Message> accepted(const InternalServices& services, Result<Message> message, const std::string& epoch,
                                const http::Reply& reply) {
    if (!message) {
        reply.fail(message.error());
        return std::nullopt;
    }
    if (const auto current = services.cluster.checkEpoch(epoch); !current) {
        reply.fail(current.error());
        return std::nullopt;
    }
    return std::move(*message);
}

template<class Message>
std::optional<Message> acceptedWrite(const InternalServices& services, Result<Message> message,
                                     const http::Reply& reply) {
    const auto epoch = message ? message->head.epoch : std::string();
    auto write = accepted(services, std::move(message), epoch, reply);
    if (write)
        services.worker.node.observe(write->head.seen);
    return write;
}

/// Runs `read` on the bulk pool and answers what it gives.
template<class Read>
void inBulk(const InternalServices& services, const http::Request& request, http::Reply reply, Kind kind, Read read) {
    const auto shared = inTime(services.worker, std::move(reply), kind, deadlineOf(request, kReadTime));
    const bool taken = services.bulkPool.tryRun([shared, read = std::move(read)](int) {
        const auto message = read();
        message ? shared->json(plane::toJson(*message)) : shared->fail(message.error());
    });
    if (!taken)
        shared->fail({Reason::Overloaded, "too many reads of partitions are waiting", {}});
}

void answerEnrolled(const SharedReply& reply, const engine::Enrolled& enrolled) {
    const plane::EnrollmentWritten written{{enrolled.face, enrolled.variation, wireFaces(enrolled.faces), {}},
                                           {storage::encode(enrolled.operation)}};
    reply->json(plane::toJson(written));
}

/// A repeat is answered with what was stored the first time, if it still is.
void answerRepeat(const InternalServices& services, const SharedReply& reply, engine::Enrolled enrolled) {
    const bool taken = services.worker.storePool.tryRun([&services, reply, repeat = std::move(enrolled)](int) mutable {
        auto& row = repeat.operation.row;
        auto stored = services.worker.node.store().row(row.incarnation, row.face, row.variation);
        if (!stored)
            return reply->fail(stored.error());
        if (*stored)
            row = std::move(**stored);
        answerEnrolled(reply, repeat);
    });
    if (!taken)
        reply->fail({Reason::OutcomeUnknown, "too many reads are waiting", {}});
}

} // namespace

void probe(const InternalServices& services, http::Request&& request, http::Reply reply) {
    const auto parsed = plane::parseProbe(request.body);
    if (!parsed)
        return reply.fail(parsed.error());
    if (const auto greeted = services.cluster.greet(*parsed); !greeted)
        return reply.fail(greeted.error());
    auto& node = services.worker.node;
    node.observe(parsed->seen);
    const auto identity = node.identity();
    if (!identity)
        return reply.fail({Reason::NotReady, "the storage has not answered yet", {}});
    const auto status = node.status();
    plane::ProbeReply body;
    body.node = identity->nodeId;
    body.generation = identity->generation;
    body.version = FREMIS_VERSION;
    body.state = engine::nameOf(status.state);
    body.loadedPercent = status.loadedPercent();
    body.vectorsLoaded = status.vectorsLoaded;
    body.space = node.options().space.name;
    body.dimension = node.options().space.dimension;
    body.partitionRule = hashing::kPartitionRule;
    body.partitions = rangesOf(node.options().owned);
    body.clockMs = services.worker.clock.sinceEpoch().count();
    body.lastVersion = node.lastVersion();
    body.seen = node.greatestVersion();
    body.epoch = services.cluster.epoch();
    body.heard = services.cluster.heard();
    reply.json(plane::toJson(body));
}

void enrol(const InternalServices& services, http::Request&& request, http::Reply reply) {
    auto accepted = acceptedWrite(services, plane::parseEnrollment(request.body), reply);
    if (!accepted)
        return;
    const auto ticket = std::make_shared<engine::WriteTicket>();
    const auto shared = inTime(services.worker, std::move(reply), Kind::Write, deadlineOf(request), ticket);
    auto context = contextOf(request, shared);
    context.ticket = ticket;
    services.worker.enrolment.originate(
        std::move(accepted->body), accepted->head.opId, accepted->newFace, std::move(context),
        [&services, shared, begin = request.received](Result<engine::Enrolled> enrolled) {
            if (!enrolled)
                return shared->fail(enrolled.error());
            services.worker.metrics.createEnrollment.observe(std::chrono::steady_clock::now() - begin);
            enrolled->isRepeat ? answerRepeat(services, shared, std::move(*enrolled))
                               : answerEnrolled(shared, *enrolled);
        });
}

void deleteEnrollment(const InternalServices& services, http::Request&& request, http::Reply reply) {
    auto accepted = acceptedWrite(services, plane::parseDeleteEnrollment(request.body), reply);
    if (!accepted)
        return;
    std::vector<storage::OpId> opIds;
    for (const auto& face : accepted->body.faceIds)
        opIds.push_back(plane::faceOpId(accepted->head.opId, face));
    const auto time = opIds.size() > kBulkIds ? kBulkAnswerTime : kAnswerTime;
    const auto shared = inTime(services.worker, std::move(reply), Kind::Write, deadlineOf(request, time));
    services.worker.removal.removeFaces(
        std::move(accepted->body), {opIds, accepted->evenIfAbsent}, [shared](Result<engine::FacesRemoved> removed) {
            if (!removed)
                return shared->fail(removed.error());
            const plane::FacesDeleted body{
                {std::move(removed->deleted), {}}, std::move(removed->failed), encoded(removed->operations)};
            if (!removed->error)
                return shared->json(plane::toJson(body));
            if (body.operations.empty())
                return shared->fail(*removed->error);
            const auto members = plane::toJson(body);
            shared->fail(*removed->error, std::string_view(members).substr(1, members.size() - 2));
        });
}

void deleteVariation(const InternalServices& services, http::Request&& request, http::Reply reply) {
    auto accepted = acceptedWrite(services, plane::parseDeleteVariation(request.body), reply);
    if (!accepted)
        return;
    std::vector<storage::OpId> opIds;
    for (const auto& variation : accepted->body.variations)
        opIds.push_back(plane::variationOpId(accepted->head.opId, variation));
    const auto shared = inTime(services.worker, std::move(reply), Kind::Write, deadlineOf(request));
    auto face = accepted->body.faceId;
    services.worker.removal.removeVariations(
        std::move(accepted->body), {opIds, accepted->evenIfAbsent},
        [shared, face](Result<engine::VariationsRemoved> removed) {
            if (!removed)
                return shared->fail(removed.error());
            shared->json(plane::toJson(plane::VariationsDeleted{
                {face, std::move(removed->deleted), removed->faceDeleted, {}}, encoded(removed->operations)}));
        });
}

void createKeyspace(const InternalServices& services, http::Request&& request, http::Reply reply) {
    const auto accepted = acceptedWrite(services, plane::parseCreateKeyspace(request.body), reply);
    if (!accepted)
        return;
    const auto shared = inTime(services.worker, std::move(reply), Kind::Write, deadlineOf(request));
    services.worker.keyspaces.create(
        accepted->body, accepted->head.opId, [shared](Result<engine::KeyspaceCreated> made) {
            if (!made)
                return shared->fail(made.error());
            shared->json(plane::toJson(plane::KeyspaceCreated{
                {made->keyspace.name, made->created, made->keyspace.incarnation, made->keyspace.matchThreshold, {}},
                encoded(made->operations)}));
        });
}

void deleteKeyspace(const InternalServices& services, http::Request&& request, http::Reply reply) {
    const auto accepted = acceptedWrite(services, plane::parseDeleteKeyspace(request.body), reply);
    if (!accepted)
        return;
    const auto shared = inTime(services.worker, std::move(reply), Kind::Write, deadlineOf(request));
    services.worker.keyspaces.remove(
        accepted->body, accepted->head.opId,
        [shared, name = accepted->body.keyspace](Result<engine::KeyspaceRemoved> removed) {
            if (!removed)
                return shared->fail(removed.error());
            shared->json(plane::toJson(
                plane::KeyspaceDeleted{{name, removed->faces, {}}, {storage::encode(std::move(removed->operation))}}));
        });
}

void apply(const InternalServices& services, http::Request&& request, http::Reply reply) {
    auto message = plane::parseApply(request.body);
    const auto epoch = message ? message->epoch : std::string();
    const auto asked = accepted(services, std::move(message), epoch, reply);
    if (!asked)
        return;
    const auto shared = inTime(services.worker, std::move(reply), Kind::Write, deadlineOf(request));
    services.replication.apply(*asked, [shared](Result<plane::ApplyReply> applied) {
        applied ? shared->json(plane::toJson(*applied)) : shared->fail(applied.error());
    });
}

void digests(const InternalServices& services, http::Request&& request, http::Reply reply) {
    const auto asked = plane::parseDigests(request.body);
    if (!asked)
        return reply.fail(asked.error());
    inBulk(services, request, std::move(reply), Kind::Read,
           [&services, partitions = setOf(asked->partitions)] { return services.antiEntropy.digests(partitions); });
}

void leaves(const InternalServices& services, http::Request&& request, http::Reply reply) {
    auto asked = plane::parseLeaves(request.body);
    if (!asked)
        return reply.fail(asked.error());
    inBulk(services, request, std::move(reply), Kind::Read,
           [&services, wanted = std::move(*asked)] { return services.antiEntropy.leaves(wanted); });
}

void rows(const InternalServices& services, http::Request&& request, http::Reply reply) {
    auto asked = plane::parseRows(request.body);
    if (!asked)
        return reply.fail(asked.error());
    inBulk(services, request, std::move(reply), Kind::Read,
           [&services, wanted = std::move(*asked)] { return services.antiEntropy.rows(wanted); });
}

void keyspaceRecords(const InternalServices& services, http::Request&& request, http::Reply reply) {
    inBulk(services, request, std::move(reply), Kind::Read,
           [&services] { return services.antiEntropy.keyspaceRecords(); });
}

void collect(const InternalServices& services, http::Request&& request, http::Reply reply) {
    auto message = plane::parseCollect(request.body);
    const auto epoch = message ? message->epoch : std::string();
    const auto asked = accepted(services, std::move(message), epoch, reply);
    if (!asked)
        return;
    inBulk(services, request, std::move(reply), Kind::Write,
           [&services, partitions = setOf(asked->partitions), horizon = asked->horizon] {
               return services.replication.collect(partitions, horizon).map([] { return plane::CollectReply(); });
           });
}

void faceEmbeddings(const InternalServices& services, http::Request&& request, http::Reply reply) {
    auto asked = plane::parseFaceEmbeddings(request.body);
    if (!asked)
        return reply.fail(asked.error());
    auto found = services.worker.matching.embeddingsOf(std::move(asked->face));
    if (!found)
        return reply.fail(found.error());
    reply.json(plane::toJson(plane::FaceEmbeddingsReply{services.worker.node.options().space.name, std::move(*found)}));
}

void match(const InternalServices& services, http::Request&& request, http::Reply reply) {
    auto asked = plane::parseMatch(request.body);
    if (!asked)
        return reply.fail(asked.error());
    std::vector<wire::EmbeddingInput> others;
    for (auto& embedding : asked->other.embeddings)
        others.push_back({std::move(embedding), asked->other.space});
    const auto shared = inTime(services.worker, std::move(reply), Kind::Read, deadlineOf(request));
    services.worker.matching.matchStored(std::move(asked->face), std::move(others),
                                         answerMatchV2(services.worker, shared));
}

} // namespace fremis::api::internal
