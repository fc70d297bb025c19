#include "console/ui/widgets/filter_line.h"

#include "console/ui/shell/icons.h"

#include <QKeyEvent>

namespace fremis::console::ui {

FilterLine::FilterLine(QWidget* parent) : QLineEdit(parent) {
    setClearButtonEnabled(true);
    addAction(icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    setMaxLength(200);
}

void FilterLine::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) {
        if (!text().isEmpty())
            clear();
        else if (m_target)
            m_target->setFocus(Qt::ShortcutFocusReason);
        return;
    }
    if (event->key() == Qt::Key_Down && m_target) {
        m_target->setFocus(Qt::ShortcutFocusReason);
        return;
    }
    QLineEdit::keyPressEvent(event);
}

} // namespace fremis::console::ui
