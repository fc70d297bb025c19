#pragma once

#include "console/models/node_model.h"

namespace fremis::console {

/// Two nodes side by side, a row for each column of the node table. Columns by key: what, first, second, difference.
class CompareModel : public RowModel {
    Q_OBJECT
public:
    explicit CompareModel(QObject* parent = nullptr);
    /// Addresses; nothing is shown when one of them is not among the nodes.
    void set(const NodeModel& nodes, const QString& first, const QString& second);
    void retranslate();

private:
    [[nodiscard]] QList<Column> makeColumns() const;
    QString m_first; ///< names, for the titles
    QString m_second;
};

} // namespace fremis::console
