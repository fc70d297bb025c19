#include "shared/storage/postgres/postgres_store.h"

#include "shared/base/log.h"
#include "shared/hashing/partition.h"
#include "shared/storage/answers.h"
#include "shared/storage/postgres/pg_batch.h"
#include "shared/storage/postgres/pg_housekeeper.h"
#include "shared/storage/postgres/pg_reader.h"
#include "shared/storage/postgres/pg_scan.h"
#include "shared/storage/row_codec.h"

#include <openssl/rand.h>

#include <thread>

namespace fremis::storage {
namespace {

using namespace std::chrono_literals;

/// Key lookups in a table that is large: by index, whatever the planner believes. A write that the server cannot finish
/// in this time is given up.
constexpr const char* kWriteSettings = "-c enable_hashjoin=off -c enable_mergejoin=off -c statement_timeout=15s";
constexpr const char* kReadSettings = "-c statement_timeout=60s -c default_transaction_read_only=on";
constexpr const char* kScanSettings = "-c default_transaction_read_only=on";

base::Version greatestOf(std::span<const Operation> operations) {
    base::Version greatest;
    for (const auto& operation : operations)
        greatest = std::max(greatest, versionOf(operation));
    return greatest;
}

class PostgresStore final : public EnrollmentStore {
public:
    PostgresStore(const PostgresOptions& options, PgLease lease, const base::Clock& clock)
        : m_lease(std::move(lease)), m_clock(clock), m_settleTime(options.settleTime),
          m_scanParameters(parametersOf(options, kScanSettings)),
          m_writer(options, kWriteSettings, m_backoff, preparePgBatch), m_reader(options, kReadSettings, m_backoff),
          m_housekeeper(options, m_lease, m_backoff, m_fatal, clock) {}

    base::Result<std::vector<Outcome>> commit(std::span<const Operation> operations) override {
        bool kills = false;
        bool erases = false;
        auto outcomes = write(
            [&](pqxx::work& transaction) {
                auto input = readPgBatch(transaction, operations, m_writeMeta);
                for (const auto& suspect : suspectsOf(operations, input))
                    suspect.row->damaged = !readPgRow(transaction, m_writeMeta, *suspect.key, suspect.variation);
                Batch batch(std::move(input));
                auto answers = batch.apply(operations);
                const auto changes = batch.changes();
                writePgBatch(transaction, batch, changes, operations, answers, m_writeMeta, m_clock.sinceEpoch());
                kills = !batch.deaths().empty();
                erases = changes.erases();
                return answers;
            },
            greatestOf(operations), touchesKeyspaces(operations) ? PgLock::Exclusive : PgLock::Shared);
        if (outcomes && kills)
            m_housekeeper.noteDeath();
        if (outcomes && erases)
            m_housekeeper.noteErasure();
        return outcomes;
    }

    base::Result<std::vector<KeyspaceRecord>> keyspaces() override {
        return read([&](pqxx::transaction_base&, const PgMeta& meta) { return meta.keyspaces.records(); });
    }

    base::Result<std::optional<FaceRecord>> face(const std::string& incarnation, const base::FaceId& face) override {
        return read([&](pqxx::transaction_base& transaction, const PgMeta& meta) -> std::optional<FaceRecord> {
            const auto* keyspace = shown(meta, incarnation);
            return keyspace ? readPgFace(transaction, *keyspace, face) : std::nullopt;
        });
    }

    base::Result<FacePage> list(const std::string& incarnation, const std::optional<FacePosition>& after,
                                const hashing::PartitionSet& partitions, std::size_t limit) override {
        return read([&](pqxx::transaction_base& transaction, const PgMeta& meta) {
            const auto* keyspace = shown(meta, incarnation);
            return keyspace ? listPgFaces(transaction, *keyspace, after, partitions, limit) : FacePage();
        });
    }

    base::Result<std::vector<KeyspaceCounts>> counts(const hashing::PartitionSet& partitions) override {
        return read([&](pqxx::transaction_base& transaction, const PgMeta& meta) {
            return countPgFaces(transaction, meta.keyspaces, partitions);
        });
    }

    base::Result<std::uint64_t> countRows(const hashing::PartitionSet& partitions) override {
        return read([&](pqxx::transaction_base& transaction, const PgMeta& meta) {
            return countPgRows(transaction, meta.keyspaces, partitions);
        });
    }

    base::Result<ScanReport> scan(const hashing::PartitionSet& partitions, const RowVisitor& visitor,
                                  ScanProgress* progress) override {
        return bulkRead(pgScanQuery(partitions), visitor, progress);
    }

