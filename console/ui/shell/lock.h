#pragma once

#include "console/ui/shell/action_registry.h"

#include <QObject>
#include <QString>
#include <QTimer>

namespace fremis::console::ui {

/// Read-only in one step. Closed at the start on production; opens for 15 minutes. Thread: GUI.
class Lock : public QObject {
    Q_OBJECT

public:
    static constexpr std::chrono::minutes kOpenFor{15};

    explicit Lock(ActionRegistry& actions, QObject* parent = nullptr);
    void close();
    /// Stays closed for as long as `reason` holds: toggle() does nothing. open() ends it.
    void bar(const QString& reason);
    [[nodiscard]] bool isBarred() const { return !m_barredBy.isEmpty(); }
    /// `relocks`: by itself, after kOpenFor; calling it again extends.
    void open(bool relocks);
    void toggle();
    [[nodiscard]] bool isClosed() const { return m_actions.isLocked(); }
    [[nodiscard]] std::optional<std::chrono::milliseconds> remaining() const;
    void retranslate();

Q_SIGNALS:
    void changed(bool closed);

private:
    ActionRegistry& m_actions;
    QString m_barredBy;
    QTimer m_timer;
};

} // namespace fremis::console::ui
