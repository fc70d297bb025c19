#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace fremis::base {

/// Where time comes from. Thread: any.
class Clock {
public:
    virtual ~Clock() = default;
    /// Wall time, for stamps and versions; it may jump.
    [[nodiscard]] virtual std::chrono::milliseconds sinceEpoch() const = 0;
    /// Monotonic time, for time-outs and durations.
    [[nodiscard]] virtual std::chrono::steady_clock::time_point steady() const = 0;
};

class SystemClock final : public Clock {
public:
    [[nodiscard]] std::chrono::milliseconds sinceEpoch() const override;
    [[nodiscard]] std::chrono::steady_clock::time_point steady() const override;
};

/// RFC 3339 in UTC with milliseconds, as in "2026-01-05T08:00:00.000Z".
[[nodiscard]] std::string isoTime(std::chrono::milliseconds sinceEpoch);

} // namespace fremis::base
