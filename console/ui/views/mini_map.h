#pragma once

#include "console/client/snapshot.h"
#include "console/ui/shell/theme.h"

#include <QWidget>

namespace fremis::console::ui {

/// The map at 10 px a cell: owner colours, problems over them. A click goes to the partition. The full map is its
/// accessible twin. Thread: GUI.
class MiniMap final : public QWidget {
    Q_OBJECT

public:
    explicit MiniMap(const Theme& theme, QWidget* parent = nullptr);
    void setSnapshot(const SnapshotPtr& snapshot);
    /// Another map's owners, as of a plan; positions as in the snapshot's nodes, -1 for nobody.
    void setOwners(const std::array<int, base::kPartitionCount>& owners);
    void setHighlighted(const PartitionSet& partitions);
    [[nodiscard]] QSize sizeHint() const override { return {176, 176}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {16 * 8, 16 * 8}; }

Q_SIGNALS:
    void clicked(int partition);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;

private:
    [[nodiscard]] QRectF cellOf(int partition) const;
    [[nodiscard]] int partitionAt(const QPointF& at) const; ///< -1: none
    [[nodiscard]] double cellSize() const;

    const Theme& m_theme;
    SnapshotPtr m_snapshot;
    std::array<int, base::kPartitionCount> m_owners;
    std::array<PartitionClass, base::kPartitionCount> m_classes;
    PartitionSet m_highlighted;
};

} // namespace fremis::console::ui
