#pragma once

#include "console/ui/shell/dialogs.h"

#include <QDialog>

class QLineEdit;
class QPushButton;

namespace fremis::console::ui {

/// The window of a Confirmation. No key confirms by accident: Cancel has the focus. Thread: GUI.
class ConfirmDialog final : public QDialog {
    Q_OBJECT

public:
    ConfirmDialog(const Theme& theme, const Confirmation& question, QWidget* parent);

private:
    void checkTyped();

    QString m_typed;
    QLineEdit* m_line = nullptr;
    QPushButton* m_yes = nullptr;
};

} // namespace fremis::console::ui
