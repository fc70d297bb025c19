#pragma once

#include "console/client/snapshot.h"
#include "console/models/row_model.h"

namespace fremis::console {

/// Writes that wait, one row for each node; KeyRole is the address. Columns by key: node, state, ops, enrollments,
/// deletes, keyspace_ops, bytes, oldest, rate, eta, parked, resync, last_error.
class QueueModel : public RowModel {
    Q_OBJECT
public:
    enum Role { QueueStateRole = FirstModelRole }; ///< QueueState as int
    explicit QueueModel(QObject* parent = nullptr);
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    void setSnapshot(const SnapshotPtr& snapshot);
    void retranslate();

private:
    [[nodiscard]] static QList<Column> makeColumns();
    SnapshotPtr m_snapshot;
};

} // namespace fremis::console
