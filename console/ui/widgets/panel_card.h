#pragma once

#include "console/ui/shell/theme.h"

#include <QFrame>

class QHBoxLayout;
class QLabel;
class QVBoxLayout;

namespace fremis::console::ui {

/// A titled area of a page. Thread: GUI.
class PanelCard final : public QFrame {
    Q_OBJECT

public:
    explicit PanelCard(const Theme& theme, QWidget* parent = nullptr);
    void setTitle(const QString& title);
    void setContent(QWidget* content);
    [[nodiscard]] QHBoxLayout& head() { return *m_head; }
    void setPadded(bool padded);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& m_theme;
    QLabel* m_title;
    QHBoxLayout* m_head;
    QVBoxLayout* m_layout;
};

} // namespace fremis::console::ui
