#include "console/ui/pages/map/legend.h"

#include "console/ui/shell/verdict.h"
#include "console/ui/widgets/flow_layout.h"
#include "console/ui/widgets/format.h"

#include <QPainter>

#include <set>

namespace fremis::console::ui {
namespace {

constexpr int kSwatch = 14;
constexpr int kRampSwatch = 22;

} // namespace

LegendChip::LegendChip(const Theme& theme, QWidget* parent) : QAbstractButton(parent), m_theme(theme) {
    setFocusPolicy(Qt::TabFocus);
    setCursor(Qt::PointingHandCursor);
    connect(&theme, &Theme::changed, this, [this] { update(); });
}

void LegendChip::setTexts(const QString& text, const QString& detail, const QString& hint) {
    if (text == this->text() && detail == m_detail && hint == toolTip())
        return;
    setText(text);
    m_detail = detail;
    setToolTip(hint);
    setAccessibleName(hint);
    updateGeometry();
    update();
}

void LegendChip::setNode(int node, const NodeView& view) {
    m_node = node;
    m_class.reset();
    m_ramp.clear();
    m_severity = view.isStale ? Severity::Unknown : severityOf(view.state);
    QString detail = numberText(view.assigned.count());
    if (m_severity != Severity::Ok)
        detail += QStringLiteral(" · ") + wordOf(view.state);
    const QString vectors = view.vectors() ? numberText(qint64(*view.vectors())) : unknownText();
    setTexts(view.label(), detail,
             tr("%1, %n partition(s), %2 vectors, %3", "", view.assigned.count())
                 .arg(view.label(), vectors, wordOf(view.state)));
    update();
}

void LegendChip::setClass(PartitionClass partition, int count) {
    m_node = -1;
    m_class = partition;
    m_ramp.clear();
    m_severity = severityOf(partition);
    setTexts(wordOf(partition), numberText(count), tr("%n partition(s): %1", "", count).arg(wordOf(partition)));
}

void LegendChip::setRamp(const QList<QColor>& colors, const QStringList& words) {
    m_node = -1;
    m_class.reset();
    m_ramp = colors;
    m_severity = Severity::Ok;
    setTexts(words.join(QStringLiteral("  ")), {}, tr("Scale: %1").arg(words.join(QStringLiteral(", "))));
    update();
}

QSize LegendChip::sizeHint() const {
    const int swatch = m_ramp.isEmpty() ? kSwatch : int(m_ramp.size()) * kRampSwatch;
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    const int detail = m_detail.isEmpty() ? 0 : fontMetrics().horizontalAdvance(m_detail) + 6;
    return {8 + swatch + 6 + QFontMetrics(bold).horizontalAdvance(text()) + detail + 8,
            std::max(24, fontMetrics().height() + 7)};
}

void LegendChip::drawSwatch(QPainter& painter, const QRectF& square) const {
    const ThemeColors& c = m_theme.colors();
    painter.setPen(QPen(c.outline, 1));
    if (m_class) {
        const QColor color = m_theme.severity(severityOf(*m_class));
        painter.fillRect(square, mixed(color, c.surface, 0.2));
        painter.setBrush(patternOf(*m_class) == Qt::NoBrush ? QBrush(Qt::NoBrush) : QBrush(color, patternOf(*m_class)));
        painter.drawRect(square);
        return;
    }
    const NodeFill fill = Theme::nodeFill(m_node);
    painter.fillRect(square, fill.fill);
    painter.setBrush(fill.hatched ? QBrush(fill.ink, Qt::Dense6Pattern) : QBrush(Qt::NoBrush));
    painter.drawRect(square);
}

void LegendChip::paintEvent(QPaintEvent*) {
    const ThemeColors& c = m_theme.colors();
    QPainter painter(this);
    if (m_hovered || hasFocus()) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(hasFocus() ? QPen(c.accent, 2) : QPen(Qt::NoPen));
        painter.setBrush(c.raised);
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), space::kRadius, space::kRadius);
        painter.setRenderHint(QPainter::Antialiasing, false);
    }
    int x = 8;
    const double top = (height() - kSwatch) / 2;
    if (m_ramp.isEmpty()) {
        drawSwatch(painter, QRectF(x + 0.5, top + 0.5, kSwatch - 1, kSwatch - 1));
        x += kSwatch;
    } else {
        painter.setPen(QPen(c.outline, 1));
        for (const QColor& color : m_ramp) {
            painter.setBrush(color);
            painter.drawRect(QRectF(x + 0.5, top + 0.5, kRampSwatch, kSwatch - 1));
            x += kRampSwatch;
        }
    }
    x += 6;
    painter.setPen(c.text);
    painter.drawText(QRect(x, 0, width(), height()), Qt::AlignVCenter, text());
    x += fontMetrics().horizontalAdvance(text()) + 6;
    painter.setPen(m_severity == Severity::Ok ? c.muted : m_theme.severity(m_severity));
    painter.drawText(QRect(x, 0, width(), height()), Qt::AlignVCenter, m_detail);
}

