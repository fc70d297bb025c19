#pragma once

#include <QLineEdit>

namespace fremis::console::ui {

/// The search field of a table: Esc clears, and a second Esc gives the focus back to where it came from. Thread: GUI.
class FilterLine : public QLineEdit {
    Q_OBJECT

public:
    explicit FilterLine(QWidget* parent = nullptr);
    /// Where Esc and Down lead, as a rule the table.
    void setTarget(QWidget* target) { m_target = target; }

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    QWidget* m_target = nullptr;
};

} // namespace fremis::console::ui
