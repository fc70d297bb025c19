#include "console/ui/views/mini_map.h"

#include "console/ui/shell/verdict.h"
#include "console/ui/views/partition_delegate.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

namespace fremis::console::ui {

MiniMap::MiniMap(const Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
    m_owners.fill(-1);
    m_classes.fill(PartitionClass::Ok);
    setCursor(Qt::PointingHandCursor);
    QSizePolicy policy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setSizePolicy(policy);
    connect(&theme, &Theme::changed, this, [this] { update(); });
}

void MiniMap::setSnapshot(const SnapshotPtr& snapshot) {
    m_snapshot = snapshot;
    for (std::size_t p = 0; p < m_owners.size(); ++p) {
        const PartitionView* view = snapshot ? &snapshot->partitions[p] : nullptr;
        m_owners[p] = view && !view->owners.empty() ? view->owners.front() : -1;
        m_classes[p] = view ? view->health : PartitionClass::Unknown;
    }
    update();
}

void MiniMap::setOwners(const std::array<int, base::kPartitionCount>& owners) {
    m_owners = owners;
    for (std::size_t p = 0; p < owners.size(); ++p)
        m_classes[p] = owners[p] < 0 ? PartitionClass::Gap : PartitionClass::Ok;
    update();
}

void MiniMap::setHighlighted(const PartitionSet& partitions) {
    m_highlighted = partitions;
    update();
}

double MiniMap::cellSize() const {
    return std::min(width(), height()) / 16.0;
}

QRectF MiniMap::cellOf(int partition) const {
    const double side = cellSize();
    return {partition % 16 * side, double(partition / 16) * side, side - 1, side - 1};
}

int MiniMap::partitionAt(const QPointF& at) const {
    const int column = int(at.x() / cellSize());
    const int row = int(at.y() / cellSize());
    return column >= 0 && column < 16 && row >= 0 && row < 16 ? row * 16 + column : -1;
}

void MiniMap::paintEvent(QPaintEvent*) {
    const ThemeColors& c = m_theme.colors();
    QPainter painter(this);
    for (int p = 0; p < base::kPartitionCount; ++p) {
        const QRectF cell = cellOf(p);
        const int owner = m_owners[std::size_t(p)];
        const PartitionClass health = m_classes[std::size_t(p)];
        QColor fill = owner >= 0 ? Theme::nodeFill(owner).fill : c.surface;
        if (health == PartitionClass::Unknown)
            fill = mixed(c.unknown, c.surface, 0.35);
        if (!m_highlighted.empty() && !m_highlighted.contains(Partition(p)))
            fill = mixed(fill, c.surface, 0.3);
        painter.fillRect(cell, fill);
        if (owner >= Theme::kNodeFills)
            painter.fillRect(cell, QBrush(Theme::nodeFill(owner).ink, Qt::Dense6Pattern));
        if (health == PartitionClass::AtRisk || health == PartitionClass::Gap) {
            painter.fillRect(cell, QBrush(inkOn(fill), Qt::BDiagPattern));
            painter.setPen(QPen(c.critical, 1.5));
            painter.drawRect(cell.adjusted(0.5, 0.5, -0.5, -0.5));
        } else if (health == PartitionClass::Thin) {
            painter.fillRect(cell, QBrush(inkOn(fill), Qt::HorPattern));
        }
    }
}

void MiniMap::mouseReleaseEvent(QMouseEvent* event) {
    if (const int partition = partitionAt(event->position()); partition >= 0)
        Q_EMIT clicked(partition);
}

bool MiniMap::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int partition = partitionAt(help->pos());
        if (partition >= 0 && m_snapshot)
            QToolTip::showText(help->globalPos(),
                               tr("Partition %1: %2")
                                   .arg(partition)
                                   .arg(wordOf(m_snapshot->partitions[std::size_t(partition)].health)),
                               this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace fremis::console::ui
