#include "console/ui/views/step_bar.h"

#include "console/ui/shell/icons.h"

#include <QEvent>
#include <QPainter>

namespace fremis::console::ui {
namespace {

constexpr int kDisc = 22;

QString wordOf(StepBar::State state) {
    switch (state) {
    case StepBar::State::Waiting:
        return StepBar::tr("still to come", "step");
    case StepBar::State::Current:
        return StepBar::tr("waits for you", "step");
    case StepBar::State::Running:
        return StepBar::tr("running", "step");
    case StepBar::State::Done:
        return StepBar::tr("done", "step");
    case StepBar::State::Failed:
        break;
    }
    return StepBar::tr("failed", "step");
}

} // namespace

StepBar::StepBar(const Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&theme, &Theme::changed, this, [this] { update(); });
}

void StepBar::setTitles(const QStringList& titles) {
    m_steps.resize(std::size_t(titles.size()));
    for (qsizetype step = 0; step < titles.size(); ++step)
        m_steps[std::size_t(step)].title = titles[step];
    describe();
    updateGeometry();
}

void StepBar::setState(int step, State state) {
    m_steps[std::size_t(step)].state = state;
    describe();
}

void StepBar::describe() {
    QStringList parts;
    for (std::size_t step = 0; step < m_steps.size(); ++step)
        parts.append(tr("%1. %2: %3", "number, name and state of a step")
                         .arg(int(step) + 1)
                         .arg(m_steps[step].title, wordOf(m_steps[step].state)));
    setAccessibleName(tr("Steps"));
    setAccessibleDescription(parts.join(QStringLiteral(", ")));
    update();
}

QSize StepBar::sizeHint() const {
    int width = 0;
    for (const Step& step : m_steps)
        width += kDisc + 5 * space::kSmall + fontMetrics().horizontalAdvance(step.title);
    return {width, std::max(kDisc, fontMetrics().height()) + 2 * space::kSmall};
}

QColor StepBar::colorOf(State state) const {
    switch (state) {
    case State::Waiting:
        return m_theme.colors().outline;
    case State::Current:
    case State::Running:
        return m_theme.colors().accent;
    case State::Done:
        return m_theme.severity(Severity::Ok);
    case State::Failed:
        break;
    }
    return m_theme.severity(Severity::Critical);
}

void StepBar::paintStep(QPainter& painter, const QRectF& rect, int number) const {
    const ThemeColors& c = m_theme.colors();
    const Step& step = m_steps[std::size_t(number)];
    const QColor color = colorOf(step.state);
    const bool isFilled = step.state != State::Waiting;
    const QRectF disc(rect.left(), rect.center().y() - kDisc / 2.0, kDisc, kDisc);
    painter.setPen(QPen(color, 1.5));
    painter.setBrush(isFilled ? color : c.surface);
    painter.drawEllipse(disc.adjusted(1, 1, -1, -1));
    const QColor ink = isFilled ? inkOn(color) : c.muted;
    if (step.state == State::Done || step.state == State::Failed) {
        const QString sign = step.state == State::Done ? QStringLiteral("apply") : QStringLiteral("close");
        const QPixmap pixmap = iconPixmap(sign, ink, 14, devicePixelRatioF());
        painter.drawPixmap(QRectF(disc.center().x() - 7, disc.center().y() - 7, 14, 14), pixmap, QRectF(pixmap.rect()));
    } else {
        painter.setPen(ink);
        painter.drawText(disc, Qt::AlignCenter, QString::number(number + 1));
    }
    QFont font = painter.font();
    font.setWeight(step.state == State::Current || step.state == State::Running ? QFont::DemiBold : QFont::Normal);
    painter.save();
    painter.setFont(font);
    painter.setPen(step.state == State::Waiting ? c.muted : c.text);
    painter.drawText(rect.adjusted(kDisc + space::kSmall, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, step.title);
    painter.restore();
}

void StepBar::paintEvent(QPaintEvent*) {
    if (m_steps.empty())
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QFont wide = font();
    wide.setWeight(QFont::DemiBold);
    const QFontMetrics metrics(wide);
    double left = 0;
    const double spare = std::max(0, width() - sizeHint().width());
    const double line = m_steps.size() > 1 ? std::min(120.0, spare / double(m_steps.size() - 1)) + space::kLarge : 0;
    for (std::size_t step = 0; step < m_steps.size(); ++step) {
        const double text = metrics.horizontalAdvance(m_steps[step].title);
        const QRectF rect(left, 0, kDisc + space::kSmall + text, height());
        paintStep(painter, rect, int(step));
        left = rect.right() + space::kSmall;
        if (step + 1 < m_steps.size()) {
            painter.setPen(
                QPen(m_steps[step].state == State::Done ? colorOf(State::Done) : m_theme.colors().line, 1.5));
            painter.drawLine(QPointF(left, height() / 2.0), QPointF(left + line - space::kSmall, height() / 2.0));
            left += line;
        }
    }
}

void StepBar::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        describe();
    QWidget::changeEvent(event);
}

} // namespace fremis::console::ui
