#pragma once

#include "coordinator/cluster/environment.h"

#include <map>
#include <unordered_map>

namespace fremis::sim {

/// Chance that is the same on every machine (splitmix64).
class Chance {
public:
    explicit Chance(std::uint64_t seed) : m_state(seed) {}
    std::uint64_t next();
    /// 0..bound-1; bound at least 1.
    std::size_t below(std::size_t bound) { return static_cast<std::size_t>(next() % bound); }
    /// Both ends included.
    int between(int least, int most) {
        return least + static_cast<int>(below(static_cast<std::size_t>(most - least + 1)));
    }
    bool percent(int chance) { return between(1, 100) <= chance; }

private:
    std::uint64_t m_state;
};

/// Virtual time: it stands still while something runs and jumps to the next timer. Timers of one moment run in the
/// order in which they were set.
class SimEnvironment final : public coordinator::Environment {
public:
    using Micros = std::chrono::microseconds;

    explicit SimEnvironment(std::uint64_t seed) : m_chance(seed) {}
    TimerId after(std::chrono::milliseconds delay, Task task) override { return afterMicros(delay, std::move(task)); }
    TimerId afterMicros(Micros delay, Task task);
    void cancel(TimerId timer) override;
    std::uint64_t random() override { return m_chance.next(); }
    [[nodiscard]] std::chrono::milliseconds sinceEpoch() const override;
    [[nodiscard]] std::chrono::steady_clock::time_point steady() const override;

    /// Since the start of the simulation.
    [[nodiscard]] Micros now() const { return m_now; }
    void runUntil(Micros moment);
    void runFor(Micros time) { runUntil(m_now + time); }

    /// Notes what happened, in order, with its moment: two runs of one seed have the same trace().
    void note(std::string_view event);
    [[nodiscard]] std::uint64_t trace() const { return m_trace; }

private:
    using Slot = std::pair<Micros, TimerId>;

    Chance m_chance;
    Micros m_now{0};
    TimerId m_lastTimer = 0;
    std::map<Slot, Task> m_timers;
    std::unordered_map<TimerId, Micros> m_moments;
    std::uint64_t m_trace = 0;
};

} // namespace fremis::sim
