#pragma once

#include "console/client/snapshot.h"
#include "console/ui/shell/theme.h"

#include <QStyledItemDelegate>

namespace fremis::console::ui {

enum class Lens { Owner, Load, Health, Queue };

/// Paints a partition's cell from the roles of PartitionMapModel. Nothing is told by colour alone: gap, risk, unknown
/// and over-assigned have a pattern and a sign of their own. Thread: GUI.
class PartitionDelegate final : public QStyledItemDelegate {
    Q_OBJECT

public:
    PartitionDelegate(const Theme& theme, QObject* parent);

    void setLens(Lens lens) { m_lens = lens; }
    [[nodiscard]] Lens lens() const { return m_lens; }
    void setHexadecimal(bool hexadecimal) { m_hexadecimal = hexadecimal; }
    /// Cells outside are faded; empty: none.
    void setHighlighted(const PartitionSet& partitions) { m_highlighted = partitions; }
    /// The largest values, for the ramps; `logarithmic` applies to Load.
    void setScale(quint64 mostVectors, quint64 mostQueued, bool logarithmic);
    void setDimmed(bool dimmed) { m_dimmed = dimmed; }
    [[nodiscard]] double shareOf(quint64 value, quint64 most) const;
    [[nodiscard]] QColor queueRamp(double share) const;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {46, 36}; }

private:
    struct Look;
    [[nodiscard]] Look lookOf(const QModelIndex& index) const;
    void fillOwner(Look& look, const QModelIndex& index) const;
    void fillRamp(Look& look, const QVariant& value) const;
    void drawSigns(QPainter* painter, const QRectF& cell, const QModelIndex& index, const Look& look) const;
    void drawReplicas(QPainter* painter, const QRectF& cell, const QModelIndex& index) const;
    void drawOutline(QPainter* painter, const QStyleOptionViewItem& option) const;
    void drawFrame(QPainter* painter, const QStyleOptionViewItem& option, const Look& look) const;

    const Theme& m_theme;
    Lens m_lens = Lens::Owner;
    PartitionSet m_highlighted;
    quint64 m_mostVectors = 0;
    quint64 m_mostQueued = 0;
    bool m_logarithmic = false;
    bool m_hexadecimal = false;
    bool m_dimmed = false;
};

/// The pattern of a class, for cells and legend alike.
[[nodiscard]] Qt::BrushStyle patternOf(PartitionClass partition);

/// `font`, or a smaller one in which `text` is no wider than `width`.
[[nodiscard]] QFont fittingFont(QFont font, double width, const QString& text);

} // namespace fremis::console::ui
