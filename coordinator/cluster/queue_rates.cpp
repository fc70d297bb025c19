#include "coordinator/cluster/queue_rates.h"

namespace fremis::coordinator {

using namespace std::chrono_literals;

namespace {

constexpr auto kWindow = 10s;
constexpr std::size_t kMostSamples = 11;

} // namespace

void QueueRates::add(std::chrono::steady_clock::time_point now, const QueueStats& stats) {
    Sample sample{now, {}};
    for (const auto& [node, target] : stats.targets)
        sample.totals[node] = {target.queuedInTotal, target.leftInTotal};
    m_samples.push_back(std::move(sample));
    while (m_samples.size() > kMostSamples || m_samples.front().at < now - kWindow)
        m_samples.pop_front();
}

QueueRates::Totals QueueRates::totalsIn(const Sample& sample, const storage::NodeId& node) {
    const auto found = sample.totals.find(node);
    return found == sample.totals.end() ? Totals() : found->second;
}

QueueRates::Rate QueueRates::of(const storage::NodeId& node) const {
    if (m_samples.size() < 2)
        return {};
    const auto first = totalsIn(m_samples.front(), node);
    const auto last = totalsIn(m_samples.back(), node);
    const double seconds = std::chrono::duration<double>(m_samples.back().at - m_samples.front().at).count();
    if (seconds <= 0 || last.queued < first.queued || last.left < first.left)
        return {}; // a node was forgotten and came back meanwhile
    return {static_cast<double>(last.queued - first.queued) / seconds,
            static_cast<double>(last.left - first.left) / seconds};
}

} // namespace fremis::coordinator
