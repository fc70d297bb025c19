#include "coordinator/cluster/writes.h"

#include "shared/base/log.h"
#include "shared/hashing/partition.h"
#include "shared/storage/batch.h"
#include "shared/storage/operation_codec.h"
#include "shared/wire/reply_readers.h"
#include "shared/wire/request_writers.h"

#include <openssl/evp.h>

#include <algorithm>
#include <map>
#include <utility>

namespace fremis::coordinator {

using namespace std::chrono_literals;
using base::Reason;
namespace internal = wire::internal;

namespace {

/// A replica that has not confirmed within this time gets the operation through the queue.
constexpr auto kReplicaTime = 2'000ms;

std::vector<std::size_t> ownersOf(const View& view, base::Partition partition) {
    const auto owners = view.map.owners(partition);
    return {owners.begin(), owners.end()};
}

/// The keyspace has ended there: nothing of it will ever be seen again.
bool isOver(const internal::ApplyOutcome& outcome) {
    return outcome.effect == internal::ApplyEffect::StaleIncarnation;
}

/// The replica has all that the operation could bring.
bool isHeld(const internal::ApplyOutcome& outcome) {
    return internal::isConfirmed(outcome.effect) || isOver(outcome);
}

bool isEnrolment(const internal::Record& bytes) {
    const auto operation = storage::decode(bytes);
    return operation && std::holds_alternative<storage::AddVariation>(*operation);
}

hashing::PartitionSet only(base::Partition partition) {
    hashing::PartitionSet set;
    set.insert(partition);
    return set;
}

/// Nothing was stored and nothing queued.
bool saysNotDone(const Refusal& refusal) {
    return refusal.error.status() < 500 || refusal.error.reason == Reason::PartitionUnavailable ||
           refusal.error.reason == Reason::NotEnoughReplicas;
}

bool tellsOfEnd(const std::vector<internal::Record>& records, const std::string& incarnation) {
    return std::any_of(records.begin(), records.end(), [&](const auto& bytes) {
        const auto operation = storage::decode(bytes);
        const auto* drop = operation ? std::get_if<storage::DropKeyspace>(&*operation) : nullptr;
        return drop && drop->incarnation == incarnation;
    });
}

/// The message with what is known of versions when it is sent.
template<class Message> std::function<std::string(base::Version)> bodyOf(Message message) {
    return [shared = std::make_shared<Message>(std::move(message))](base::Version seen) {
        shared->head.seen = seen;
        return internal::toJson(*shared);
    };
}

Refusal unknownOutcome() {
    // What the worker did is not known: its answer cannot be read.
    return {{Reason::OutcomeUnknown, "a worker's answer makes no sense; the write may be done", {}}, {}};
}

QueueRecord queueRecord(const storage::NodeId& target, const std::string& bytes) {
    QueueRecord record;
    record.target = target;
    record.bytes = bytes;
    const auto operation = storage::decode(bytes);
    if (!operation)
        return record; // the target will say what is wrong with it
    record.partition = storage::partitionOf(*operation);
    std::visit(
        [&](const auto& one) {
            using One = std::decay_t<decltype(one)>;
            record.opId = one.opId;
            if constexpr (std::is_same_v<One, storage::AddVariation>) {
                record.kind = QueuedKind::Enrollment;
                record.incarnation = one.row.incarnation;
                record.face = one.row.face.text();
            } else if constexpr (std::is_same_v<One, storage::DeleteFace> ||
                                 std::is_same_v<One, storage::DeleteVariation>) {
                record.kind = QueuedKind::Delete;
                record.incarnation = one.incarnation;
                record.face = one.face.text();
            } else {
                record.kind = QueuedKind::Keyspace;
                record.incarnation = one.incarnation;
            }
        },
        *operation);
    return record;
}

} // namespace

std::string_view nameOf(WriteAcks acks) {
    return acks == WriteAcks::One ? "one" : acks == WriteAcks::Majority ? "majority" : "all";
}

std::size_t Writes::needed(std::size_t owners) const {
    return m_acks == WriteAcks::One ? 1 : m_acks == WriteAcks::Majority ? owners / 2 + 1 : owners;
}

Answer<Writes::Nodes> Writes::origins(const View& view, const Nodes& owners, const hashing::PartitionSet& partitions,
                                      const Refusal& nobody) const {
    if (m_queue.health().mustExit)
        return tl::unexpected(Refusal{{Reason::NotReady, "the write queue has failed; this coordinator ends", {}}, {}});
    Nodes able;
    std::size_t taking = 0;
    for (const auto node : owners) {
        const auto& peer = *view.peers[node];
        if (owners.size() > 1 && !peer.node)
            return tl::unexpected(
                Refusal{{Reason::NotEnoughReplicas, "a replica was never reached, so nothing can be queued for it", {}},
                        nobody.members});
        if (peer.unproven.overlaps(partitions))
            continue; // what it decides would miss what the older owners know
        taking += peer.takesWrites() || peer.state == PeerState::Suspect;
        // A lone owner is written through its client plane; replicas need the internal one.
        if ((peer.takesWrites() || peer.state == PeerState::Suspect) && (owners.size() == 1 || peer.hasInternalPlane()))
            able.push_back(node);
    }
    if (taking == 0)
        return tl::unexpected(nobody);
    if (able.empty())
        return tl::unexpected(
            Refusal{{Reason::PartitionUnavailable,
                     "replicated writes need the internal plane of the workers: start all with the same "
                     "--access-key and --secret-key",
                     {}},
                    nobody.members});
    if (able.size() < needed(owners.size()))
        return tl::unexpected(
            Refusal{{Reason::NotEnoughReplicas, "too few replicas can take the write", {}}, nobody.members});
    const auto rank = [&](std::size_t node) {
        switch (view.peers[node]->state) {
        case PeerState::Active:
            return 0;
        case PeerState::CatchingUp:
            return 1;
        case PeerState::Suspect:
            return 3;
        default:
            return 2;
        }
    };
    std::stable_sort(able.begin(), able.end(), [&](auto a, auto b) { return rank(a) < rank(b); });
    return able;
}

void Writes::originate(std::shared_ptr<const View> view, Nodes origins, std::string_view path, BodyOf bodyOf,
                       const RequestContext& context, Refusal otherwise, Done<Originated> done) {
    const auto wasBehind = std::make_shared<bool>(false); // the one asked last
    auto prepare = [this, view, bodyOf = std::move(bodyOf), wasBehind](std::size_t node,
                                                                       std::function<void(std::string)> send) {
        const auto sendNow = [this, bodyOf, send = std::move(send)] { send(bodyOf(m_watchdog.seen())); };
        *wasBehind = view->peers[node]->state != PeerState::Active;
        // What it has missed may have been decided by a faster clock.
        *wasBehind ? m_watchdog.shareVersions(sendNow) : sendNow();
    };
    forward(
        m_cluster, std::move(view), std::move(origins),
        {.target = std::string(path),
         .plane = Call::Plane::Internal,
         .requestId = context.requestId,
         .deadline = context.deadline},
        Repeat::IfNotDone, std::move(otherwise),
        [wasBehind, done = std::move(done)](Answer<Forwarded> answer) {
            if (!answer)
                return done(tl::unexpected(std::move(answer.error())));
            done(Originated{answer->node, std::move(answer->response.body), *wasBehind});
        },
        std::move(prepare));
}

void Writes::askWhetherEnded(const View& view, std::size_t origin, const std::string& incarnation,
                             const RequestContext& context, std::function<void(bool)> done) {
    struct Round {
        std::size_t waiting = 1; ///< calls, and this function itself
        std::function<void(bool)> done;
        void land(bool ended, bool isActive) {
            --waiting;
            if (done && (ended || isActive || waiting == 0))
                std::exchange(done, nullptr)(ended);
        }
    };
    const auto round = std::make_shared<Round>();
    round->done = std::move(done);
    for (std::size_t node = 0; node < view.peers.size(); ++node) {
        const auto& peer = view.peers[node];
        if (node == origin || !peer->takesWrites() || !peer->hasInternalPlane())
            continue;
        ++round->waiting;
        m_cluster.call(peer,
                       {.target = std::string(internal::kKeyspaceRecordsPath),
                        .plane = Call::Plane::Internal,
                        .body = "{}",
                        .requestId = context.requestId,
                        .deadline = std::min(context.deadline, m_cluster.environment().steady() + kReplicaTime)},
                       [round, incarnation, peer](const CallResult& result) {
                           const auto reply = result && result->status == 200
                                                  ? internal::readKeyspaceRecords(result->body)
                                                  : tl::unexpected(base::Error());
                           round->land(reply && tellsOfEnd(reply->records, incarnation),
                                       reply && peer->state == PeerState::Active);
                       });
    }
    round->land(false, false);
}

void Writes::replicate(std::shared_ptr<const View> view, const Nodes& owners, const Originated& originated,
                       std::vector<internal::Record> operations, const RequestContext& context,
                       Done<wire::Replication> done) {
    struct Round {
        std::size_t waiting = 1; ///< calls, and this function itself
        int acked = 1;           ///< the origin
        std::vector<std::size_t> missed;
        bool keyspaceEnded = false; ///< a replica knows that, and the origin did not
    };
    const auto origin = originated.node;
    const auto round = std::make_shared<Round>();
    const auto shared = std::make_shared<const std::vector<internal::Record>>(std::move(operations));
    std::string enrolledInto; // the keyspace's incarnation
    for (const auto& bytes : *shared)
        if (const auto operation = storage::decode(bytes)) {
            m_watchdog.noteVersion(storage::versionOf(*operation));
            if (const auto* add = std::get_if<storage::AddVariation>(&*operation))
                enrolledInto = add->row.incarnation;
        }
    const auto finish = [this, view, round, shared, origin, total = owners.size(), done] {
        if (--round->waiting > 0)
            return;
        const auto enough = static_cast<std::size_t>(round->acked) >= needed(total);
        const auto answer = [round, enough, done](const base::Result<std::vector<Placed>>& placed) {
            // The origin has done it, so it is not surely undone.
            if (!placed && placed.error().reason != Reason::StorageFull)
                return done(tl::unexpected(Refusal{
                    {Reason::OutcomeUnknown, "the write could not be queued for a replica", placed.error().detail},
                    {}}));
            if (!placed)
                return done(tl::unexpected(Refusal{placed.error(), {}}));
            if (round->keyspaceEnded)
                return done(tl::unexpected(Refusal{{Reason::OutcomeUnknown, "the keyspace is being removed", {}}, {}}));
            if (!enough)
                return done(tl::unexpected(Refusal{
                    {Reason::OutcomeUnknown, "too few replicas confirmed the write; it will be done later", {}}, {}}));
            done(wire::Replication{round->acked, static_cast<int>(round->missed.size())});
        };
        if (round->missed.empty() || shared->empty())
            return answer(std::vector<Placed>());
        std::vector<QueueRecord> records;
        for (const auto node : round->missed) {
            const auto& peer = view->peers[node];
            const auto firstOfPeer = records.size();
            for (const auto& bytes : *shared)
                records.push_back(queueRecord(*peer->node, bytes));
            m_watchdog.noteMissedWrite(
                peer, std::any_of(records.begin() + static_cast<std::ptrdiff_t>(firstOfPeer), records.end(),
                                  [](const auto& record) { return record.kind != QueuedKind::Enrollment; }));
        }
        m_queue.append(std::move(records),
                       [this, view, round, origin, answer](base::Result<std::vector<Placed>> placed) {
                           std::vector<storage::NodeId> nodes;
                           for (const auto node : round->missed)
                               nodes.push_back(*view->peers[node]->node);
                           m_watchdog.announce(nodes, [answer, placed = std::move(placed)] { answer(placed); });
                       });
    };
    // What an origin has missed may be the end of the keyspace, which was told to every worker.
    if (originated.wasBehind && !enrolledInto.empty()) {
        ++round->waiting;
        askWhetherEnded(*view, origin, enrolledInto, context, [round, finish](bool ended) {
            round->keyspaceEnded = round->keyspaceEnded || ended;
            finish();
        });
    }
    for (const auto node : owners) {
        if (node == origin)
            continue;
        const auto& peer = view->peers[node];
        if (shared->empty()) {
            ++round->acked; // nothing to tell it
            continue;
        }
        // Behind what waits for it already, or out of reach: the queue keeps the order.
        if (!peer->takesWrites() || !peer->hasInternalPlane()) {
            round->missed.push_back(node);
            continue;
        }
        ++round->waiting;
        apply(peer, shared, context.requestId,
              std::min(context.deadline, m_cluster.environment().steady() + kReplicaTime),
              [round, node, shared, finish](CallResult result) {
                  const auto reply = result && result->status == 200 ? internal::readApply(result->body)
                                                                     : tl::unexpected(base::Error());
                  const bool held = reply && reply->outcomes.size() == shared->size() &&
                                    std::all_of(reply->outcomes.begin(), reply->outcomes.end(), isHeld);
                  held ? void(++round->acked) : round->missed.push_back(node);
                  for (std::size_t i = 0; held && i < shared->size(); ++i)
                      round->keyspaceEnded =
                          round->keyspaceEnded || (isOver(reply->outcomes[i]) && isEnrolment((*shared)[i]));
                  finish();
              });
    }
    finish();
}

/// A replica that has heard of another map meanwhile is told of the present one first: what is decided already is the
/// same under both.
void Writes::apply(const std::shared_ptr<Peer>& peer, std::shared_ptr<const std::vector<internal::Record>> operations,
                   std::string requestId, std::chrono::steady_clock::time_point deadline,
                   std::function<void(CallResult)> done, int attempts) {
    const internal::ApplyRequest request{m_cluster.view()->map.epoch(), *operations, false};
    m_cluster.call(peer,
                   {.target = std::string(internal::kApplyPath),
                    .plane = Call::Plane::Internal,
                    .body = internal::toJson(request),
                    .requestId = requestId,
                    .deadline = deadline},
                   [=, this, done = std::move(done)](CallResult result) {
                       const bool isOutdated =
                           result && result->status == 409 && refusalOf(*result).error.reason == Reason::StaleEpoch;
                       if (!isOutdated || attempts == 1)
                           return done(std::move(result));
                       m_watchdog.tellMap(
                           [=, this] { apply(peer, operations, requestId, deadline, done, attempts - 1); });
                   });
}

template<class Written, class Reply>
void Writes::write(std::shared_ptr<const View> view, Nodes owners, Nodes origins, std::string_view path, BodyOf body,
                   const RequestContext& context, Refusal otherwise, base::Result<Written> (*read)(std::string_view),
                   Done<Reply> done) {
    originate(
        view, std::move(origins), path, std::move(body), context, std::move(otherwise),
        [this, view, owners = std::move(owners), context, read, done = std::move(done)](Answer<Originated> answer) {
            if (!answer)
                return done(tl::unexpected(answer.error()));
            auto written = read(answer->body);
            if (!written)
                return done(tl::unexpected(unknownOutcome()));
            replicate(view, owners, *answer, std::move(written->operations), context,
                      [reply = std::move(written->reply), done](Answer<wire::Replication> replication) mutable {
                          if (!replication)
                              return done(tl::unexpected(replication.error()));
                          reply.replication = *replication;
                          done(std::move(reply));
                      });
        });
}

template<class Reply>
void Writes::writeLone(std::shared_ptr<const View> view, std::size_t owner, Call call, Refusal otherwise,
                       base::Result<Reply> (*read)(std::string_view), Done<Reply> done) {
    forward(m_cluster, std::move(view), {owner}, std::move(call), Repeat::IfNotDone, std::move(otherwise),
            [read, done = std::move(done)](Answer<Forwarded> answer) {
                if (!answer)
                    return done(tl::unexpected(answer.error()));
                auto reply = read(answer->response.body);
                if (!reply)
                    return done(tl::unexpected(unknownOutcome()));
                reply->replication = wire::Replication{1, 0};
                done(std::move(*reply));
            });
}

template<class Reply>
void Writes::writeEverywhere(std::shared_ptr<const View> view, std::string path, std::string body,
                             const RequestContext& context, base::Result<Reply> (*read)(std::string_view),
                             Done<Reply> done) {
    struct Round {
        std::size_t waiting;
        std::optional<Reply> reply; ///< of the first node
        std::optional<Refusal> refusal;
    };
    for (const auto& peer : view->peers)
        if (!peer->takesWrites())
            return done(tl::unexpected(Refusal{
                {Reason::NotEnoughReplicas, "without an internal plane every worker must be up for this", {}}, {}}));
    const auto round = std::make_shared<Round>(Round{view->peers.size(), {}, {}});
    for (std::size_t node = 0; node < view->peers.size(); ++node)
        writeLone<Reply>(view, node,
                         {.target = path, .body = body, .requestId = context.requestId, .deadline = context.deadline},
                         unknownOutcome(), read, [round, node, done](Answer<Reply> answer) {
                             if (!answer)
                                 round->refusal = answer.error();
                             else if (node == 0)
                                 round->reply = std::move(*answer);
                             if (--round->waiting > 0)
                                 return;
                             if (round->refusal)
                                 return done(tl::unexpected(*round->refusal));
                             done(std::move(*round->reply));
                         });
}

bool Writes::allHaveInternalPlane(const View& view) {
    return std::all_of(view.peers.begin(), view.peers.end(),
                       [](const auto& peer) { return peer->hasInternalPlane() || !peer->takesWrites(); });
}

bool Writes::mayMissEnrolments(const View& view, Nodes& origins) {
    const auto isBehind = [&](std::size_t node) { return view.peers[node]->state != PeerState::Active; };
    if (std::all_of(origins.begin(), origins.end(), isBehind))
        return true;
    std::erase_if(origins, isBehind);
    return false;
}

void Writes::noteOutcome(const Refusal& refusal, const hashing::PartitionSet& partitions) {
    const auto reason = refusal.error.reason;
    if (reason == Reason::OutcomeUnknown || reason == Reason::StorageFull || reason == Reason::Internal)
        onDoubt(partitions);
}

template<class Reply> Done<Reply> Writes::watched(const hashing::PartitionSet& partitions, Done<Reply> done) {
    return [this, partitions, done = std::move(done)](Answer<Reply> answer) {
        if (!answer)
            noteOutcome(answer.error(), partitions);
        done(std::move(answer));
    };
}

internal::Id Writes::operationId(std::string_view keyspace, const std::string& idempotencyKey) {
    if (idempotencyKey.empty())
        return storage::randomOpId();
    std::string text(keyspace);
    text.append(1, '\0').append(idempotencyKey);
    std::array<std::uint8_t, 32> digest{};
    EVP_Digest(text.data(), text.size(), digest.data(), nullptr, EVP_sha256(), nullptr);
    internal::Id id{};
    std::copy_n(digest.begin(), id.size(), id.begin());
    return id;
}

void Writes::enrol(wire::Enrollment request, const std::string& idempotencyKey, RequestContext context,
                   Done<wire::EnrollmentReply> done) {
    const auto view = m_cluster.view();
    const internal::WriteHead head{operationId(request.keyspace.text(), idempotencyKey), view->map.epoch(), {}};
    const bool newFace = !request.faceId && idempotencyKey.empty();
    if (!request.faceId) {
        if (newFace) {
            request.faceId = m_faceIds.next(request.keyspace.text(), [](base::Partition) { return true; });
        } else {
            // The same key meets the same face, through whichever coordinator it comes.
            std::uint64_t number = 0;
            for (std::size_t i = 8; i < 16; ++i)
                number = number << 8 | head.opId[i];
            request.faceId = base::FaceId::trusted(std::to_string(std::max<std::uint64_t>(number >> 1, 1)));
        }
    }
    const auto partition = hashing::partitionOf(request.keyspace.text(), request.faceId->text());
    const auto owners = ownersOf(*view, partition);
    const auto nobody = partitionUnavailable(*view, partition);
    auto able = origins(*view, owners, only(partition), nobody);
    if (!able)
        return done(tl::unexpected(able.error()));
    if (owners.size() == 1 && !view->peers[able->front()]->hasInternalPlane()) {
        // A key of its own makes the call safe to repeat on a connection that was closed meanwhile.
        const auto key = idempotencyKey.empty() ? internal::textOf(head.opId) : idempotencyKey;
        return writeLone(view, able->front(),
                         {.target = "/v1/face/enrollment",
                          .body = wire::toJson(request),
                          .requestId = context.requestId,
                          .headers = {{"Idempotency-Key", key}},
                          .deadline = context.deadline},
                         nobody, wire::readEnrollment, std::move(done));
    }
    internal::EnrollmentRequest message{head, std::move(request), newFace};
    write(view, owners, *able, internal::kEnrollmentPath, bodyOf(std::move(message)), context, nobody,
          internal::readEnrollmentWritten, watched(only(partition), std::move(done)));
}

/// A list of faces goes to the owners of their partitions, one call for each set of owners.
class Writes::FaceRemoval : public std::enable_shared_from_this<FaceRemoval> {
public:
    FaceRemoval(Writes& writes, wire::DeleteEnrollment request, RequestContext context,
                Done<wire::DeleteEnrollmentReply> done)
        : m_writes(writes), m_view(writes.m_cluster.view()), m_request(std::move(request)),
          m_context(std::move(context)), m_done(std::move(done)) {}