void LegendChip::enterEvent(QEnterEvent*) {
    m_hovered = true;
    update();
    Q_EMIT hovered(true);
}

void LegendChip::leaveEvent(QEvent*) {
    m_hovered = false;
    update();
    Q_EMIT hovered(false);
}

Legend::Legend(const Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
    setObjectName(QStringLiteral("map.legend"));
    new FlowLayout(this, 2);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

LegendChip* Legend::chip(int number) {
    if (number < int(m_chips.size()))
        return m_chips[std::size_t(number)];
    auto* made = new LegendChip(m_theme, this);
    made->setObjectName(QStringLiteral("%1.%2").arg(objectName()).arg(number));
    layout()->addWidget(made);
    m_chips.push_back(made);
    m_cells.emplace_back();
    connect(made, &LegendChip::hovered, this,
            [this, number](bool inside) { Q_EMIT hovered(inside ? m_cells[std::size_t(number)] : PartitionSet()); });
    connect(made, &LegendChip::clicked, this, [this, number] { Q_EMIT chosen(m_cells[std::size_t(number)]); });
    return made;
}

void Legend::set(const SnapshotPtr& snapshot, Lens lens, const PartitionDelegate& delegate) {
    m_used = 0;
    if (snapshot) {
        if (lens == Lens::Health) {
            for (int c = 0; c < kPartitionClasses; ++c) {
                const auto partition = PartitionClass(c);
                if (snapshot->counts.of(partition) == 0 && partition != PartitionClass::Ok)
                    continue;
                chip(m_used)->setClass(partition, snapshot->counts.of(partition));
                m_cells[std::size_t(m_used++)] = snapshot->all(partition);
            }
        } else if (lens != Lens::Owner) {
            setScale(*snapshot, lens, delegate);
        }
        for (std::size_t node = 0; node < snapshot->nodes.size() && lens != Lens::Health; ++node) {
            chip(m_used)->setNode(int(node), snapshot->nodes[node]);
            m_cells[std::size_t(m_used++)] = snapshot->nodes[node].assigned;
        }
    }
    for (int i = 0; i < int(m_chips.size()); ++i)
        m_chips[std::size_t(i)]->setVisible(i < m_used);
    updateGeometry();
}

void Legend::setScale(const Snapshot& snapshot, Lens lens, const PartitionDelegate& delegate) {
    std::multiset<quint64> values;
    for (const PartitionView& partition : snapshot.partitions)
        if (const auto value = lens == Lens::Load ? partition.vectors : partition.queued)
            values.insert(*value);
    QList<QColor> colors;
    QStringList words;
    constexpr int kSteps = 4;
    for (int step = 0; step <= kSteps && !values.empty(); ++step) {
        const quint64 value = *std::next(values.begin(), long((values.size() - 1) * std::size_t(step) / kSteps));
        const QString word = shortNumberText(qint64(value));
        if (words.contains(word))
            continue;
        const double share = delegate.shareOf(value, *values.rbegin());
        colors.append(lens == Lens::Load ? m_theme.ramp(share)
                      : value == 0       ? m_theme.colors().surface
                                         : delegate.queueRamp(share));
        words.append(word);
    }
    if (words.isEmpty())
        return;
    chip(m_used)->setRamp(colors, words);
    m_cells[std::size_t(m_used++)] = {};
}

} // namespace fremis::console::ui
