// When deletions may be forgotten.
#include "tests/support/manual_cluster.h"

#include <QtTest>

using namespace fremis;
using namespace fremis::coordinator;
using namespace fremis::test;
using namespace std::chrono_literals;
using wire::internal::ApplyEffect;

namespace {

constexpr Coordinators::Id kOther{0xAB};

base::Version versionAt(std::chrono::milliseconds sinceEpoch) {
    return {static_cast<std::uint64_t>(sinceEpoch.count()) << 16, 0};
}

/// Two workers with tombstones, both active, ten minutes after the start.
struct World : ManualCluster {
    World() : ManualCluster(2) {
        for (auto& worker : workers)
            worker.tombstones = 3;
    }
    [[nodiscard]] bool begin() {
        runFor(10min);
        return peer(0)->state == PeerState::Active && peer(1)->state == PeerState::Active;
    }
    /// What the workers were told in a comparison of everything.
    void compareAll() {
        for (auto& worker : workers)
            worker.collects.clear();
        repair.start(hashing::PartitionSet::all());
        runFor(10s);
    }
    [[nodiscard]] std::size_t collects() const { return workers[0].collects.size() + workers[1].collects.size(); }
    void tell(std::optional<base::Version> lowWater, std::chrono::milliseconds age) {
        for (auto& worker : workers)
            worker.heard = {{kOther, {}, lowWater, age.count()}};
        runFor(2s);
    }
};

} // namespace

class DeleteHorizonTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatAllHaveIsForgotten() {
        World world;
        QVERIFY(world.begin());
        const auto now = world.environment.sinceEpoch();
        world.compareAll();
        for (const auto& worker : world.workers) {
            QCOMPARE(worker.collects.size(), std::size_t{base::kPartitionCount});
            for (const auto& collect : worker.collects) {
                QVERIFY(collect.horizon >= versionAt(now - DeleteHorizon::kUnderWay - 1s));
                QVERIFY(collect.horizon <= versionAt(now - DeleteHorizon::kUnderWay + 10s));
                QCOMPARE(collect.epoch, world.cluster.view()->map.epoch());
            }
        }
        QCOMPARE(world.repair.report().partitionsCollected, base::kPartitionCount);
    }

    void withoutTombstonesNothingIsSaid() {
        World world;
        for (auto& worker : world.workers)
            worker.tombstones = 0;
        QVERIFY(world.begin());
        world.compareAll();
        QCOMPARE(world.collects(), 0U);
    }

    void replicasThatDifferKeepTheirTombstones() {
        World world;
        QVERIFY(world.begin());
        world.workers[0].root.fill(7);
        world.compareAll();
        QCOMPARE(world.collects(), 0U);
    }

    void aReplicaThatIsAwayKeepsThemAll() {
        World world;
        QVERIFY(world.begin());
        world.workers[0].hung = true;
        world.runFor(5s);
        world.compareAll();
        QCOMPARE(world.collects(), 0U);
    }

    void aClockThatDiffersKeepsThemAll() {
        World world;
        QVERIFY(world.begin());
        world.workers[1].clockAhead = -20s;
        world.runFor(2s);
        world.compareAll();
        QCOMPARE(world.collects(), 0U);
    }

    void whatWaitsInTheQueueHoldsTheHorizon() {
        World world;
        QVERIFY(world.begin());
        world.workers[0].applyEffect = ApplyEffect::DimensionMismatch; // parked, so the worker is active again
        const auto queuedAt = world.environment.sinceEpoch();
        world.queueFor(0, 3);
        world.runFor(10min);
        QVERIFY(world.peer(0)->state == PeerState::Active);
        QCOMPARE(world.stats(0).parked, 3U);
        world.compareAll();
        QVERIFY(world.collects() > 0);
        for (const auto& collect : world.workers[1].collects)
            QVERIFY(collect.horizon < versionAt(queuedAt));
    }

    void anotherCoordinatorsQueueHoldsIt() {
        World world;
        QVERIFY(world.begin());
        const auto lowWater = versionAt(world.environment.sinceEpoch() - 30min);
        world.tell(lowWater, 100ms);
        world.compareAll();
        QVERIFY(world.collects() > 0);
        for (const auto& collect : world.workers[0].collects)
            QVERIFY(collect.horizon == lowWater);
    }

    void anotherCoordinatorThatSaysNothingKeepsThemAll() {
        World world;
        QVERIFY(world.begin());
        world.tell(std::nullopt, 100ms);
        world.compareAll();
        QCOMPARE(world.collects(), 0U);
    }

    void aDeadCoordinatorIsForgottenByAnOperator() {
        World world;
        QVERIFY(world.begin());
        auto& coordinators = world.watchdog.coordinators();
        QCOMPARE(coordinators.forget(kOther).error().reason, base::Reason::NotFound);
        world.tell(std::nullopt, 100ms);
        QCOMPARE(coordinators.forget(kOther).error().reason, base::Reason::DataNotMoved); // it lives
        for (auto& worker : world.workers)
            worker.heard = {};
        world.runFor(2min); // it is dead, and so is the memory of the workers
        world.compareAll();
        QCOMPARE(world.collects(), 0U);
        QVERIFY(coordinators.forget(kOther));
        world.runFor(2s);
        QCOMPARE(world.workers[0].probes.back().forget, std::vector{kOther});
        world.compareAll();
        QVERIFY(world.collects() > 0);
    }

    void wordsFromBeforeDoNotBringAForgottenOneBack() {
        World world;
        QVERIFY(world.begin());
        world.tell(std::nullopt, 90s);
        QVERIFY(world.watchdog.coordinators().forget(kOther));
        world.runFor(5s);
        QVERIFY(world.watchdog.coordinators().others().empty());
        world.tell(std::nullopt, 100ms); // it turns up
        QCOMPARE(world.watchdog.coordinators().others().size(), 1U);
        QVERIFY(world.watchdog.coordinators().forgotten().empty());
    }

    void coordinatorsAreKnownOverARestart() {
        QTemporaryDir folder;
        const auto file = std::filesystem::path(folder.filePath(QStringLiteral("coordinators")).toStdString());
        ManualEnvironment environment;
        {
            Coordinators coordinators(environment, {0xC0});
            QVERIFY(coordinators.load(file));
            coordinators.hear({{0xC0}, {}, versionAt(5min), 0}); // itself
            QVERIFY(coordinators.others().empty());
            QVERIFY(coordinators.lowWater().has_value());
            coordinators.hear({kOther, {storage::NodeId{1}}, versionAt(5min), 0});
            QVERIFY(coordinators.lowWater() == versionAt(5min));
            QVERIFY(coordinators.havePending(storage::NodeId{1}));
        }
        Coordinators again(environment, {0xC0});
        QVERIFY(again.load(file));
        QCOMPARE(again.others().size(), 1U);
        QVERIFY(!again.lowWater()); // what it holds is not known any more
        QVERIFY(again.forget(kOther));
        Coordinators last(environment, {0xC0});
        QVERIFY(last.load(file));
        QVERIFY(last.others().empty());
        std::filesystem::resize_file(file, 0);
        QFile damaged(QString::fromStdString(file.string()));
        QVERIFY(damaged.open(QIODevice::WriteOnly) && damaged.write("nonsense\n") > 0);
        damaged.close();
        QCOMPARE(last.load(file).error().reason, base::Reason::BadStore);
    }
};

QTEST_GUILESS_MAIN(DeleteHorizonTest)
#include "delete_horizon_test.moc"
