#include "coordinator/cluster/queue_database.h"

#include "coordinator/cluster/checksum.h"
#include "coordinator/cluster/queue_row.h"
#include "coordinator/cluster/resync_marks.h"

#include <cstring>

namespace fremis::coordinator {
namespace {

using storage::SqliteConnection;
using storage::SqliteStatement;

constexpr std::int64_t kFormat = 1;
constexpr std::int64_t kApplicationId = 0x46524d51; // "FRMQ"

/// In the order in which they are made. queue_state.format keeps its meaning in every later format.
constexpr const char* kTables[] = {
    "CREATE TABLE queue_state (id INTEGER PRIMARY KEY, format INTEGER, last_sequence INTEGER)",
    "CREATE TABLE targets (number INTEGER PRIMARY KEY, node BLOB, dropped_through INTEGER, forgotten INTEGER,"
    " row_sum INTEGER)",
    "CREATE TABLE entries (id INTEGER PRIMARY KEY, kind INTEGER, op_id BLOB, partition INTEGER,"
    " keyspace_lane INTEGER, face_lane INTEGER, queued_at INTEGER, attempts INTEGER, parked TEXT, head_sum INTEGER,"
    " bytes_sum INTEGER, bytes BLOB)",
    "CREATE TABLE damage (id INTEGER PRIMARY KEY, node BLOB, partition INTEGER)",
};

tl::unexpected<base::Error> damaged(std::string why) {
    return base::fail(base::Reason::CorruptData, "the queue's database is damaged", std::move(why));
}

/// No mmap: an I/O error would be a signal, not a result. No automatic checkpoints: SQLite hides their failures.
base::Status setPragmas(SqliteConnection& connection) {
    auto status = connection.execute(
        "PRAGMA page_size=16384; PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA secure_delete=ON;"
        "PRAGMA mmap_size=0; PRAGMA temp_store=MEMORY; PRAGMA cache_size=-8192; PRAGMA wal_autocheckpoint=0;"
        "PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON");
    if (!status)
        return tl::unexpected(blame(connection, status.error()));
    return {};
}

base::Status makeTables(SqliteConnection& connection) {
    std::string sql = "BEGIN IMMEDIATE;";
    for (const auto* table : kTables)
        sql += std::string(table) + ';';
    return connection.execute(sql + "INSERT INTO queue_state VALUES (1," + std::to_string(kFormat) +
                              ",0); PRAGMA application_id=" + std::to_string(kApplicationId) +
                              "; PRAGMA user_version=" + std::to_string(kFormat) + "; COMMIT");
}

/// A flipped bit in the header's version alone is damage: a newer program would have said so in both places.
base::Status refuseNewer(SqliteConnection& connection) {
    const auto version = connection.integer("PRAGMA user_version");
    if (!version)
        return tl::unexpected(blame(connection, version.error()));
    if (*version <= kFormat)
        return {};
    const auto format = connection.integer("SELECT format FROM queue_state");
    if (!format || *format <= kFormat)
        return {};
    return base::fail(base::Reason::BadStore, "the write queue was written by a newer program (format " +
                                                  std::to_string(*format) + ", this one knows " +
                                                  std::to_string(kFormat) + "): install that one again");
}

base::Status checkSchema(SqliteConnection& connection) {
    std::size_t seen = 0;
    bool same = true;
    auto status = connection.query("SELECT sql FROM sqlite_master ORDER BY rowid", [&](const SqliteStatement& row) {
        same = same && seen < std::size(kTables) && row.text(0) == kTables[seen];
        ++seen;
        return true;
    });
    if (!status)
        return tl::unexpected(blame(connection, status.error()));
    if (!same || seen != std::size(kTables))
        return damaged("its tables are not ours");
    return {};
}

/// The header can say that its format is not to be written to; BEGIN IMMEDIATE alone does not tell.
base::Status checkWritable(SqliteConnection& connection) {
    if (auto status = connection.execute("BEGIN IMMEDIATE; UPDATE queue_state SET format = format; ROLLBACK"); !status)
        return tl::unexpected(blame(connection, status.error()));
    return {};
}

base::Status checkPages(SqliteConnection& connection) {
    std::string found;
    auto status = connection.query("PRAGMA quick_check(1)", [&](const SqliteStatement& row) {
        found = row.text(0);
        return true;
    });
    if (!status)
        return tl::unexpected(blame(connection, status.error()));
    if (found != "ok")
        return damaged("quick_check: " + found);
    return {};
}

std::int64_t sumOf(const TargetRow& row) {
    return static_cast<std::int64_t>(Checksum()
                                         .add(static_cast<std::uint64_t>(row.number))
                                         .add(row.node)
                                         .add(row.droppedThrough)
                                         .add(std::uint64_t{row.forgotten})
                                         .value());
}

base::Status readTargets(QueueDatabase& database) {
    bool good = true;
    auto status = database.connection.query(
        "SELECT number, node, dropped_through, forgotten, row_sum FROM targets", [&](const SqliteStatement& row) {
            TargetRow target;
            const auto node = row.blob(1);
            target.number = static_cast<std::size_t>(row.integer(0));
            good = good && target.number < ResyncMarks::kSlots && node.size() == target.node.size();
            if (!good)
                return false;
            std::memcpy(target.node.data(), node.data(), node.size());
            target.droppedThrough = static_cast<Sequence>(row.integer(2));
            target.forgotten = row.integer(3) != 0;
            good = row.integer(4) == sumOf(target);
            database.targets.push_back(target);
            return good;
        });
    if (!status)
        return tl::unexpected(blame(database.connection, status.error()));
    if (!good)
        return damaged("a row of targets");
    return {};
}

base::Status readState(QueueDatabase& database) {
    bool seen = false;
    auto status =
        database.connection.query("SELECT format, last_sequence FROM queue_state", [&](const SqliteStatement& row) {
            seen = row.integer(0) == kFormat && row.integer(1) >= 0;
            database.last = static_cast<Sequence>(row.integer(1));
            return true;
        });
    if (!status)
        return tl::unexpected(blame(database.connection, status.error()));
    if (!seen || database.last >= QueueKey::kMaxSequence)
        return damaged("the row of queue_state");
    return {};
}

} // namespace

base::Error blame(const SqliteConnection& connection, base::Error error) {
    if (connection.contentIsToBlame())
        error.reason = base::Reason::CorruptData;
    return error;
}

base::Result<QueueDatabase> openQueueDatabase(const std::filesystem::path& file, const std::string& vfs) {
    auto connection = SqliteConnection::open(file.string(), SqliteConnection::Access::ReadWriteCreate, vfs);
    if (!connection)
        return tl::unexpected(connection.error().in(file.string()));
    QueueDatabase database{std::move(*connection), false, 0, {}};
    auto status = refuseNewer(database.connection);
    if (status)
        status = setPragmas(database.connection);
    if (!status)
        return tl::unexpected(status.error());
    const auto tables = database.connection.integer("SELECT count(*) FROM sqlite_master");
    if (!tables)
        return tl::unexpected(blame(database.connection, tables.error()));
    database.isNew = *tables == 0;
    if (database.isNew)
        status = makeTables(database.connection);
    for (const auto check : {checkSchema, checkWritable, checkPages})
        if (status)
            status = check(database.connection);
    for (const auto read : {readState, readTargets})
        if (status)
            status = read(database);
    if (!status)
        return tl::unexpected(status.error());
    return database;
}

base::Status putTarget(SqliteConnection& connection, const TargetRow& row) {
    auto statement = connection.prepare("INSERT OR REPLACE INTO targets (number, node, dropped_through, forgotten,"
                                        " row_sum) VALUES (?, ?, ?, ?, ?)");
    if (!statement)
        return tl::unexpected(statement.error());
    statement->bind(1, static_cast<std::int64_t>(row.number)).bind(2, std::as_bytes(std::span(row.node)));
    statement->bind(3, static_cast<std::int64_t>(row.droppedThrough)).bind(4, std::int64_t{row.forgotten});
    return statement->bind(5, sumOf(row)).run();
}

} // namespace fremis::coordinator