    base::Result<ScanReport> walk(base::Partition partition, const std::optional<RowPosition>& after,
                                  const RowVisitor& visitor) override {
        const RowVisitor skipping = [&](const EnrollmentView& row) {
            const RowPosition at{std::string(row.incarnation), std::string(row.face), row.variation.value()};
            return (after && at <= *after) || visitor(row);
        };
        return bulkRead(pgWalkQuery(partition), skipping, nullptr);
    }

    base::Result<std::optional<Enrollment>> row(const std::string& incarnation, const base::FaceId& face,
                                                base::Variation variation) override {
        return read([&](pqxx::transaction_base& transaction, const PgMeta& meta) -> std::optional<Enrollment> {
            const auto* keyspace = shown(meta, incarnation);
            if (!keyspace)
                return std::nullopt;
            return readPgRow(transaction, meta,
                             {keyspace->id, hashing::partitionOf(keyspace->name, face.text()), face.text()},
                             variation.value());
        });
    }

    base::Result<std::vector<Operation>> keyspaceHistory() override {
        return read([](pqxx::transaction_base&, const PgMeta& meta) { return meta.keyspaces.history(); });
    }

    base::Status scanTombstones(const hashing::PartitionSet& partitions, const TombstoneVisitor& visitor) override {
        auto done = read([&](pqxx::transaction_base& transaction, const PgMeta& meta) {
            scanPgTombstones(transaction, meta.keyspaces, partitions, visitor);
            return true;
        });
        return done ? base::Status() : tl::unexpected(done.error());
    }

    base::Result<base::Version> lastVersion() override {
        return read([](pqxx::transaction_base& transaction, const PgMeta&) {
            const auto rows = transaction.exec(
                "SELECT last_stamp, last_writer FROM nodes ORDER BY last_stamp DESC, last_writer DESC LIMIT 1");
            return rows.empty() ? base::Version() : versionAt(rows[0], 0);
        });
    }

    base::Result<StoreIdentity> identity() override {
        if (auto ready = m_housekeeper.ensureReady(); !ready)
            return tl::unexpected(ready.error());
        return StoreIdentity{m_lease.node, writerOf(m_lease.node), m_housekeeper.generation()};
    }

    base::Result<std::optional<Space>> storedSpace() override {
        return read([](pqxx::transaction_base&, const PgMeta& meta) { return meta.space; });
    }

    base::Status claimSpace(const Space& space) override {
        auto claimed =
            write([&](pqxx::work& transaction) { return claimInside(transaction, space); }, {}, PgLock::Exclusive);
        if (!claimed)
            return tl::unexpected(claimed.error());
        return *claimed;
    }

    base::Status raiseHorizon(const hashing::PartitionSet& partitions, base::Version horizon) override {
        return written([&](pqxx::work& transaction) { raiseInside(transaction, partitions, horizon); },
                       PgLock::Exclusive);
    }

    base::Result<base::Version> horizon(base::Partition partition) override {
        return read([&](pqxx::transaction_base&, const PgMeta& meta) { return meta.horizons[partition]; });
    }

    base::Result<std::uint64_t> erasePartitions(const hashing::PartitionSet& partitions) override {
        return m_housekeeper.erasePartitions(partitions);
    }

    base::Result<std::optional<std::string>> setting(const std::string& key) override {
        return read([&](pqxx::transaction_base& transaction, const PgMeta&) -> std::optional<std::string> {
            const auto rows = transaction.exec_params("SELECT value FROM settings WHERE node_id = $1 AND key = $2",
                                                      binary(m_lease.node), key);
            return rows.empty() ? std::nullopt : std::optional(rows[0][0].as<std::string>());
        });
    }

    base::Status setSetting(const std::string& key, const std::string& value) override {
        return written(
            [&](pqxx::work& transaction) {
                transaction.exec_params0("INSERT INTO settings (node_id, key, value) VALUES ($1, $2, $3) ON CONFLICT "
                                         "(node_id, key) DO UPDATE SET"
                                         " value = excluded.value",
                                         binary(m_lease.node), key, value);
            },
            PgLock::Shared);
    }

    base::Status ping() override {
        auto answered = read([](pqxx::transaction_base&, const PgMeta&) { return true; });
        return answered ? base::Status() : tl::unexpected(answered.error());
    }

    StoreHealth health() const override { return m_fatal.health(); }
    base::Status purgeErased() override { return m_housekeeper.finish(); }

private:
    [[nodiscard]] static const Incarnation* shown(const PgMeta& meta, const std::string& incarnation) {
        const auto* found = meta.keyspaces.find(incarnation);
        return found && meta.keyspaces.current(found->name) == found ? found : nullptr;
    }

