#pragma once

#include "shared/storage/postgres/postgres_store.h"
#include "tests/support/fake_clock.h"
#include "tests/support/postgres_server.h"

#include <QTemporaryDir>
#include <QTest>

#include <memory>

namespace fremis::storage::test {

enum class Dialect { Sqlite, Postgres };

/// The servers of tests run with fsync=off, of which stores warn.
void logErrorsOnly();

/// Rows "SQLite" and "PostgreSQL" for a test that says the same of both. Without PostgreSQL's programs the second one
/// is left out, with a message; under CI that is a failure.
void addDialects();

/// Where a SQLite store of a test lies: tests of logic in memory, tests of durability and of bytes on a disk on a real
/// one.
enum class Medium { Memory, Disk };

/// One store of one dialect that can be closed, opened again and looked into from outside.
class StoreFixture {
public:
    explicit StoreFixture(Dialect dialect, Medium medium = Medium::Memory);
    ~StoreFixture();

    /// Opens it and waits until it answers; kept in store(). The space "test-space" is claimed, with `dimension`
    /// values.
    [[nodiscard]] base::Status open(int dimension = kDimension);
    /// Opens it and does no more; what ping() says is the caller's. Another node's partitions for PostgreSQL.
    [[nodiscard]] base::Result<std::unique_ptr<EnrollmentStore>>
    openRaw(const hashing::PartitionSet& partitions = hashing::PartitionSet::all(), std::uint8_t node = 1);
    /// The options openRaw() would use for PostgreSQL.
    [[nodiscard]] PostgresOptions
    postgresOptions(const hashing::PartitionSet& partitions = hashing::PartitionSet::all(),
                    std::uint8_t node = 1) const;
    void close() { m_store.reset(); }
    [[nodiscard]] EnrollmentStore& store() { return *m_store; }
    [[nodiscard]] const std::string& incarnation() const { return m_incarnation; } ///< of "default"
    [[nodiscard]] fremis::test::FakeClock& clock() { return m_clock; }
    [[nodiscard]] Dialect dialect() const { return m_dialect; }

    /// Runs SQL past the store. Table names without schema work in both dialects.
    void sql(const std::string& statement);
    [[nodiscard]] std::string directory() const { return m_directory.path().toStdString() + "/data"; }
    [[nodiscard]] const std::string& database() const { return m_database; }
    /// The server shared by all fixtures of the process.
    [[nodiscard]] static fremis::test::PostgresServer& server();

    static constexpr int kDimension = 8;

private:
    const Dialect m_dialect;
    QTemporaryDir m_directory;
    std::string m_database;
    fremis::test::FakeClock m_clock;
    std::unique_ptr<EnrollmentStore> m_store;
    std::string m_incarnation;
};

/// The space that fixtures claim.
inline constexpr const char* kSpace = "test-space";

/// A unit vector that depends on `seed` alone.
[[nodiscard]] std::vector<float> embedding(std::uint64_t seed, int dimension = StoreFixture::kDimension);
[[nodiscard]] base::Version version(std::uint64_t stamp, std::uint64_t writer = 7);
[[nodiscard]] OpId opId(std::uint64_t number); ///< 0: none

/// Operations on faces of keyspace `keyspace`, whose incarnation is `incarnation`.
struct Ops {
    std::string incarnation;
    std::string keyspace = "default";
    int dimension = StoreFixture::kDimension;

    [[nodiscard]] AddVariation add(const std::string& face, std::uint64_t variation, std::uint64_t stamp,
                                   std::uint64_t op = 0) const;
    [[nodiscard]] DeleteFace remove(const std::string& face, std::uint64_t stamp, std::uint64_t op = 0) const;
    [[nodiscard]] DeleteVariation remove(const std::string& face, std::uint64_t variation, std::uint64_t stamp,
                                         std::uint64_t op) const;
    [[nodiscard]] base::Partition partitionOf(const std::string& face) const;
};

/// One operation in a commit of its own; fails the test and answers an Invalid outcome on an error.
[[nodiscard]] Outcome commitOne(EnrollmentStore& store, Operation operation);

[[nodiscard]] CreateKeyspace create(const std::string& name, std::uint64_t stamp);
/// Of a keyspace now; empty when there is none of the name.
[[nodiscard]] std::string incarnationOf(EnrollmentStore& store, const std::string& name);
[[nodiscard]] std::uint64_t rowsOf(EnrollmentStore& store);

/// A row or tombstone in text, to compare whole states: "incarnation face variation stamp".
[[nodiscard]] std::vector<std::string> stateOf(EnrollmentStore& store);

} // namespace fremis::storage::test

Q_DECLARE_METATYPE(fremis::storage::test::Dialect)

/// Begins a test over addDialects(): `fixture` open, its `store`, and `ops` on "default".
#define OPEN_STORE()                                                                                                   \
    QFETCH(Dialect, dialect);                                                                                          \
    StoreFixture fixture(dialect);                                                                                     \
    {                                                                                                                  \
        const auto opened = fixture.open();                                                                            \
        QVERIFY2(opened, opened ? "" : (opened.error().message + ": " + opened.error().detail).c_str());               \
    }                                                                                                                  \
    auto& store = fixture.store();                                                                                     \
    const Ops ops{fixture.incarnation()};                                                                              \
    (void)ops;                                                                                                         \
    (void)store
