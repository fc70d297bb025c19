#include "shared/storage/sqlite/sqlite_schema.h"

#include "shared/hashing/partition.h"
#include "shared/storage/durable_file.h"
#include "shared/storage/migrations.h"
#include "shared/storage/node_id.h"
#include "shared/storage/row_codec.h"

#include <cstring>

namespace fremis::storage {
namespace {

/// "FRMS": tells our file from any other SQLite database.
constexpr std::int64_t kApplicationId = 0x46524d53;

base::Status setPragmas(SqliteConnection& connection) {
    // page_size counts only before the file has content. No mmap: an I/O error would be a signal, not a result.
    // secure_delete overwrites what is deleted. The cache is for the index pages that each insert touches.
    return connection.execute(
        "PRAGMA page_size=16384; PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA secure_delete=ON;"
        "PRAGMA mmap_size=0; PRAGMA temp_store=MEMORY; PRAGMA cache_size=-65536; PRAGMA foreign_keys=OFF;"
        "PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON");
}

base::Status begin(SqliteConnection& connection, std::string_view nodeId, std::chrono::milliseconds now) {
    auto statement =
        connection.prepare("INSERT INTO store_state (id, partition_rule, node_id, generation, last_stamp, last_writer)"
                           " VALUES (1, ?, ?, 0, ?, ?)");
    if (!statement)
        return tl::unexpected(statement.error());
    statement->bind(1, hashing::kPartitionRule)
        .bind(2, std::as_bytes(std::span(nodeId)))
        .bind(3, toColumn(0))
        .bind(4, toColumn(0));
    if (auto done = statement->run(); !done)
        return done;
    KeyspaceRegistry keyspaces;
    keyspaces.ensureDefault(now);
    return writeKeyspaces(connection, keyspaces);
}

/// Runs the migrations above `present`, each with its number in one transaction. A new file gets its first rows with
/// the first one.
base::Status migrate(SqliteConnection& connection, std::int64_t present, std::chrono::milliseconds now) {
    for (const auto& migration : sqliteMigrations()) {
        if (migration.number <= present)
            continue;
        auto status = connection.execute("BEGIN IMMEDIATE");
        if (status)
            status = connection.execute(std::string(migration.sql));
        if (status && migration.number == 1) {
            auto node = randomNodeId();
            if (!node)
                return tl::unexpected(node.error());
            status =
                begin(connection, std::string_view(reinterpret_cast<const char*>(node->data()), node->size()), now);
        }
        if (status)
            status = connection.execute("PRAGMA application_id=" + std::to_string(kApplicationId) +
                                        "; PRAGMA user_version=" + std::to_string(migration.number) + "; COMMIT");
        if (!status) {
            (void)connection.execute("ROLLBACK");
            return tl::unexpected(status.error().in("migration " + std::string(migration.name)));
        }
    }
    return {};
}

/// Refuses files that are not ours, or from the future, before anything is written to them. Returns the schema's
/// number.
base::Result<std::int64_t> checkOrigin(SqliteConnection& connection, const std::filesystem::path& file) {
    const auto version = connection.integer("PRAGMA user_version");
    const auto application = connection.integer("PRAGMA application_id");
    const auto tables = connection.integer("SELECT count(*) FROM sqlite_master");
    if (!version || !application || !tables)
        return tl::unexpected((!version ? version : !application ? application : tables).error().in(file.string()));
    if (*application != kApplicationId && (*tables != 0 || *version != 0))
        return base::fail(base::Reason::BadStore, file.string() + " is not a store of this program");
    const auto newest = sqliteMigrations().back().number;
    if (*version > newest)
        return base::fail(base::Reason::BadStore, file.string() + " was written by a newer program (schema " +
                                                      std::to_string(*version) + ", this one knows " +
                                                      std::to_string(newest) + "): install that one again");
    return version;
}

base::Status checkRule(SqliteConnection& connection, const std::filesystem::path& file) {
    std::string rule;
    auto status = connection.query("SELECT partition_rule FROM store_state", [&](const SqliteStatement& row) {
        rule = row.text(0);
        return true;
    });
    if (status && rule != hashing::kPartitionRule)
        return base::fail(base::Reason::BadStore,
                          file.string() + " was made with the partition rule \"" + rule + "\", this program uses \"" +
                              std::string(hashing::kPartitionRule) + "\": enrol again into another data directory");
    return status;
}

Incarnation incarnationAt(const SqliteStatement& row) {
    Incarnation incarnation;
    incarnation.id = row.integer(0);
    incarnation.name = row.text(1);
    incarnation.text = row.text(2);
    incarnation.created = versionAt(row, 3);
    incarnation.createdAt = std::chrono::milliseconds(row.integer(5));
    if (!row.isNull(6))
        incarnation.threshold = row.real(6);
    incarnation.thresholdVersion = versionAt(row, 7);
    incarnation.dead = row.integer(9) != 0;
    return incarnation;
}

void readState(const SqliteStatement& row, SqliteMeta& meta) {
    if (const auto id = row.blob(0); id.size() == meta.identity.nodeId.size())
        std::memcpy(meta.identity.nodeId.data(), id.data(), id.size());
    meta.identity.writer = writerOf(meta.identity.nodeId);
    meta.identity.generation = static_cast<std::uint64_t>(row.integer(1));
    meta.last = versionAt(row, 2);
    if (row.isNull(4))
        return;
    meta.spaceId = row.integer(4);
    meta.space = {std::string(row.text(5)), static_cast<int>(row.integer(6))};
}

} // namespace

base::Version versionAt(const SqliteStatement& row, int column) {
    return {fromColumn(row.integer(column)), fromColumn(row.integer(column + 1))};
}

base::Result<SqliteConnection> openSqliteWriter(const std::filesystem::path& file, const std::string& vfs,
                                                std::chrono::milliseconds now) {
    // SQLite would make it with the mode the umask allows, and gives the WAL the mode of the file. A failure shows in
    // open().
    (void)makePrivateFile(file);
    auto connection = SqliteConnection::open(file.string(), SqliteConnection::Access::ReadWriteCreate, vfs);
    if (!connection)
        return tl::unexpected(connection.error().in(file.string()));
    const auto version = checkOrigin(*connection, file);
    if (!version)
        return tl::unexpected(version.error());
    auto status = setPragmas(*connection);
    if (status)
        status = migrate(*connection, *version, now);
    if (status)
        status = checkRule(*connection, file);
    if (status)
        status = connection->execute("UPDATE store_state SET generation = generation + 1");
    if (!status)
        return tl::unexpected(status.error());
    logMigrated(file.string(), *version, sqliteMigrations().back().number);
    // Ends what a killed process could not: bytes of deleted rows that its WAL still holds.
    if (auto done = connection->checkpointTruncate(); !done)
        return tl::unexpected(done.error());
    return connection;
}

base::Result<SqliteConnection> openSqliteReader(const std::filesystem::path& file, const std::string& vfs) {
    auto connection = SqliteConnection::open(file.string(), SqliteConnection::Access::ReadOnly, vfs);
    if (!connection)
        return connection;
    if (auto status = connection->execute("PRAGMA mmap_size=0; PRAGMA query_only=ON"); !status)
        return tl::unexpected(status.error());
    return connection;
}

base::Result<SqliteMeta> loadSqliteMeta(SqliteConnection& connection) {
    SqliteMeta meta;
    auto status =
        connection.query("SELECT s.node_id, s.generation, s.last_stamp, s.last_writer, e.id, e.name, e.dimension"
                         " FROM store_state s LEFT JOIN embedding_spaces e ON e.id = s.space_id",
                         [&](const SqliteStatement& row) {
                             readState(row, meta);
                             return true;
                         });
    std::vector<Incarnation> incarnations;
    if (status)
        status = connection.query(
            "SELECT id, name, incarnation, created_stamp, created_writer, created_at, threshold, threshold_stamp,"
            " threshold_writer, dead FROM keyspaces",
            [&](const SqliteStatement& row) {
                incarnations.push_back(incarnationAt(row));
                return true;
            });
    std::map<std::string, base::Version> floors;
    if (status)
        status = connection.query("SELECT name, stamp, writer FROM keyspace_floors", [&](const SqliteStatement& row) {
            floors[std::string(row.text(0))] = versionAt(row, 1);
            return true;
        });
    if (status)
        status =
            connection.query("SELECT partition, stamp, writer FROM delete_horizons", [&](const SqliteStatement& row) {
                meta.horizons[static_cast<std::size_t>(row.integer(0)) % meta.horizons.size()] = versionAt(row, 1);
                return true;
            });
    if (!status)
        return tl::unexpected(status.error());
    meta.keyspaces = KeyspaceRegistry(std::move(incarnations), std::move(floors));
    return meta;
}

base::Status writeKeyspaces(SqliteConnection& connection, const KeyspaceRegistry& keyspaces) {
    auto row = connection.prepare(
        "INSERT OR REPLACE INTO keyspaces (id, name, incarnation, created_stamp, created_writer, created_at,"
        " threshold, threshold_stamp, threshold_writer, dead) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    auto floor = connection.prepare("INSERT OR REPLACE INTO keyspace_floors (name, stamp, writer) VALUES (?, ?, ?)");
    if (!row || !floor)
        return tl::unexpected((!row ? row : floor).error());
    for (const auto& text : keyspaces.changes().incarnations) {
        const auto& one = *keyspaces.find(text);
        row->bind(1, one.id).bind(2, one.name).bind(3, one.text);
        row->bind(4, toColumn(one.created.stamp)).bind(5, toColumn(one.created.writer)).bind(6, one.createdAt.count());
        one.threshold ? row->bind(7, *one.threshold) : row->bindNull(7);
        row->bind(8, toColumn(one.thresholdVersion.stamp)).bind(9, toColumn(one.thresholdVersion.writer));
        row->bind(10, std::int64_t{one.dead});
        if (auto done = row->run(); !done)
            return done;
    }
    for (const auto& name : keyspaces.changes().floors) {
        const auto version = keyspaces.floorOf(name);
        floor->bind(1, name).bind(2, toColumn(version.stamp)).bind(3, toColumn(version.writer));
        if (auto done = floor->run(); !done)
            return done;
    }
    return {};
}

} // namespace fremis::storage
