#pragma once

#include "shared/base/clock.h"

#include <functional>

namespace fremis::coordinator {

/// The world as the coordinator's logic sees it: time, timers, chance. One thread runs all that logic, the one that
/// calls back; nothing here is called from another. Tests and simulations put their own time behind it.
class Environment : public base::Clock {
public:
    using Task = std::function<void()>;
    using TimerId = std::uint64_t; ///< never 0

    /// Runs `task` once after `delay`, never before it returns.
    virtual TimerId after(std::chrono::milliseconds delay, Task task) = 0;
    /// A timer that has run, or 0, is no error.
    virtual void cancel(TimerId timer) = 0;
    /// 64 random bits.
    virtual std::uint64_t random() = 0;
};

} // namespace fremis::coordinator
