#include "shared/storage/sqlite/sqlite_store.h"

#include "shared/base/log.h"
#include "shared/hashing/partition.h"
#include "shared/storage/answers.h"
#include "shared/storage/durable_file.h"
#include "shared/storage/fatal_flag.h"
#include "shared/storage/row_codec.h"
#include "shared/storage/sqlite/sqlite_batch.h"
#include "shared/storage/sqlite/sqlite_housekeeper.h"
#include "shared/storage/sqlite/sqlite_reader.h"

namespace fremis::storage {
namespace {

/// One connection writes and checkpoints, under m_writeMutex: SQLite up to 3.51.2 can damage a WAL database when two
/// do. Another, read-only, answers queries; each bulk read brings its own.
class SqliteStore final : public EnrollmentStore {
public:
    SqliteStore(DirectoryLock lock, std::filesystem::path file, std::string vfs, const base::Clock& clock,
                SqliteConnection writer, SqliteConnection reader, SqliteMeta meta)
        : m_lock(std::move(lock)), m_file(std::move(file)), m_vfs(std::move(vfs)), m_clock(clock),
          m_writer(std::move(writer)), m_reader(std::move(reader)),
          m_meta(std::make_shared<SqliteMeta>(std::move(meta))) {}

    ~SqliteStore() override {
        if (m_housekeeper)
            m_housekeeper->stop();
    }

    /// The part of the construction that can fail.
    [[nodiscard]] base::Status prepare() {
        auto io = SqliteBatchIo::create(m_writer);
        if (!io)
            return tl::unexpected(io.error());
        m_io = std::move(*io);
        m_housekeeper.emplace(m_writer, m_writeMutex, m_fatal, m_clock);
        m_housekeeper->eraseKeyspaces(m_meta->keyspaces.deadIds());
        m_housekeeper->start();
        return {};
    }

    base::Result<std::vector<Outcome>> commit(std::span<const Operation> operations) override {
        const std::lock_guard lock(m_writeMutex);
        if (m_fatal.isRaised())
            return m_fatal.refusal();
        const FatalFlag::Watch watch(m_fatal);
        std::vector<Outcome> outcomes;
        auto meta = std::make_shared<SqliteMeta>(*m_meta);
        bool erases = false;
        auto status = transaction([&] { return applyInside(operations, *meta, outcomes, erases); });
        if (!status)
            return tl::unexpected(status.error());
        m_housekeeper->eraseKeyspaces(meta->keyspaces.changes().died);
        if (erases)
            m_housekeeper->noteErasure();
        meta->keyspaces.forgetChanges();
        publish(std::move(meta));
        return outcomes;
    }

    base::Result<std::vector<KeyspaceRecord>> keyspaces() override { return meta()->keyspaces.records(); }

    base::Result<std::optional<FaceRecord>> face(const std::string& incarnation, const base::FaceId& face) override {
        const auto now = meta();
        const auto* keyspace = shown(*now, incarnation);
        if (!keyspace)
            return std::nullopt;
        const std::lock_guard lock(m_readMutex);
        return SqliteReader(m_reader).face(*keyspace, face);
    }

    base::Result<FacePage> list(const std::string& incarnation, const std::optional<FacePosition>& after,
                                const hashing::PartitionSet& partitions, std::size_t limit) override {
        const auto now = meta();
        const auto* keyspace = shown(*now, incarnation);
        if (!keyspace)
            return FacePage();
        const std::lock_guard lock(m_readMutex);
        return SqliteReader(m_reader).list(*keyspace, after, partitions, limit);
    }

    base::Result<std::vector<KeyspaceCounts>> counts(const hashing::PartitionSet& partitions) override {
        return inSnapshot(
            [&](SqliteReader& reader, const SqliteMeta& meta) { return reader.counts(meta.keyspaces, partitions); });
    }

    base::Result<std::uint64_t> countRows(const hashing::PartitionSet& partitions) override {
        return inSnapshot(
            [&](SqliteReader& reader, const SqliteMeta& meta) { return reader.countRows(meta.keyspaces, partitions); });
    }

    base::Result<ScanReport> scan(const hashing::PartitionSet& partitions, const RowVisitor& visitor,
                                  ScanProgress* progress) override {
        return inSnapshot([&](SqliteReader& reader, const SqliteMeta& meta) {
            return reader.scan(meta, partitions, visitor, progress);
        });
    }

    base::Result<ScanReport> walk(base::Partition partition, const std::optional<RowPosition>& after,
                                  const RowVisitor& visitor) override {
        return inSnapshot(
            [&](SqliteReader& reader, const SqliteMeta& meta) { return reader.walk(meta, partition, after, visitor); });
    }

    base::Result<std::optional<Enrollment>> row(const std::string& incarnation, const base::FaceId& face,
                                                base::Variation variation) override {
        const auto now = meta();
        const auto* keyspace = shown(*now, incarnation);
        if (!keyspace)
            return std::nullopt;
        const std::lock_guard lock(m_readMutex);
        return SqliteReader(m_reader).row(*now, *keyspace, face.text(),
                                          hashing::partitionOf(keyspace->name, face.text()), variation.value());
    }

