#pragma once

#include "console/models/row_model.h"
#include "console/ui/pages/try/try_reply.h"

namespace fremis::console::ui {

/// Candidates of a recognition, best first. Columns by key: rank, face, similarity, score, gap, partition, node.
class CandidateModel final : public RowModel {
    Q_OBJECT

public:
    explicit CandidateModel(QObject* parent = nullptr) : RowModel(makeColumns(), parent) {}
    void set(const TryReply& reply, double threshold, const QString& keyspace, const SnapshotPtr& snapshot);
    void retranslate() { setTitles(makeColumns()); }

private:
    [[nodiscard]] static QList<Column> makeColumns();
};

} // namespace fremis::console::ui
