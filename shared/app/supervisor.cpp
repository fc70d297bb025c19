#include "shared/app/supervisor.h"

#include <systemd/sd-daemon.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>

namespace fremis::app {

using namespace std::chrono_literals;

namespace {

constexpr std::chrono::microseconds kBeforeReady = 100ms;
constexpr std::chrono::microseconds kWhenReady = 1s;
/// A start that makes progress is given this much more time with each beat, however long an index takes to load.
constexpr auto kMoreTime = "EXTEND_TIMEOUT_USEC=15000000\n";

void tell(const std::string& lines) {
    ::sd_notify(0, lines.c_str());
}

std::string monotonicMicroseconds() {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return std::to_string(std::int64_t{now.tv_sec} * 1'000'000 + now.tv_nsec / 1'000);
}

} // namespace

Supervisor::Supervisor(std::function<Condition()> condition) : m_condition(std::move(condition)) {
    QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] { beat(); });
}

void Supervisor::begin() {
    if (!std::getenv("NOTIFY_SOCKET"))
        return;
    std::uint64_t microseconds = 0;
    if (::sd_watchdog_enabled(0, &microseconds) > 0)
        m_watchdog = std::chrono::microseconds(microseconds);
    m_timer.start(std::chrono::duration_cast<std::chrono::milliseconds>(kBeforeReady));
    beat();
}

void Supervisor::beat() {
    const auto condition = m_condition();
    std::string lines;
    if (!m_ready && condition.settled) {
        m_ready = true;
        lines = "READY=1\n";
        // The manager lets twice this time pass before it takes the service for dead.
        const auto interval = m_watchdog.count() > 0 ? std::min(kWhenReady, m_watchdog / 2) : kWhenReady;
        m_timer.start(std::max(1ms, std::chrono::duration_cast<std::chrono::milliseconds>(interval)));
    } else if (!m_ready) {
        lines = kMoreTime;
    }
    if (m_watchdog.count() > 0)
        lines += "WATCHDOG=1\n";
    if (condition.text != m_told)
        lines += "STATUS=" + condition.text + '\n';
    m_told = condition.text;
    if (!lines.empty())
        tell(lines);
}

void Supervisor::reload(const std::function<void()>& work) {
    if (m_ready)
        tell("RELOADING=1\nMONOTONIC_USEC=" + monotonicMicroseconds() + '\n');
    work();
    if (m_ready)
        tell("READY=1\n");
}

void Supervisor::stopping() {
    m_timer.stop();
    tell("STOPPING=1\nSTATUS=finishing the requests in hand\n");
}

} // namespace fremis::app
