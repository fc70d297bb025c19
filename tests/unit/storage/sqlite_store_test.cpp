#include "shared/storage/group_commit.h"
#include "shared/storage/sqlite/sqlite_store.h"
#include "tests/support/faulty_vfs.h"
#include "tests/unit/storage/store_fixture.h"

#include <sqlite3.h>

#include <set>
#include <thread>

using namespace fremis;
using namespace fremis::storage;
using namespace fremis::storage::test;
using fremis::test::FaultyVfs;

namespace {

/// A store on the disk that fails, with a claimed space.
std::unique_ptr<EnrollmentStore> openFaulty(const QTemporaryDir& directory) {
    auto store = openSqlite({directory.path().toStdString() + "/data", FaultyVfs::instance().name(), nullptr});
    if (!store || !(*store)->claimSpace({kSpace, StoreFixture::kDimension}))
        return nullptr;
    return std::move(*store);
}

Ops defaultOps() {
    return Ops{deriveIncarnation(base::KeyspaceName::trusted("default"), {})};
}

std::set<std::string> facesOf(EnrollmentStore& store) {
    std::set<std::string> faces;
    const auto report = store.scan(
        hashing::PartitionSet::all(),
        [&](const EnrollmentView& row) {
            faces.emplace(row.face);
            return true;
        },
        nullptr);
    if (!report || report->degraded > 0)
        faces.insert("scan failed");
    return faces;
}

QString integrityOf(const QTemporaryDir& directory) {
    sqlite3* database = nullptr;
    sqlite3_open((directory.path().toStdString() + "/data/store.db").c_str(), &database);
    QString answer;
    sqlite3_exec(
        database, "PRAGMA integrity_check",
        [](void* out, int, char** values, char**) {
            *static_cast<QString*>(out) += QString::fromUtf8(values[0]);
            return 0;
        },
        &answer, nullptr);
    sqlite3_close(database);
    return answer;
}

} // namespace

