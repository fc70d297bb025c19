#pragma once

#include "coordinator/cluster/replay_pace.h"
#include "coordinator/cluster/watchdog.h"
#include "coordinator/cluster/write_queue.h"
#include "shared/wire/internal.h"

#include <map>
#include <set>

namespace fremis::coordinator {

/// Brings queued operations to replicas that are back: in order per replica, one batch at a time, leaving them time for
/// the living. It rests while live searches suffer, and longer each time a replica fails. What a replica will always
/// refuse is parked. Thread: the environment's.
class Replay {
public:
    Replay(Cluster& cluster, Watchdog& watchdog, WriteQueue& queue);

    /// Learns what waits from an earlier life. `ready` is called when it has.
    void begin(std::function<void()> ready);
    /// Nodes with operations waiting.
    [[nodiscard]] std::vector<storage::NodeId> pendingNodes() const;

    /// Called when a replica does not know the keyspace of what it missed, which may be in no queue any more.
    std::function<void()> onMissingKeyspace = [] {};

    /// What an operator sees of one node's replay.
    struct Progress {
        bool running = false;
        bool resting = false;       ///< running, but held for the sake of live searches
        bool paused = false;        ///< by an operator
        std::uint64_t attempts = 0; ///< batches sent since the coordinator started
        std::string lastError;      ///< of the last batch; empty: it went well
    };
    [[nodiscard]] Progress progress(const storage::NodeId& node) const;
    /// A paused node's operations wait until resumed; the pause does not outlive the process.
    void setPaused(const storage::NodeId& node, bool paused);
    /// So many operations have come into the peer's queue that were not just written: parked ones, or another
    /// worker's. `deletes`: some of them may remove something.
    void noteReturned(const std::shared_ptr<Peer>& peer, std::uint64_t operations, bool deletes);
    /// The node's queue has ended.
    void forget(const storage::NodeId& node);
    /// Tries at once, not at the next probe.
    void tryNow(const std::shared_ptr<Peer>& peer);
    /// A search of a client has been answered and took so long.
    void noteSearch(std::chrono::microseconds took) { m_pace.noteSearch(m_environment.steady(), took); }

private:
    struct Target : Progress {
        Sequence after = 0;                 ///< the last one seen; what was left out waits behind parked ones
        std::chrono::milliseconds delay{0}; ///< before the next try, after failures
        std::chrono::steady_clock::time_point notBefore{};
    };
    void reachable(const std::shared_ptr<Peer>& peer);
    void nextBatch(const std::shared_ptr<Peer>& peer, const storage::NodeId& node);
    void send(const std::shared_ptr<Peer>& peer, const storage::NodeId& node, std::vector<QueueEntry> entries);
    void take(const std::shared_ptr<Peer>& peer, const storage::NodeId& node, const std::vector<QueueEntry>& entries,
              const CallResult& result, std::chrono::milliseconds took);
    void stop(const storage::NodeId& node, std::string why = {});
    void failed(const storage::NodeId& node, std::string why);
    void batchWhenAllowed(const std::shared_ptr<Peer>& peer, const storage::NodeId& node);
    void noteReplaying();

    Cluster& m_cluster;
    Environment& m_environment;
    Watchdog& m_watchdog;
    WriteQueue& m_queue;
    ReplayPace m_pace;
    std::map<storage::NodeId, Target> m_targets;
    std::set<storage::NodeId> m_withDeletes;            ///< from an earlier life of this coordinator
    bool m_beginning = false;                           ///< what waits is being read
    std::map<storage::NodeId, std::uint64_t> m_waiting; ///< operations that can be sent, as last counted
};

} // namespace fremis::coordinator
