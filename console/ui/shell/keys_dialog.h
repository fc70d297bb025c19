#pragma once

#include "console/ui/shell/action_registry.h"

#include <QDialog>

class QKeySequenceEdit;
class QLabel;
class QLineEdit;
class QPushButton;
class QTableWidget;

namespace fremis::console::ui {

class Theme;

/// Which keys do what, and other keys for it. A key that is taken is refused with the name of what has it. Thread: GUI.
class KeysDialog final : public QDialog {
    Q_OBJECT

public:
    KeysDialog(const Theme& theme, ActionRegistry& actions, QWidget* parent);

    void choose(const QString& actionId);
    /// Gives the chosen action this key instead of its own; why not, or nothing.
    QString assign(const QKeySequence& key);

private:
    void fill();
    void filter(const QString& text);
    void showCurrent();
    [[nodiscard]] QString currentId() const;

    ActionRegistry& m_actions;
    QLineEdit* m_filter;
    QTableWidget* m_table;
    QKeySequenceEdit* m_edit;
    QPushButton* m_assign;
    QPushButton* m_remove;
    QPushButton* m_reset;
    QPushButton* m_resetAll;
    QLabel* m_problem;
};

/// Chosen keys between two runs.
void saveChosenKeys(const ActionRegistry& actions);
void loadChosenKeys(ActionRegistry& actions);

} // namespace fremis::console::ui
