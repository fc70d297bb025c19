#pragma once

#include "coordinator/cluster/forward.h"
#include "coordinator/cluster/map_retry.h"
#include "coordinator/cluster/watchdog.h"
#include "coordinator/cluster/write_queue.h"
#include "shared/storage/id_generator.h"
#include "shared/wire/internal.h"

namespace fremis::coordinator {

enum class WriteAcks { One, Majority, All };
[[nodiscard]] std::string_view nameOf(WriteAcks acks);

/// Enrolments, deletes and keyspaces. One replica, the origin, decides version, variation and incarnation; what it did
/// goes to the other replicas as finished operations, at once or through the durable queue, before the client is
/// answered. Thread: the environment's.
class Writes {
public:
    Writes(Cluster& cluster, Watchdog& watchdog, WriteQueue& queue, storage::FaceIdGenerator& faceIds, WriteAcks acks)
        : m_cluster(cluster), m_watchdog(watchdog), m_queue(queue), m_faceIds(faceIds), m_acks(acks) {}

    /// `idempotencyKey`: the client's, may be empty.
    void enrol(wire::Enrollment request, const std::string& idempotencyKey, RequestContext context,
               Done<wire::EnrollmentReply> done);
    void removeFaces(wire::DeleteEnrollment request, RequestContext context, Done<wire::DeleteEnrollmentReply> done);
    void removeVariations(wire::DeleteVariation request, RequestContext context, Done<wire::DeleteVariationReply> done);
    void createKeyspace(wire::CreateKeyspace request, RequestContext context, Done<wire::CreateKeyspaceReply> done);
    void deleteKeyspace(wire::DeleteKeyspace request, RequestContext context, Done<wire::DeleteKeyspaceReply> done);

    [[nodiscard]] WriteAcks acks() const { return m_acks; }

    /// Called when a write of these partitions has ended in a way that leaves open which replicas hold it.
    std::function<void(const hashing::PartitionSet&)> onDoubt = [](const hashing::PartitionSet&) {};

private:
    class FaceRemoval;
    using Nodes = std::vector<std::size_t>;

    /// Owners that can originate a write of `partitions`, best first; a refusal when too few of `owners` can take it
    /// now, or when one of them could not even be queued for.
    [[nodiscard]] Answer<Nodes> origins(const View& view, const Nodes& owners, const hashing::PartitionSet& partitions,
                                        const Refusal& nobody) const;
    /// Of origins, those whose word can be taken that something is not there; when there are none: all, and true.
    [[nodiscard]] static bool mayMissEnrolments(const View& view, Nodes& origins);
    /// Tells of a doubt when the write of `partitions` ends in one.
    template<class Reply> [[nodiscard]] Done<Reply> watched(const hashing::PartitionSet& partitions, Done<Reply> done);
    void noteOutcome(const Refusal& refusal, const hashing::PartitionSet& partitions);
    /// The body of a write; `seen`: WriteHead::seen.
    using BodyOf = std::function<std::string(base::Version seen)>;
    struct Originated {
        std::size_t node;
        std::string body;       ///< of its answer
        bool wasBehind = false; ///< it may have missed writes when it was asked
    };
    void originate(std::shared_ptr<const View> view, Nodes origins, std::string_view path, BodyOf bodyOf,
                   const RequestContext& context, Refusal otherwise, Done<Originated> done);
    /// Whether another worker than the origin knows that the incarnation of a keyspace has ended. An active one is
    /// believed that it has not; of the others all are asked.
    void askWhetherEnded(const View& view, std::size_t origin, const std::string& incarnation,
                         const RequestContext& context, std::function<void(bool)> done);
    /// Gives the operations to every owner but the origin. Answers how many replicas hold them now and for how many
    /// they are queued; a refusal when that is not enough.
    void replicate(std::shared_ptr<const View> view, const Nodes& owners, const Originated& originated,
                   std::vector<wire::internal::Record> operations, const RequestContext& context,
                   Done<wire::Replication> done);
    void apply(const std::shared_ptr<Peer>& peer, std::shared_ptr<const std::vector<wire::internal::Record>> operations,
               std::string requestId, std::chrono::steady_clock::time_point deadline,
               std::function<void(CallResult)> done, int attempts = kMapAttempts);
    /// originate() and replicate(), and the client's reply from the origin's.
    template<class Written, class Reply>
    void write(std::shared_ptr<const View> view, Nodes owners, Nodes origins, std::string_view path, BodyOf body,
               const RequestContext& context, Refusal otherwise, base::Result<Written> (*read)(std::string_view),
               Done<Reply> done);
    /// A partition's only owner is asked through its client plane when it has no internal one.
    template<class Reply>
    void writeLone(std::shared_ptr<const View> view, std::size_t owner, Call call, Refusal otherwise,
                   base::Result<Reply> (*read)(std::string_view), Done<Reply> done);
    /// The same request to the client plane of every worker: for keyspaces of a map without an internal plane.
    template<class Reply>
    void writeEverywhere(std::shared_ptr<const View> view, std::string path, std::string body,
                         const RequestContext& context, base::Result<Reply> (*read)(std::string_view),
                         Done<Reply> done);
    [[nodiscard]] static bool allHaveInternalPlane(const View& view);
    [[nodiscard]] std::size_t needed(std::size_t owners) const;
    [[nodiscard]] wire::internal::Id operationId(std::string_view keyspace, const std::string& idempotencyKey);

    Cluster& m_cluster;
    Watchdog& m_watchdog;
    WriteQueue& m_queue;
    storage::FaceIdGenerator& m_faceIds;
    const WriteAcks m_acks;
};

} // namespace fremis::coordinator
