#include "coordinator/cluster/peer.h"

#include <algorithm>

namespace fremis::coordinator {

std::string_view nameOf(PeerState state) {
    switch (state) {
    case PeerState::Unknown:
        return "UNKNOWN";
    case PeerState::Loading:
        return "LOADING";
    case PeerState::Resync:
        return "RESYNC";
    case PeerState::CatchingUp:
        return "CATCHING_UP";
    case PeerState::Active:
        return "ACTIVE";
    case PeerState::Suspect:
        return "SUSPECT";
    case PeerState::Down:
        return "DOWN";
    }
    return "UNKNOWN";
}

void LatencyWindow::add(std::chrono::microseconds latency) {
    m_latencies[m_count++ % m_latencies.size()] = latency;
}

std::optional<std::chrono::microseconds> LatencyWindow::percentile(int percent) const {
    const auto size = std::min(m_count, m_latencies.size());
    if (size == 0)
        return std::nullopt;
    std::vector<std::chrono::microseconds> sorted(m_latencies.begin(),
                                                  m_latencies.begin() + static_cast<std::ptrdiff_t>(size));
    const auto at = sorted.begin() + static_cast<std::ptrdiff_t>((size - 1) * static_cast<std::size_t>(percent) / 100);
    std::nth_element(sorted.begin(), at, sorted.end());
    return *at;
}

std::optional<std::string> Peer::internalAuthority() const {
    if (!facts || !facts->internalPort)
        return std::nullopt;
    const auto& host = address.host();
    const bool v6 = host.find(':') != std::string::npos;
    return (v6 ? "[" + host + "]" : host) + ":" + std::to_string(*facts->internalPort);
}

} // namespace fremis::coordinator
