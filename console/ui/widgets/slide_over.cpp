#include "console/ui/widgets/slide_over.h"

#include "console/ui/shell/icons.h"

#include <QApplication>
#include <QKeyEvent>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

namespace fremis::console::ui {
namespace {

constexpr int kLines = 20;    ///< width, in heights of a line
constexpr double kMost = 0.8; ///< of the area's width
constexpr int kEdge = 2;      ///< line on the left

} // namespace

SlideOver::SlideOver(const Theme& theme, QWidget* area)
    : QFrame(area->parentWidget()), m_theme(theme), m_area(area), m_layout(new QVBoxLayout(this)),
      m_close(new QToolButton(this)) {
    setFrameShape(QFrame::NoFrame);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    m_close->setObjectName(QStringLiteral("slide-over.close"));
    m_close->setIcon(icon(QStringLiteral("close")));
    m_close->setAutoRaise(true);
    m_layout->setContentsMargins(kEdge, space::kTiny, 0, 0);
    m_layout->setSpacing(0);
    m_layout->addWidget(m_close, 0, Qt::AlignRight);
    connect(m_close, &QToolButton::clicked, this, &SlideOver::dismiss);
    connect(&theme, &Theme::changed, this, [this] { update(); });
    m_area->installEventFilter(this);
    retranslate();
    hide();
}

void SlideOver::hold(QWidget* content) {
    m_content = content;
    m_layout->addWidget(content, 1);
    content->show();
}

QWidget* SlideOver::give() {
    hide();
    if (m_content)
        m_layout->removeWidget(m_content);
    return std::exchange(m_content, nullptr);
}

void SlideOver::open() {
    m_before = QApplication::focusWidget();
    place();
    show();
    raise();
    m_close->setFocus(Qt::OtherFocusReason);
}

void SlideOver::dismiss() {
    const bool hadFocus = isAncestorOf(QApplication::focusWidget());
    hide();
    if (hadFocus && m_before)
        m_before->setFocus(Qt::OtherFocusReason);
    Q_EMIT closed();
}

void SlideOver::place() {
    const int width = std::min(kLines * fontMetrics().height(), int(kMost * m_area->width()));
    const QPoint corner = m_area->mapTo(parentWidget(), QPoint(m_area->width() - width, 0));
    setGeometry({corner, QSize(width, m_area->height())});
}

bool SlideOver::eventFilter(QObject* watched, QEvent* event) {
    if (isVisible() && (event->type() == QEvent::Resize || event->type() == QEvent::Move))
        place();
    return QFrame::eventFilter(watched, event);
}

void SlideOver::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape)
        dismiss();
    else
        QFrame::keyPressEvent(event);
}

void SlideOver::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.colors().surface);
    painter.fillRect(QRect(0, 0, kEdge, height()), m_theme.colors().accent);
}

void SlideOver::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QFrame::changeEvent(event);
}

void SlideOver::retranslate() {
    m_close->setToolTip(tr("Close (Esc)"));
    m_close->setAccessibleName(tr("Close the side column"));
}

} // namespace fremis::console::ui
