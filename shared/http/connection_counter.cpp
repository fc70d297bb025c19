#include "shared/http/connection_counter.h"

namespace fremis::http {

namespace {

// Connections that exist only to carry a 503; they live for the linger time at most.
constexpr std::size_t kRefusedAtOnce = 128;

} // namespace

ConnectionCounter::Verdict ConnectionCounter::enter(const std::string& peer, bool exempt) {
    const std::lock_guard lock(m_mutex);
    const auto known = m_byPeer.find(peer);
    const std::size_t ofPeer = known == m_byPeer.end() ? 0 : known->second;
    if (m_admitted < m_limits.connections && (exempt || ofPeer < m_limits.connectionsPerPeer)) {
        ++m_admitted;
        ++m_byPeer[peer];
        return Verdict::Admit;
    }
    if (m_refused >= kRefusedAtOnce)
        return Verdict::Drop;
    ++m_refused;
    return Verdict::Refuse;
}

void ConnectionCounter::leave(const std::string& peer, Verdict entered) {
    const std::lock_guard lock(m_mutex);
    if (entered == Verdict::Admit) {
        --m_admitted;
        if (const auto known = m_byPeer.find(peer); --known->second == 0)
            m_byPeer.erase(known);
    } else {
        --m_refused;
    }
    if (m_admitted + m_refused == 0)
        m_none.notify_all();
}

std::size_t ConnectionCounter::count() const {
    const std::lock_guard lock(m_mutex);
    return m_admitted + m_refused;
}

bool ConnectionCounter::waitUntilNone(std::chrono::steady_clock::time_point deadline) {
    std::unique_lock lock(m_mutex);
    return m_none.wait_until(lock, deadline, [this] { return m_admitted + m_refused == 0; });
}

} // namespace fremis::http
