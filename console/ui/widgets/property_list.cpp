#include "console/ui/widgets/property_list.h"

#include <QGridLayout>
#include <QLabel>
#include <QPainter>

namespace fremis::console::ui {

QPixmap nodeSwatch(const Theme& theme, int node, int size, qreal devicePixelRatio) {
    QPixmap pixmap(QSize(size, size) * devicePixelRatio);
    pixmap.setDevicePixelRatio(devicePixelRatio);
    pixmap.fill(Qt::transparent);
    const NodeFill fill = Theme::nodeFill(node);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.colors().outline, 1));
    painter.setBrush(fill.fill);
    const QRectF square(0.5, 0.5, size - 1, size - 1);
    painter.drawRoundedRect(square, 2, 2);
    if (fill.hatched)
        painter.fillRect(square.adjusted(1, 1, -1, -1), QBrush(fill.ink, Qt::Dense6Pattern));
    return pixmap;
}

PropertyList::PropertyList(const Theme& theme, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_grid(new QGridLayout(this)) {
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(space::kMedium);
    m_grid->setVerticalSpacing(5);
    m_grid->setColumnStretch(1, 1);
    connect(&theme, &Theme::changed, this, &PropertyList::refresh);
}

void PropertyList::set(const std::vector<Property>& properties) {
    if (properties == m_properties)
        return;
    const auto old = std::exchange(m_properties, properties);
    while (m_lines.size() > properties.size()) {
        delete m_lines.back().label;
        delete m_lines.back().value;
        m_lines.pop_back();
    }
    while (m_lines.size() < properties.size())
        addLine();
    for (std::size_t i = 0; i < properties.size(); ++i)
        if (i >= old.size() || !(old[i] == properties[i]))
            fill(i);
}

void PropertyList::addLine() {
    const Line line{new QLabel(this), new QLabel(this)};
    for (QLabel* label : {line.label, line.value}) {
        label->setTextFormat(Qt::PlainText);
        label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    }
    line.value->setWordWrap(true);
    line.value->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_lines.push_back(line);
}

void PropertyList::refresh() {
    for (std::size_t i = 0; i < m_lines.size(); ++i)
        fill(i);
}

void PropertyList::fill(std::size_t number) {
    const ThemeColors& c = m_theme.colors();
    const Property& property = m_properties[number];
    const auto [label, value] = m_lines[number];
    const int row = int(number);
    m_grid->removeWidget(label);
    m_grid->removeWidget(value);
    const bool alone = property.isHeading || property.label.isEmpty();
    if (property.isHeading || !alone)
        m_grid->addWidget(label, row, 0, 1, alone ? 2 : 1);
    if (!property.isHeading)
        m_grid->addWidget(value, row, alone ? 0 : 1, 1, alone ? 2 : 1);
    label->setVisible(!property.label.isEmpty());
    value->setVisible(!property.isHeading);
    label->setText(property.label);
    value->setText(property.value);
    label->setContentsMargins(property.node >= 0 ? 18 : 0, property.isHeading ? space::kSmall : 0, 0, 0);
    QFont font = this->font();
    font.setWeight(property.isHeading ? QFont::DemiBold : QFont::Normal);
    label->setFont(font);
    setInk(*label, property.isHeading || property.node >= 0 ? c.text : c.muted);
    setInk(*value, property.severity ? m_theme.severity(*property.severity) : c.text);
    update();
}

void PropertyList::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    for (std::size_t i = 0; i < m_lines.size(); ++i)
        if (m_properties[i].node >= 0) {
            const QPoint at = m_lines[i].label->pos() + QPoint(0, (fontMetrics().height() - 12) / 2);
            painter.drawPixmap(at, nodeSwatch(m_theme, m_properties[i].node, 12, devicePixelRatioF()));
        }
}

} // namespace fremis::console::ui
