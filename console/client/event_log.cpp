#include "console/client/event_log.h"

#include <QCoreApplication>

namespace fremis::console {

QString wordOf(Severity severity) {
    switch (severity) {
    case Severity::Info:
        return QCoreApplication::translate("Severity", "info");
    case Severity::Success:
        return QCoreApplication::translate("Severity", "success");
    case Severity::Warning:
        return QCoreApplication::translate("Severity", "warning");
    case Severity::Critical:
        break;
    }
    return QCoreApplication::translate("Severity", "critical");
}

quint64 EventLog::add(Event event) {
    event.id = ++m_lastId;
    if (m_events.size() == kMost) {
        m_events.pop_front();
        Q_EMIT droppedOldest();
    }
    m_events.push_back(std::move(event));
    Q_EMIT added(m_events.back());
    return m_lastId;
}

void EventLog::clear() {
    m_events.clear();
    Q_EMIT cleared();
}

} // namespace fremis::console
