#pragma once

#include "coordinator/cluster/queue_entry.h"
#include "coordinator/cluster/watchdog.h"

namespace fremis::coordinator {

/// Up to which version deletions may be forgotten: by acknowledgement, never by age. Thread: the environment's.
class DeleteHorizon {
public:
    DeleteHorizon(Cluster& cluster, Watchdog& watchdog);

    /// What waits in this coordinator's queue; to be called again and again.
    void note(const QueueStats& stats);
    /// Everything older has left this coordinator's queue. Nothing while that is not known.
    [[nodiscard]] std::optional<base::Version> ownLowWater() const;
    /// Tombstones of the partition that are older may go once its replicas, all of them, have been found equal from now
    /// on. Nothing: none may, as a replica or what a coordinator has queued is not known.
    [[nodiscard]] std::optional<base::Version> of(const View& view, base::Partition partition) const;

    /// Longer than a write is ever under way between its version and the queue, clocks that differ included.
    static constexpr std::chrono::minutes kUnderWay{5};

private:
    Cluster& m_cluster;
    Environment& m_environment;
    Watchdog& m_watchdog;
    std::optional<std::chrono::milliseconds> m_oldest; ///< since 1970, of all that waits
    std::optional<std::chrono::steady_clock::time_point> m_notedAt;
};

} // namespace fremis::coordinator
