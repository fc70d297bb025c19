#include "console/ui/widgets/scroll_pane.h"

#include <QBoxLayout>
#include <QEvent>
#include <QScrollBar>
#include <QStackedWidget>

namespace fremis::console::ui {
namespace {

constexpr int kMostTries = 3; ///< of finding a height that fits the widths it leads to

/// Side by side: the neediest counts, with the width it has at present.
int leastHeightOfRow(const QBoxLayout& row) {
    int least = 0;
    for (int i = 0; i < row.count(); ++i)
        if (const QWidget* widget = row.itemAt(i)->widget(); widget && !widget->isHidden())
            least = std::max(least, leastHeight(*widget, widget->width()));
    const QMargins margins = row.contentsMargins();
    return least + margins.top() + margins.bottom();
}

} // namespace

int leastHeight(const QWidget& widget, int width) {
    if (const auto* stack = qobject_cast<const QStackedWidget*>(&widget); stack && stack->currentWidget())
        return leastHeight(*stack->currentWidget(), width); // only what is shown counts
    const QLayout* layout = widget.layout();
    const auto* row = qobject_cast<const QHBoxLayout*>(layout);
    const int least = row                                     ? leastHeightOfRow(*row)
                      : layout && layout->hasHeightForWidth() ? layout->minimumHeightForWidth(width)
                                                              : widget.minimumSizeHint().height();
    return std::max(least, widget.minimumHeight());
}

ScrollPane::ScrollPane(QWidget* content, QWidget* parent) : QScrollArea(parent) {
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus); // what is focused inside is scrolled to
    viewport()->setBackgroundRole(QPalette::Base);
    setWidget(content);
    content->installEventFilter(this);
}

QSize ScrollPane::minimumSizeHint() const {
    return {widget()->minimumSizeHint().width() + verticalScrollBar()->sizeHint().width(), 4 * fontMetrics().height()};
}

void ScrollPane::fit() {
    const QSize room = maximumViewportSize();
    const int bar = verticalScrollBar()->sizeHint().width();
    for (int tries = 0; tries < kMostTries; ++tries) {
        int width = room.width();
        int height = leastHeight(*widget(), width);
        if (height > room.height()) {
            width -= bar;
            height = leastHeight(*widget(), width);
        }
        const QSize wanted(width, std::max(room.height(), height));
        if (widget()->size() == wanted)
            return;
        widget()->resize(wanted);
        if (widget()->layout())
            widget()->layout()->activate();
    }
}

void ScrollPane::resizeEvent(QResizeEvent* event) {
    fit();
    QScrollArea::resizeEvent(event);
}

void ScrollPane::showEvent(QShowEvent* event) {
    fit();
    QScrollArea::showEvent(event);
}

bool ScrollPane::eventFilter(QObject* watched, QEvent* event) {
    if (watched == widget() && event->type() == QEvent::LayoutRequest) {
        fit();
        updateGeometry();
    }
    return QScrollArea::eventFilter(watched, event);
}

} // namespace fremis::console::ui