    void begin() {
        struct Group {
            base::Partition partition = 0; ///< one of them, for the error
            std::vector<base::FaceId> faces;
        };
        std::map<Nodes, Group> groups;
        for (const auto& face : m_request.faceIds) {
            const auto partition = hashing::partitionOf(m_request.keyspace.text(), face.text());
            auto& group = groups[ownersOf(*m_view, partition)];
            group.partition = partition;
            group.faces.push_back(face);
        }
        if (groups.empty())
            return askWhetherKeyspaceExists();
        m_waiting = groups.size();
        for (auto& [owners, group] : groups)
            remove(owners, group.partition, std::move(group.faces));
    }

private:
    /// An empty list is no error, an unknown keyspace is.
    void askWhetherKeyspaceExists() {
        m_waiting = 1;
        forward(m_writes.m_cluster, m_view, anyReaders(*m_view, m_writes.m_cluster.environment()), call(),
                Repeat::Always, {{Reason::PartitionUnavailable, "no worker answers", {}}, {}},
                [self = shared_from_this()](Answer<Forwarded> answer) {
                    if (!answer)
                        self->m_refusal = answer.error();
                    self->finishOne();
                });
    }

    [[nodiscard]] Call call() const {
        return {.target = "/v1/face/delete-enrollment",
                .body = wire::toJson(m_request),
                .requestId = m_context.requestId,
                .deadline = m_context.deadline};
    }

