#pragma once

#include <chrono>
#include <cstddef>
#include <deque>

namespace fremis::coordinator {

/// Whether replay hurts live searches: the 99th percentile of those answered while it runs, over the last seconds,
/// against that of those answered while it rests. Time comes as an argument. Memory: fixed. Thread: one.
///
/// A pause makes its searches the new quiet ones, so searches that are slow for another reason do not hold up replay
/// for long.
class ReplayPace {
public:
    using Moment = std::chrono::steady_clock::time_point;

    /// A search has been answered at `now`; it took so long.
    void noteSearch(Moment now, std::chrono::microseconds took);
    /// Replay begins, or rests.
    void setReplaying(Moment now, bool replaying);
    /// False while searches need a rest. To be asked before each batch, and again while it is false.
    [[nodiscard]] bool allows(Moment now);

private:
    static constexpr std::chrono::milliseconds kFirstPause{300};
    struct Sample {
        Moment at;
        std::chrono::microseconds took;
    };
    static void add(std::deque<Sample>& samples, Sample sample);
    [[nodiscard]] static std::chrono::microseconds p99Of(const std::deque<Sample>& samples);

    std::deque<Sample> m_quiet;
    std::deque<Sample> m_during;
    bool m_replaying = false;
    Moment m_restsSince{}; ///< a search that began before was answered beside replay
    Moment m_judgesFrom{}; ///< replay has run for a while by then
    Moment m_pausedUntil{};
    std::chrono::milliseconds m_pause = kFirstPause; ///< the next one; longer while trial after trial hurts
};

} // namespace fremis::coordinator
