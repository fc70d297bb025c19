#pragma once

class QAction;
class QToolButton;
class QWidget;

namespace fremis::console::ui {

enum class ButtonLook { IconOnly, TextBesideIcon };

/// A tool button of an action of the registry; its object name is the action's id with ".button".
[[nodiscard]] QToolButton* actionButton(QAction* action, ButtonLook look, QWidget* parent = nullptr);

} // namespace fremis::console::ui
