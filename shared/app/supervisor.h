#pragma once

#include "shared/app/service.h"

#include <QTimer>

#include <cstdint>

namespace fremis::app {

/// Tells the service manager that started this process (systemd, by the protocol of sd_notify(3)) how the service is:
/// ready once its condition is settled, its condition as the status line, and signs of life from the event loop when a
/// watchdog waits for them. Without a service manager it does nothing. Thread: the main one.
class Supervisor {
public:
    explicit Supervisor(std::function<Condition()> condition);

    /// The event loop is about to run: from now on the condition is told.
    void begin();
    /// Runs a reload and tells its begin and end.
    void reload(const std::function<void()>& work);
    /// The service drains and ends.
    void stopping();

private:
    void beat();

    std::function<Condition()> m_condition;
    QTimer m_timer;
    std::chrono::microseconds m_watchdog{0}; ///< 0: none
    std::string m_told;                      ///< the last status line
    bool m_ready = false;
};

} // namespace fremis::app