    void remove(const Nodes& owners, base::Partition partition, std::vector<base::FaceId> faces) {
        const auto nobody = partitionUnavailable(*m_view, partition);
        auto able = m_writes.origins(*m_view, owners, partitionsOf(faces), nobody);
        if (!able)
            return failed(faces, able.error());
        wire::DeleteEnrollment part{m_request.keyspace, std::move(faces)};
        if (owners.size() == 1 && !m_view->peers[able->front()]->hasInternalPlane()) {
            auto one = call();
            one.body = wire::toJson(part);
            return forward(m_writes.m_cluster, m_view, *able, std::move(one), Repeat::IfNotDone, nobody,
                           [self = shared_from_this(), faces = std::move(part.faceIds)](Answer<Forwarded> answer) {
                               const auto reply = answer ? wire::readDeleteEnrollment(answer->response.body)
                                                         : tl::unexpected(base::Error());
                               if (!reply)
                                   return self->failed(faces, answer ? unknownOutcome() : answer.error());
                               self->removed(reply->deleted, {1, 0});
                           });
        }
        const bool evenIfAbsent = mayMissEnrolments(*m_view, *able);
        internal::DeleteEnrollmentRequest message{
            {storage::randomOpId(), m_view->map.epoch(), {}}, std::move(part), evenIfAbsent};
        auto asked = message.body.faceIds;
        m_writes.originate(
            m_view, *able, internal::kDeleteEnrollmentPath, bodyOf(std::move(message)), m_context, nobody,
            [self = shared_from_this(), owners, faces = std::move(asked)](Answer<Originated> answer) {
                auto reply = answer ? internal::readFacesDeleted(answer->body) : tl::unexpected(base::Error());
                if (!reply)
                    return self->failed(faces, answer ? unknownOutcome() : answer.error());
                self->spread(owners, *answer, faces, std::move(*reply));
            });
    }

