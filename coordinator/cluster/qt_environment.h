#pragma once

#include "coordinator/cluster/environment.h"

#include <QObject>

#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

class QSocketNotifier;
class QTimer;

namespace fremis::coordinator {

/// The real world on the Qt event loop of the thread that constructs it.
class QtEnvironment final : public QObject, public Environment {
public:
    QtEnvironment();
    ~QtEnvironment() override;

    [[nodiscard]] std::chrono::milliseconds sinceEpoch() const override { return m_clock.sinceEpoch(); }
    [[nodiscard]] std::chrono::steady_clock::time_point steady() const override { return m_clock.steady(); }
    TimerId after(std::chrono::milliseconds delay, Task task) override;
    void cancel(TimerId timer) override;
    std::uint64_t random() override;

    /// Runs a task in the environment's thread, in the order of the calls. Thread: any.
    void post(Task task);

private:
    void runPosted();

    const base::SystemClock m_clock;
    const int m_wake; ///< an eventfd: readable while something is posted
    std::unique_ptr<QSocketNotifier> m_notifier;
    std::mutex m_mutex;
    std::vector<Task> m_posted;
    std::unordered_map<TimerId, std::unique_ptr<QTimer>> m_timers;
    TimerId m_last = 0;
};

} // namespace fremis::coordinator
