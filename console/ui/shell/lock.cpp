#include "console/ui/shell/lock.h"

namespace fremis::console::ui {

Lock::Lock(ActionRegistry& actions, QObject* parent) : QObject(parent), m_actions(actions) {
    m_timer.setSingleShot(true);
    m_timer.setInterval(kOpenFor);
    connect(&m_timer, &QTimer::timeout, this, &Lock::close);
}

void Lock::close() {
    m_timer.stop();
    m_actions.setLocked(true, isBarred() ? m_barredBy : tr("Locked (Ctrl+Shift+L unlocks for 15 minutes)"));
    Q_EMIT changed(true);
}

void Lock::bar(const QString& reason) {
    m_barredBy = reason;
    close();
}

void Lock::open(bool relocks) {
    m_barredBy.clear();
    if (relocks)
        m_timer.start();
    else
        m_timer.stop();
    m_actions.setLocked(false, {});
    Q_EMIT changed(false);
}

void Lock::toggle() {
    if (isBarred())
        close();
    else if (isClosed())
        open(true);
    else
        close();
}

std::optional<std::chrono::milliseconds> Lock::remaining() const {
    return m_timer.isActive() ? std::optional(m_timer.remainingTimeAsDuration()) : std::nullopt;
}

void Lock::retranslate() {
    if (isClosed())
        close();
}

} // namespace fremis::console::ui
