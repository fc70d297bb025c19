#pragma once

#include "console/client/snapshot.h"
#include "console/ui/views/partition_delegate.h"

#include <QAbstractButton>
#include <QWidget>

namespace fremis::console::ui {

/// One node, or one class of partitions, of the legend: swatch, name, count. Hovering shows its cells, a click or Space
/// selects them. Thread: GUI.
class LegendChip final : public QAbstractButton {
    Q_OBJECT

public:
    LegendChip(const Theme& theme, QWidget* parent);
    void setNode(int node, const NodeView& view);
    void setClass(PartitionClass partition, int count);
    /// Ramp from `low` to `high` with its ends.
    void setRamp(const QList<QColor>& colors, const QStringList& words);
    [[nodiscard]] QSize sizeHint() const override;

Q_SIGNALS:
    void hovered(bool inside);

protected:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    void setTexts(const QString& text, const QString& detail, const QString& hint);
    void drawSwatch(QPainter& painter, const QRectF& square) const;

    const Theme& m_theme;
    int m_node = -1;
    std::optional<PartitionClass> m_class;
    QList<QColor> m_ramp;
    QString m_detail;
    Severity m_severity = Severity::Ok;
    bool m_hovered = false;
};

/// The legend of the map: nodes, also those without partitions; in other lenses their scale too. Thread: GUI.
class Legend final : public QWidget {
    Q_OBJECT

public:
    explicit Legend(const Theme& theme, QWidget* parent = nullptr);
    void set(const SnapshotPtr& snapshot, Lens lens, const PartitionDelegate& delegate);

Q_SIGNALS:
    void hovered(const fremis::hashing::PartitionSet& partitions); ///< empty: no more
    void chosen(const fremis::hashing::PartitionSet& partitions);

private:
    LegendChip* chip(int number);
    void setScale(const Snapshot& snapshot, Lens lens, const PartitionDelegate& delegate);

    const Theme& m_theme;
    std::vector<LegendChip*> m_chips;
    std::vector<PartitionSet> m_cells; ///< of each chip
    int m_used = 0;
};

} // namespace fremis::console::ui
