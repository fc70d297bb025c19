#include "console/ui/widgets/toasts.h"

#include "console/ui/widgets/info_banner.h"

#include <QAccessible>
#include <QEvent>
#include <QTimer>
#include <QVBoxLayout>

namespace fremis::console::ui {
namespace {

constexpr int kWidth = 380;
constexpr int kShownMs = 4000;

} // namespace

Toasts::Toasts(const Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme), m_layout(new QVBoxLayout(this)) {
    setObjectName(QStringLiteral("toasts"));
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(space::kSmall);
    parent->installEventFilter(this);
    hide();
}

void Toasts::add(Severity severity, const QString& text, const QString& details) {
    while (count() >= kMost)
        delete m_layout->takeAt(0)->widget();
    auto* card = new InfoBanner(m_theme, this);
    card->setFixedWidth(withText(font(), kWidth));
    card->setCloseable(true);
    card->show(severity, text, details);
    m_layout->addWidget(card);
    connect(card, &InfoBanner::closed, card, &QObject::deleteLater);
    connect(card, &QObject::destroyed, this,
            [this] { QMetaObject::invokeMethod(this, &Toasts::place, Qt::QueuedConnection); });
    if (severity == Severity::Ok || severity == Severity::Info) {
        auto* timer = new QTimer(card);
        timer->setInterval(kShownMs);
        connect(timer, &QTimer::timeout, card, [card] {
            if (!card->underMouse() && !card->isAncestorOf(card->focusWidget()))
                card->deleteLater();
        });
        timer->start();
    }
    QAccessibleEvent alert(card, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
    place();
}

int Toasts::count() const {
    return m_layout->count();
}

void Toasts::place() {
    setVisible(count() > 0);
    if (count() == 0)
        return;
    adjustSize();
    const QSize room = parentWidget()->size();
    move(room.width() - width() - space::kLarge, room.height() - height() - 44);
    raise();
}

bool Toasts::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize)
        place();
    return QWidget::eventFilter(watched, event);
}

} // namespace fremis::console::ui
