#pragma once

#include "shared/base/clock.h"

#include <atomic>

namespace fremis::test {

/// A clock that stands still until it is told to go. Thread: any.
class FakeClock final : public base::Clock {
public:
    [[nodiscard]] std::chrono::milliseconds sinceEpoch() const override {
        return std::chrono::milliseconds(1'767'600'000'000 + m_elapsed.load());
    }
    [[nodiscard]] std::chrono::steady_clock::time_point steady() const override {
        return std::chrono::steady_clock::time_point(std::chrono::milliseconds(1'000'000 + m_elapsed.load()));
    }
    void advance(std::chrono::milliseconds by) { m_elapsed += by.count(); }

private:
    std::atomic<std::int64_t> m_elapsed{0}; ///< milliseconds
};

} // namespace fremis::test