    base::Result<std::vector<Operation>> keyspaceHistory() override { return meta()->keyspaces.history(); }

    base::Status scanTombstones(const hashing::PartitionSet& partitions, const TombstoneVisitor& visitor) override {
        return inSnapshot([&](SqliteReader& reader, const SqliteMeta& meta) {
            return reader.scanTombstones(meta.keyspaces, partitions, visitor);
        });
    }

    base::Result<base::Version> lastVersion() override { return meta()->last; }
    base::Result<StoreIdentity> identity() override { return meta()->identity; }
    base::Result<std::optional<Space>> storedSpace() override { return meta()->space; }

    base::Status claimSpace(const Space& space) override {
        return changeMeta([&](SqliteMeta& meta) { return claimInside(space, meta); });
    }

    base::Status raiseHorizon(const hashing::PartitionSet& partitions, base::Version horizon) override {
        return changeMeta([&](SqliteMeta& meta) { return raiseInside(partitions, horizon, meta); });
    }

    base::Result<base::Version> horizon(base::Partition partition) override { return meta()->horizons[partition]; }

    base::Result<std::uint64_t> erasePartitions(const hashing::PartitionSet& partitions) override {
        return m_housekeeper->erasePartitions(partitions);
    }

    base::Result<std::optional<std::string>> setting(const std::string& key) override {
        const std::lock_guard lock(m_readMutex);
        return SqliteReader(m_reader).setting(key);
    }

    base::Status setSetting(const std::string& key, const std::string& value) override {
        return changeMeta([&](SqliteMeta&) -> base::Status {
            auto statement = m_writer.prepare("INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)");
            if (!statement)
                return tl::unexpected(statement.error());
            return statement->bind(1, key).bind(2, value).run();
        });
    }

    base::Status ping() override {
        const std::lock_guard lock(m_readMutex);
        auto one = m_reader.integer("SELECT id FROM store_state");
        if (!one)
            return tl::unexpected(one.error());
        return {};
    }

    StoreHealth health() const override { return m_fatal.health(); }
    base::Status purgeErased() override { return m_housekeeper->finish(); }

private:
    [[nodiscard]] std::shared_ptr<const SqliteMeta> meta() const {
        const std::lock_guard lock(m_metaMutex);
        return m_meta;
    }

    void publish(std::shared_ptr<const SqliteMeta> meta) {
        const std::lock_guard lock(m_metaMutex);
        m_meta = std::move(meta);
    }

    [[nodiscard]] static const Incarnation* shown(const SqliteMeta& meta, const std::string& incarnation) {
        const auto* found = meta.keyspaces.find(incarnation);
        return found && meta.keyspaces.current(found->name) == found ? found : nullptr;
    }

    /// Runs `body` between BEGIN and COMMIT. m_writeMutex is held.
    template<class Body> [[nodiscard]] base::Status transaction(Body body) {
        auto status = m_writer.execute("BEGIN IMMEDIATE");
        if (status)
            status = body();
        if (status)
            status = m_writer.execute("COMMIT");
        if (status)
            return {};
        if (isSyncFailure(status.error()))
            m_fatal.raise(status.error().detail);
        (void)m_writer.execute("ROLLBACK"); // after some errors SQLite has rolled back already
        return status;
    }

    template<class Body> [[nodiscard]] base::Status changeMeta(Body body) {
        const std::lock_guard lock(m_writeMutex);
        if (m_fatal.isRaised())
            return m_fatal.refusal();
        const FatalFlag::Watch watch(m_fatal);
        auto meta = std::make_shared<SqliteMeta>(*m_meta);
        auto status = transaction([&] { return body(*meta); });
        if (status)
            publish(std::move(meta));
        return status;
    }

    /// Runs `body` on a connection of its own, in one read transaction.
    template<class Body>
    [[nodiscard]] auto inSnapshot(Body body)
        -> decltype(body(std::declval<SqliteReader&>(), std::declval<const SqliteMeta&>())) {
        auto connection = openSqliteReader(m_file, m_vfs);
        if (!connection)
            return tl::unexpected(connection.error());
        if (auto begun = connection->execute("BEGIN"); !begun)
            return tl::unexpected(begun.error());
        auto meta = loadSqliteMeta(*connection);
        if (!meta)
            return tl::unexpected(meta.error());
        SqliteReader reader(*connection);
        return body(reader, *meta);
    }

