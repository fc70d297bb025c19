#include "console/ui/widgets/flow_layout.h"

#include <QWidget>

namespace fremis::console::ui {
namespace {

bool isSpace(const QLayoutItem* item) {
    return const_cast<QLayoutItem*>(item)->spacerItem() != nullptr;
}

bool grows(const QLayoutItem* item) {
    return item->expandingDirections().testFlag(Qt::Horizontal);
}

int wishOf(const QLayoutItem* item) {
    return std::min(item->sizeHint().width(), item->maximumSize().width());
}

/// Width of items beside each other.
template<class WidthOf> int lengthOf(const QList<QLayoutItem*>& items, int gap, WidthOf widthOf) {
    int length = items.isEmpty() ? 0 : -gap;
    for (const QLayoutItem* item : items)
        length += widthOf(item) + gap;
    return length;
}

} // namespace

FlowLayout::FlowLayout(QWidget* parent, int spacing) : QLayout(parent), m_gap(spacing) {
    setContentsMargins(0, 0, 0, 0);
}

FlowLayout::~FlowLayout() {
    qDeleteAll(m_items);
}

void FlowLayout::addSpacing(int width) {
    addItem(new QSpacerItem(width, 0, QSizePolicy::Fixed, QSizePolicy::Minimum));
}

void FlowLayout::addStretch() {
    addItem(new QSpacerItem(0, 0, QSizePolicy::Expanding, QSizePolicy::Minimum));
}

QLayoutItem* FlowLayout::takeAt(int index) {
    return index >= 0 && index < m_items.size() ? m_items.takeAt(index) : nullptr;
}

void FlowLayout::setGeometry(const QRect& rect) {
    QLayout::setGeometry(rect);
    arrange(rect, true);
}

QSize FlowLayout::minimumSize() const {
    QSize size;
    for (const QLayoutItem* item : m_items)
        if (!item->isEmpty())
            size = size.expandedTo(item->minimumSize());
    const QMargins m = contentsMargins();
    return size + QSize(m.left() + m.right(), m.top() + m.bottom());
}

QList<FlowLayout::Line> FlowLayout::linesOf(int width) const {
    QList<QLayoutItem*> shown;
    for (QLayoutItem* item : m_items)
        if (isSpace(item) || !item->isEmpty())
            shown.append(item);
    const bool fits = lengthOf(shown, m_gap, wishOf) <= width;
    if (fits || lengthOf(shown, m_gap, [](const QLayoutItem* item) { return item->minimumSize().width(); }) <= width)
        return {{shown, !fits}};
    QList<Line> lines;
    int used = 0;
    for (QLayoutItem* item : shown) {
        const int wish = wishOf(item);
        if (!lines.isEmpty() && used + wish <= width) {
            lines.last().items.append(item);
        } else if (isSpace(item)) {
            continue; // a line neither begins with a gap nor breaks for one
        } else {
            lines.append({{item}, wish > width});
            used = 0;
        }
        used += wish + m_gap;
    }
    return lines;
}

int FlowLayout::arrange(const QRect& rect, bool doPlace) const {
    const QRect area = rect.marginsRemoved(contentsMargins());
    int y = area.top();
    for (const Line& line : linesOf(area.width())) {
        int height = 0;
        for (const QLayoutItem* item : line.items)
            height = std::max(height, item->sizeHint().height());
        if (doPlace)
            place(line, {area.left(), y, area.width(), height});
        y += height + m_gap;
    }
    return std::max(area.top(), y - m_gap) - rect.top() + contentsMargins().bottom();
}

void FlowLayout::place(const Line& line, const QRect& area) const {
    QHash<const QLayoutItem*, int> widths;
    const auto widthOf = [&widths](const QLayoutItem* item) { return widths.value(item); };
    int takers = 0;
    for (const QLayoutItem* item : line.items) {
        widths.insert(item, line.isSqueezed ? item->minimumSize().width() : wishOf(item));
        takers += grows(item) && !isSpace(item);
    }
    int left = std::max(0, area.width() - lengthOf(line.items, m_gap, widthOf));
    const auto give = [&](QLayoutItem* item, int most, int share) {
        const int more = std::clamp(most - widths[item], 0, share);
        widths[item] += more;
        left -= more;
    };
    if (line.isSqueezed) // first what they wish for
        for (QLayoutItem* item : line.items)
            give(item, wishOf(item), left);
    for (QLayoutItem* item : line.items)
        if (grows(item) && !isSpace(item))
            give(item, item->maximumSize().width(), left / takers--);
    const auto stretches = std::count_if(line.items.begin(), line.items.end(),
                                         [](QLayoutItem* item) { return isSpace(item) && grows(item); });
    int x = area.left();
    for (QLayoutItem* item : line.items) {
        if (isSpace(item) && grows(item))
            x += left / int(stretches);
        const int height = std::min(item->sizeHint().height(), area.height());
        item->setGeometry({x, area.top() + (area.height() - height) / 2, widths[item], height});
        x += widths[item] + m_gap;
    }
}

} // namespace fremis::console::ui
