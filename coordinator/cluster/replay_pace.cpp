#include "coordinator/cluster/replay_pace.h"

#include <algorithm>
#include <vector>

namespace fremis::coordinator {

using namespace std::chrono_literals;

namespace {

constexpr double kMostSlowdown = 1.2;
constexpr auto kSlack = 500us;        ///< differences below it are those of timers and schedulers
constexpr std::size_t kSamples = 512; ///< of each kind
constexpr std::size_t kEnough = 100;  ///< a 99th percentile of fewer is the maximum
constexpr auto kWindow = 5s;          ///< of searches beside replay
constexpr auto kTrial = 500ms;        ///< replay runs at least so long before it is judged
constexpr std::chrono::milliseconds kLongestPause = 1'000ms; ///< so that a queue drains, if slowly, whatever happens

} // namespace

void ReplayPace::add(std::deque<Sample>& samples, Sample sample) {
    samples.push_back(sample);
    if (samples.size() > kSamples)
        samples.pop_front();
}

void ReplayPace::noteSearch(Moment now, std::chrono::microseconds took) {
    const bool beside = m_replaying || now - took < m_restsSince;
    add(beside ? m_during : m_quiet, {now, took});
}

void ReplayPace::setReplaying(Moment now, bool replaying) {
    if (m_replaying == replaying)
        return;
    m_replaying = replaying;
    if (replaying)
        m_judgesFrom = now + kTrial;
    else
        m_restsSince = now;
    m_during.clear();
}

bool ReplayPace::allows(Moment now) {
    if (now < m_pausedUntil)
        return false;
    while (!m_during.empty() && m_during.front().at < now - kWindow)
        m_during.pop_front();
    if (now < m_judgesFrom || m_during.size() < kEnough || m_quiet.size() < kEnough)
        return true;
    const auto most = std::chrono::duration<double, std::micro>(p99Of(m_quiet)) * kMostSlowdown + kSlack;
    if (p99Of(m_during) <= most) {
        m_pause = kFirstPause;
        return true;
    }
    m_pausedUntil = now + m_pause;
    m_pause = std::min(m_pause * 2, kLongestPause);
    return false;
}

std::chrono::microseconds ReplayPace::p99Of(const std::deque<Sample>& samples) {
    std::vector<std::chrono::microseconds> times;
    for (const auto& sample : samples)
        times.push_back(sample.took);
    const auto at = times.begin() + static_cast<std::ptrdiff_t>((times.size() - 1) * 99 / 100);
    std::nth_element(times.begin(), at, times.end());
    return *at;
}

} // namespace fremis::coordinator
