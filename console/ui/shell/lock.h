#pragma once

#include "console/ui/shell/action_registry.h"

#include <QObject>
#include <QTimer>

namespace fremis::console::ui {

/// Read-only in one step. Closed at the start on production; opens for 15 minutes. Thread: GUI.
class Lock : public QObject {
    Q_OBJECT

public:
    static constexpr std::chrono::minutes kOpenFor{15};

    explicit Lock(ActionRegistry& actions, QObject* parent = nullptr);
    void close();
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
    QTimer m_timer;
};

} // namespace fremis::console::ui
