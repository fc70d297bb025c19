#include "server/api/handlers.h"
#include "shared/hashing/partition.h"
#include "shared/wire/cursor.h"
#include "shared/wire/internal.h"

#include <charconv>

namespace fremis::api {

using base::fail;
using base::Reason;
using base::Result;

namespace {

/// Runs a read of the store on its pool; a full pool is answered here.
void readStore(const WorkerServices& services, const SharedReply& reply, std::function<Result<std::string>()> read) {
    const bool taken = services.storePool.tryRun([reply, read = std::move(read)](int) {
        auto body = read();
        body ? reply->json(std::move(*body)) : reply->fail(body.error());
    });
    if (!taken)
        reply->fail({Reason::Overloaded, "too many reads are waiting", {}});
}

} // namespace

std::chrono::steady_clock::time_point deadlineOf(const http::Request& request, std::chrono::milliseconds most) {
    const auto* told = request.header(wire::internal::kDeadlineHeader);
    std::int64_t left = 0;
    if (told && std::from_chars(told->data(), told->data() + told->size(), left).ptr == told->data() + told->size() &&
        left > 0 && left < most.count())
        return request.received + std::chrono::milliseconds(left);
    return request.received + most;
}

SharedReply inTime(const WorkerServices& services, http::Reply reply, Kind kind,
                   std::chrono::steady_clock::time_point deadline, std::shared_ptr<engine::WriteTicket> ticket) {
    auto shared = std::make_shared<const http::Reply>(std::move(reply));
    services.deadlines.watch(shared, deadline, [kind, ticket = std::move(ticket)]() -> base::Error {
        if (kind == Kind::Read || (ticket && ticket->giveUp()))
            return {Reason::Overloaded, "the request was not answered in time", {}};
        return {Reason::OutcomeUnknown, "the write was not confirmed in time; it may still be done", {}};
    });
    return shared;
}

engine::RequestContext contextOf(const http::Request& request, const SharedReply& reply) {
    return {deadlineOf(request), [reply] { return reply->clientGone(); }, request.requestId, nullptr};
}

std::vector<wire::DetectedFace> wireFaces(const std::vector<vision::Face>& faces) {
    std::vector<wire::DetectedFace> detected;
    for (const auto& face : faces) {
        wire::DetectedFace one{face.top,  face.left, face.width,    face.height, face.score,
                               face.used, face.norm, face.warnings, {}};
        if (face.attributes)
            one.attributes =
                wire::FaceAttributes{face.attributes->liveness, face.attributes->gender, face.attributes->age};
        detected.push_back(std::move(one));
    }
    return detected;
}

base::Status mayUse(const WorkerServices& services, const http::Request& request, const base::KeyspaceName& keyspace) {
    return services.access ? services.access->mayUse(request.principal, keyspace) : base::Status();
}

void enrol(const WorkerServices& services, http::Request&& request, http::Reply reply) {
    auto parsed = wire::parseEnrollment(request.body);
    auto key = wire::parseIdempotencyKey(request.header("Idempotency-Key"));
    if (!parsed || !key)
        return reply.fail(parsed ? key.error() : parsed.error());
    if (const auto allowed = mayUse(services, request, parsed->keyspace); !allowed)
        return reply.fail(allowed.error());
    const auto ticket = std::make_shared<engine::WriteTicket>();
    const auto shared = inTime(services, std::move(reply), Kind::Write, deadlineOf(request), ticket);
    auto context = contextOf(request, shared);
    context.ticket = ticket;
    services.enrolment.enrol(std::move(*parsed), std::move(*key), std::move(context),
                             [&services, shared, begin = request.received](Result<engine::Enrolled> enrolled) {
                                 if (!enrolled)
                                     return shared->fail(enrolled.error());
                                 services.metrics.createEnrollment.observe(std::chrono::steady_clock::now() - begin);
                                 shared->json(wire::toJson(wire::EnrollmentReply{
                                     enrolled->face, enrolled->variation, wireFaces(enrolled->faces), {}}));
                             });
}

void recognise(const WorkerServices& services, http::Request&& request, http::Reply reply) {
    auto parsed = wire::parseRecognition(request.body);
    if (!parsed)
        return reply.fail(parsed.error());
    if (const auto allowed = mayUse(services, request, parsed->keyspace); !allowed)
        return reply.fail(allowed.error());
    if (parsed->returnEmbedding && services.access)
        if (const auto allowed = services.access->mayDo(request.principal, "embed"); !allowed)
            return reply.fail(allowed.error());
    const bool named = parsed->partitions.has_value();
    const auto shared = inTime(services, std::move(reply), Kind::Read, deadlineOf(request));
    services.recognition.recognise(
        std::move(*parsed), contextOf(request, shared),
        [&services, shared, named, begin = request.received](Result<engine::Recognised> recognised) {
            if (!recognised)
                return shared->fail(recognised.error());
            wire::RecognitionReply body;
            for (const auto& hit : recognised->hits)
                body.candidates.push_back({base::FaceId::trusted(hit.face), services.pack.similarity(double(hit.score)),
                                           hit.variation, double(hit.score)});
            if (recognised->faces)
                body.faces = wireFaces(*recognised->faces);
            if (named) {
                body.vectorsSearched = recognised->vectorsSearched;
                body.partitionsSearched = rangesOf(recognised->partitions);
            }
            if (!recognised->embedding.empty())
                body.embedding = std::move(recognised->embedding);
            services.metrics.faceRecognition.observe(std::chrono::steady_clock::now() - begin);
            shared->json(wire::toJson(body));
        });
}

void matchV1(const WorkerServices& services, http::Request&& request, http::Reply reply) {
    auto parsed = wire::parseMatchV1(request.body);
    if (!parsed)
        return reply.fail(parsed.error());
    if (parsed->keyspace)
        if (const auto allowed = mayUse(services, request, *parsed->keyspace); !allowed)
            return reply.fail(allowed.error());
    const auto shared = inTime(services, std::move(reply), Kind::Read, deadlineOf(request));
    services.matching.matchPhotos(
        std::move(*parsed), contextOf(request, shared), [&services, shared](Result<engine::Matched> matched) {
            if (!matched)
                return shared->fail(matched.error());
            const auto score = double(matched->score);
            shared->json(
                wire::toJson(wire::MatchV1Reply{score >= matched->threshold, services.pack.similarity(score), score}));
        });
}

void matchV2(const WorkerServices& services, http::Request&& request, http::Reply reply) {
    auto parsed = wire::parseMatchV2(request.body);
    if (!parsed)
        return reply.fail(parsed.error());
    for (const auto* side : {&parsed->faceA, &parsed->faceB})
        if (const auto* stored = std::get_if<wire::StoredFace>(side))
            if (const auto allowed = mayUse(services, request, stored->keyspace); !allowed)
                return reply.fail(allowed.error());
    const auto shared = inTime(services, std::move(reply), Kind::Read, deadlineOf(request));
    services.matching.match(std::move(*parsed), contextOf(request, shared), answerMatchV2(services, shared));
}

engine::Done<engine::Matched> answerMatchV2(const WorkerServices& services, const SharedReply& reply) {
    return [&services, reply](Result<engine::Matched> matched) {
        if (!matched)
            return reply->fail(matched.error());
        const auto score = double(matched->score);
        reply->json(wire::toJson(wire::MatchV2Reply{services.pack.similarity(score), score}));
    };
}

void deleteEnrollment(const WorkerServices& services, http::Request&& request, http::Reply reply) {
    auto parsed = wire::parseDeleteEnrollment(request.body);
    if (!parsed)
        return reply.fail(parsed.error());
    if (const auto allowed = mayUse(services, request, parsed->keyspace); !allowed)
        return reply.fail(allowed.error());
    const auto time = parsed->faceIds.size() > kBulkIds ? kBulkAnswerTime : kAnswerTime;
    const auto shared = inTime(services, std::move(reply), Kind::Write, deadlineOf(request, time));
    services.removal.removeFaces(std::move(*parsed), {}, [shared](Result<engine::FacesRemoved> removed) {
        if (!removed)
            return shared->fail(removed.error());
        if (!removed->error)
            return shared->json(wire::toJson(wire::DeleteEnrollmentReply{removed->deleted, {}}));
        if (removed->deleted.empty())
            return shared->fail(*removed->error);
        shared->fail(*removed->error, wire::partialDeleteMembers(removed->deleted, removed->failed));
    });
}

void deleteVariation(const WorkerServices& services, http::Request&& request, http::Reply reply) {
    auto parsed = wire::parseDeleteVariation(request.body);
    if (!parsed)
        return reply.fail(parsed.error());
    if (const auto allowed = mayUse(services, request, parsed->keyspace); !allowed)
        return reply.fail(allowed.error());
    const auto shared = inTime(services, std::move(reply), Kind::Write, deadlineOf(request));
    auto face = parsed->faceId;
    services.removal.removeVariations(
        std::move(*parsed), {}, [shared, face = std::move(face)](Result<engine::VariationsRemoved> removed) {
            if (!removed)
                return shared->fail(removed.error());
            shared->json(wire::toJson(wire::DeleteVariationReply{face, removed->deleted, removed->faceDeleted, {}}));
        });
}

void extractEmbedding(const WorkerServices& services, http::Request&& request, http::Reply reply) {
    auto parsed = wire::parseExtractEmbedding(request.body);
    if (!parsed)
        return reply.fail(parsed.error());
    const auto shared = inTime(services, std::move(reply), Kind::Read, deadlineOf(request));
    std::vector<std::string> photos;
    photos.push_back(std::move(parsed->image.base64));
    services.photos.analyse(
        std::move(photos), engine::visionOptions(vision::Purpose::Extract, services.photoRules, parsed->options),
        contextOf(request, shared), [&services, shared](Result<std::vector<vision::Analysis>> analyses) {
            if (!analyses)
                return shared->fail(analyses.error());
            wire::ExtractEmbeddingReply body{{}, {services.pack.id(), services.pack.space(), services.pack.dim()}, {}};
            std::vector<vision::Face> embedded;
            for (auto& face : analyses->front().faces) {
                if (face.embedding.empty())
                    continue; // too small for this model
                body.embeddings.push_back(std::move(face.embedding));
                embedded.push_back(std::move(face));
            }
            body.faces = wireFaces(embedded);
            shared->json(wire::toJson(body));
        });
}

void getEnrollment(const WorkerServices& services, http::Request&& request, http::Reply reply) {
    auto parsed = wire::parseGetEnrollment(request.query);
    if (!parsed)
        return reply.fail(parsed.error());
    if (const auto allowed = mayUse(services, request, parsed->keyspace); !allowed)
        return reply.fail(allowed.error());
    const auto keyspace = services.node.keyspace(parsed->keyspace);
    if (!keyspace)
        return reply.fail(keyspace.error());
    const auto partition = hashing::partitionOf(parsed->keyspace.text(), parsed->faceId.text());
    if (!services.node.owns(partition))
        return reply.fail({Reason::NotOwner, "this worker does not own the partition of that face_id", {}});
    const auto shared = inTime(services, std::move(reply), Kind::Read, deadlineOf(request));
    readStore(
        services, shared,
        [&services, incarnation = keyspace->incarnation, asked = std::move(*parsed)]() -> Result<std::string> {
            const auto face = services.node.store().face(incarnation, asked.faceId);
            if (!face)
                return tl::unexpected(face.error());
            if (!*face)
                return fail(Reason::FaceNotFound, "the face is not enrolled");
            wire::GetEnrollmentReply body{asked.keyspace, asked.faceId, (*face)->partition, (*face)->updatedAt, {}};
            for (const auto& variation : (*face)->variations)
                body.variations.push_back({variation.variation, variation.createdAt, variation.norm, variation.space});
            return wire::toJson(body);
        });
}

void listEnrollments(const WorkerServices& services, http::Request&& request, http::Reply reply) {
    auto parsed = wire::parseListEnrollments(request.query);
    if (!parsed)
        return reply.fail(parsed.error());
    if (const auto allowed = mayUse(services, request, parsed->keyspace); !allowed)
        return reply.fail(allowed.error());
    const auto keyspace = services.node.keyspace(parsed->keyspace);
    if (!keyspace)
        return reply.fail(keyspace.error());
    const auto partitions = services.node.partitions(parsed->partitions);
    if (!partitions)
        return reply.fail(partitions.error());
    std::optional<storage::FacePosition> after;
    if (!parsed->cursor.empty()) {
        auto cursor = wire::decodeCursor(parsed->cursor, keyspace->incarnation);
        if (!cursor)
            return reply.fail(cursor.error());
        after = storage::FacePosition{cursor->partition, std::move(cursor->faceId)};
    }
    const auto shared = inTime(services, std::move(reply), Kind::Read, deadlineOf(request));
    readStore(services, shared,
              [&services, after, incarnation = keyspace->incarnation, partitions = *partitions,
               asked = std::move(*parsed)]() -> Result<std::string> {
                  const auto page =
                      services.node.store().list(incarnation, after, partitions, static_cast<std::size_t>(asked.limit));
                  if (!page)
                      return tl::unexpected(page.error());
                  wire::ListEnrollmentsReply body{asked.keyspace, std::nullopt, {}, {}};
                  if (asked.partitions)
                      body.incarnation = incarnation;
                  for (const auto& face : page->faces)
                      body.faces.push_back({face.face, face.partition, face.variations, face.updatedAt});
                  if (page->more)
                      body.nextCursor = wire::encodeCursor(
                          {incarnation, page->faces.back().partition, page->faces.back().face.text()});
                  return wire::toJson(body);
              });
}

} // namespace fremis::api
