#pragma once

#include "console/ui/shell/verdict.h"

#include <QFrame>

class QLabel;
class QPushButton;

namespace fremis::console::ui {

/// The verdict in one sentence, with the ways on. Says a change aloud once, not at each poll. Thread: GUI.
class VerdictCard final : public QFrame {
    Q_OBJECT

public:
    explicit VerdictCard(const Theme& theme, QWidget* parent = nullptr);
    void set(const Finding& verdict);
    [[nodiscard]] QString text() const;
    [[nodiscard]] Severity severity() const { return m_severity; }
    void retranslate();

Q_SIGNALS:
    void showOnMap();
    void openNode();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void retouch();

    const Theme& m_theme;
    Severity m_severity = Severity::Unknown;
    bool m_said = false;
    QLabel* m_icon;
    QLabel* m_text;
    QPushButton* m_map;
    QPushButton* m_node;
};

} // namespace fremis::console::ui
