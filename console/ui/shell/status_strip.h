#pragma once

#include "console/ui/shell/theme.h"

#include <QWidget>

class QHBoxLayout;
class QToolButton;

namespace fremis::console::ui {

class ElidedLabel;

/// The bottom line: tabs of the panel on the left, the connection in words on the right. Thread: GUI.
class StatusStrip final : public QWidget {
    Q_OBJECT

public:
    explicit StatusStrip(const Theme& theme, QWidget* parent = nullptr);
    /// Tabs that open the panel; the number of a tab is its order of adding.
    QToolButton* addTab(const QString& id);
    void setTab(int tab, const QString& text, qint64 count, Severity severity);
    /// -1: the panel is closed.
    void setCurrentTab(int tab);
    void setText(const QString& text, const QString& details = {});
    [[nodiscard]] QString text() const;

Q_SIGNALS:
    void tabClicked(int tab);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& m_theme;
    QHBoxLayout* m_layout;
    ElidedLabel* m_text;
    std::vector<QToolButton*> m_tabs;
};

} // namespace fremis::console::ui
