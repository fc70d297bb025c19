#include "shared/storage/postgres/pg_schema.h"

#include "shared/base/log.h"
#include "shared/hashing/partition.h"
#include "shared/storage/migrations.h"
#include "shared/storage/postgres/pg_array.h"
#include "shared/storage/row_codec.h"

namespace fremis::storage {
namespace {

// Keys of advisory locks; they are local to a database. "FRMS" and a number.
constexpr std::int64_t kSchemaLock = 0x46524d53'00000001;
constexpr std::int64_t kRegistryLock = 0x46524d53'00000002;
constexpr std::int64_t kLeaseLock = 0x46524d53'00000003;

int schemaNumber(pqxx::transaction_base& transaction) {
    if (!transaction.exec1("SELECT to_regclass('fremis_n.schema_migrations') IS NOT NULL")[0].as<bool>())
        return 0;
    return transaction.exec1("SELECT coalesce(max(number), 0) FROM fremis_n.schema_migrations")[0].as<int>();
}

void begin(pqxx::transaction_base& transaction, std::chrono::milliseconds now) {
    transaction.exec_params0("INSERT INTO store_state (id, partition_rule, registry_version) VALUES (1, $1, 1)",
                             std::string(hashing::kPartitionRule));
    KeyspaceRegistry keyspaces;
    keyspaces.ensureDefault(now);
    writePgKeyspaces(transaction, keyspaces);
}

void migrate(pqxx::transaction_base& transaction, int present, std::chrono::milliseconds now) {
    if (present == 0) {
        // Not IF NOT EXISTS, which asks for the right to create even when there is nothing to do.
        if (!transaction.exec1("SELECT to_regnamespace('fremis_n') IS NOT NULL")[0].as<bool>())
            transaction.exec0("CREATE SCHEMA fremis_n");
        transaction.exec0("CREATE TABLE fremis_n.schema_migrations (number integer PRIMARY KEY, name text NOT NULL)");
    }
    for (const auto& migration : postgresMigrations()) {
        if (migration.number <= present)
            continue;
        transaction.exec0(std::string(migration.sql));
        transaction.exec_params0("INSERT INTO schema_migrations (number, name) VALUES ($1, $2)", migration.number,
                                 std::string(migration.name));
        if (migration.number == 1)
            begin(transaction, now);
    }
}

void warnOfUnsafeServer(pqxx::transaction_base& transaction) {
    const auto row = transaction.exec1("SELECT current_setting('fsync'), current_setting('full_page_writes')");
    if (row[0].as<std::string>() != "on" || row[1].as<std::string>() != "on")
        base::log(base::LogLevel::Warning, "database_not_durable",
                  {{"fsync", row[0].as<std::string>()}, {"full_page_writes", row[1].as<std::string>()}});
}

Incarnation incarnationAt(const pqxx::row& row) {
    Incarnation incarnation;
    incarnation.id = row[0].as<std::int64_t>();
    incarnation.name = row[1].as<std::string>();
    incarnation.text = row[2].as<std::string>();
    incarnation.created = versionAt(row, 3);
    incarnation.createdAt = std::chrono::milliseconds(row[5].as<std::int64_t>());
    if (!row[6].is_null())
        incarnation.threshold = row[6].as<double>();
    incarnation.thresholdVersion = versionAt(row, 7);
    incarnation.dead = row[9].as<bool>();
    return incarnation;
}

} // namespace

base::Version versionAt(const pqxx::row& row, int column) {
    return {fromColumn(row[column].as<std::int64_t>()), fromColumn(row[column + 1].as<std::int64_t>())};
}

base::Status preparePgDatabase(pqxx::connection& connection, std::chrono::milliseconds now) {
    pqxx::work transaction(connection);
    if (const auto encoding = transaction.exec1("SHOW server_encoding")[0].as<std::string>(); encoding != "UTF8")
        return base::fail(base::Reason::BadStore, "the database has the encoding " + encoding +
                                                      ", which cannot hold every id: create it with ENCODING 'UTF8'");
    transaction.exec1("SELECT pg_advisory_xact_lock(" + std::to_string(kSchemaLock) + ")");
    const int present = schemaNumber(transaction);
    const int newest = postgresMigrations().back().number;
    if (present > newest)
        return base::fail(base::Reason::BadStore, "the database was written by a newer program (schema " +
                                                      std::to_string(present) + ", this one knows " +
                                                      std::to_string(newest) + "): install that one again");
    migrate(transaction, present, now);
    const auto rule = transaction.exec1("SELECT partition_rule FROM store_state")[0].as<std::string>();
    if (rule != hashing::kPartitionRule)
        return base::fail(base::Reason::BadStore,
                          "the database was made with the partition rule \"" + rule + "\", this program uses \"" +
                              std::string(hashing::kPartitionRule) + "\": enrol again into another database");
    warnOfUnsafeServer(transaction);
    transaction.commit();
    logMigrated("PostgreSQL database " + std::string(connection.dbname()), present, newest);
    return {};
}

PgMeta loadPgMeta(pqxx::transaction_base& transaction) {
    PgMeta meta;
    const auto state = transaction.exec1("SELECT s.registry_version, e.id, e.name, e.dimension FROM store_state s"
                                         " LEFT JOIN embedding_spaces e ON e.id = s.space_id");
    meta.registryVersion = state[0].as<std::int64_t>();
    if (!state[1].is_null()) {
        meta.spaceId = state[1].as<int>();
        meta.space = {state[2].as<std::string>(), state[3].as<int>()};
    }
    std::vector<Incarnation> incarnations;
    for (const auto& row :
         transaction.exec("SELECT id, name, incarnation, created_stamp, created_writer, created_at, threshold,"
                          " threshold_stamp, threshold_writer, dead FROM keyspaces"))
        incarnations.push_back(incarnationAt(row));
    std::map<std::string, base::Version> floors;
    for (const auto& row : transaction.exec("SELECT name, stamp, writer FROM keyspace_floors"))
        floors[row[0].as<std::string>()] = versionAt(row, 1);
    meta.keyspaces = KeyspaceRegistry(std::move(incarnations), std::move(floors));
    for (const auto& row : transaction.exec("SELECT partition, stamp, writer FROM delete_horizons"))
        meta.horizons[row[0].as<std::size_t>() % meta.horizons.size()] = versionAt(row, 1);
    return meta;
}

void writePgKeyspaces(pqxx::transaction_base& transaction, const KeyspaceRegistry& keyspaces) {
    for (const auto& text : keyspaces.changes().incarnations) {
        const auto& one = *keyspaces.find(text);
        PgArray threshold; // an array of one: NULL or the shortest exact text, which to_string() of libpqxx is not
        one.threshold ? threshold.add(*one.threshold) : threshold.addNull();
        transaction.exec_params0("INSERT INTO keyspaces (id, name, incarnation, created_stamp, created_writer, "
                                 "created_at, threshold, threshold_stamp,"
                                 " threshold_writer, dead) VALUES ($1, $2, $3, $4, $5, $6, ($7::float8[])[1], $8, $9, "
                                 "$10) ON CONFLICT (id) DO UPDATE SET"
                                 " created_stamp = excluded.created_stamp, created_writer = excluded.created_writer, "
                                 "created_at = excluded.created_at,"
                                 " threshold = excluded.threshold, threshold_stamp = excluded.threshold_stamp, "
                                 "threshold_writer = excluded.threshold_writer,"
                                 " dead = excluded.dead",
                                 one.id, one.name, one.text, toColumn(one.created.stamp), toColumn(one.created.writer),
                                 std::int64_t{one.createdAt.count()}, threshold.text(),
                                 toColumn(one.thresholdVersion.stamp), toColumn(one.thresholdVersion.writer), one.dead);
    }
    for (const auto& name : keyspaces.changes().floors) {
        const auto version = keyspaces.floorOf(name);
        transaction.exec_params0(
            "INSERT INTO keyspace_floors (name, stamp, writer) VALUES ($1, $2, $3) ON CONFLICT (name) DO UPDATE SET"
            " stamp = excluded.stamp, writer = excluded.writer",
            name, toColumn(version.stamp), toColumn(version.writer));
    }
}

void bumpPgRegistry(pqxx::transaction_base& transaction) {
    transaction.exec0("UPDATE store_state SET registry_version = registry_version + 1");
}

void lockPgRegistry(pqxx::transaction_base& transaction, PgLock lock) {
    transaction.exec1(std::string("SELECT pg_advisory_xact_lock") + (lock == PgLock::Shared ? "_shared(" : "(") +
                      std::to_string(kRegistryLock) +
                      "), CASE current_setting('synchronous_commit') WHEN 'off' THEN set_config('synchronous_commit', "
                      "'on', true) END");
}

base::Result<std::uint64_t> acquirePgLease(pqxx::connection& connection, const PgLease& lease) {
    pqxx::work transaction(connection);
    transaction.exec1("SELECT pg_advisory_xact_lock(" + std::to_string(kLeaseLock) + ")");
    const auto bits = bitsOf(lease.partitions);
    for (const auto& other : transaction.exec_params(
             "SELECT encode(node_id, 'hex'), partitions & $2::bit(256), expires_at > now() FROM nodes"
             " WHERE node_id <> $1 AND holder <> '' AND position(B'1' IN partitions & $2::bit(256)) > 0",
             binary(lease.node), bits)) {
        if (other[2].as<bool>()) {
            hashing::PartitionSet both;
            const auto overlap = other[1].as<std::string>();
            for (std::size_t i = 0; i < overlap.size(); ++i)
                if (overlap[i] == '1')
                    both.insert(static_cast<base::Partition>(i));
            return base::fail(base::Reason::BadStore, "partitions " + both.text() +
                                                          " of this database belong to a running worker (node " +
                                                          other[0].as<std::string>() +
                                                          "): give this worker other partitions, or stop that one");
        }
        transaction.exec_params0("UPDATE nodes SET holder = '' WHERE node_id = decode($1, 'hex')",
                                 other[0].as<std::string>());
    }
    const auto row = transaction.exec_params1(
        "INSERT INTO nodes AS n (node_id, holder, partitions, expires_at, generation, last_stamp, last_writer, "
        "commit_token)"
        " VALUES ($1, $2, $3::bit(256), now() + make_interval(secs => $4), 1, $5, $5, '') ON CONFLICT (node_id) DO "
        "UPDATE SET"
        " generation = n.generation + CASE WHEN n.holder = excluded.holder THEN 0 ELSE 1 END, holder = excluded.holder,"
        " partitions = excluded.partitions, expires_at = excluded.expires_at RETURNING generation",
        binary(lease.node), binary(lease.holder), bits, static_cast<double>(lease.time.count()) / 1000.0, toColumn(0));
    const auto generation = row[0].as<std::uint64_t>();
    transaction.commit();
    return generation;
}

bool renewPgLease(pqxx::connection& connection, const PgLease& lease) {
    pqxx::work transaction(connection);
    const auto renewed = transaction.exec_params(
        "UPDATE nodes SET expires_at = now() + make_interval(secs => $3) WHERE node_id = $1"
        " AND holder = $2",
        binary(lease.node), binary(lease.holder), static_cast<double>(lease.time.count()) / 1000.0);
    transaction.commit();
    return renewed.affected_rows() == 1;
}

void releasePgLease(pqxx::connection& connection, const PgLease& lease) {
    pqxx::work transaction(connection);
    transaction.exec_params("UPDATE nodes SET holder = '', expires_at = now() WHERE node_id = $1 AND holder = $2",
                            binary(lease.node), binary(lease.holder));
    transaction.commit();
}

pqxx::binarystring binary(std::span<const std::uint8_t> bytes) {
    return {bytes.data(), bytes.size()};
}

std::string bitsOf(const hashing::PartitionSet& partitions) {
    std::string bits(base::kPartitionCount, '0');
    for (std::size_t i = 0; i < bits.size(); ++i)
        if (partitions.contains(static_cast<base::Partition>(i)))
            bits[i] = '1';
    return bits;
}

} // namespace fremis::storage
