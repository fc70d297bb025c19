#include "shared/storage/group_commit.h"
#include "tests/support/tcp_gate.h"
#include "tests/unit/storage/store_fixture.h"

#include <QElapsedTimer>

using namespace fremis;
using namespace fremis::storage;
using namespace fremis::storage::test;
using fremis::test::PostgresServer;
using fremis::test::TcpGate;

namespace {

hashing::PartitionSet range(base::Partition first, base::Partition last) {
    hashing::PartitionSet set;
    set.insert(hashing::PartitionRange{first, last});
    return set;
}

/// A store behind a gate, ready for writes.
struct GatedStore {
    explicit GatedStore(const StoreFixture& fixture, std::chrono::milliseconds settleTime = std::chrono::seconds(30))
        : gate(TcpGate::create(StoreFixture::server().port()).value()) {
        auto options = fixture.postgresOptions();
        options.host = "127.0.0.1";
        options.port = gate->port();
        options.settleTime = settleTime;
        store = std::move(openPostgres(options).value());
        QVERIFY(store->ping());
        QVERIFY(store->claimSpace({kSpace, StoreFixture::kDimension}));
    }
    ~GatedStore() { gate->setJudge({}); }

    /// Cuts the connection, once, where a write sends COMMIT. The statement before it tells a write from housekeeping.
    void cutNextCommit(TcpGate::Verdict verdict, bool shutAfterwards = false) {
        gate->setJudge([this, verdict, shutAfterwards, writing = false, done = false](std::string_view bytes) mutable {
            writing = writing || bytes.find("claim_write") != std::string_view::npos;
            if (done || !writing || bytes.find("COMMIT") == std::string_view::npos)
                return TcpGate::Verdict::Pass;
            done = true;
            if (shutAfterwards)
                gate->setOpen(false);
            return verdict;
        });
    }

    /// Cuts the connection, once, before a statement that holds `text` reaches the server.
    void cutBefore(const std::string& text) {
        gate->setJudge([text, done = false](std::string_view bytes) mutable {
            if (done || bytes.find(text) == std::string_view::npos)
                return TcpGate::Verdict::Pass;
            done = true;
            return TcpGate::Verdict::CutBefore;
        });
    }

    std::unique_ptr<TcpGate> gate;
    std::unique_ptr<EnrollmentStore> store;
};

std::string defaultIncarnation() {
    return deriveIncarnation(base::KeyspaceName::trusted("default"), {});
}

} // namespace

