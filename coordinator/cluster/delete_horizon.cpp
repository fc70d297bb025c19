#include "coordinator/cluster/delete_horizon.h"

#include <algorithm>

namespace fremis::coordinator {

using namespace std::chrono_literals;

namespace {

constexpr auto kFresh = 10s;      ///< an older look at the queue says nothing
constexpr auto kClockAhead = 10s; ///< workers of which the clock differs by more keep their tombstones

} // namespace

DeleteHorizon::DeleteHorizon(Cluster& cluster, Watchdog& watchdog)
    : m_cluster(cluster), m_environment(cluster.environment()), m_watchdog(watchdog) {
    m_watchdog.lowWater = [this] { return ownLowWater(); };
}

void DeleteHorizon::note(const QueueStats& stats) {
    m_oldest.reset();
    for (const auto& [node, target] : stats.targets)
        if (target.oldestAt)
            m_oldest = std::min(m_oldest.value_or(*target.oldestAt), *target.oldestAt);
    m_notedAt = m_environment.steady();
}

std::optional<base::Version> DeleteHorizon::ownLowWater() const {
    if (!m_notedAt || m_environment.steady() - *m_notedAt > kFresh)
        return std::nullopt;
    const auto now = m_environment.sinceEpoch();
    const auto safe = std::min(m_oldest.value_or(now), now) - kUnderWay;
    return base::Version{static_cast<std::uint64_t>(std::max(safe, 0ms).count()) << 16, 0};
}

std::optional<base::Version> DeleteHorizon::of(const View& view, base::Partition partition) const {
    for (const auto node : view.map.owners(partition)) {
        const auto& peer = *view.peers[node];
        if (peer.state != PeerState::Active || !peer.hasInternalPlane() || !peer.served().contains(partition) ||
            std::chrono::abs(peer.facts->clockAhead) > kClockAhead)
            return std::nullopt;
    }
    const auto own = ownLowWater();
    const auto others = m_watchdog.coordinators().lowWater();
    return own && others ? std::optional(std::min(*own, *others)) : std::nullopt;
}

} // namespace fremis::coordinator