/// What only a disk can do to a store.
class SqliteStoreTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { logErrorsOnly(); }
    void cleanup() { (void)FaultyVfs::instance().clear(); }

    void aFailedWriteIsRefusedCleanlyAndTheNextOneWorks_data() {
        QTest::addColumn<int>("fault");
        QTest::addColumn<int>("reason");
        QTest::newRow("disk full") << static_cast<int>(FaultyVfs::Fault::WriteFull)
                                   << static_cast<int>(base::Reason::StorageFull);
        QTest::newRow("write error") << static_cast<int>(FaultyVfs::Fault::WriteError)
                                     << static_cast<int>(base::Reason::Internal);
        QTest::newRow("short write") << static_cast<int>(FaultyVfs::Fault::ShortWrite)
                                     << static_cast<int>(base::Reason::Internal);
    }
    void aFailedWriteIsRefusedCleanlyAndTheNextOneWorks() {
        QFETCH(int, fault);
        QFETCH(int, reason);
        QTemporaryDir directory;
        auto store = openFaulty(directory);
        QVERIFY(store);
        const auto ops = defaultOps();
        std::set<std::string> acknowledged;
        std::uint64_t number = 0;
        bool hit = true;
        for (int n = 1; hit; ++n) { // each write call of a commit in turn, until a commit has fewer
            QVERIFY(n < 200);
            FaultyVfs::instance().failNth(static_cast<FaultyVfs::Fault>(fault), n);
            const auto face = "a" + std::to_string(n);
            const Operation add = ops.add(face, 1, number + 1, number + 1);
            const auto outcomes = store->commit(std::span(&add, 1));
            hit = FaultyVfs::instance().clear();
            QCOMPARE(outcomes.has_value(), !hit);
            if (!outcomes)
                QCOMPARE(static_cast<int>(outcomes.error().reason), reason);
            QVERIFY(!store->health().mustExit);
            QCOMPARE(commitOne(*store, ops.add("b" + std::to_string(n), 1, number + 2, number + 2)).effect, Effect::Applied);
            number += 2;
            acknowledged.insert("b" + std::to_string(n));
            if (!hit)
                acknowledged.insert(face);
            QCOMPARE(facesOf(*store), acknowledged);
        }
        QVERIFY(acknowledged.size() > 2);
        store.reset();
        QCOMPARE(integrityOf(directory), QStringLiteral("ok"));
        store = openFaulty(directory);
        QVERIFY(store);
        QCOMPARE(facesOf(*store), acknowledged);
    }

    void aFullDiskServesReadsAndTakesWritesAgainWhenThereIsSpace() {
        QTemporaryDir directory;
        auto store = openFaulty(directory);
        QVERIFY(store);
        const auto ops = defaultOps();
        (void)commitOne(*store, ops.add("a", 1, 1));
        FaultyVfs::instance().failNth(FaultyVfs::Fault::WriteFull, 1, true);
        for (std::uint64_t i = 0; i < 5; ++i) {
            const Operation add = ops.add("b", i, 10 + i);
            const auto outcomes = store->commit(std::span(&add, 1));
            QVERIFY(!outcomes);
            QCOMPARE(outcomes.error().reason, base::Reason::StorageFull);
            QVERIFY(store->face(ops.incarnation, base::FaceId::trusted("a")).value());
            QCOMPARE(facesOf(*store).size(), 1U);
        }
        (void)FaultyVfs::instance().clear();
        QCOMPARE(commitOne(*store, ops.add("b", 1, 20)).effect, Effect::Applied);
        QVERIFY(!store->health().mustExit);
    }

    void theFirstFailedSyncEndsTheStore() {
        QTemporaryDir directory;
        auto store = openFaulty(directory);
        QVERIFY(store);
        const auto ops = defaultOps();
        (void)commitOne(*store, ops.add("a", 1, 1));
        FaultyVfs::instance().failNth(FaultyVfs::Fault::SyncError, 1);
        const Operation add = ops.add("b", 1, 2);
        const auto failed = store->commit(std::span(&add, 1));
        QVERIFY(!failed);
        QCOMPARE(failed.error().reason, base::Reason::Internal);
        QVERIFY(FaultyVfs::instance().clear());
        QVERIFY(store->health().mustExit);
        QVERIFY(!store->health().why.empty());
        const Operation more = ops.add("c", 1, 3);
        QVERIFY(!store->commit(std::span(&more, 1))); // though the disk would take it again
        QVERIFY(!store->setSetting("a", "b"));
        store.reset();
        store = openFaulty(directory);
        QVERIFY(store);
        QVERIFY(facesOf(*store).contains("a"));
        QVERIFY(!facesOf(*store).contains("c"));
        QVERIFY(!store->health().mustExit);
    }

    void aSyncThatHangsShowsInTheHealthAndDoesNotStopReads() {
        QTemporaryDir directory;
        auto store = openFaulty(directory);
        QVERIFY(store);
        const auto ops = defaultOps();
        (void)commitOne(*store, ops.add("a", 1, 1));
        FaultyVfs::instance().holdSyncs();
        std::atomic<bool> done{false};
        std::thread writer([&] { done = commitOne(*store, ops.add("b", 1, 2)).effect == Effect::Applied; });
        QTRY_VERIFY_WITH_TIMEOUT(store->health().stalled > std::chrono::milliseconds(200), 20000);
        QVERIFY(!done);
        QVERIFY(store->ping());
        QVERIFY(store->keyspaces());
        QCOMPARE(facesOf(*store).size(), 1U);
        FaultyVfs::instance().releaseSyncs();
        writer.join();
        QVERIFY(done);
        QCOMPARE(store->health().stalled.count(), 0);
    }

    void manyWritersReadersAndLoadsAgreeInTheEnd() {
        StoreFixture fixture(Dialect::Sqlite);
        QVERIFY(fixture.open());
        auto& store = fixture.store();
        const Ops ops{fixture.incarnation()};
        constexpr std::uint64_t kWriters = 8;
        constexpr std::uint64_t kEach = 60;
        std::atomic<int> failures{0};
        std::atomic<bool> stopped{false};
        std::vector<std::thread> threads;
        {
            GroupCommit commits(store);
            for (std::uint64_t writer = 0; writer < kWriters; ++writer)
                threads.emplace_back([&, writer] {
                    for (std::uint64_t i = 0; i < kEach; ++i) {
                        const auto stamp = 1 + writer * 1000 + 2 * i;
                        const auto face = std::to_string(writer) + "-" + std::to_string(i);
                        const auto added = commits.commit(ops.add(face, 1, stamp, stamp));
                        failures += added && added->effect == Effect::Applied ? 0 : 1;
                        if (i % 3 == 0) {
                            const auto removed = commits.commit(ops.remove(face, stamp + 1, 100'000 + stamp));
                            failures += removed && removed->rowsRemoved == 1 ? 0 : 1;
                        }
                    }
                });
            std::thread reader([&] {
                while (!stopped.load()) {
                    failures += facesOf(store).contains("scan failed") ? 1 : 0;
                    failures += store.list(ops.incarnation, std::nullopt, hashing::PartitionSet::all(), 50) ? 0 : 1;
                    failures += store.counts(hashing::PartitionSet::all()) ? 0 : 1;
                }
            });
            for (auto& thread : threads)
                thread.join();
            stopped = true;
            reader.join();
        }
        QCOMPARE(failures.load(), 0);
        QCOMPARE(store.countRows(hashing::PartitionSet::all()).value(), kWriters * (kEach - kEach / 3));
        QVERIFY(store.purgeErased());
    }

    void aLongBulkReadDoesNotHoldUpWrites() {
        StoreFixture fixture(Dialect::Sqlite);
        QVERIFY(fixture.open());
        auto& store = fixture.store();
        const Ops ops{fixture.incarnation()};
        std::vector<Operation> adds;
        for (std::uint64_t i = 0; i < 50; ++i)
            adds.push_back(ops.add(std::to_string(i), 1, 1 + i));
        QVERIFY(store.commit(adds));
        int seen = 0;
        const auto report = store.scan(
            hashing::PartitionSet::all(),
            [&](const EnrollmentView&) {
                // From inside the visitor: the scan is certainly under way.
                ++seen;
                return commitOne(store,
                                 ops.add("new" + std::to_string(seen), 1, 1000 + static_cast<std::uint64_t>(seen)))
                           .effect == Effect::Applied;
            },
            nullptr);
        QVERIFY(report);
        QCOMPARE(seen, 50); // one snapshot: what was added meanwhile is not in it
        QCOMPARE(store.countRows(hashing::PartitionSet::all()).value(), 100U);
    }
};

QTEST_GUILESS_MAIN(SqliteStoreTest)
#include "sqlite_store_test.moc"
