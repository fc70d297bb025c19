#pragma once

#include "shared/base/clock.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <limits>
#include <mutex>
#include <string_view>
#include <vector>

namespace fremis::metrics {

/// How long a duration counts in a WindowTimer's quantiles.
inline constexpr std::chrono::seconds kWindow{60};

struct Quantile {
    double rank;
    std::string_view label; ///< as dashboards select it
};
inline constexpr std::array<Quantile, 4> kQuantiles{
    {{0.50, "0.500000"}, {0.90, "0.900000"}, {0.95, "0.950000"}, {0.99, "0.990000"}}};

/// Quantiles of the durations of the last 60 s, in milliseconds. Fixed memory (about 220 KB) at any rate: one histogram
/// for each second, with buckets at most 1/32 wide. Durations from 1 us to 2 min; others count as the nearest of these.
/// Thread: any.
class WindowTimer {
public:
    explicit WindowTimer(const base::Clock& clock);
    WindowTimer(const WindowTimer&) = delete;
    WindowTimer& operator=(const WindowTimer&) = delete;

    void observe(std::chrono::nanoseconds duration);

    struct Snapshot {
        std::array<double, kQuantiles.size()>
            milliseconds{};         ///< in the order of kQuantiles; 0 when the window is empty
        std::uint64_t count = 0;    ///< since the start of the process
        double sumMilliseconds = 0; ///< since the start of the process
    };
    [[nodiscard]] Snapshot snapshot() const;

private:
    struct Slot {
        std::int64_t second = std::numeric_limits<std::int64_t>::min(); ///< of the steady clock
        std::vector<std::uint32_t> counts;
    };
    [[nodiscard]] std::int64_t currentSecond() const;

    const base::Clock& m_clock;
    mutable std::mutex m_mutex;
    std::array<Slot, kWindow.count()> m_slots;
    std::uint64_t m_count = 0;
    double m_sumMilliseconds = 0;
};

/// Adds the time from its construction to its destruction. Thread: one.
class ScopedTimer {
public:
    ScopedTimer(WindowTimer& timer, const base::Clock& clock)
        : m_timer(timer), m_clock(clock), m_start(clock.steady()) {}
    ~ScopedTimer() { m_timer.observe(m_clock.steady() - m_start); }
    ScopedTimer(const ScopedTimer&) = delete;
    ScopedTimer& operator=(const ScopedTimer&) = delete;

private:
    WindowTimer& m_timer;
    const base::Clock& m_clock;
    const std::chrono::steady_clock::time_point m_start;
};

} // namespace fremis::metrics
