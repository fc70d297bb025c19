#include "console/ui/widgets/badge.h"

#include <QPainter>

namespace fremis::console::ui {
namespace {

QFont plateFont(const QFont& base) {
    QFont font = base;
    font.setPointSizeF(base.pointSizeF() * 0.85);
    font.setWeight(QFont::DemiBold);
    return font;
}

} // namespace

Badge::Badge(const Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(&theme, &Theme::changed, this, [this] { update(); });
}

void Badge::set(const QString& text, Severity severity, Look look) {
    m_severity = severity;
    m_look = look;
    m_color = QColor();
    setText(text);
}

void Badge::set(const QString& text, const QColor& color) {
    m_look = Look::Solid;
    m_color = color;
    setText(text);
}

void Badge::setText(const QString& text) {
    m_text = text;
    setAccessibleName(text);
    updateGeometry();
    update();
}

QSize Badge::sizeHint() const {
    const QFontMetrics metrics(plateFont(font()));
    return {metrics.horizontalAdvance(m_text) + 14, metrics.height() + 4};
}

void Badge::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor color = m_color.isValid() ? m_color : m_theme.severity(m_severity);
    const bool solid = m_look == Look::Solid;
    painter.setBrush(solid ? color : m_theme.tint(m_severity));
    painter.setPen(solid ? QPen(Qt::NoPen) : QPen(mixed(color, m_theme.colors().surface, 0.5), 1));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    painter.setFont(plateFont(font()));
    painter.setPen(solid ? inkOn(color) : color);
    painter.drawText(rect(), Qt::AlignCenter, m_text);
}

} // namespace fremis::console::ui
