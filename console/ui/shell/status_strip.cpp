#include "console/ui/shell/status_strip.h"

#include "console/ui/widgets/elided_label.h"
#include "console/ui/widgets/format.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QToolButton>

namespace fremis::console::ui {

StatusStrip::StatusStrip(const Theme& theme, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_layout(new QHBoxLayout(this)), m_text(new ElidedLabel(this)) {
    setObjectName(QStringLiteral("status"));
    m_layout->setContentsMargins(space::kSmall, 2, space::kMedium, 2);
    m_layout->setSpacing(2);
    m_layout->addStretch(0);
    m_text->setObjectName(QStringLiteral("status.text"));
    m_text->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_text->setForegroundRole(QPalette::PlaceholderText);
    m_layout->addWidget(m_text, 1);
    connect(&theme, &Theme::changed, this, [this] { update(); });
}

QToolButton* StatusStrip::addTab(const QString& id) {
    auto* button = new QToolButton(this);
    button->setObjectName(QStringLiteral("status.tab.") + id);
    button->setCheckable(true);
    button->setAutoRaise(true);
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    const int number = int(m_tabs.size());
    m_layout->insertWidget(number, button);
    m_tabs.push_back(button);
    connect(button, &QToolButton::clicked, this, [this, number] { Q_EMIT tabClicked(number); });
    return button;
}

void StatusStrip::setTab(int tab, const QString& text, qint64 count, Severity severity) {
    QToolButton* button = m_tabs[std::size_t(tab)];
    button->setText(count > 0 ? QStringLiteral("%1 %2").arg(text, shortNumberText(count)) : text);
    button->setAccessibleName(button->text());
    setInk(*button, count > 0 && severity != Severity::Info ? m_theme.severity(severity) : m_theme.colors().text);
}

void StatusStrip::setCurrentTab(int tab) {
    for (std::size_t i = 0; i < m_tabs.size(); ++i)
        m_tabs[i]->setChecked(int(i) == tab);
}

void StatusStrip::setText(const QString& text, const QString& details) {
    m_text->setText(text);
    if (!details.isEmpty())
        m_text->setToolTip(details);
}

QString StatusStrip::text() const {
    return m_text->fullText();
}

void StatusStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.colors().window);
    painter.fillRect(QRect(0, 0, width(), 1), m_theme.colors().line);
}

} // namespace fremis::console::ui
