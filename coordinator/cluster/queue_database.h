#pragma once

#include "coordinator/cluster/queue_entry.h"
#include "shared/storage/sqlite/connection.h"

namespace fremis::coordinator {

/// A row of the table targets.
struct TargetRow {
    std::size_t number = 0; ///< slot of ResyncMarks
    storage::NodeId node{};
    Sequence droppedThrough = 0; ///< records up to it are dropped, whether they are still there or not
    bool forgotten = false;      ///< gone for good, once its records are erased
};

/// queue.sqlite, opened, with its schema and with every page checked; its records are not.
struct QueueDatabase {
    static constexpr auto kFile = "queue.sqlite";

    storage::SqliteConnection connection;
    bool isNew = false;
    Sequence last = 0; ///< greatest sequence ever given out
    std::vector<TargetRow> targets;
};

/// Opens the database or fills an empty file. CorruptData: what it says cannot be trusted, begin a new one. BadStore:
/// written by a newer program. Others: the disk.
[[nodiscard]] base::Result<QueueDatabase> openQueueDatabase(const std::filesystem::path& file, const std::string& vfs);
/// `error` of a call to `connection`, with CorruptData when the content is the reason.
[[nodiscard]] base::Error blame(const storage::SqliteConnection& connection, base::Error error);
[[nodiscard]] base::Status putTarget(storage::SqliteConnection& connection, const TargetRow& row);

} // namespace fremis::coordinator
