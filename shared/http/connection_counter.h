#pragma once

#include "shared/http/limits.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <unordered_map>

namespace fremis::http {

/// Who holds how many connections. Thread: any.
class ConnectionCounter {
public:
    enum class Verdict {
        Admit,
        Refuse, ///< counted too, but only to be told 503
        Drop,   ///< not counted: even the refusals are too many, close at once
    };

    explicit ConnectionCounter(const Limits& limits) : m_limits(limits) {}

    /// `exempt`: the limit per peer does not apply.
    [[nodiscard]] Verdict enter(const std::string& peer, bool exempt);
    /// Once for each connection that enter() counted.
    void leave(const std::string& peer, Verdict entered);
    /// Open connections, refused ones included.
    [[nodiscard]] std::size_t count() const;
    /// True when the last connection went before `deadline`.
    [[nodiscard]] bool waitUntilNone(std::chrono::steady_clock::time_point deadline);

private:
    const Limits& m_limits;
    mutable std::mutex m_mutex;
    std::condition_variable m_none;
    std::size_t m_admitted = 0;
    std::size_t m_refused = 0;
    std::unordered_map<std::string, std::size_t> m_byPeer;
};

} // namespace fremis::http
