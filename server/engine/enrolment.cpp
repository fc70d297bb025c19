#include "server/engine/enrolment.h"

#include "shared/hashing/partition.h"

#include <openssl/evp.h>

namespace fremis::engine {

using base::fail;
using base::Reason;
using base::Result;
using base::Status;

namespace {

// SHA-256 over the length-prefixed incarnation and key, and a counter: the same key gives the same numbers on every
// node.
std::array<std::uint8_t, 32> digestOf(std::string_view incarnation, std::string_view key, std::uint32_t counter) {
    std::string text = std::to_string(incarnation.size()) + ":";
    text.append(incarnation).append(key).append(1, '\0').append(std::to_string(counter));
    std::array<std::uint8_t, 32> digest{};
    EVP_Digest(text.data(), text.size(), digest.data(), nullptr, EVP_sha256(), nullptr);
    return digest;
}

} // namespace

vision::Options visionOptions(vision::Purpose purpose, const PhotoRules& rules, const wire::FaceOptions& asked) {
    vision::Options options;
    options.purpose = purpose;
    options.requireSingleFace = asked.requireSingleFace || rules.rejectMultipleFaces;
    options.enforceGates = rules.enforceGates;
    options.attributes = {.liveness = asked.liveness, .gender = asked.gender, .age = asked.age, .eyes = false};
    return options;
}

/// One enrolment on its way.
struct Enrolment::Pending {
    wire::Enrollment request;
    std::string idempotencyKey;
    struct Origin {
        storage::OpId opId;
        bool newFace;
    };
    std::optional<Origin> origin; ///< of a coordinator
    RequestContext context;
    Done<Enrolled> done;
    std::optional<storage::KeyspaceRecord> keyspace = std::nullopt; ///< set by begin()
    vision::Analysis analysis = {};
    std::optional<storage::AddVariation> operation = std::nullopt;
    int attempts = 0;
};

void Enrolment::enrol(wire::Enrollment request, std::string idempotencyKey, RequestContext context,
                      Done<Enrolled> done) {
    begin(std::make_shared<Pending>(
        Pending{std::move(request), std::move(idempotencyKey), std::nullopt, std::move(context), std::move(done)}));
}

void Enrolment::originate(wire::Enrollment request, const storage::OpId& opId, bool newFace, RequestContext context,
                          Done<Enrolled> done) {
    begin(std::make_shared<Pending>(
        Pending{std::move(request), {}, Pending::Origin{opId, newFace}, std::move(context), std::move(done)}));
}

void Enrolment::begin(std::shared_ptr<Pending> pending) {
    auto& request = pending->request;
    auto keyspace = m_node.keyspace(request.keyspace);
    if (!keyspace)
        return pending->done(tl::unexpected(keyspace.error()));
    if (request.faceId && !m_node.owns(hashing::partitionOf(request.keyspace.text(), request.faceId->text())))
        return pending->done(fail(Reason::NotOwner, "this worker does not own the partition of that face_id"));
    pending->keyspace = std::move(*keyspace);
    std::vector<std::string> photos;
    photos.push_back(std::move(request.image.base64));
    const auto options = visionOptions(vision::Purpose::Enrol, m_rules, request.options);
    m_photos.analyse(std::move(photos), options, pending->context,
                     [this, pending](Result<std::vector<vision::Analysis>> analyses) {
                         if (!analyses)
                             return pending->done(tl::unexpected(analyses.error()));
                         store(pending, std::move(analyses->front()));
                     });
}

base::FaceId Enrolment::chooseFaceId(const Pending& pending) {
    const auto& keyspace = pending.request.keyspace.text();
    const auto owned = [this](base::Partition partition) { return m_node.owns(partition); };
    if (pending.request.faceId)
        return *pending.request.faceId;
    if (pending.idempotencyKey.empty())
        return m_faceIds.next(keyspace, owned);
    // A repeat has to meet the same face, whatever the clock says: 62 bits of the key's digest, in 2^62..2^63-1.
    for (std::uint32_t counter = 1;; ++counter) {
        const auto digest = digestOf(pending.keyspace->incarnation, pending.idempotencyKey, counter);
        std::uint64_t number = 0;
        for (int i = 0; i < 8; ++i)
            number = (number << 8) | digest[static_cast<std::size_t>(i)];
        auto text = std::to_string((number & ((1ULL << 62) - 1)) | (1ULL << 62));
        if (owned(hashing::partitionOf(keyspace, text)))
            return base::FaceId::trusted(std::move(text));
    }
}

Status Enrolment::checkLimit(const Pending& pending) const {
    if (!m_maxFaces)
        return {};
    if (m_node.index().counts().faces + m_facesUnderWay.load() < *m_maxFaces)
        return {};
    // One more photo of a known face is no new face.
    if (pending.request.faceId) {
        const auto known = m_node.store().face(pending.keyspace->incarnation, *pending.request.faceId);
        if (!known)
            return tl::unexpected(known.error());
        if (*known)
            return {};
    }
    return fail(Reason::EnrollmentLimit, "the limit of " + std::to_string(*m_maxFaces) + " enrolled faces is reached");
}

/// Thread: model pool.
void Enrolment::store(const std::shared_ptr<Pending>& pending, vision::Analysis analysis) {
    if (const auto allowed = checkLimit(*pending); !allowed)
        return pending->done(tl::unexpected(allowed.error()));
    pending->analysis = std::move(analysis);
    const auto& face = pending->analysis.faces[static_cast<std::size_t>(pending->analysis.used)];
    storage::Enrollment row{pending->keyspace->incarnation,
                            chooseFaceId(*pending),
                            storage::randomVariation(),
                            0,
                            {},
                            m_node.options().space.name,
                            face.embedding,
                            face.norm.value_or(0),
                            m_clock.sinceEpoch()};
    row.partition = hashing::partitionOf(pending->request.keyspace.text(), row.face.text());
    storage::AddVariation operation{std::move(row)};
    if (pending->origin) {
        operation.opId = pending->origin->opId;
        operation.mustBeNewFace = pending->origin->newFace;
    } else if (pending->idempotencyKey.empty()) {
        operation.opId = storage::randomOpId();
        operation.mustBeNewFace = !pending->request.faceId;
    } else {
        const auto digest = digestOf(pending->keyspace->incarnation, pending->idempotencyKey, 0);
        std::copy_n(digest.begin(), operation.opId.size(), operation.opId.begin());
    }
    if (const auto& ticket = pending->context.ticket;
        ticket && !ticket->setOut()) // the client has been told that it waited too long
        return pending->done(fail(Reason::Overloaded, "the request waited too long for a model thread"));
    pending->operation = std::move(operation);
    ++m_facesUnderWay;
    submit(pending);
}

void Enrolment::submit(const std::shared_ptr<Pending>& pending) {
    const auto version = m_node.nextVersion();
    const auto submitted = version.and_then([&](base::Version fresh) {
        pending->operation->row.version = fresh;
        return m_node.write(*pending->operation, [this, pending](const auto& outcome) { finish(pending, outcome); });
    });
    if (!submitted) {
        --m_facesUnderWay;
        pending->done(tl::unexpected(submitted.error()));
    }
}

/// Thread: the committing one.
void Enrolment::finish(const std::shared_ptr<Pending>& pending, const Result<storage::Outcome>& outcome) {
    constexpr int kMostAttempts = 3;
    using storage::Effect;
    if (outcome && outcome->effect == Effect::FaceExists && !pending->origin && ++pending->attempts < kMostAttempts) {
        // A generated id that another node has used: take the next one.
        pending->operation->row.face = chooseFaceId(*pending);
        pending->operation->row.partition =
            hashing::partitionOf(pending->request.keyspace.text(), pending->operation->row.face.text());
        return submit(pending);
    }
    if (outcome && outcome->effect == Effect::Stale && ++pending->attempts < kMostAttempts)
        return submit(pending); // a delete with a version from a faster clock was first; the next version is above it
    --m_facesUnderWay;
    if (!outcome)
        return pending->done(tl::unexpected(outcome.error()));
    if (outcome->done()) {
        auto operation = std::move(*pending->operation);
        operation.row.face = base::FaceId::trusted(outcome->face);
        operation.row.variation = base::Variation(outcome->variation);
        operation.row.version = outcome->version;
        operation.row.partition = hashing::partitionOf(pending->request.keyspace.text(), outcome->face);
        return pending->done(Enrolled{operation.row.face, operation.row.variation, std::move(pending->analysis.faces),
                                      operation, outcome->effect == Effect::Already});
    }
    if (outcome->effect == Effect::FaceExists)
        return pending->done(fail(Reason::FaceExists, "the generated face_id is taken; choose another"));
    if (outcome->effect == Effect::KeyspaceUnknown || outcome->effect == Effect::KeyspaceDropped)
        return pending->done(fail(Reason::KeyspaceNotFound, "the keyspace does not exist"));
    pending->done(fail(Reason::Overloaded, "the write met newer ones; try again", outcome->why));
}

} // namespace fremis::engine