/// What only a database server can do to a store.
class PostgresStoreTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        logErrorsOnly();
        if (PostgresServer::isInstalled())
            return;
        QVERIFY2(qEnvironmentVariable("CI") != QLatin1String("true"), "PostgreSQL's programs are missing");
        QSKIP("PostgreSQL's programs are missing");
    }

    void overlappingPartitionsAreRefusedAndDisjointOnesAreNot() {
        StoreFixture fixture(Dialect::Postgres);
        const auto low = fixture.openRaw(range(0, 127), 1).value();
        const auto high = fixture.openRaw(range(128, 255), 2).value();
        QVERIFY(low->ping());
        QVERIFY(high->ping());
        const auto third = fixture.openRaw(range(100, 140), 3).value();
        const auto refused = third->ping();
        QVERIFY(!refused);
        QCOMPARE(refused.error().reason, base::Reason::BadStore);
        QVERIFY2(refused.error().message.find("partitions 100-127") != std::string::npos ||
                     refused.error().message.find("partitions 128-140") != std::string::npos,
                 refused.error().message.c_str());
        QVERIFY(!third->commit({}));
    }

    void aCleanExitFreesThePartitionsAtOnce() {
        StoreFixture fixture(Dialect::Postgres);
        auto first = fixture.openRaw(range(0, 255), 1).value();
        QVERIFY(first->ping());
        first.reset();
        QVERIFY(fixture.openRaw(range(0, 255), 2).value()->ping());
    }

    void aRestartedWorkerTakesItsPartitionsBackAndTheOldProcessCannotWrite() {
        StoreFixture fixture(Dialect::Postgres);
        const auto old = fixture.openRaw().value();
        QVERIFY(old->claimSpace({kSpace, StoreFixture::kDimension}));
        const Ops ops{defaultIncarnation()};
        QCOMPARE(commitOne(*old, ops.add("a", 1, 1)).effect, Effect::Applied);
        const auto restarted = fixture.openRaw().value(); // the old one was not closed: as after a crash
        QVERIFY(restarted->ping());
        QVERIFY(restarted->identity().value().generation > old->identity().value().generation);
        const Operation late = ops.add("b", 1, 2);
        QVERIFY(!old->commit(std::span(&late, 1)));
        QVERIFY(old->health().mustExit);
        QVERIFY(!old->health().why.empty());
        QCOMPARE(restarted->countRows(hashing::PartitionSet::all()).value(), 1U);
        QVERIFY(!restarted->health().mustExit);
    }

    void aLeaseThatRanOutCanBeTakenByAnother() {
        StoreFixture fixture(Dialect::Postgres);
        auto options = fixture.postgresOptions();
        options.leaseTime = std::chrono::hours(1); // no renewal during the test
        const auto first = openPostgres(options).value();
        QVERIFY(first->claimSpace({kSpace, StoreFixture::kDimension}));
        fixture.sql("UPDATE nodes SET expires_at = now() - interval '1 second'");
        const Operation add = Ops{defaultIncarnation()}.add("a", 1, 1);
        QVERIFY(first->commit(std::span(&add, 1))); // nobody has taken it: it still writes
        const auto second = fixture.openRaw(range(0, 10), 2).value();
        QVERIFY(second->ping());
        QVERIFY(!first->commit(std::span(&add, 1)));
        QVERIFY(first->health().mustExit);
    }

    void aLeaseIsRenewedWhileTheWorkerLives() {
        StoreFixture fixture(Dialect::Postgres);
        auto options = fixture.postgresOptions();
        options.leaseTime = std::chrono::milliseconds(900);
        const auto first = openPostgres(options).value();
        QVERIFY(first->ping());
        const auto expiry = [&] {
            return StoreFixture::server().sql(fixture.database(), "SELECT expires_at FROM fremis_n.nodes").value();
        };
        const auto before = expiry();
        QTRY_VERIFY_WITH_TIMEOUT(expiry() != before, 10000);
        QVERIFY(!first->health().mustExit);
    }

    void keyspacesMadeByOneWorkerAreSeenByTheOther() {
        StoreFixture fixture(Dialect::Postgres);
        const auto low = fixture.openRaw(range(0, 127), 1).value();
        const auto high = fixture.openRaw(range(128, 255), 2).value();
        QVERIFY(low->claimSpace({kSpace, StoreFixture::kDimension}));
        QVERIFY(high->claimSpace({kSpace, StoreFixture::kDimension}));
        CreateKeyspace create{base::KeyspaceName::trusted("employee"), {}, {}, version(10), {}, opId(1)};
        const auto made = commitOne(*low, create);
        QVERIFY(made.created);
        const auto again = commitOne(*high, create);
        QCOMPARE(again.effect, Effect::Already);
        QCOMPARE(again.incarnation, made.incarnation);
        QCOMPARE(high->keyspaces().value().size(), 2U);
        const Ops employee{made.incarnation, "employee"};
        QCOMPARE(commitOne(*high, employee.add("a", 1, 20)).effect, Effect::Applied);
        const auto dropped =
            commitOne(*low, DropKeyspace{base::KeyspaceName::trusted("employee"), {}, {}, version(30), {}});
        QCOMPARE(dropped.rowsRemoved, 1U);
        QCOMPARE(commitOne(*high, employee.add("b", 1, 40)).effect, Effect::KeyspaceDropped);
        QCOMPARE(high->lastVersion().value(), low->lastVersion().value());
    }

    void aCommitThatWasCutIsAnsweredByWhatTheDatabaseHolds_data() {
        QTest::addColumn<bool>("reached");
        QTest::newRow("the server got it") << true;
        QTest::newRow("the server did not get it") << false;
    }
    void aCommitThatWasCutIsAnsweredByWhatTheDatabaseHolds() {
        QFETCH(bool, reached);
        StoreFixture fixture(Dialect::Postgres);
        GatedStore gated(fixture);
        const Ops ops{defaultIncarnation()};
        (void)commitOne(*gated.store, ops.add("before", 1, 1));
        gated.cutNextCommit(reached ? TcpGate::Verdict::CutAfter : TcpGate::Verdict::CutBefore);
        const auto outcome = commitOne(*gated.store, ops.add("cut", 1, 2, 77));
        QCOMPARE(outcome.effect, Effect::Applied); // stored once, by the first try or by the second
        QVERIFY(outcome.created);
        QCOMPARE(gated.store->countRows(hashing::PartitionSet::all()).value(), 2U);
        QCOMPARE(commitOne(*gated.store, ops.add("cut", 1, 2, 77)).effect, Effect::Already);
    }

    void aCutCommitWithNoWayToAskIsUnknown() {
        StoreFixture fixture(Dialect::Postgres);
        GatedStore gated(fixture, std::chrono::milliseconds(300));
        const Ops ops{defaultIncarnation()};
        gated.cutNextCommit(TcpGate::Verdict::CutAfter, true);
        const Operation add = ops.add("cut", 1, 2, 77);
        const auto outcomes = gated.store->commit(std::span(&add, 1));
        QVERIFY(!outcomes);
        QCOMPARE(outcomes.error().reason, base::Reason::OutcomeUnknown);
        QVERIFY(!gated.store->health().mustExit);
        gated.gate->setOpen(true);
        base::Result<std::vector<Outcome>> again;
        QTRY_VERIFY_WITH_TIMEOUT((again = gated.store->commit(std::span(&add, 1))), 20000);
        QCOMPARE(again->front().effect, Effect::Already); // the client's retry finds it
    }

    void aConnectionThatDiedBetweenWritesIsReplacedUnnoticed() {
        StoreFixture fixture(Dialect::Postgres);
        GatedStore gated(fixture);
        const Ops ops{defaultIncarnation()};
        (void)commitOne(*gated.store, ops.add("first", 1, 1));
        for (std::uint64_t i = 0; i < 5; ++i) {
            const auto face = "a" + std::to_string(i);
            gated.cutBefore("claim_write");
            QCOMPARE(commitOne(*gated.store, ops.add(face, 1, 2 + i)).effect, Effect::Applied);
            gated.cutBefore("SELECT registry_version");
            QVERIFY(gated.store->face(ops.incarnation, base::FaceId::trusted(face)).value());
        }
        QCOMPARE(rowsOf(*gated.store), 6U);
    }

    void aDatabaseThatIsAwayIsNotReadyAndComesBackByItself() {
        auto server = std::move(PostgresServer::start().value());
        const auto database = server->createDatabase().value();
        StoreFixture fixture(Dialect::Postgres);
        auto options = fixture.postgresOptions();
        options.host = server->socketDirectory();
        options.port = server->port();
        options.database = database;
        server->stopImmediately();
        const auto store = std::move(openPostgres(options).value()); // does not wait
        const auto refused = store->ping();
        QVERIFY(!refused);
        QCOMPARE(refused.error().reason, base::Reason::NotReady);
        QVERIFY(server->startAgain());
        QTRY_VERIFY_WITH_TIMEOUT(store->ping(), 20000);
        QVERIFY(store->claimSpace({kSpace, StoreFixture::kDimension}));
        const Ops ops{defaultIncarnation()};
        std::vector<std::string> acknowledged;
        for (std::uint64_t round = 0; round < 3; ++round) {
            std::atomic<bool> stopped{false};
            std::thread writer([&] {
                for (std::uint64_t i = 0; !stopped.load(); ++i) {
                    const auto face = std::to_string(round) + "-" + std::to_string(i);
                    const Operation add = ops.add(face, 1, 1 + i, 1 + round * 1'000'000 + i);
                    if (const auto outcomes = store->commit(std::span(&add, 1)); outcomes && outcomes->front().done())
                        acknowledged.push_back(face);
                }
            });
            QTest::qWait(200);
            server->stopImmediately();
            QTRY_VERIFY_WITH_TIMEOUT(!store->ping(), 20000);
            QVERIFY(server->startAgain());
            QTRY_VERIFY_WITH_TIMEOUT(store->ping(), 20000);
            stopped = true;
            writer.join();
        }
        QVERIFY(!store->health().mustExit);
        QVERIFY(acknowledged.size() > 10);
        for (const auto& face : acknowledged)
            QVERIFY2(store->face(ops.incarnation, base::FaceId::trusted(face)).value(), face.c_str());
    }

    void aDatabaseThatHangsShowsInTheHealth() {
        auto server = std::move(PostgresServer::start().value());
        StoreFixture fixture(Dialect::Postgres);
        auto options = fixture.postgresOptions();
        options.host = server->socketDirectory();
        options.port = server->port();
        options.database = server->createDatabase().value();
        const auto store = std::move(openPostgres(options).value());
        QVERIFY(store->claimSpace({kSpace, StoreFixture::kDimension}));
        QCOMPARE(store->health().stalled.count(), 0);
        server->freeze();
        std::atomic<bool> done{false};
        std::thread writer([&] {
            const Operation add = Ops{defaultIncarnation()}.add("a", 1, 1);
            done = store->commit(std::span(&add, 1)).has_value();
        });
        QTRY_VERIFY_WITH_TIMEOUT(store->health().stalled > std::chrono::milliseconds(300), 20000);
        QVERIFY(!done);
        server->thaw();
        writer.join();
        QVERIFY(done);
        QCOMPARE(store->health().stalled.count(), 0);
    }

    void attemptsToConnectAreSpaced() {
        StoreFixture fixture(Dialect::Postgres);
        auto gate = std::move(TcpGate::create(StoreFixture::server().port()).value());
        gate->setOpen(false);
        auto options = fixture.postgresOptions();
        options.host = "127.0.0.1";
        options.port = gate->port();
        const auto store = std::move(openPostgres(options).value());
        // Without spacing a refused connection takes well under a millisecond; with it the second second holds a
        // handful of attempts.
        QElapsedTimer timer;
        timer.start();
        int calls = 0;
        while (timer.elapsed() < 1000) {
            QVERIFY(!store->ping());
            ++calls;
        }
        QVERIFY(calls > 1000); // most of them answer at once, without an attempt
        gate->setOpen(true);
        QTRY_VERIFY_WITH_TIMEOUT(store->ping(), 20000);
    }

    void noErrorTellsThePassword() {
        StoreFixture fixture(Dialect::Postgres);
        auto options = fixture.postgresOptions();
        options.password = "wrong'secret\\word";
        const auto store = std::move(openPostgres(options).value());
        const auto refused = store->ping();
        QVERIFY(!refused);
        const auto text = refused.error().message + refused.error().detail;
        QVERIFY(text.find("secret") == std::string::npos);
        QVERIFY2(text.find("password authentication failed") != std::string::npos, text.c_str());
        const auto scan = store->scan(
            hashing::PartitionSet::all(), [](const EnrollmentView&) { return true; }, nullptr);
        QVERIFY(!scan);
        QVERIFY((scan.error().message + scan.error().detail).find("secret") == std::string::npos);
    }

    void aDatabaseThatCannotHoldEveryIdIsRefused() {
        StoreFixture fixture(Dialect::Postgres);
        auto options = fixture.postgresOptions();
        options.database = StoreFixture::server()
                               .createDatabase("ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0")
                               .value();
        const auto refused = openPostgres(options).value()->ping();
        QVERIFY(!refused);
        QCOMPARE(refused.error().reason, base::Reason::BadStore);
        QVERIFY(refused.error().message.find("LATIN1") != std::string::npos);
    }

    void workersThatStartAtOnceMigrateOnce() {
        StoreFixture fixture(Dialect::Postgres);
        std::vector<std::thread> workers;
        std::atomic<int> ready{0};
        for (std::uint8_t i = 0; i < 4; ++i)
            workers.emplace_back([&, i] {
                const auto first = static_cast<base::Partition>(64 * i);
                const auto store = fixture
                                       .openRaw(range(first, static_cast<base::Partition>(first + 63)),
                                                static_cast<std::uint8_t>(i + 1))
                                       .value();
                ready += store->ping().has_value() ? 1 : 0;
            });
        for (auto& worker : workers)
            worker.join();
        QCOMPARE(ready.load(), 4);
    }

    void optionsThatCanNeverWorkAreRefusedAtOnce() {
        StoreFixture fixture(Dialect::Postgres);
        auto options = fixture.postgresOptions();
        options.nodeId = {};
        QVERIFY(!openPostgres(options));
        options = fixture.postgresOptions({});
        QVERIFY(!openPostgres(options));
        options = fixture.postgresOptions();
        options.port = 70000;
        QVERIFY(!openPostgres(options));
    }
};

QTEST_GUILESS_MAIN(PostgresStoreTest)
#include "postgres_store_test.moc"
