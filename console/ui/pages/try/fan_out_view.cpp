#include "console/ui/pages/try/fan_out_view.h"

#include "console/ui/widgets/format.h"

#include <QPainter>

namespace fremis::console::ui {
namespace {

constexpr int kWidestLabel = 170;
constexpr double kTrackShare = 0.55; ///< of the room right of the labels; the rest is for words

} // namespace

FanOutView::FanOutView(const Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    connect(&theme, &Theme::changed, this, [this] { update(); });
}

void FanOutView::set(std::vector<Bar> bars) {
    m_bars = std::move(bars);
    updateGeometry();
    retranslate();
}

std::optional<std::size_t> FanOutView::slowest() const {
    std::optional<std::size_t> found;
    for (std::size_t bar = 0; bar < m_bars.size(); ++bar)
        if (m_bars[bar].timing.problem.isEmpty() && (!found || m_bars[bar].timing.took > m_bars[*found].timing.took))
            found = bar;
    return found;
}

QString FanOutView::noteOf(std::size_t bar) const {
    const NodeTiming& timing = m_bars[bar].timing;
    if (!timing.problem.isEmpty())
        return timing.problem;
    QString note = latencyText(double(timing.took.count()));
    if (timing.bestSimilarity)
        note = tr("%1, best %2", "time, similarity").arg(note, decimalText(*timing.bestSimilarity, 3));
    return m_bars.size() > 1 && slowest() == bar ? tr("%1 - slowest").arg(note) : note;
}

void FanOutView::retranslate() {
    QStringList lines;
    for (std::size_t bar = 0; bar < m_bars.size(); ++bar)
        lines.append(m_bars[bar].label + QStringLiteral(": ") + noteOf(bar));
    setAccessibleName(tr("Times of the nodes"));
    setAccessibleDescription(lines.join(QStringLiteral("; ")));
    setToolTip(lines.join(QLatin1Char('\n')));
    update();
}

int FanOutView::lineHeight() const {
    return std::max(22, fontMetrics().height() + 6);
}

QSize FanOutView::sizeHint() const {
    return {420, int(m_bars.size()) * lineHeight()};
}

void FanOutView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    int labels = 0;
    double total = 1;
    for (const Bar& bar : m_bars) {
        labels = std::max(labels, fontMetrics().horizontalAdvance(bar.label));
        total = std::max(total, double((bar.timing.began + bar.timing.took).count()));
    }
    labels = std::min(labels + 4, kWidestLabel) + space::kSmall; // a text needs a little more than its advance
    for (std::size_t bar = 0; bar < m_bars.size(); ++bar)
        paintBar(painter, bar, {0, int(bar) * lineHeight(), width(), lineHeight()}, labels, total);
}

void FanOutView::paintBar(QPainter& painter, std::size_t bar, const QRect& line, int labels, double total) const {
    const ThemeColors& c = m_theme.colors();
    const NodeTiming& timing = m_bars[bar].timing;
    const bool failed = !timing.problem.isEmpty();
    painter.setPen(c.text);
    painter.drawText(line.adjusted(0, 0, labels - width(), 0), Qt::AlignVCenter,
                     fontMetrics().elidedText(m_bars[bar].label, Qt::ElideMiddle, labels - space::kSmall));
    const double track = (width() - labels) * kTrackShare;
    const QRectF room(labels, line.top() + 5, track, line.height() - 10);
    painter.fillRect(room, c.raised);
    const QRectF piece(room.left() + track * double(timing.began.count()) / total, room.top(),
                       std::max(2.0, track * double(timing.took.count()) / total), room.height());
    painter.setPen(QPen(c.outline, 1));
    painter.setBrush(failed ? QBrush(c.critical, Qt::BDiagPattern) : QBrush(Theme::nodeFill(m_bars[bar].node).fill));
    painter.drawRect(piece);
    const bool isSlowest = m_bars.size() > 1 && slowest() == bar;
    painter.setPen(failed ? c.critical : isSlowest ? c.warning : c.muted);
    const QRect words = line.adjusted(labels + int(track) + space::kSmall, 0, 0, 0);
    painter.drawText(words, Qt::AlignVCenter, fontMetrics().elidedText(noteOf(bar), Qt::ElideRight, words.width()));
}

} // namespace fremis::console::ui
