#pragma once

#include "console/models/row_model.h"
#include "shared/routing/plan_output.h"

#include <optional>

namespace fremis::console {

/// The moves of a plan, those of one wave between the same nodes as one row. Columns by key: wave, kind, partitions,
/// count, from, to, vectors, bytes, reason.
class PlanModel : public RowModel {
    Q_OBJECT
public:
    enum Role { PartitionsRole = FirstModelRole }; ///< QString like "12-20, 33"
    explicit PlanModel(QObject* parent = nullptr);
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    void setPlan(const std::optional<routing::Plan>& plan);
    [[nodiscard]] const routing::MoveGroup& groupAt(int row) const;
    void retranslate();

private:
    [[nodiscard]] static QList<Column> makeColumns();
    void refresh();
    std::optional<routing::Plan> m_plan;
    std::vector<routing::MoveGroup> m_groups;
};

} // namespace fremis::console