    void spread(const Nodes& owners, const Originated& origin, const std::vector<base::FaceId>& faces,
                internal::FacesDeleted reply) {
        m_writes.replicate(m_view, owners, origin, std::move(reply.operations), m_context,
                           [self = shared_from_this(), faces,
                            deleted = std::move(reply.reply.deleted)](Answer<wire::Replication> replication) {
                               replication ? self->removed(deleted, *replication)
                                           : self->failed(faces, replication.error());
                           });
    }

    void removed(const std::vector<base::FaceId>& faces, wire::Replication replication) {
        m_deleted.insert(faces.begin(), faces.end());
        // Of several groups the one that stands worst.
        m_replication = m_replication ? wire::Replication{std::min(m_replication->acked, replication.acked),
                                                          std::max(m_replication->queued, replication.queued)}
                                      : replication;
        finishOne();
    }

    [[nodiscard]] hashing::PartitionSet partitionsOf(const std::vector<base::FaceId>& faces) const {
        hashing::PartitionSet set;
        for (const auto& face : faces)
            set.insert(hashing::partitionOf(m_request.keyspace.text(), face.text()));
        return set;
    }

    void failed(const std::vector<base::FaceId>& faces, const Refusal& refusal) {
        m_writes.noteOutcome(refusal, partitionsOf(faces));
        m_failed.insert(faces.begin(), faces.end());
        // Of several groups, one that may have been done is what the client has to know.
        if (!m_refusal || saysNotDone(*m_refusal))
            m_refusal = refusal;
        finishOne();
    }

