#include "server/engine/cluster_view.h"

#include "shared/base/log.h"
#include "shared/hashing/partition.h"

#include <algorithm>

namespace fremis::engine {

using base::fail;
using base::Reason;
using base::Status;

namespace {

constexpr std::size_t kMostCoordinators = 64;
constexpr std::size_t kMostOutdated = 64;
constexpr std::chrono::seconds kSilent{10};
/// Programs one apart work together.
constexpr int kOldestProtocol = std::max(1, wire::internal::kProtocol - 1);
constexpr int kNewestProtocol = wire::internal::kProtocol + 1;

} // namespace

Status ClusterView::greet(const wire::internal::ProbeRequest& probe) {
    if (probe.protocol < kOldestProtocol || probe.protocol > kNewestProtocol)
        return fail(Reason::ProtocolMismatch, "this worker speaks protocol " +
                                                  std::to_string(wire::internal::kProtocol) + ", the coordinator " +
                                                  std::to_string(probe.protocol));
    if (probe.partitionRule != hashing::kPartitionRule)
        return fail(Reason::RuleMismatch,
                    "this worker places faces by the rule " + std::string(hashing::kPartitionRule));
    if (probe.space && *probe.space != m_terms.space)
        return fail(Reason::SpaceMismatch, "the embeddings of this worker are of the space " + m_terms.space);
    if (probe.dimension && *probe.dimension != m_terms.dimension)
        return fail(Reason::DimensionMismatch,
                    "the embeddings of this worker have " + std::to_string(m_terms.dimension) + " values");
    const std::scoped_lock lock(m_mutex);
    for (const auto& gone : probe.forget) {
        const auto found = m_coordinators.find(gone);
        if (found != m_coordinators.end() && m_clock.steady() - found->second.at > kSilent)
            m_coordinators.erase(found); // one that probes again is not gone
    }
    const auto known = m_coordinators.find(probe.coordinator);
    if (known != m_coordinators.end() && wire::internal::isOlder(probe.clockMs, known->second.clockMs))
        return {}; // it was under way for longer than a later one
    if (known == m_coordinators.end())
        makeRoom();
    if (known != m_coordinators.end() && known->second.epoch != probe.epoch)
        turnTo(probe.epoch, known->second.epoch);
    else if (m_epoch.empty())
        m_epoch = probe.epoch;
    m_coordinators[probe.coordinator] = {probe.epoch, probe.pending, probe.lowWater, probe.clockMs, m_clock.steady()};
    return {};
}

void ClusterView::turnTo(const std::string& epoch, const std::string& from) {
    std::erase(m_outdated, epoch); // an operator may go back to an earlier map
    std::erase(m_outdated, from);
    m_outdated.push_back(from);
    if (m_outdated.size() > kMostOutdated)
        m_outdated.pop_front();
    if (m_epoch != epoch)
        base::log(base::LogLevel::Info, "map_changed", {{"epoch", epoch}, {"before", m_epoch}});
    m_epoch = epoch;
}

/// The longest silent one goes when there are too many.
void ClusterView::makeRoom() {
    if (m_coordinators.size() < kMostCoordinators)
        return;
    const auto oldest = std::ranges::min_element(m_coordinators, {}, [](const auto& entry) { return entry.second.at; });
    m_coordinators.erase(oldest);
}

Status ClusterView::checkEpoch(const std::string& epoch) const {
    const std::scoped_lock lock(m_mutex);
    if (std::ranges::find(m_outdated, epoch) != m_outdated.end())
        return fail(Reason::StaleEpoch, "the map " + epoch + " is outdated; the cluster has turned to " + m_epoch);
    return {};
}

std::string ClusterView::epoch() const {
    const std::scoped_lock lock(m_mutex);
    return m_epoch;
}

std::vector<wire::internal::Heard> ClusterView::heard() const {
    const std::scoped_lock lock(m_mutex);
    std::vector<wire::internal::Heard> all;
    for (const auto& [id, one] : m_coordinators) {
        const auto age = std::chrono::duration_cast<std::chrono::milliseconds>(m_clock.steady() - one.at);
        all.push_back({id, one.pending, one.lowWater, age.count(), one.clockMs});
    }
    return all;
}

} // namespace fremis::engine
