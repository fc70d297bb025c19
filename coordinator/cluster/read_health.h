#pragma once

#include <algorithm>
#include <chrono>

namespace fremis::coordinator {

/// Whether a worker that is up answers its searches. One that fails some in a row rests: others are asked before it, so
/// that it does not use up the repeats that all share. After the rest one search tries it. Thread: one.
class ReadHealth {
public:
    using Moment = std::chrono::steady_clock::time_point;

    [[nodiscard]] bool rests(Moment now) const { return now < m_restsUntil; }
    /// A search goes to it now. The first one after a rest is a trial; until it is answered the rest goes on for
    /// others.
    void begin(Moment now) {
        if (m_failures >= kFailures)
            m_restsUntil = std::max(m_restsUntil, now + m_rest);
    }
    void failed(Moment now) {
        if (++m_failures < kFailures)
            return;
        m_rest = std::clamp(m_rest * 2, kFirstRest, kLongestRest);
        m_restsUntil = now + m_rest;
    }
    void succeeded() { *this = {}; }

private:
    static constexpr int kFailures = 3;
    static constexpr std::chrono::milliseconds kFirstRest{200};
    static constexpr std::chrono::milliseconds kLongestRest{5'000};

    int m_failures = 0; ///< in a row
    std::chrono::milliseconds m_rest{0};
    Moment m_restsUntil{};
};

} // namespace fremis::coordinator
