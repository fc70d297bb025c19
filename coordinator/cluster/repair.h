#pragma once

#include "coordinator/cluster/partition_comparison.h"

#include <deque>

namespace fremis::coordinator {

/// Compares what the replicas of each partition hold, by digests, and gives each what the others have more: rows and
/// tombstones travel as operations, and their versions decide. One partition at a time. Thread: the environment's.
class Repair {
public:
    using Report = RepairReport;

    explicit Repair(Cluster& cluster) : m_cluster(cluster), m_environment(cluster.environment()) {}

    Collectable collectable = [](const View&, base::Partition) { return std::optional<base::Version>(); };

    /// Begins a run, or adds to the present one. Partitions with one owner are left out.
    void start(const hashing::PartitionSet& partitions);
    /// A run over everything each `interval`.
    void startEach(std::chrono::milliseconds interval);
    /// Calls `done` with true once those replicas of each of the partitions that can be reached were found equal, or
    /// made so.
    void compare(const hashing::PartitionSet& partitions, std::function<void(bool equal)> done);
    /// As compare(), but true only when the peer itself and another replica of it took part for each of the partitions
    /// that have another owner.
    void fill(const std::shared_ptr<Peer>& peer, const hashing::PartitionSet& partitions,
              std::function<void(bool equal)> done);
    /// A write may have reached some replicas of these partitions and not others: they are compared once it must have
    /// come to its end.
    void doubt(const hashing::PartitionSet& partitions);
    /// Gives each worker that can be reached the keyspaces that others know. Comparisons do that among replicas only,
    /// and a worker may share no partition with any other. One round at a time; asked meanwhile: one more.
    void shareKeyspaces();
    [[nodiscard]] const Report& report() const { return m_report; }

private:
    struct Waiting {
        hashing::PartitionSet partitions;
        std::shared_ptr<Peer> with; ///< who must have taken part; null: anybody
        std::uint64_t begunAt;      ///< comparisons up to this one had begun before
        bool equal = true;
        std::function<void(bool)> done;
    };
    void wait(const std::shared_ptr<Peer>& with, const hashing::PartitionSet& partitions,
              std::function<void(bool equal)> done);
    void next();
    void finished(base::Partition partition, const std::vector<std::shared_ptr<Peer>>& compared, bool equal);

    Cluster& m_cluster;
    Environment& m_environment;
    std::deque<base::Partition> m_queue;
    hashing::PartitionSet m_queued;
    bool m_comparing = false;  ///< until the next one begins
    std::uint64_t m_begun = 0; ///< comparisons
    std::vector<Waiting> m_waiting;
    hashing::PartitionSet m_doubted; ///< since the last look
    bool m_sharing = false;
    bool m_shareAgain = false;
    Report m_report;
};

} // namespace fremis::coordinator
