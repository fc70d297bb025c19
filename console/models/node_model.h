#pragma once

#include "console/client/snapshot.h"
#include "console/models/row_model.h"

namespace fremis::console {

/// The nodes of a cluster, one row each; KeyRole is the address. Columns by key: state, name, address, ranges,
/// partitions, vectors, share, skew, ram, full_in, gpu, loaded, queue, poll_p50, poll_p95, version, uptime, clock_skew,
/// age.
class NodeModel : public RowModel {
    Q_OBJECT
public:
    enum Role {
        StateRole = FirstModelRole, ///< NodeState as int
        ReasonRole,                 ///< QString
        ViaCoordinatorRole,         ///< bool
    };
    explicit NodeModel(QObject* parent = nullptr);
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    /// `fullInDays`: by address, see daysUntilFull().
    void setSnapshot(const SnapshotPtr& snapshot, const QHash<QString, double>& fullInDays = {});
    void retranslate();

private:
    [[nodiscard]] static QList<Column> makeColumns();
    [[nodiscard]] Row rowOfNode(const NodeView& node) const;
    [[nodiscard]] Cell fullCell(const NodeView& node) const;

    SnapshotPtr m_snapshot;
    QHash<QString, double> m_fullInDays;
};

} // namespace fremis::console
