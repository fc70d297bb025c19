#include "console/ui/widgets/state_stack.h"

#include "console/ui/shell/icons.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QStackedLayout>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

namespace fremis::console::ui {
namespace {

constexpr int kPatienceMs = 300;

/// Grey bars where rows will be.
class Skeleton : public QWidget {
public:
    explicit Skeleton(const Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {}

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(m_theme.colors().line);
        const int widths[] = {62, 48, 70, 55, 66, 40};
        for (int row = 0; row < 6; ++row)
            painter.drawRoundedRect(QRectF(0, row * 26, width() * widths[row] / 100.0, 12), 4, 4);
    }
    QSize sizeHint() const override { return {420, 6 * 26}; }

private:
    const Theme& m_theme;
};

} // namespace

StateStack::StateStack(const Theme& theme, QWidget* content, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_layout(new QStackedLayout(this)), m_content(content),
      m_plate(new QWidget(this)), m_skeleton(new Skeleton(theme, m_plate)), m_icon(new QLabel(m_plate)),
      m_text(new QLabel(m_plate)), m_action(new QPushButton(m_plate)), m_copy(new QPushButton(m_plate)),
      m_patience(new QTimer(this)) {
    m_layout->addWidget(m_content);
    m_layout->addWidget(m_plate);
    auto* layout = new QVBoxLayout(m_plate);
    layout->setSpacing(space::kMedium);
    layout->addStretch(2);
    m_icon->setAlignment(Qt::AlignCenter);
    m_text->setAlignment(Qt::AlignCenter);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);
    m_text->setObjectName(QStringLiteral("state.text"));
    m_action->setObjectName(QStringLiteral("state.action"));
    m_action->setDefault(true);
    m_copy->setObjectName(QStringLiteral("state.copy"));
    layout->addWidget(m_icon);
    layout->addWidget(m_text);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch();
    buttons->addWidget(m_action);
    buttons->addWidget(m_copy);
    buttons->addStretch();
    layout->addLayout(buttons);
    layout->addWidget(m_skeleton, 0, Qt::AlignCenter);
    layout->addStretch(3);
    m_patience->setSingleShot(true);
    m_patience->setInterval(kPatienceMs);
    connect(m_patience, &QTimer::timeout, this, [this] {
        m_plate->setVisible(true);
        m_layout->setCurrentWidget(m_plate);
    });
    connect(m_action, &QPushButton::clicked, this, &StateStack::actionTriggered);
    connect(m_copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(m_text->text() + QLatin1Char('\n') + m_details); });
    connect(&theme, &Theme::changed, this, &StateStack::retouch);
}

void StateStack::setOffers(const QList<QAction*>& actions) {
    auto* layout = static_cast<QVBoxLayout*>(m_plate->layout());
    int at = layout->indexOf(m_text) + 2; // under the row of buttons
    for (QAction* action : actions) {
        auto* button = new QToolButton(m_plate);
        button->setObjectName(QStringLiteral("state.offer"));
        button->setDefaultAction(action);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setAutoRaise(true);
        layout->insertWidget(at++, button, 0, Qt::AlignCenter);
        m_offers.append(button);
    }
}

void StateStack::showContent() {
    m_patience->stop();
    m_state = State::Ready;
    m_layout->setCurrentWidget(m_content);
}

void StateStack::showState(State state, const QString& text, const QString& action, const QString& details) {
    const bool begins = m_state != state;
    m_state = state;
    m_text->setText(text);
    m_details = details;
    m_action->setText(action);
    m_action->setVisible(!action.isEmpty());
    m_copy->setText(tr("Copy details"));
    m_copy->setVisible(!details.isEmpty());
    m_skeleton->setVisible(state == State::Loading);
    for (QWidget* offer : m_offers)
        offer->setVisible(state == State::FirstRun);
    retouch();
    if (state == State::Loading) {
        if (begins)
            m_patience->start();
        return;
    }
    m_patience->stop();
    m_layout->setCurrentWidget(m_plate);
}

QString StateStack::text() const {
    return m_state == State::Ready ? QString() : m_text->text();
}

void StateStack::retouch() {
    const bool isError = m_state == State::Error;
    const QString name = isError                        ? QStringLiteral("critical")
                         : m_state == State::FirstRun   ? QStringLiteral("plug")
                         : m_state == State::NotOffered ? QStringLiteral("unknown")
                                                        : QStringLiteral("info");
    m_icon->setVisible(m_state != State::Loading);
    m_icon->setPixmap(
        iconPixmap(name, m_theme.severity(isError ? Severity::Critical : Severity::Unknown), 40, devicePixelRatioF()));
    m_skeleton->update();
}

} // namespace fremis::console::ui