    void finishOne() {
        if (--m_waiting > 0)
            return;
        // In the order asked.
        std::vector<base::FaceId> deleted;
        std::vector<base::FaceId> failed;
        for (const auto& face : m_request.faceIds) {
            if (m_deleted.contains(face))
                deleted.push_back(face);
            else if (m_failed.contains(face))
                failed.push_back(face);
        }
        if (!m_refusal)
            return m_done(
                wire::DeleteEnrollmentReply{std::move(deleted), m_replication.value_or(wire::Replication{1, 0})});
        if (!deleted.empty())
            m_refusal->members += (m_refusal->members.empty() ? "" : ",") + wire::partialDeleteMembers(deleted, failed);
        m_done(tl::unexpected(std::move(*m_refusal)));
    }

    Writes& m_writes;
    const std::shared_ptr<const View> m_view;
    const wire::DeleteEnrollment m_request;
    const RequestContext m_context;
    const Done<wire::DeleteEnrollmentReply> m_done;
    std::size_t m_waiting = 0;
    std::set<base::FaceId> m_deleted;
    std::set<base::FaceId> m_failed;
    std::optional<wire::Replication> m_replication;
    std::optional<Refusal> m_refusal;
};

void Writes::removeFaces(wire::DeleteEnrollment request, RequestContext context,
                         Done<wire::DeleteEnrollmentReply> done) {
    std::make_shared<FaceRemoval>(*this, std::move(request), std::move(context), std::move(done))->begin();
}

void Writes::removeVariations(wire::DeleteVariation request, RequestContext context,
                              Done<wire::DeleteVariationReply> done) {
    const auto view = m_cluster.view();
    const auto partition = hashing::partitionOf(request.keyspace.text(), request.faceId.text());
    const auto owners = ownersOf(*view, partition);
    const auto nobody = partitionUnavailable(*view, partition);
    auto able = origins(*view, owners, only(partition), nobody);
    if (!able)
        return done(tl::unexpected(able.error()));
    if (owners.size() == 1 && !view->peers[able->front()]->hasInternalPlane())
        return writeLone(view, able->front(),
                         {.target = "/v1/face/delete-enrollment-variation",
                          .body = wire::toJson(request),
                          .requestId = context.requestId,
                          .deadline = context.deadline},
                         nobody, wire::readDeleteVariation, std::move(done));
    const bool evenIfAbsent = mayMissEnrolments(*view, *able);
    internal::DeleteVariationRequest message{
        {storage::randomOpId(), view->map.epoch(), {}}, std::move(request), evenIfAbsent};
    write(view, owners, *able, internal::kDeleteVariationPath, bodyOf(std::move(message)), context, nobody,
          internal::readVariationsDeleted, watched(only(partition), std::move(done)));
}

void Writes::createKeyspace(wire::CreateKeyspace request, RequestContext context,
                            Done<wire::CreateKeyspaceReply> done) {
    const auto view = m_cluster.view();
    if (!allHaveInternalPlane(*view))
        return writeEverywhere(view, "/v1/face/keyspace", wire::toJson(request), context, wire::readCreateKeyspace,
                               std::move(done));
    const auto owners = allNodes(*view);
    const Refusal nobody{{Reason::PartitionUnavailable, "no worker answers", {}}, {}};
    const auto able = origins(*view, owners, {}, nobody);
    if (!able)
        return done(tl::unexpected(able.error()));
    internal::CreateKeyspaceRequest message{{storage::randomOpId(), view->map.epoch(), {}}, std::move(request)};
    write(view, owners, *able, internal::kKeyspacePath, bodyOf(std::move(message)), context, nobody,
          internal::readKeyspaceCreated, watched(hashing::PartitionSet::all(), std::move(done)));
}

void Writes::deleteKeyspace(wire::DeleteKeyspace request, RequestContext context,
                            Done<wire::DeleteKeyspaceReply> done) {
    const auto view = m_cluster.view();
    if (!allHaveInternalPlane(*view))
        return writeEverywhere(view, "/v1/face/delete-keyspace", wire::toJson(request), context,
                               wire::readDeleteKeyspace, std::move(done));
    const auto owners = allNodes(*view);
    const Refusal nobody{{Reason::PartitionUnavailable, "no worker answers", {}}, {}};
    const auto able = origins(*view, owners, {}, nobody);
    if (!able)
        return done(tl::unexpected(able.error()));
    internal::DeleteKeyspaceRequest message{{storage::randomOpId(), view->map.epoch(), {}}, std::move(request)};
    write(view, owners, *able, internal::kDeleteKeyspacePath, bodyOf(std::move(message)), context, nobody,
          internal::readKeyspaceDeleted, watched(hashing::PartitionSet::all(), std::move(done)));
}

} // namespace fremis::coordinator
