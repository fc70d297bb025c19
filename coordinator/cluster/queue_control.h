#pragma once

#include "coordinator/cluster/queue_rates.h"
#include "coordinator/cluster/repair.h"
#include "coordinator/cluster/replay.h"
#include "shared/wire/requests.h"

namespace fremis::coordinator {

/// The write queue as an operator sees it and acts on it. Thread: the environment's.
class QueueControl {
public:
    /// Parked operations of one node, by place in the queue.
    struct ParkedPage {
        std::vector<QueueEntry> entries; ///< without their bytes
        std::optional<Sequence> next;    ///< where the next page begins; nothing: this is the last one
    };
    struct Overview {
        QueueStats stats;
        std::map<storage::NodeId, ParkedPage> parked; ///< the first kShownParked of each node that has some
    };
    static constexpr std::size_t kShownParked = 20;

    struct Outcome {
        std::uint64_t changed = 0; ///< operations that came back, were dropped or discarded; 1 for a pause that changed
        TargetStats stats;
        ParkedPage parked; ///< of List the page asked for, else the first kShownParked
        std::shared_ptr<Peer> peer;
    };

    QueueControl(Cluster& cluster, Watchdog& watchdog, WriteQueue& queue, Replay& replay, Repair& repair)
        : m_cluster(cluster), m_environment(cluster.environment()), m_watchdog(watchdog), m_queue(queue),
          m_replay(replay), m_repair(repair) {}

    /// Begins to look at the queue once a second: for rates, and for onSample.
    void begin();
    /// Called with what the queue says at each look.
    std::function<void(const QueueStats&, const std::vector<Damage>&)> onSample = [](const auto&, const auto&) {};
    [[nodiscard]] const QueueRates& rates() const { return m_rates; }

    /// After another map: what waits for a worker in partitions that it does not own any more goes to the present
    /// owners, and the queue of a worker that is not on the map ends.
    void followMap();

    void overview(WriteQueue::Done<Overview> done);
    /// NotFound: the map has no such worker. DataNotMoved: a discard that no other replica could make good.
    void act(wire::QueueAction action, WriteQueue::Done<Outcome> done);

private:
    void sample(std::function<void()> then);
    void handOver(const std::shared_ptr<const View>& view, const storage::NodeId& from,
                  const hashing::PartitionSet& partitions, bool ends, const QueueStats& before);
    void noteReceived(const std::shared_ptr<const View>& view, const QueueStats& before);
    using Finish = std::function<void(base::Result<std::uint64_t> changed)>;
    void retry(const std::shared_ptr<Peer>& peer, const wire::QueueAction& action, Finish finish);
    void discard(const std::shared_ptr<Peer>& peer, bool force, Finish finish);
    void drop(const std::shared_ptr<Peer>& peer, const wire::QueueAction& action, Finish finish);
    void report(const std::shared_ptr<Peer>& peer, const wire::QueueAction& action, std::uint64_t changed,
                WriteQueue::Done<Outcome> done);
    [[nodiscard]] hashing::PartitionSet withoutOtherReplica(const Peer& peer) const;

    Cluster& m_cluster;
    Environment& m_environment;
    Watchdog& m_watchdog;
    WriteQueue& m_queue;
    Replay& m_replay;
    Repair& m_repair;
    QueueRates m_rates;
};

} // namespace fremis::coordinator
