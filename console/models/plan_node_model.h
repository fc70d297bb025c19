#pragma once

#include "console/client/plan_wishes.h"
#include "console/models/row_model.h"

namespace fremis::console {

/// The nodes of a plan: what is wanted of each, and what the plan makes of it; KeyRole is the address. Columns by key:
/// node, fate, weight, before, after, moves_in, moves_out, vectors_before, vectors_after, ram_after (percent), ranges.
/// The weight can be edited.
class PlanNodeModel : public RowModel {
    Q_OBJECT
public:
    explicit PlanNodeModel(QObject* parent = nullptr);
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;

    /// `plan`: null while there is none. `live`: for memory; may be null.
    void set(const PlanWishes& wishes, const routing::Plan* plan, const SnapshotPtr& live);
    void retranslate();

Q_SIGNALS:
    void weightEdited(const QString& address, const QString& weight);

private:
    [[nodiscard]] static QList<Column> makeColumns();
    [[nodiscard]] bool isWeight(const QModelIndex& index) const;
};

/// Share of its memory that a node would use after the plan; nothing when it has not told.
[[nodiscard]] std::optional<double> memoryAfter(const routing::PlanNode& node, const routing::Plan& plan,
                                                const NodeView& live);

} // namespace fremis::console
