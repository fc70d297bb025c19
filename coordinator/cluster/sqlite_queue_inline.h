#pragma once

#include "coordinator/cluster/sqlite_queue.h"

namespace fremis::coordinator {

/// Runs `body` between BEGIN and COMMIT, with the targets' unsaved rows. `bytes`: about what it writes of records.
template<class Body> base::Status SqliteQueue::transaction(std::uint64_t bytes, Body body) {
    const storage::FatalFlag::Watch watch(m_fatal);
    auto status = m_connection.execute("BEGIN IMMEDIATE");
    if (status)
        status = saveTargets();
    if (status)
        status = body();
    if (status)
        status = m_connection.execute("COMMIT");
    if (!status) {
        auto error = noted(status.error());
        (void)m_connection.execute("ROLLBACK"); // after some errors SQLite has rolled back already
        return tl::unexpected(std::move(error));
    }
    for (auto& [node, target] : m_targets)
        target.unsaved = false;
    checkpointWhenDue(bytes);
    return m_fatal.isRaised() ? base::Status(m_fatal.refusal()) : base::Status();
}

/// `each(ReadRow)` for the target's records behind `after` that are not dropped, until it answers false.
template<class Each> base::Status SqliteQueue::scan(const Target& target, Sequence after, Each each) {
    const auto first = std::min(std::max(after, target.row.droppedThrough), QueueKey::kMaxSequence);
    return scanKeys(target.row.node, QueueKey{target.row.number, first}.column() + 1,
                    QueueKey{target.row.number, QueueKey::kMaxSequence}.column(), each);
}

/// The same for the keys from `first` to `last`.
template<class Each>
base::Status SqliteQueue::scanKeys(const storage::NodeId& node, std::int64_t first, std::int64_t last, Each each) {
    auto statement = m_connection.prepare("SELECT " + std::string(kRowColumns) +
                                          " FROM entries WHERE id BETWEEN ? AND ? ORDER BY id");
    if (!statement)
        return tl::unexpected(noted(statement.error()));
    statement->bind(1, first).bind(2, last);
    while (true) {
        auto row = statement->next();
        if (!row)
            return tl::unexpected(noted(row.error()));
        if (!*row || !each(readRow(*statement, node)))
            return {};
    }
}

} // namespace fremis::coordinator
