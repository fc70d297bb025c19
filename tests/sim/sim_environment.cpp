#include "tests/sim/sim_environment.h"

namespace fremis::sim {

using namespace std::chrono_literals;

namespace {

constexpr auto kStartSinceEpoch = std::chrono::milliseconds(1'767'600'000'000);
constexpr auto kStartSteady = 1h;

} // namespace

std::uint64_t Chance::next() {
    std::uint64_t mixed = m_state += 0x9E3779B97F4A7C15U;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9U;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBU;
    return mixed ^ (mixed >> 31);
}

SimEnvironment::TimerId SimEnvironment::afterMicros(Micros delay, Task task) {
    const auto timer = ++m_lastTimer;
    const auto moment = m_now + std::max(delay, Micros(0));
    m_timers.emplace(Slot(moment, timer), std::move(task));
    m_moments.emplace(timer, moment);
    return timer;
}

void SimEnvironment::cancel(TimerId timer) {
    const auto found = m_moments.find(timer);
    if (found == m_moments.end())
        return;
    m_timers.erase({found->second, timer});
    m_moments.erase(found);
}

std::chrono::milliseconds SimEnvironment::sinceEpoch() const {
    return kStartSinceEpoch + std::chrono::duration_cast<std::chrono::milliseconds>(m_now);
}

std::chrono::steady_clock::time_point SimEnvironment::steady() const {
    return std::chrono::steady_clock::time_point(kStartSteady + m_now);
}

void SimEnvironment::runUntil(Micros moment) {
    while (!m_timers.empty() && m_timers.begin()->first.first <= moment) {
        auto due = m_timers.extract(m_timers.begin());
        m_now = due.key().first;
        m_moments.erase(due.key().second);
        due.mapped()();
    }
    m_now = std::max(m_now, moment);
}

void SimEnvironment::note(std::string_view event) {
    // FNV-1a, and the moment behind it.
    for (const char c : event)
        m_trace = (m_trace ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
    m_trace = Chance(m_trace ^ static_cast<std::uint64_t>(m_now.count())).next();
}

} // namespace fremis::sim
