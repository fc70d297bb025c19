#include "coordinator/cluster/qt_environment.h"

#include <QMetaObject>
#include <QRandomGenerator>
#include <QTimer>

namespace fremis::coordinator {

QtEnvironment::QtEnvironment() = default;
QtEnvironment::~QtEnvironment() = default;

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
    QMetaObject::invokeMethod(this, std::move(task), Qt::QueuedConnection);
}

} // namespace fremis::coordinator
