#include "coordinator/cluster/qt_environment.h"

#include <QRandomGenerator>
#include <QSocketNotifier>
#include <QTimer>

#include <sys/eventfd.h>
#include <unistd.h>

namespace fremis::coordinator {

// Posted tasks pass through a lock and an eventfd, not through Qt's events: one wake-up serves many tasks, and
// ThreadSanitizer sees the hand-over.
QtEnvironment::QtEnvironment()
    : m_wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      m_notifier(std::make_unique<QSocketNotifier>(m_wake, QSocketNotifier::Read)) {
    connect(m_notifier.get(), &QSocketNotifier::activated, this, [this] { runPosted(); });
}

QtEnvironment::~QtEnvironment() {
    m_notifier.reset();
    ::close(m_wake);
}

Environment::TimerId QtEnvironment::after(std::chrono::milliseconds delay, Task task) {
    const auto id = ++m_last;
    auto timer = std::make_unique<QTimer>();
    timer->setSingleShot(true);
    timer->setTimerType(Qt::PreciseTimer);
    connect(timer.get(), &QTimer::timeout, this, [this, id, task = std::move(task)] {
        const auto running = task; // outlives the timer that holds it
        auto ended = m_timers.extract(id);
        if (ended)
            ended.mapped().release()->deleteLater();
        running();
    });
    timer->start(delay);
    m_timers.emplace(id, std::move(timer));
    return id;
}

void QtEnvironment::cancel(TimerId timer) {
    m_timers.erase(timer);
}

std::uint64_t QtEnvironment::random() {
    return QRandomGenerator::system()->generate64();
}

void QtEnvironment::post(Task task) {
    bool isFirst = false;
    {
        const std::scoped_lock lock(m_mutex);
        isFirst = m_posted.empty();
        m_posted.push_back(std::move(task));
    }
    if (isFirst)
        ::eventfd_write(m_wake, 1); // not under the lock, or the loop wakes up only to wait for it
}

void QtEnvironment::runPosted() {
    eventfd_t count = 0;
    ::eventfd_read(m_wake, &count);
    std::vector<Task> tasks;
    {
        const std::scoped_lock lock(m_mutex);
        tasks.swap(m_posted);
    }
    for (auto& task : tasks) {
        task();
        task = nullptr; // what it holds goes before the next one runs
    }
}

} // namespace fremis::coordinator
