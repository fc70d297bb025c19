// The pace at which a worker gets what it missed.
#include "tests/support/manual_cluster.h"

#include <QtTest>

using namespace fremis;
using namespace fremis::coordinator;
using namespace fremis::test;
using namespace std::chrono_literals;

namespace {

/// So many searches, one each 5 ms, while the cluster's time goes on. They take `beside` while replay runs.
void search(ManualCluster& world, int count, std::chrono::microseconds beside) {
    for (int i = 0; i < count; ++i) {
        world.runFor(5ms);
        const auto progress = world.replay.progress(world.workers[0].node);
        world.replay.noteSearch(progress.running && !progress.resting ? beside : 5ms);
    }
}

std::function<bool()> isActive(ManualCluster& world) {
    return [&world] { return world.peer(0)->state == PeerState::Active; };
}

std::size_t callsSince(const ManualWorker& worker, std::chrono::milliseconds moment) {
    return static_cast<std::size_t>(
        std::count_if(worker.applyCalls.begin(), worker.applyCalls.end(), [&](auto at) { return at > moment; }));
}

} // namespace

class ReplayTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aHundredThousandOperationsAreDrainedInAMinute() {
        ManualCluster world(2);
        QVERIFY(world.runUntil(isActive(world), 10s));
        world.workers[0].latency = 40ms; // of a batch: 6,400 operations a second when it does nothing else
        for (int i = 0; i < 100; ++i)
            world.queueFor(0, 1'000, 1);
        const auto begin = world.environment.now();
        QVERIFY(world.runUntil([&] { return world.stats(0).ops == 0; }, 60s));
        QVERIFY(world.environment.now() - begin > 30s); // three tenths of the worker's time
    }

    void aWorkerThatAnswers503IsAskedLessAndLess() {
        ManualCluster world(2);
        QVERIFY(world.runUntil(isActive(world), 10s));
        world.workers[0].applyStatus = 503;
        world.queueFor(0, 10);
        world.runFor(60s);
        const auto begin = world.environment.now();
        world.runFor(60s);
        const auto calls = callsSince(world.workers[0], begin);
        QVERIFY2(calls >= 8 && calls <= 12, qPrintable(QString::number(calls))); // each five to six seconds
        QCOMPARE(world.replay.progress(world.workers[0].node).lastError, std::string("answered 503"));
        world.workers[0].applyStatus = 200;
        QVERIFY(world.runUntil(isActive(world), 10s));
        QCOMPARE(world.stats(0).ops, 0U);
    }

    void anOperatorNeedNotWaitForTheNextTry() {
        ManualCluster world(2);
        QVERIFY(world.runUntil(isActive(world), 10s));
        world.workers[0].applyStatus = 503;
        world.queueFor(0, 10);
        world.runFor(60s);
        world.workers[0].applyStatus = 200;
        world.replay.tryNow(world.peer(0));
        world.runFor(100ms);
        QCOMPARE(world.stats(0).ops, 0U);
    }

    void itRestsWhileSearchesSuffer() {
        ManualCluster world(2);
        QVERIFY(world.runUntil(isActive(world), 10s));
        search(world, 400, 5ms);
        world.workers[0].latency = 40ms;
        for (int i = 0; i < 30; ++i)
            world.queueFor(0, 1'000, 1);
        search(world, 200, 5ms);
        const auto unharmed = world.environment.now();
        search(world, 600, 5ms);
        const auto usual = callsSince(world.workers[0], unharmed);
        QVERIFY2(usual >= 15, qPrintable(QString::number(usual)));
        const auto harmed = world.environment.now();
        search(world, 600, 20ms);
        const auto rare = callsSince(world.workers[0], harmed);
        QVERIFY2(rare > 0 && 3 * rare < 2 * usual, qPrintable(QString::number(rare)));
        QVERIFY(world.runUntil(isActive(world), 60s));
    }
};

QTEST_GUILESS_MAIN(ReplayTest)
#include "replay_test.moc"