    /// Calls `body(transaction, meta)` in a read-only transaction, with the registry as it is now.
    template<class Body>
    [[nodiscard]] auto read(Body body) -> base::Result<
        std::decay_t<decltype(body(std::declval<pqxx::transaction_base&>(), std::declval<const PgMeta&>()))>> {
        if (auto ready = m_housekeeper.ensureReady(); !ready)
            return tl::unexpected(ready.error());
        const std::lock_guard lock(m_readMutex);
        return m_reader.run([&](pqxx::connection& connection) {
            pqxx::read_transaction transaction(connection);
            const auto version =
                transaction.exec1("SELECT registry_version FROM store_state")[0].template as<std::int64_t>();
            if (version != m_readMeta.registryVersion)
                m_readMeta = loadPgMeta(transaction);
            return body(transaction, m_readMeta);
        });
    }

    [[nodiscard]] base::Result<ScanReport> bulkRead(const std::string& query, const RowVisitor& visitor,
                                                    ScanProgress* progress) {
        if (auto ready = m_housekeeper.ensureReady(); !ready)
            return tl::unexpected(ready.error());
        auto copy = PgCopy::start(m_scanParameters, query);
        if (!copy)
            return tl::unexpected(copy.error());
        // After the rows were fixed: so the keyspace of each of them is known here.
        const auto meta = read([](pqxx::transaction_base&, const PgMeta& now) { return now; });
        if (!meta)
            return tl::unexpected(meta.error());
        return scanPgRows(*copy, *meta, visitor, progress);
    }

    template<class Body> using WriteResult = base::Result<std::decay_t<std::invoke_result_t<Body, pqxx::work&>>>;

    /// Calls `body(transaction)` in a transaction that is durable when this returns. Repeats it once when the
    /// connection was lost and nothing was stored.
    template<class Body> [[nodiscard]] WriteResult<Body> write(Body body, base::Version greatest, PgLock lock) {
        if (auto ready = m_housekeeper.ensureReady(); !ready)
            return tl::unexpected(ready.error());
        const std::lock_guard guard(m_writeMutex);
        const FatalFlag::Watch watch(m_fatal);
        for (bool again = false;; again = true) {
            if (m_fatal.isRaised())
                return m_fatal.refusal();
            auto attempt = tryWrite(body, greatest, lock);
            if (attempt.result || !attempt.mayRepeat || again)
                return std::move(attempt.result);
        }
    }

    template<class Body> [[nodiscard]] base::Status written(Body body, PgLock lock) {
        auto done = write(
            [&](pqxx::work& transaction) {
                body(transaction);
                return true;
            },
            {}, lock);
        return done ? base::Status() : tl::unexpected(done.error());
    }

    template<class T> struct Attempt {
        base::Result<T> result;
        bool mayRepeat = false; ///< surely not stored, and another connection may do better
    };

    template<class Body>
    [[nodiscard]] auto tryWrite(Body& body, base::Version greatest, PgLock lock)
        -> Attempt<typename WriteResult<Body>::value_type> {
        auto connection = m_writer.connection();
        if (!connection)
            return {tl::unexpected(connection.error()), false};
        std::optional<typename WriteResult<Body>::value_type> value;
        OpId token{};
        bool committing = false;
        try {
            if (RAND_bytes(token.data(), static_cast<int>(token.size())) != 1)
                return {base::fail(base::Reason::Internal, "no random numbers"), false};
            pqxx::work transaction(**connection);
            lockPgRegistry(transaction, lock);
            const auto registry = claimPgWrite(transaction, m_lease, greatest, token);
            if (!registry) {
                m_fatal.raise("another worker has taken over the partitions of this one");
                return {m_fatal.refusal(), false};
            }
            if (*registry != m_writeMeta.registryVersion)
                m_writeMeta = loadPgMeta(transaction);
            value.emplace(body(transaction));
            committing = true;
            transaction.commit();
            return {std::move(*value), false};
        } catch (...) {
            auto failure = currentPgFailure();
            m_writeMeta.registryVersion = -1;
            const bool lost = failure.connectionLost || !(*connection)->is_open();
            if (!lost)
                return {tl::unexpected(failure.error), false};
            m_writer.drop();
            if (!committing)
                return {tl::unexpected(failure.error), true};
        }
        const auto committed = settle(token);
        if (!committed)
            return {tl::unexpected(committed.error()), false};
        if (*committed)
            return {std::move(*value), false};
        return {base::fail(base::Reason::NotReady, "the connection to the database was lost and nothing was stored"),
                true};
    }