    base::Status applyInside(std::span<const Operation> operations, SqliteMeta& meta, std::vector<Outcome>& outcomes,
                             bool& erases) {
        auto input = m_io->read(operations, meta);
        if (!input)
            return tl::unexpected(input.error());
        SqliteReader reader(m_writer);
        for (const auto& suspect : suspectsOf(operations, *input)) {
            const auto sound = reader.row(meta, *meta.keyspaces.find(suspect.key->keyspace), suspect.key->face,
                                          suspect.key->partition, suspect.variation);
            if (!sound)
                return tl::unexpected(sound.error());
            suspect.row->damaged = !*sound;
        }
        Batch batch(std::move(*input));
        outcomes = batch.apply(operations);
        const auto changes = batch.changes();
        if (auto written = m_io->write(batch, changes, operations, outcomes, meta, m_clock.sinceEpoch()); !written)
            return written;
        meta.keyspaces = batch.keyspaces();
        meta.last = std::max(meta.last, batch.greatest());
        erases = changes.erases();
        return {};
    }

    base::Status claimInside(const Space& space, SqliteMeta& meta) {
        if (meta.space == space)
            return {};
        if (meta.space) {
            auto rows = m_writer.integer("SELECT EXISTS (SELECT 1 FROM enrollments)");
            if (!rows)
                return tl::unexpected(rows.error());
            if (*rows != 0)
                return wrongSpace(*meta.space, space, "another --data-dir");
        }
        auto insert = m_writer.prepare("INSERT INTO embedding_spaces (name, dimension) VALUES (?, ?)"
                                       " ON CONFLICT (name) DO UPDATE SET dimension = excluded.dimension RETURNING id");
        if (!insert)
            return tl::unexpected(insert.error());
        auto row = insert->bind(1, space.name).bind(2, std::int64_t{space.dimension}).next();
        if (!row)
            return tl::unexpected(row.error());
        meta.spaceId = insert->integer(0);
        meta.space = space;
        insert->reset();
        return m_writer.execute("UPDATE store_state SET space_id = " + std::to_string(meta.spaceId));
    }

    base::Status raiseInside(const hashing::PartitionSet& partitions, base::Version horizon, SqliteMeta& meta) {
        auto put =
            m_writer.prepare("INSERT OR REPLACE INTO delete_horizons (partition, stamp, writer) VALUES (?, ?, ?)");
        auto faces = m_writer.prepare("DELETE FROM face_tombstones WHERE partition = ? AND (stamp, writer) < (?, ?)");
        auto variations =
            m_writer.prepare("DELETE FROM variation_tombstones WHERE partition = ? AND (stamp, writer) < (?, ?)");
        if (!put || !faces || !variations)
            return tl::unexpected((!put ? put : !faces ? faces : variations).error());
        for (std::size_t partition = 0; partition < meta.horizons.size(); ++partition) {
            if (!partitions.contains(static_cast<base::Partition>(partition)) || horizon <= meta.horizons[partition])
                continue;
            for (auto* statement : {&*put, &*faces, &*variations}) {
                statement->bind(1, static_cast<std::int64_t>(partition));
                statement->bind(2, toColumn(horizon.stamp)).bind(3, toColumn(horizon.writer));
                if (auto done = statement->run(); !done)
                    return done;
            }
            meta.horizons[partition] = horizon;
        }
        return {};
    }

    const DirectoryLock m_lock; // first: given up last
    const std::filesystem::path m_file;
    const std::string m_vfs;
    const base::Clock& m_clock;
    FatalFlag m_fatal;
    std::mutex m_writeMutex; ///< guards m_writer, m_io and changes of m_meta
    SqliteConnection m_writer;
    std::optional<SqliteBatchIo> m_io;
    std::mutex m_readMutex; ///< guards m_reader
    SqliteConnection m_reader;
    mutable std::mutex m_metaMutex; ///< guards the pointer
    std::shared_ptr<const SqliteMeta> m_meta;
    std::optional<SqliteHousekeeper> m_housekeeper;
};

const base::Clock& systemClock() {
    static const base::SystemClock kClock;
    return kClock;
}

} // namespace

base::Result<std::unique_ptr<EnrollmentStore>> openSqlite(const SqliteOptions& options) {
    const auto& clock = options.clock ? *options.clock : systemClock();
    if (auto made = makePrivateDirectory(options.directory); !made)
        return tl::unexpected(made.error());
    auto lock = DirectoryLock::take(options.directory);
    if (!lock)
        return tl::unexpected(lock.error());
    const auto file = options.directory / "store.db";
    auto writer = openSqliteWriter(file, options.vfs, clock.sinceEpoch());
    if (!writer)
        return tl::unexpected(writer.error());
    auto reader = openSqliteReader(file, options.vfs);
    if (!reader)
        return tl::unexpected(reader.error());
    auto meta = loadSqliteMeta(*writer);
    if (!meta)
        return tl::unexpected(meta.error());
    auto store = std::make_unique<SqliteStore>(std::move(*lock), file, options.vfs, clock, std::move(*writer),
                                               std::move(*reader), std::move(*meta));
    if (auto ready = store->prepare(); !ready)
        return tl::unexpected(ready.error());
    return store;
}

} // namespace fremis::storage
