#include "console/ui/widgets/action_button.h"

#include <QAction>
#include <QToolButton>

namespace fremis::console::ui {

QToolButton* actionButton(QAction* action, ButtonLook look, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setObjectName(action->objectName() + QStringLiteral(".button"));
    button->setDefaultAction(action);
    button->setAutoRaise(true);
    button->setToolButtonStyle(look == ButtonLook::IconOnly ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
    const auto name = [button, action] { button->setAccessibleName(action->text().remove(QLatin1Char('&'))); };
    QObject::connect(action, &QAction::changed, button, name);
    name();
    return button;
}

} // namespace fremis::console::ui
