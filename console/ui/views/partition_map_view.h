#pragma once

#include "console/models/partition_map_model.h"
#include "console/ui/views/partition_delegate.h"

#include <QTableView>

namespace fremis::console::ui {

/// 256 cells, 16 by 16, of 46x36 px or as large as fits. Arrows wrap at the ends of rows, Tab leaves, a drag selects a
/// run of numbers (with Ctrl+Shift a rectangle). Thread: GUI.
class PartitionMapView final : public QTableView {
    Q_OBJECT

public:
    static constexpr QSize kCell{46, 36};
    static constexpr QSize kSmallestCell{30, 26}; ///< higher with large texts

    PartitionMapView(const Theme& theme, PartitionMapModel& model, QWidget* parent = nullptr);

    void setLens(Lens lens);
    [[nodiscard]] Lens lens() const { return m_delegate->lens(); }
    void setHighlighted(const PartitionSet& partitions);
    void setHexadecimal(bool hexadecimal);
    void setLogarithmic(bool logarithmic);
    void setDimmed(bool dimmed);
    /// Largest values of the snapshot, for the ramps.
    void refreshScale();

    /// -4..4 steps of a seventh; 0 fits the room there is.
    void setZoom(int steps);
    [[nodiscard]] int zoom() const { return m_zoom; }

    [[nodiscard]] PartitionSet selected() const;
    void setSelected(const PartitionSet& partitions);
    void goTo(Partition partition);
    void goToProblem(bool forward);
    /// Single-letter keys on or off.
    void setLetterKeys(bool on) { m_letterKeys = on; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] const PartitionDelegate& delegate() const { return *m_delegate; }

Q_SIGNALS:
    void selectionEdited(const fremis::hashing::PartitionSet& partitions); ///< by the operator
    void lensAsked(fremis::console::ui::Lens lens);
    void inspectAsked();
    void menuAsked(const QPoint& globalPosition);

protected:
    QItemSelectionModel::SelectionFlags selectionCommand(const QModelIndex& index, const QEvent* event) const override;
    void setSelection(const QRect& rect, QItemSelectionModel::SelectionFlags command) override;
    QModelIndex moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void applyCellSize();
    [[nodiscard]] int smallestHeight() const; ///< of a cell
    bool handleLetter(QKeyEvent* event);

    const Theme& m_theme;
    PartitionMapModel& m_model;
    PartitionDelegate* m_delegate;
    int m_zoom = 0;
    bool m_logarithmic = false;
    bool m_letterKeys = true;
    bool m_applying = false;
};

/// All cells between the two, both included, in the order of numbers.
[[nodiscard]] QItemSelection linearSelection(const PartitionMapModel& model, int from, int to);

} // namespace fremis::console::ui