    /// After a COMMIT without an answer: whether it was done. OutcomeUnknown when the database does not tell in time.
    [[nodiscard]] base::Result<bool> settle(const OpId& token) {
        const auto end = std::chrono::steady_clock::now() + m_settleTime;
        base::Error last{base::Reason::NotReady, "the database cannot be reached", {}};
        while (std::chrono::steady_clock::now() < end) {
            const auto told =
                m_writer.run([&](pqxx::connection& connection) { return wasPgCommitted(connection, m_lease, token); });
            if (told && *told)
                return **told;
            if (told)
                break; // another process writes as this node
            last = told.error();
            std::this_thread::sleep_for(50ms); // the back-off decides when a connection is really tried
        }
        base::log(base::LogLevel::Error, "commit_unknown", {{"reason", last.message}, {"detail", last.detail}});
        return base::fail(base::Reason::OutcomeUnknown, "it is not known whether the write was stored", last.detail);
    }

    base::Status claimInside(pqxx::work& transaction, const Space& space) {
        if (m_writeMeta.space == space)
            return {};
        if (m_writeMeta.space && transaction.exec1("SELECT EXISTS (SELECT 1 FROM enrollments)")[0].as<bool>())
            return wrongSpace(*m_writeMeta.space, space, "another database");
        transaction.exec_params(
            "WITH e AS (INSERT INTO embedding_spaces (id, name, dimension) SELECT coalesce(max(id), 0) + 1, $1, $2"
            " FROM embedding_spaces ON CONFLICT (name) DO UPDATE SET dimension = excluded.dimension RETURNING id)"
            " UPDATE store_state SET space_id = (SELECT id FROM e), registry_version = registry_version + 1",
            space.name, space.dimension);
        // A row must fit its 8 kB page to be stored whole.
        constexpr int kLargestPlain = 1800;
        transaction.exec0(std::string("ALTER TABLE enrollments ALTER COLUMN embedding SET STORAGE ") +
                          (space.dimension <= kLargestPlain ? "PLAIN" : "EXTERNAL"));
        m_writeMeta.registryVersion = -1;
        return {};
    }

    void raiseInside(pqxx::work& transaction, const hashing::PartitionSet& partitions, base::Version horizon) {
        const auto stamp = toColumn(horizon.stamp);
        const auto writer = toColumn(horizon.writer);
        transaction.exec_params(
            "INSERT INTO delete_horizons AS h (partition, stamp, writer) SELECT n - 1, $1, $2 FROM generate_series(1, "
            "256) AS n"
            " WHERE substr($3, n, 1) = '1' ON CONFLICT (partition) DO UPDATE SET stamp = excluded.stamp,"
            " writer = excluded.writer WHERE (h.stamp, h.writer) < (excluded.stamp, excluded.writer)",
            stamp, writer, bitsOf(partitions));
        for (const std::string table : {"face_tombstones", "variation_tombstones"})
            transaction.exec_params("DELETE FROM " + table +
                                        " WHERE (stamp, writer) < ($1, $2) AND substr($3, partition + 1, 1) = '1'",
                                    stamp, writer, bitsOf(partitions));
        bumpPgRegistry(transaction);
    }

    const PgLease m_lease;
    const base::Clock& m_clock;
    const std::chrono::milliseconds m_settleTime;
    const PgParameters m_scanParameters;
    FatalFlag m_fatal;
    PgBackoff m_backoff;
    std::mutex m_writeMutex; ///< guards m_writer and m_writeMeta
    PgSession m_writer;
    PgMeta m_writeMeta;
    std::mutex m_readMutex; ///< guards m_reader and m_readMeta
    PgSession m_reader;
    PgMeta m_readMeta;
    PgHousekeeper m_housekeeper; // last: its thread ends first
};

const base::Clock& systemClock() {
    static const base::SystemClock kClock;
    return kClock;
}

} // namespace

base::Result<std::unique_ptr<EnrollmentStore>> openPostgres(const PostgresOptions& options) {
    if (options.nodeId == NodeId{})
        return base::fail(base::Reason::InvalidConfig, "a worker on PostgreSQL needs a node id");
    if (options.partitions.empty())
        return base::fail(base::Reason::InvalidConfig, "a worker needs partitions");
    if (options.port < 1 || options.port > 65535)
        return base::fail(base::Reason::InvalidConfig, "the database's port must be 1..65535");
    PgLease lease{options.nodeId, {}, options.partitions, options.leaseTime};
    auto holder = randomNodeId();
    if (!holder)
        return tl::unexpected(holder.error());
    lease.holder = *holder;
    return std::make_unique<PostgresStore>(options, std::move(lease), options.clock ? *options.clock : systemClock());
}

} // namespace fremis::storage
