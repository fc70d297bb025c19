#include "console/ui/views/sparkline.h"

#include "console/ui/widgets/format.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

namespace fremis::console::ui {

Sparkline::Sparkline(const Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&theme, &Theme::changed, this, [this] { update(); });
}

void Sparkline::set(const QString& name, const std::optional<Spread>& spread) {
    m_name = name;
    m_spread = spread;
    describe();
    update();
}

void Sparkline::describe() {
    setAccessibleName(m_name);
    setAccessibleDescription(description());
}

QString Sparkline::description() const {
    if (!m_spread)
        return tr("Not known.");
    if (m_spread->total == 0)
        return tr("Empty.");
    const auto [least, most] = std::minmax_element(m_spread->counts.begin(), m_spread->counts.end());
    QString text = tr("%1 to %2 in a partition, %3 on average.")
                       .arg(numberText(qint64(*least)), numberText(qint64(*most)),
                            decimalText(double(m_spread->total) / base::kPartitionCount, 1));
    const auto even = m_spread->isEven();
    if (!even)
        return text + QLatin1Char(' ') + tr("Too few to judge the spread.");
    return text + QLatin1Char(' ') +
           (*even ? tr("Spread as evenly as chance does it (chi-square %1 of 255).")
                  : tr("Less even than chance makes it (chi-square %1 of 255)."))
               .arg(decimalText(*m_spread->chiSquare(), 0));
}

void Sparkline::paintEvent(QPaintEvent*) {
    const ThemeColors& c = m_theme.colors();
    QPainter painter(this);
    painter.fillRect(rect(), c.raised);
    if (!m_spread || m_spread->total == 0) {
        painter.setPen(c.muted);
        painter.drawText(rect(), Qt::AlignCenter, m_spread ? tr("empty") : tr("not known"));
        return;
    }
    const double most = double(*std::max_element(m_spread->counts.begin(), m_spread->counts.end()));
    const double bar = width() / double(base::kPartitionCount);
    const double room = height() - 2;
    for (std::size_t partition = 0; partition < m_spread->counts.size(); ++partition) {
        const double share = room * double(m_spread->counts[partition]) / most;
        painter.fillRect(QRectF(double(partition) * bar, height() - share, std::max(1.0, bar - 0.5), share), c.accent);
    }
    const double mean = room * double(m_spread->total) / base::kPartitionCount / most;
    painter.setPen(QPen(c.text, 1, Qt::DashLine));
    painter.drawLine(QPointF(0, height() - mean), QPointF(width(), height() - mean));
}

bool Sparkline::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int partition = int(help->pos().x() * double(base::kPartitionCount) / std::max(1, width()));
    QString text = description();
    if (m_spread && m_spread->total > 0 && partition >= 0 && partition < base::kPartitionCount)
        text.prepend(
            tr("Partition %1: %2.").arg(partition).arg(numberText(qint64(m_spread->counts[std::size_t(partition)]))) +
            QLatin1Char('\n'));
    QToolTip::showText(help->globalPos(), text, this);
    return true;
}

void Sparkline::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        describe();
    QWidget::changeEvent(event);
}

} // namespace fremis::console::ui
