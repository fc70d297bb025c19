#include "console/ui/widgets/page_stack.h"

#include "console/ui/widgets/scroll_pane.h"

namespace fremis::console::ui {

PageStack::PageStack(QWidget* parent) : QStackedWidget(parent) {
    connect(this, &QStackedWidget::currentChanged, this, &QWidget::updateGeometry);
}

QSize PageStack::sizeHint() const {
    return currentWidget() ? currentWidget()->sizeHint() : QSize();
}

QSize PageStack::minimumSizeHint() const {
    const QWidget* shown = currentWidget();
    return shown ? QSize(shown->minimumSizeHint().width(), leastHeight(*shown, width())) : QSize();
}

} // namespace fremis::console::ui
