#pragma once

#include "coordinator/cluster/cluster.h"
#include "coordinator/cluster/coordinators.h"
#include "shared/wire/internal.h"

#include <map>
#include <set>

namespace fremis::coordinator {

/// Probes every worker twice a second and decides who answers reads. Thread: the environment's.
class Watchdog {
public:
    /// `id`: of this coordinator. `signsCalls`: there is a key pair, so internal planes of other machines can be used.
    Watchdog(Cluster& cluster, wire::internal::Id id, bool signsCalls);

    /// Begins to probe the peers of the cluster's present map; called after each Cluster::useMap().
    void followMap();
    /// Tells all workers that can be reached which map is the present one; `then` follows the last answer, or none.
    void tellMap(std::function<void()> then);
    /// Brings the workers that can be reached, and this coordinator, to one knowledge of the greatest version; `then`
    /// follows the last answer, or none. A replica that has missed writes then decides above them, however slow its
    /// clock.
    void shareVersions(std::function<void()> then);
    /// The greatest version known here: of writes, and told by workers.
    [[nodiscard]] base::Version seen() const { return m_seen; }
    /// One that is too far ahead of this coordinator's clock is not believed.
    void noteVersion(base::Version version);
    /// Looks at a peer now, not at its next turn.
    void lookNow(const std::shared_ptr<Peer>& peer);

    /// Whether writes for a node wait in this coordinator's queue. Set by the owner of the queue.
    std::function<bool(const storage::NodeId&)> hasQueued = [](const storage::NodeId&) { return false; };
    /// Whether deletes are among them.
    std::function<bool(const storage::NodeId&)> hasQueuedDeletes = [](const storage::NodeId&) { return false; };
    /// Everything older has left this coordinator's queue; nothing: not known now.
    std::function<std::optional<base::Version>()> lowWater = [] { return std::optional<base::Version>(); };
    std::function<std::vector<storage::NodeId>()> pendingNodes = [] { return std::vector<storage::NodeId>(); };
    /// Whether the two above tell all; until then no worker is told that nothing is pending.
    std::function<bool()> knowsPending = [] { return true; };
    /// Whether a node must take everything from its replicas before it may answer reads.
    std::function<bool(const storage::NodeId&)> needsResync = [](const storage::NodeId&) { return false; };
    /// Called when a node has less than it had, or stands where another one stood: it needs a resync from now on.
    std::function<void(const storage::NodeId&)> onBehind = [](const storage::NodeId&) {};
    /// Called at each answered probe of a peer that needs it.
    std::function<void(const std::shared_ptr<Peer>&)> onResync = [](const std::shared_ptr<Peer>&) {};
    /// Called after each change of a peer's state.
    std::function<void(const std::shared_ptr<Peer>&)> onState = [](const std::shared_ptr<Peer>&) {};
    /// Called when another node than before answers at a peer's address, before its writes are looked for.
    std::function<void(const std::shared_ptr<Peer>&)> onNode = [](const std::shared_ptr<Peer>&) {};
    /// Called at each answered probe of a peer that has writes waiting: replay may begin.
    std::function<void(const std::shared_ptr<Peer>&)> onReachable = [](const std::shared_ptr<Peer>&) {};

    /// Asked before a peer may answer reads: does it hold what the other replicas hold? Calls back once, with false
    /// when that could not be found out; the question is then asked again.
    std::function<void(const std::shared_ptr<Peer>&, std::function<void(bool)>)> compare =
        [](const std::shared_ptr<Peer>&, const std::function<void(bool)>& done) { done(true); };

    /// Asked when a reload has given a peer a partition that has other owners: does it hold what they hold? Calls back
    /// as compare does. Until then the peer is not asked about the partition.
    std::function<void(const std::shared_ptr<Peer>&, base::Partition, std::function<void(bool)>)> prove =
        [](const std::shared_ptr<Peer>&, base::Partition, const std::function<void(bool)>& done) { done(true); };

