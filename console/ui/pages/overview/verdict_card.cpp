#include "console/ui/pages/overview/verdict_card.h"

#include "console/ui/shell/icons.h"
#include "console/ui/widgets/severity_text.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>

namespace fremis::console::ui {

VerdictCard::VerdictCard(const Theme& theme, QWidget* parent)
    : QFrame(parent), m_theme(theme), m_icon(new QLabel(this)), m_text(new QLabel(this)), m_map(new QPushButton(this)),
      m_node(new QPushButton(this)) {
    setObjectName(QStringLiteral("overview.verdict"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(space::kLarge, space::kMedium, space::kMedium, space::kMedium);
    layout->setSpacing(space::kMedium);
    m_text->setObjectName(QStringLiteral("overview.verdict.text"));
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    QFont font = m_text->font();
    font.setPointSizeF(font.pointSizeF() * 1.2);
    font.setWeight(QFont::Medium);
    m_text->setFont(font);
    m_map->setObjectName(QStringLiteral("overview.verdict.map"));
    m_node->setObjectName(QStringLiteral("overview.verdict.node"));
    layout->addWidget(m_icon);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_map);
    layout->addWidget(m_node);
    connect(m_map, &QPushButton::clicked, this, &VerdictCard::showOnMap);
    connect(m_node, &QPushButton::clicked, this, &VerdictCard::openNode);
    connect(&theme, &Theme::changed, this, &VerdictCard::retouch);
    retranslate();
    retouch();
}

void VerdictCard::set(const Finding& verdict) {
    const bool changes = !m_said || verdict.severity != m_severity;
    m_severity = verdict.severity;
    m_text->setText(verdict.text);
    setAccessibleName(verdict.text);
    m_map->setVisible(!verdict.partitions.empty());
    m_node->setVisible(!verdict.nodes.isEmpty());
    retouch();
    if (changes) {
        m_said = true;
        QAccessibleEvent alert(this, QAccessible::Alert);
        QAccessible::updateAccessibility(&alert);
    }
}

QString VerdictCard::text() const {
    return m_text->text();
}

void VerdictCard::retranslate() {
    m_map->setText(tr("Show on map"));
    m_node->setText(tr("Open node"));
}

void VerdictCard::retouch() {
    m_icon->setPixmap(iconPixmap(iconOf(m_severity), m_theme.severity(m_severity), 30, devicePixelRatioF()));
    update();
}

void VerdictCard::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor color = m_theme.severity(m_severity);
    painter.setBrush(m_theme.tint(m_severity));
    painter.setPen(QPen(mixed(color, m_theme.colors().surface, 0.45), 1));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), space::kRadius + 2, space::kRadius + 2);
}

} // namespace fremis::console::ui
