// A worker whose queue could not keep every write is filled from its replicas.
#include "tests/support/manual_cluster.h"

#include <QtTest>

using namespace fremis;
using namespace fremis::coordinator;
using namespace fremis::test;
using namespace std::chrono_literals;

namespace {

std::function<bool()> isIn(ManualCluster& world, std::size_t worker, PeerState state) {
    return [&world, worker, state] { return world.peer(worker)->state == state; };
}

/// The first worker is away, and what waits for it outgrows the queue.
bool overflow(ManualCluster& world) {
    const bool active = world.runUntil(isIn(world, 0, PeerState::Active), 10s);
    world.workers[0].hung = true;
    world.queueFor(0, 100, 1'000);
    world.queueFor(0, 1, 10);
    return active && world.runUntil(isIn(world, 0, PeerState::Down), 10s) &&
           world.stats(0).resync == ResyncMark::Marked;
}

constexpr std::uint64_t kSmallQueue = 20'000;

} // namespace

class ResyncTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void anOverflownWorkerIsFilledBeforeItAnswers() {
        ManualCluster world(2, kSmallQueue);
        QVERIFY(overflow(world));
        std::vector<PeerState> states;
        world.watchdog.onState = [&](const std::shared_ptr<Peer>& peer) {
            if (peer == world.peer(0))
                states.push_back(peer->state);
        };
        world.workers[0].hung = false;
        QVERIFY(world.runUntil(isIn(world, 0, PeerState::Active), 20s));
        QVERIFY(
            (states == std::vector{PeerState::Loading, PeerState::Resync, PeerState::CatchingUp, PeerState::Active}));
        QVERIFY(world.stats(0).resync == ResyncMark::None);
        QVERIFY(world.peer(1)->state == PeerState::Active);
    }

    /// The queue itself tells of the mark: nobody has to come by and look first.
    void aWorkerThatIsBackAtOnceIsFilledBeforeItAnswers() {
        ManualCluster world(2, kSmallQueue);
        QVERIFY(world.runUntil(isIn(world, 0, PeerState::Active), 10s));
        world.workers[0].hung = true;
        QVERIFY(world.runUntil(isIn(world, 0, PeerState::Down), 10s));
        bool filled = false;
        bool tooEarly = false;
        world.watchdog.onState = [&](const std::shared_ptr<Peer>& peer) {
            if (peer != world.peer(0))
                return;
            filled = filled || peer->state == PeerState::Resync;
            tooEarly = tooEarly || (peer->state == PeerState::Active && !filled);
        };
        world.control.onSample = [](const QueueStats&, const std::vector<Damage>&) {}; // for as long as it takes
        world.queueFor(0, 100, 1'000);
        world.workers[0].hung = false;
        QVERIFY(world.runUntil(isIn(world, 0, PeerState::Active), 20s));
        QVERIFY(!tooEarly);
        QVERIFY(world.stats(0).resync == ResyncMark::None);
    }

    void whileItIsFilledItsWritesAreQueuedAgain() {
        ManualCluster world(2, kSmallQueue);
        QVERIFY(overflow(world));
        world.workers[0].hung = false;
        QVERIFY(world.runUntil([&] { return world.stats(0).resync == ResyncMark::Running; }, 20s));
        world.queueFor(0, 5);
        QVERIFY(world.runUntil(isIn(world, 0, PeerState::Active), 20s));
        QCOMPARE(world.workers[0].applied.size(), 5U);
        QCOMPARE(world.stats(0).ops, 0U);
    }

    void withoutAnotherReplicaTheMarkStays() {
        ManualCluster world(2, kSmallQueue);
        QVERIFY(overflow(world));
        world.workers[1].hung = true;
        QVERIFY(world.runUntil(isIn(world, 1, PeerState::Down), 10s));
        world.workers[0].hung = false;
        world.runFor(60s);
        QVERIFY(world.peer(0)->state == PeerState::Resync);
        QVERIFY(world.stats(0).resync != ResyncMark::None);
        world.workers[1].hung = false;
        QVERIFY(world.runUntil(isIn(world, 0, PeerState::Active), 60s));
        QVERIFY(world.stats(0).resync == ResyncMark::None);
    }

    void aWorkerThatDiesMeanwhileKeepsItsMark() {
        ManualCluster world(2, kSmallQueue);
        QVERIFY(overflow(world));
        world.workers[0].latency = 20ms; // 256 partitions take seconds
        world.workers[0].hung = false;
        QVERIFY(world.runUntil(isIn(world, 0, PeerState::Resync), 20s));
        world.runFor(1s);
        world.workers[0].hung = true;
        QVERIFY(world.runUntil(isIn(world, 0, PeerState::Down), 10s));
        world.runFor(60s);
        QVERIFY(world.stats(0).resync != ResyncMark::None);
        world.workers[0].hung = false;
        QVERIFY(world.runUntil(isIn(world, 0, PeerState::Active), 60s));
        QVERIFY(world.stats(0).resync == ResyncMark::None);
    }

    void aWorkerWithAnOlderDiskIsFilledBeforeItAnswers_data() {
        QTest::addColumn<bool>("empty");
        QTest::newRow("older") << false;
        QTest::newRow("empty") << true;
    }
    void aWorkerWithAnOlderDiskIsFilledBeforeItAnswers() {
        QFETCH(const bool, empty);
        ManualCluster world(2);
        QVERIFY(world.runUntil(isIn(world, 0, PeerState::Active), 10s));
        auto& worker = world.workers[0];
        worker.hung = true;
        world.workers[1].hung = true; // so the first one would be the only copy
        QVERIFY(world.runUntil(isIn(world, 0, PeerState::Down), 10s));
        if (empty)
            worker.node.fill(0xEE);
        else
            worker.lastVersion.stamp -= 1;
        ++worker.generation;
        worker.hung = false;
        QVERIFY(world.runUntil(isIn(world, 0, PeerState::Resync), 10s));
        world.runFor(30s);
        QVERIFY(world.peer(0)->state == PeerState::Resync);
        QVERIFY(!Cluster::answersReads(*world.peer(0)));
        world.workers[1].hung = false;
        QVERIFY(world.runUntil(isIn(world, 0, PeerState::Active), 60s));
        QVERIFY(world.stats(0).resync == ResyncMark::None);
    }

    void aWorkerThatComesBackWithWhatItHadIsNotFilled() {
        ManualCluster world(2);
        QVERIFY(world.runUntil(isIn(world, 0, PeerState::Active), 10s));
        world.workers[0].hung = true;
        QVERIFY(world.runUntil(isIn(world, 0, PeerState::Down), 10s));
        ++world.workers[0].generation;
        world.workers[0].hung = false;
        bool filled = false;
        world.watchdog.onState = [&](const std::shared_ptr<Peer>& peer) {
            filled = filled || peer->state == PeerState::Resync;
        };
        QVERIFY(world.runUntil(isIn(world, 0, PeerState::Active), 30s));
        QVERIFY(!filled);
    }

    void otherCoordinatorsHearOfTheMark() {
        ManualCluster world(2, kSmallQueue);
        QVERIFY(overflow(world));
        world.runFor(2s);
        QCOMPARE(world.workers[1].probes.back().pending, std::vector{world.workers[0].node});
    }
};

QTEST_GUILESS_MAIN(ResyncTest)
#include "resync_test.moc"