    /// A write did not reach the peer and is being queued: it leaves Active until it has it. `deletes`: it removes
    /// something.
    void noteMissedWrite(const std::shared_ptr<Peer>& peer, bool deletes);
    /// Calls `done` once two workers know that writes for these nodes wait here, or all that can be told, so that other
    /// coordinators will hear of it even when this one is gone and one of the two cannot be reached.
    void announce(const std::vector<storage::NodeId>& nodes, std::function<void()> done);
    /// The peer's queue was found empty when asked after `missedWrites` of its writes had been queued.
    void noteDrained(const std::shared_ptr<Peer>& peer, std::uint64_t missedWrites);

    /// Of this coordinator.
    [[nodiscard]] const wire::internal::Id& id() const { return m_id; }
    /// The other coordinators, as the workers tell of them.
    [[nodiscard]] Coordinators& coordinators() { return m_coordinators; }
    [[nodiscard]] std::chrono::steady_clock::time_point startedAt() const { return m_startedAt; }
    /// True once every peer has been asked at least once.
    [[nodiscard]] bool roundDone() const;
    /// The embedding space of the cluster; that of the first worker that named one.
    [[nodiscard]] const std::string& space() const { return m_space; }

private:
    /// What a probe says of this coordinator.
    struct Told {
        std::string epoch;
        std::vector<storage::NodeId> pending;
    };
    struct Watched {
        std::shared_ptr<Peer> peer;
        Environment::TimerId timer = 0;
        Transport::CallId call = 0;
        bool asked = false;
        bool portIsFresh = false;                        ///< its health has just told the internal port
        std::chrono::steady_clock::time_point askedAt{}; ///< its last question
        bool comparing = false;
        hashing::PartitionSet assigned; ///< by the last map
        hashing::PartitionSet proving;  ///< being compared because they are new here
        Told told;                      ///< what the question under way tells
        std::uint64_t outages = 0;      ///< a comparison that began before the last one says nothing
        std::chrono::milliseconds holdDown{0};
        std::chrono::steady_clock::time_point heldUntil{};
    };

    void schedule(const std::shared_ptr<Watched>& watched, std::chrono::milliseconds delay);
    void scheduleNext(const std::shared_ptr<Watched>& watched);
    void probe(const std::shared_ptr<Watched>& watched);
    void askHealth(const std::shared_ptr<Watched>& watched);
    void askInternal(const std::shared_ptr<Watched>& watched);
    [[nodiscard]] Call internalProbe(const wire::internal::ProbeRequest& request) const;
    void takeHealth(const std::shared_ptr<Watched>& watched, const CallResult& result);
    void takeProbe(const std::shared_ptr<Watched>& watched, const CallResult& result);
    void answered(const std::shared_ptr<Watched>& watched, PeerFacts facts);
    void missed(const std::shared_ptr<Watched>& watched, const CallFailure& failure);
    void activate(const std::shared_ptr<Watched>& watched);
    void proveNewPartitions(const std::shared_ptr<Watched>& watched);
    [[nodiscard]] bool allKnowTheMap() const;
    [[nodiscard]] std::vector<storage::NodeId> allPending() const;
    template<class Wanted> void askAll(Wanted wanted, std::function<void()> then);
    [[nodiscard]] wire::internal::ProbeRequest question() const;
    void noteTold(const storage::NodeId& by, const std::vector<storage::NodeId>& pending);
    [[nodiscard]] bool isAnnounced(const storage::NodeId& node) const;
    void leaveActiveIfPending(Peer& peer);
    void learn(Peer& peer, PeerFacts facts);
    void refuse(Watched& watched, std::string why);
    void enterResync(Peer& peer);
    void setState(Peer& peer, PeerState state);
    [[nodiscard]] bool hasMissedWrites(const Peer& peer) const;
    [[nodiscard]] bool reachesInternalPlane(const Peer& peer) const;
    [[nodiscard]] std::chrono::steady_clock::time_point probeDeadline() const;

    Cluster& m_cluster;
    Environment& m_environment;
    const wire::internal::Id m_id;
    const bool m_signsCalls;
    std::map<routing::Address, std::shared_ptr<Watched>> m_watched;
    std::uint64_t m_maps = 0; ///< followed
    std::string m_space;
    base::Version m_seen;
    const std::chrono::steady_clock::time_point m_startedAt;
    Coordinators m_coordinators;
    /// Of allPending(): the workers that know that writes wait here for it.
    std::map<storage::NodeId, std::set<storage::NodeId>> m_toldOf;
};

} // namespace fremis::coordinator
