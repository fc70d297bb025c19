#pragma once

#include "coordinator/cluster/repair.h"
#include "coordinator/cluster/watchdog.h"
#include "coordinator/cluster/write_queue.h"

#include <set>

namespace fremis::coordinator {

/// Fills workers for which the queue could not keep every write: those marked for a full resync take what they miss
/// from the other replicas before they may answer reads, and what damaged records leave is compared. Thread: the
/// environment's.
class Resync {
public:
    Resync(Cluster& cluster, Watchdog& watchdog, WriteQueue& queue, Repair& repair);

    /// After the map is there: tells when the queue was lost, and marks whom that concerns.
    void begin();
    /// What the queue says now; to be called again and again.
    void note(const QueueStats& stats, const std::vector<Damage>& damage);
    [[nodiscard]] bool isMarked(const storage::NodeId& node) const { return m_marked.contains(node); }
    [[nodiscard]] const std::set<storage::NodeId>& marked() const { return m_marked; }

    /// The node must be filled before it may answer.
    void mark(const storage::NodeId& node);

private:
    struct Attempt {
        bool running = false;
        std::chrono::milliseconds delay{0}; ///< before the next one, after a failure
        std::chrono::steady_clock::time_point notBefore{};
    };
    struct Task {
        std::shared_ptr<Peer> peer;
        storage::NodeId node; ///< at the peer's address when the task began
    };
    using Records = std::vector<wire::internal::Record>;
    void noteMarked(const storage::NodeId& node);
    void run(const std::shared_ptr<Peer>& peer);
    void fillKeyspaces(const Task& task);
    void applyKeyspaces(const Task& task, std::shared_ptr<const Records> records, std::size_t from);
    void comparePartitions(const Task& task);
    void end(const Task& task);
    void failed(const Task& task, std::string_view why);
    void mend(const Damage& damage);
    [[nodiscard]] std::shared_ptr<Peer> sourceFor(const Peer& peer) const;

    Cluster& m_cluster;
    Environment& m_environment;
    Watchdog& m_watchdog;
    WriteQueue& m_queue;
    Repair& m_repair;
    std::set<storage::NodeId> m_marked;
    std::multiset<storage::NodeId> m_marking; ///< their marks are on the way to the disk
    std::map<storage::NodeId, Attempt> m_attempts;
    std::vector<Damage> m_mending; ///< being compared now
};

} // namespace fremis::coordinator
