#include "console/ui/widgets/info_banner.h"

#include "console/ui/shell/icons.h"
#include "console/ui/widgets/severity_text.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>

namespace fremis::console::ui {

QString iconOf(Severity severity) {
    switch (severity) {
    case Severity::Ok:
        return QStringLiteral("ok");
    case Severity::Info:
        return QStringLiteral("info");
    case Severity::Warning:
        return QStringLiteral("warn");
    case Severity::Critical:
        return QStringLiteral("critical");
    case Severity::Unknown:
        break;
    }
    return QStringLiteral("unknown");
}

InfoBanner::InfoBanner(const Theme& theme, QWidget* parent)
    : QFrame(parent), m_theme(theme), m_icon(new QLabel(this)), m_text(new QLabel(this)),
      m_action(new QToolButton(this)), m_close(new QToolButton(this)) {
    setFrameShape(QFrame::NoFrame);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(space::kMedium, 5, space::kSmall, 5);
    layout->setSpacing(space::kSmall);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_text->setObjectName(QStringLiteral("text"));
    m_action->setObjectName(QStringLiteral("action"));
    m_action->setToolButtonStyle(Qt::ToolButtonTextOnly);
    m_action->hide();
    m_close->setIcon(icon(QStringLiteral("close")));
    m_close->setAutoRaise(true);
    m_close->hide();
    layout->addWidget(m_icon, 0, Qt::AlignTop);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_action);
    layout->addWidget(m_close);
    connect(m_action, &QToolButton::clicked, this, &InfoBanner::actionTriggered);
    connect(m_close, &QToolButton::clicked, this, [this] {
        hide();
        Q_EMIT closed();
    });
    connect(&theme, &Theme::changed, this, &InfoBanner::paintIcon);
    retranslate();
    hide();
}

void InfoBanner::show(Severity severity, const QString& text, const QString& details) {
    m_severity = severity;
    m_text->setText(text);
    m_text->setToolTip(details);
    setAccessibleName(text);
    paintIcon();
    setVisible(true);
}

void InfoBanner::setAction(const QString& text) {
    m_action->setText(text);
    m_action->setVisible(!text.isEmpty());
}

void InfoBanner::setCloseable(bool closeable) {
    m_close->setVisible(closeable);
}

QString InfoBanner::text() const {
    return m_text->text();
}

void InfoBanner::paintIcon() {
    m_icon->setPixmap(iconPixmap(iconOf(m_severity), m_theme.severity(m_severity), 18, devicePixelRatioF()));
    update();
}

void InfoBanner::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.tint(m_severity));
    painter.fillRect(QRect(0, 0, 3, height()), m_theme.severity(m_severity));
    painter.fillRect(QRect(0, height() - 1, width(), 1), m_theme.colors().line);
}

void InfoBanner::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QFrame::changeEvent(event);
}

void InfoBanner::retranslate() {
    m_close->setToolTip(tr("Close this message"));
    m_close->setAccessibleName(m_close->toolTip());
}

} // namespace fremis::console::ui
