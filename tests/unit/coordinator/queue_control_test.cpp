// What an operator does with the writes that wait for a worker.
#include "tests/support/manual_cluster.h"

#include <QtTest>

using namespace fremis;
using namespace fremis::coordinator;
using namespace fremis::test;
using namespace std::chrono_literals;
using wire::internal::ApplyEffect;
using Kind = wire::QueueAction::Kind;

namespace {

constexpr auto kOutage = 5s; ///< long enough for every worker to be found down

base::Result<QueueControl::Outcome> act(ManualCluster& world, wire::QueueAction action) {
    return world.wait<QueueControl::Outcome>([&](auto done) { world.control.act(std::move(action), std::move(done)); });
}

base::Result<QueueControl::Outcome> act(ManualCluster& world, Kind kind) {
    wire::QueueAction action;
    action.node = "127.0.0.1:4000";
    action.kind = kind;
    return act(world, action);
}

std::function<bool()> isActive(ManualCluster& world, std::size_t worker) {
    return [&world, worker] { return world.peer(worker)->state == PeerState::Active; };
}

/// Three operations for the first worker, which it refuses for good.
bool parkThree(ManualCluster& world) {
    if (!world.runUntil(isActive(world, 0), 10s))
        return false;
    world.workers[0].applyEffect = ApplyEffect::DimensionMismatch;
    world.queueFor(0, 3);
    const bool parked = world.runUntil([&] { return world.stats(0).parked == 3; }, 10s);
    world.workers[0].applied.clear();
    return parked;
}

} // namespace

class QueueControlTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void anUnknownWorkerIsNotFound() {
        ManualCluster world(2);
        wire::QueueAction action;
        action.node = "127.0.0.1:9";
        QCOMPARE(act(world, action).error().reason, base::Reason::NotFound);
    }

    void aPausedQueueWaitsUntilItIsResumed() {
        ManualCluster world(2);
        QVERIFY(world.runUntil(isActive(world, 0), 10s));
        QCOMPARE(act(world, Kind::Pause)->changed, 1U);
        QCOMPARE(act(world, Kind::Pause)->changed, 0U);
        world.queueFor(0, 10);
        world.runFor(20s);
        QCOMPARE(world.stats(0).ops, 10U);
        QVERIFY(world.replay.progress(world.workers[0].node).paused);
        QVERIFY(world.peer(0)->state == PeerState::CatchingUp);
        QCOMPARE(act(world, Kind::Resume)->changed, 1U);
        QVERIFY(world.runUntil(isActive(world, 0), 10s));
        QCOMPARE(world.stats(0).ops, 0U);
        QCOMPARE(world.workers[0].applied.size(), 10U);
    }

    void parkedOperationsAreListedInPages() {
        ManualCluster world(2);
        QVERIFY(parkThree(world));
        const auto whole = act(world, Kind::List);
        QCOMPARE(whole->parked.entries.size(), 3U);
        QVERIFY(!whole->parked.next);
        QCOMPARE(whole->parked.entries[1].parkedBecause, std::string("dimension_mismatch"));
        wire::QueueAction action;
        action.node = "127.0.0.1:4000";
        action.limit = 2;
        const auto first = act(world, action);
        QCOMPARE(first->parked.entries.size(), 2U);
        QVERIFY(first->parked.next);
        action.cursor = *first->parked.next;
        const auto second = act(world, action);
        QCOMPARE(second->parked.entries.size(), 1U);
        QCOMPARE(second->parked.entries[0].opId, whole->parked.entries[2].opId);
        QVERIFY(!second->parked.next);
    }

    void retriedOperationsGoOut() {
        ManualCluster world(2);
        QVERIFY(parkThree(world));
        world.workers[0].applyEffect = ApplyEffect::Applied;
        wire::QueueAction one;
        one.node = "127.0.0.1:4000";
        one.kind = Kind::Retry;
        one.opIds = {act(world, Kind::List)->parked.entries[1].opId};
        QCOMPARE(act(world, one)->changed, 1U);
        QVERIFY(world.runUntil([&] { return world.stats(0).ops == 2; }, 10s));
        QCOMPARE(world.workers[0].applied.size(), 1U);
        QCOMPARE(act(world, Kind::Retry)->changed, 2U);
        QVERIFY(world.runUntil([&] { return world.stats(0).ops == 0; }, 10s));
        QCOMPARE(world.workers[0].applied.size(), 3U);
        QVERIFY(world.runUntil(isActive(world, 0), 10s));
    }

    void aDroppedOperationMakesItsPartitionCompared() {
        ManualCluster world(2);
        QVERIFY(parkThree(world));
        const auto checked = world.repair.report().partitionsChecked;
        wire::QueueAction drop;
        drop.node = "127.0.0.1:4000";
        drop.kind = Kind::Drop;
        drop.opIds = {act(world, Kind::List)->parked.entries[0].opId};
        const auto dropped = act(world, drop);
        QCOMPARE(dropped->changed, 1U);
        QCOMPARE(dropped->stats.parked, 2U);
        QVERIFY(world.runUntil([&] { return world.repair.report().partitionsChecked != checked; }, 10s));
        QCOMPARE(act(world, drop)->changed, 0U);
    }

    void aQueueGoesToThePresentOwners() {
        ManualCluster world(3);
        QVERIFY(world.runUntil(isActive(world, 0), 10s));
        world.workers[0].hung = true;
        world.queueFor(0, 512);
        world.runFor(kOutage);
        QCOMPARE(world.stats(0).ops, 512U);
        // The first one keeps the lower half, the second one has all, the third one the upper half.
        routing::ClusterConfig config;
        const std::pair<int, int> ranges[] = {{0, 127}, {0, 255}, {128, 255}};
        for (std::size_t i = 0; i < 3; ++i)
            config.entries.push_back({*routing::Address::parse(world.workers[i].address),
                                      {ranges[i].first, ranges[i].second},
                                      std::nullopt,
                                      std::nullopt});
        world.cluster.useMap(routing::PartitionMap(config));
        world.watchdog.followMap();
        world.control.followMap();
        QVERIFY(world.runUntil([&] { return world.stats(0).ops == 256; }, 10s));
        QVERIFY(world.runUntil([&] { return world.stats(1).ops + world.stats(2).ops == 0; }, 10s));
        QCOMPARE(world.workers[1].applied.size(), 256U);
        QCOMPARE(world.workers[2].applied.size(), 256U);
        QVERIFY(world.runUntil(isActive(world, 2), 10s));
    }

    void theQueueOfAWorkerOffTheMapEnds() {
        ManualCluster world(3);
        QVERIFY(world.runUntil(isActive(world, 0), 10s));
        world.workers[0].hung = true;
        world.queueFor(0, 100);
        routing::ClusterConfig config;
        for (std::size_t i = 1; i < 3; ++i)
            config.entries.push_back(
                {*routing::Address::parse(world.workers[i].address), {0, 255}, std::nullopt, std::nullopt});
        world.cluster.useMap(routing::PartitionMap(config));
        world.watchdog.followMap();
        world.control.followMap();
        QVERIFY(world.runUntil([&] { return world.stats(0).ops == 0; }, 10s));
        world.runFor(2s);
        QCOMPARE(world.workers[1].applied.size(), 100U);
        const auto stats = world.wait<QueueStats>([&](auto done) { world.queue.stats(std::move(done)); });
        QVERIFY(!stats->targets.contains(world.workers[0].node));
        QVERIFY(world.replay.pendingNodes().empty());
    }

    void aDiscardedQueueLeavesTheMark() {
        ManualCluster world(2);
        QVERIFY(world.runUntil(isActive(world, 0), 10s));
        world.workers[0].hung = true;
        world.queueFor(0, 10);
        world.runFor(kOutage);
        const auto discarded = act(world, Kind::Discard);
        QVERIFY(discarded.has_value());
        QCOMPARE(discarded->changed, 10U);
        QCOMPARE(discarded->stats.ops, 0U);
        QVERIFY(discarded->stats.resync == ResyncMark::Marked);
    }

    void aQueueThatNoReplicaCouldMakeGoodIsKept() {
        ManualCluster world(2);
        QVERIFY(world.runUntil(isActive(world, 0), 10s));
        world.queueFor(0, 10);
        world.workers[0].hung = true;
        world.workers[1].hung = true;
        world.runFor(kOutage);
        wire::QueueAction discard;
        discard.node = "127.0.0.1:4000";
        discard.kind = Kind::Discard;
        QCOMPARE(act(world, discard).error().reason, base::Reason::DataNotMoved);
        QCOMPARE(world.stats(0).ops, 10U);
        discard.force = true;
        QCOMPARE(act(world, discard)->changed, 10U);
    }
};

QTEST_GUILESS_MAIN(QueueControlTest)
#include "queue_control_test.moc"
