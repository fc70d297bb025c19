#pragma once

#include "console/ui/shell/theme.h"

#include <QWidget>

class QAction;
class QLabel;
class QPushButton;
class QStackedLayout;
class QTimer;

namespace fremis::console::ui {

/// A page's content, or what stands in its place: first run, loading, empty, error, not offered. Thread: GUI.
class StateStack : public QWidget {
    Q_OBJECT

public:
    enum class State { Ready, FirstRun, Loading, Empty, Error, NotOffered };

    /// `content` becomes a child.
    StateStack(const Theme& theme, QWidget* content, QWidget* parent = nullptr);

    /// Buttons under that of the first run, for these actions; they outlive it.
    void setOffers(const QList<QAction*>& actions);
    void showContent();
    /// `action`: text of the one button; empty: none. Loading shows skeleton rows once it has lasted 300 ms.
    void showState(State state, const QString& text, const QString& action = {}, const QString& details = {});
    [[nodiscard]] State state() const { return m_state; }
    [[nodiscard]] QString text() const;

Q_SIGNALS:
    void actionTriggered();

private:
    void retouch();

    const Theme& m_theme;
    State m_state = State::Ready;
    QStackedLayout* m_layout;
    QWidget* m_content;
    QWidget* m_plate;
    QWidget* m_skeleton;
    QLabel* m_icon;
    QLabel* m_text;
    QPushButton* m_action;
    QPushButton* m_copy;
    QList<QWidget*> m_offers;
    QString m_details;
    QTimer* m_patience;
};

} // namespace fremis::console::ui
