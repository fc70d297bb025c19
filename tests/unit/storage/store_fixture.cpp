#include "tests/unit/storage/store_fixture.h"

#include "shared/base/log.h"
#include "shared/hashing/partition.h"
#include "shared/storage/sqlite/sqlite_store.h"

#include <QDir>
#include <QFileInfo>

#include <sqlite3.h>

#include <cmath>
#include <random>

namespace fremis::storage::test {

void logErrorsOnly() {
    base::setLogLevel(base::LogLevel::Error);
}

void addDialects() {
    logErrorsOnly();
    QTest::addColumn<Dialect>("dialect");
    QTest::newRow("SQLite") << Dialect::Sqlite;
    if (fremis::test::PostgresServer::isInstalled())
        QTest::newRow("PostgreSQL") << Dialect::Postgres;
    else if (qEnvironmentVariable("CI") == QLatin1String("true"))
        QFAIL("PostgreSQL's programs are missing");
    else
        qInfo("PostgreSQL's programs are missing: its rows are left out");
}

namespace {

QString folderOn(Medium medium) {
    const auto memory = QStringLiteral("/dev/shm");
    return (medium == Medium::Memory && QFileInfo(memory).isWritable() ? memory : QDir::tempPath()) +
           QStringLiteral("/fremis-store-XXXXXX");
}

} // namespace

StoreFixture::StoreFixture(Dialect dialect, Medium medium) : m_dialect(dialect), m_directory(folderOn(medium)) {
    if (dialect == Dialect::Postgres)
        m_database = server().createDatabase().value_or("none");
}

StoreFixture::~StoreFixture() = default;

fremis::test::PostgresServer& StoreFixture::server() {
    static const auto kServer = fremis::test::PostgresServer::start();
    if (!kServer)
        qFatal("%s: %s", kServer.error().message.c_str(), kServer.error().detail.c_str());
    return **kServer;
}

base::Result<std::unique_ptr<EnrollmentStore>> StoreFixture::openRaw(const hashing::PartitionSet& partitions,
                                                                     std::uint8_t node) {
    if (m_dialect == Dialect::Sqlite)
        return openSqlite({directory(), {}, &m_clock});
    return openPostgres(postgresOptions(partitions, node));
}

PostgresOptions StoreFixture::postgresOptions(const hashing::PartitionSet& partitions, std::uint8_t node) const {
    PostgresOptions options;
    options.host = server().socketDirectory();
    options.port = server().port();
    options.database = m_database;
    options.user = fremis::test::PostgresServer::user();
    options.password = fremis::test::PostgresServer::password();
    options.nodeId.fill(node);
    options.partitions = partitions;
    options.clock = &m_clock;
    return options;
}

base::Status StoreFixture::open(int dimension) {
    auto store = openRaw();
    if (!store)
        return tl::unexpected(store.error());
    m_store = std::move(*store);
    if (auto answers = m_store->ping(); !answers)
        return answers;
    if (auto claimed = m_store->claimSpace({kSpace, dimension}); !claimed)
        return claimed;
    auto keyspaces = m_store->keyspaces();
    if (!keyspaces)
        return tl::unexpected(keyspaces.error());
    for (const auto& keyspace : *keyspaces)
        if (keyspace.name.text() == kDefaultKeyspace)
            m_incarnation = keyspace.incarnation;
    return {};
}

void StoreFixture::sql(const std::string& statement) {
    if (m_dialect == Dialect::Postgres) {
        const auto done = server().sql(m_database, "SET search_path = fremis_n; " + statement);
        QVERIFY2(done, done ? "" : done.error().detail.c_str());
        return;
    }
    sqlite3* database = nullptr;
    QCOMPARE(sqlite3_open((directory() + "/store.db").c_str(), &database), SQLITE_OK);
    char* message = nullptr;
    const int code = sqlite3_exec(database, statement.c_str(), nullptr, nullptr, &message);
    QVERIFY2(code == SQLITE_OK, message);
    sqlite3_close(database);
}

std::vector<float> embedding(std::uint64_t seed, int dimension) {
    std::mt19937_64 random(seed);
    std::normal_distribution<float> normal;
    std::vector<float> values(static_cast<std::size_t>(dimension));
    double square = 0;
    for (auto& value : values) {
        value = normal(random);
        square += static_cast<double>(value) * static_cast<double>(value);
    }
    for (auto& value : values)
        value = static_cast<float>(value / std::sqrt(square));
    return values;
}

base::Version version(std::uint64_t stamp, std::uint64_t writer) {
    return {stamp, writer};
}

OpId opId(std::uint64_t number) {
    OpId id{};
    std::memcpy(id.data(), &number, sizeof number);
    return id;
}

AddVariation Ops::add(const std::string& face, std::uint64_t variation, std::uint64_t stamp, std::uint64_t op) const {
    Enrollment row{incarnation,
                   base::FaceId::trusted(face),
                   base::Variation(variation),
                   partitionOf(face),
                   version(stamp),
                   kSpace,
                   embedding(variation ^ stamp, dimension),
                   4.5,
                   std::chrono::milliseconds(1'767'600'000'123)};
    return {std::move(row), opId(op), false};
}

DeleteFace Ops::remove(const std::string& face, std::uint64_t stamp, std::uint64_t op) const {
    return {incarnation, base::FaceId::trusted(face), partitionOf(face), version(stamp), opId(op), false};
}

DeleteVariation Ops::remove(const std::string& face, std::uint64_t variation, std::uint64_t stamp,
                            std::uint64_t op) const {
    return {incarnation,
            base::FaceId::trusted(face),
            base::Variation(variation),
            partitionOf(face),
            version(stamp),
            opId(op),
            false};
}

base::Partition Ops::partitionOf(const std::string& face) const {
    return hashing::partitionOf(keyspace, face);
}

Outcome commitOne(EnrollmentStore& store, Operation operation) {
    const auto outcomes = store.commit(std::span(&operation, 1));
    Outcome failed;
    failed.effect = Effect::Invalid;
    if (!outcomes) {
        const auto text = outcomes.error().message + ": " + outcomes.error().detail;
        QTest::qFail(text.c_str(), __FILE__, __LINE__);
        return failed;
    }
    return outcomes->front();
}

CreateKeyspace create(const std::string& name, std::uint64_t stamp) {
    return {base::KeyspaceName::trusted(name), {}, {}, version(stamp), std::chrono::milliseconds(1000), {}};
}

std::string incarnationOf(EnrollmentStore& store, const std::string& name) {
    const auto keyspaces = store.keyspaces();
    if (keyspaces)
        for (const auto& keyspace : *keyspaces)
            if (keyspace.name.text() == name)
                return keyspace.incarnation;
    return {};
}

std::uint64_t rowsOf(EnrollmentStore& store) {
    return store.countRows(hashing::PartitionSet::all()).value_or(std::uint64_t(-1));
}

std::vector<std::string> stateOf(EnrollmentStore& store) {
    std::vector<std::string> state;
    const auto all = hashing::PartitionSet::all();
    const auto rows = store.scan(
        all,
        [&](const EnrollmentView& row) {
            state.push_back("row " + std::string(row.incarnation) + ' ' + std::string(row.face) + ' ' +
                            row.variation.text() + ' ' + std::to_string(row.version.stamp) + ' ' +
                            std::to_string(row.version.writer));
            return true;
        },
        nullptr);
    const auto tombstones = store.scanTombstones(all, [&](const TombstoneView& row) {
        state.push_back("tombstone " + std::string(row.incarnation) + ' ' + std::string(row.face) + ' ' +
                        (row.variation ? row.variation->text() : "all") + ' ' + std::to_string(row.version.stamp) +
                        ' ' + std::to_string(row.version.writer));
        return true;
    });
    if (!rows || !tombstones)
        state.push_back("failed: " + (rows ? tombstones.error() : rows.error()).message);
    std::ranges::sort(state);
    return state;
}

} // namespace fremis::storage::test
