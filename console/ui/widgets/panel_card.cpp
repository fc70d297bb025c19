#include "console/ui/widgets/panel_card.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>

namespace fremis::console::ui {

PanelCard::PanelCard(const Theme& theme, QWidget* parent)
    : QFrame(parent), m_theme(theme), m_title(new QLabel(this)), m_head(new QHBoxLayout),
      m_layout(new QVBoxLayout(this)) {
    setFrameShape(QFrame::NoFrame);
    m_layout->setContentsMargins(1, 1, 1, 1);
    m_layout->setSpacing(0);
    m_head->setContentsMargins(space::kMedium, 7, space::kSmall, 7);
    QFont font = m_title->font();
    font.setWeight(QFont::DemiBold);
    m_title->setFont(font);
    m_head->addWidget(m_title);
    m_head->addStretch();
    m_layout->addLayout(m_head);
    connect(&theme, &Theme::changed, this, [this] { update(); });
}

void PanelCard::setTitle(const QString& title) {
    m_title->setText(title);
    setAccessibleName(title);
}

void PanelCard::setContent(QWidget* content) {
    m_layout->addWidget(content, 1);
}

void PanelCard::setPadded(bool padded) {
    const int side = padded ? space::kMedium : 1;
    m_layout->setContentsMargins(side, 1, side, side);
    m_head->setContentsMargins(padded ? 0 : space::kMedium, 7, padded ? 0 : space::kSmall, 7);
}

void PanelCard::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(m_theme.colors().surface);
    painter.setPen(QPen(m_theme.colors().line, 1));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), space::kRadius + 2, space::kRadius + 2);
}

} // namespace fremis::console::ui
