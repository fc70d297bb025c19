#include "console/ui/views/share_bars.h"

#include "console/ui/widgets/format.h"

#include <QMouseEvent>
#include <QPainter>

#include <numeric>

namespace fremis::console::ui {
namespace {

constexpr int kLine = 24;
constexpr int kTitleWidth = 96;
constexpr int kNoteWidth = 150;

} // namespace

ShareBars::ShareBars(const Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
    connect(&theme, &Theme::changed, this, [this] { update(); });
}

void ShareBars::setSnapshot(const Snapshot& snapshot) {
    for (Bar& bar : m_bars)
        bar = {};
    m_labels.clear();
    std::array<bool, 3> known = {true, true, true};
    for (const NodeView& node : snapshot.nodes) {
        m_labels.append(node.label());
        m_bars[0].values.push_back(node.assigned.count());
        const auto vectors = node.vectors();
        m_bars[1].values.push_back(double(vectors.value_or(0)));
        known[1] = known[1] && vectors;
        const bool memory = node.resources && node.resources->processBytes;
        m_bars[2].values.push_back(memory ? double(*node.resources->processBytes) : 0);
        known[2] = known[2] && memory;
    }
    QStringList words;
    for (std::size_t i = 0; i < m_bars.size(); ++i) {
        Bar& bar = m_bars[i];
        const double sum = std::accumulate(bar.values.begin(), bar.values.end(), 0.0);
        if (sum <= 0) {
            bar.values.clear();
            continue;
        }
        bar.greatest =
            known[i] ? *std::max_element(bar.values.begin(), bar.values.end()) * double(bar.values.size()) / sum : 0;
        words.append(tr("%1: greatest share %2 times the mean").arg(titleOf(int(i)), decimalText(bar.greatest, 2)));
    }
    setAccessibleName(words.join(QStringLiteral("; ")));
    update();
}

QString ShareBars::titleOf(int bar) const {
    return bar == 0 ? tr("Partitions") : bar == 1 ? tr("Vectors") : tr("Memory");
}

QSize ShareBars::sizeHint() const {
    return {600, 3 * std::max(kLine, fontMetrics().height() + 8) + space::kSmall};
}

QRect ShareBars::trackOf(int bar) const {
    const int line = std::max(kLine, fontMetrics().height() + 8);
    const int title = std::max(kTitleWidth, fontMetrics().horizontalAdvance(titleOf(bar)) + space::kSmall);
    return {title, bar * line + 5, width() - title - withText(font(), kNoteWidth), line - 10};
}

void ShareBars::paintEvent(QPaintEvent*) {
    const ThemeColors& c = m_theme.colors();
    QPainter painter(this);
    for (int i = 0; i < 3; ++i) {
        const Bar& bar = m_bars[std::size_t(i)];
        const QRect track = trackOf(i);
        const QRect line(0, track.top() - 5, width(), track.height() + 10);
        painter.setPen(c.muted);
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, titleOf(i));
        if (bar.values.empty()) {
            painter.fillRect(track, c.raised);
            painter.drawText(track, Qt::AlignCenter, tr("not told"));
            continue;
        }
        const double sum = std::accumulate(bar.values.begin(), bar.values.end(), 0.0);
        double x = track.left();
        for (std::size_t node = 0; node < bar.values.size(); ++node) {
            const double width = track.width() * bar.values[node] / sum;
            const NodeFill fill = Theme::nodeFill(int(node));
            const QRectF piece(x, track.top(), width, track.height());
            painter.fillRect(piece, fill.fill);
            if (fill.hatched)
                painter.fillRect(piece, QBrush(fill.ink, Qt::Dense6Pattern));
            painter.fillRect(QRectF(x + width - 1, track.top(), 1, track.height()), c.surface);
            const QString share = percentText(100 * bar.values[node] / sum);
            if (fontMetrics().horizontalAdvance(share) + 6 < width) {
                painter.setPen(fill.ink);
                painter.drawText(piece, Qt::AlignCenter, share);
            }
            x += width;
        }
        painter.setPen(bar.greatest > 1.25 ? c.warning : c.muted);
        painter.drawText(QRect(track.right() + space::kSmall, line.top(), withText(font(), kNoteWidth) - space::kSmall,
                               line.height()),
                         Qt::AlignLeft | Qt::AlignVCenter,
                         bar.greatest > 0 ? tr("max/mean %1").arg(decimalText(bar.greatest, 2)) : tr("incomplete"));
    }
}

void ShareBars::mouseReleaseEvent(QMouseEvent* event) {
    for (int i = 0; i < 3; ++i) {
        const Bar& bar = m_bars[std::size_t(i)];
        const QRect track = trackOf(i);
        if (bar.values.empty() || !track.contains(event->position().toPoint()))
            continue;
        const double sum = std::accumulate(bar.values.begin(), bar.values.end(), 0.0);
        double x = track.left();
        for (std::size_t node = 0; node < bar.values.size(); ++node) {
            x += track.width() * bar.values[node] / sum;
            if (event->position().x() < x) {
                Q_EMIT nodeClicked(int(node));
                return;
            }
        }
    }
}

} // namespace fremis::console::ui
