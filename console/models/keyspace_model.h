#pragma once

#include "console/client/snapshot.h"
#include "console/models/row_model.h"

namespace fremis::console {

/// The keyspaces of a cluster; KeyRole is the name. Columns by key: name, faces, variations, share, threshold, created.
class KeyspaceModel : public RowModel {
    Q_OBJECT
public:
    explicit KeyspaceModel(QObject* parent = nullptr);
    void setSnapshot(const SnapshotPtr& snapshot);
    void retranslate();

private:
    [[nodiscard]] static QList<Column> makeColumns();
    SnapshotPtr m_snapshot;
};

} // namespace fremis::console
