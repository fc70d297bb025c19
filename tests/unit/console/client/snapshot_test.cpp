#include "console/client/snapshot_builder.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace fremis::console;
using fremis::hashing::PartitionRange;

namespace {

constexpr Instant kNow{1'767'600'000'000};

PartitionSet setOf(std::initializer_list<PartitionRange> ranges) {
    return PartitionSet(std::vector<PartitionRange>(ranges));
}

/// a: 0-127; b: 128-255; c: 0-9 too.
constexpr auto kYaml = "version: \"v1\"\n"
                       "nodes:\n"
                       "  - {address: \"a:1\", partition_start: 0, partition_end: 127, name: \"alpha\"}\n"
                       "  - {address: \"b:1\", partition_start: 128, partition_end: 255}\n"
                       "  - {address: \"c:1\", partition_start: 0, partition_end: 9}\n";

Observations configured(const char* yaml = kYaml) {
    Observations seen;
    const auto view = configViewOf({u"epoch"_s, {}, yaml, "\"epoch\"", {}});
    if (!view)
        qFatal("%s", view.error().message.c_str());
    seen.config.set(*view, kNow);
    return seen;
}

void answers(Observations& seen, const QString& address, const QString& state = u"ACTIVE"_s, Instant at = kNow) {
    Health health;
    health.state = state;
    seen.nodes[address].health.set(health, at);
    seen.nodes[address].lastAnswerAt = at;
}

void fails(Observations& seen, const QString& address, int polls) {
    seen.nodes[address].failedPolls = polls;
    seen.nodes[address].lastError = u"No answer: refused"_s;
}

void told(Observations& seen, const QString& address, const QString& state, Instant at = kNow) {
    ToldNode node;
    node.address = address;
    node.state = state;
    node.lastError = state == "DOWN"_L1 ? u"Couldn't connect"_s : QString();
    auto nodes = seen.told.valueOr({});
    nodes.nodes.append(node);
    seen.told.set(nodes, at);
}

void allAnswer(Observations& seen) {
    for (const auto& address : {u"a:1"_s, u"b:1"_s, u"c:1"_s})
        answers(seen, address);
}

SnapshotPtr snapshotOf(const Observations& seen, const Profile& profile = {}, Instant now = kNow,
                       const SnapshotPtr& before = {}) {
    return makeSnapshot(seen, profile, now, before);
}

PartitionClass classOf(const SnapshotPtr& snapshot, int partition) {
    return snapshot->partitions[static_cast<std::size_t>(partition)].health;
}

} // namespace

class SnapshotTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void withoutAConfigEverythingIsUnknown();
    void healthyOwnersMakeOkPartitions();
    void aDeadOnlyOwnerPutsPartitionsAtRisk();
    void aDeadReplicaMakesPartitionsThin();
    void oneFailedPollIsNoOutage();
    void silenceIsUnknownAndNeverOk();
    void anUnknownOwnerMayBeAllThatIsLeft();
    void moreOwnersThanTheProfileWantsIsOver();
    void ownersWithoutWantedNumberAreNeverOver();
    void theWorkersWordWins();
    void disagreementIsShown();
    void catchingUpIsTheCoordinatorsWord();
    void unreachableWorkersAreKnownViaTheCoordinator();
    void sinceIsKeptWhileTheStateLasts();
    void aliasesAndMaintenanceComeFromTheProfile();
    void discoveredNodesFollowTheConfigs();
    void vectorsAreThoseOfTheFullestOwner();
    void unknownVectorsAreNotZero();
    void reportedRangesThatDifferAreDrift();
    void coordinatorsWithDifferentEpochsAreDrift();
    void countsAddUp();
    void queueEtaNeedsAShrinkingQueue();
    void equalObservationsGiveEqualSnapshots();
};

void SnapshotTest::withoutAConfigEverythingIsUnknown() {
    const auto snapshot = snapshotOf({});
    QCOMPARE(snapshot->counts.of(PartitionClass::Unknown), 256);
    QVERIFY(snapshot->isBlind());
    QVERIFY(!snapshot->counts.queued);
}

void SnapshotTest::healthyOwnersMakeOkPartitions() {
    auto seen = configured();
    allAnswer(seen);
    const auto snapshot = snapshotOf(seen);
    QCOMPARE(snapshot->counts.of(PartitionClass::Ok), 256);
    QVERIFY(!snapshot->isBlind());
    QCOMPARE(snapshot->partitions[5].owners, (std::vector<int>{0, 2}));
    QCOMPARE(snapshot->partitions[5].expected, 2);
    QCOMPARE(snapshot->partitions[10].owners, std::vector<int>{0});
    QCOMPARE(snapshot->nodes[0].label(), u"alpha"_s);
    QCOMPARE(snapshot->nodes[1].label(), u"b:1"_s);
}

void SnapshotTest::aDeadOnlyOwnerPutsPartitionsAtRisk() {
    auto seen = configured();
    allAnswer(seen);
    fails(seen, u"b:1"_s, 2);
    const auto snapshot = snapshotOf(seen);
    QCOMPARE(snapshot->nodes[1].state, NodeState::Down);
    QCOMPARE(snapshot->all(PartitionClass::AtRisk), setOf({{128, 255}}));
    QCOMPARE(snapshot->nodes[1].reason, u"No answer: refused"_s);
}

void SnapshotTest::aDeadReplicaMakesPartitionsThin() {
    auto seen = configured();
    allAnswer(seen);
    fails(seen, u"c:1"_s, 3);
    const auto snapshot = snapshotOf(seen);
    QCOMPARE(snapshot->all(PartitionClass::Thin), setOf({{0, 9}}));
    QCOMPARE(snapshot->counts.of(PartitionClass::Ok), 246);
}

void SnapshotTest::oneFailedPollIsNoOutage() {
    auto seen = configured();
    allAnswer(seen);
    fails(seen, u"b:1"_s, 1);
    QCOMPARE(snapshotOf(seen)->nodes[1].state, NodeState::Ok);
}

void SnapshotTest::silenceIsUnknownAndNeverOk() {
    auto seen = configured();
    allAnswer(seen);
    const auto snapshot = snapshotOf(seen, {}, kNow + 7s);
    QCOMPARE(snapshot->counts.of(PartitionClass::Unknown), 256);
    QCOMPARE(snapshot->counts.nodesUnknown, 3);
    QVERIFY(snapshot->nodes[0].isStale && snapshot->isBlind());
}

void SnapshotTest::anUnknownOwnerMayBeAllThatIsLeft() {
    auto seen = configured();
    answers(seen, u"b:1"_s);
    fails(seen, u"a:1"_s, 2);
    seen.nodes[u"c:1"_s];
    const auto snapshot = snapshotOf(seen);
    QCOMPARE(classOf(snapshot, 5), PartitionClass::Unknown); // a is dead, c has not been heard
    QCOMPARE(classOf(snapshot, 50), PartitionClass::AtRisk);
    QCOMPARE(snapshot->partitions[5].unknownOwners, 1);
}

void SnapshotTest::moreOwnersThanTheProfileWantsIsOver() {
    auto seen = configured();
    allAnswer(seen);
    Profile profile;
    profile.replication = 1;
    QCOMPARE(snapshotOf(seen, profile)->all(PartitionClass::Over), setOf({{0, 9}}));
}

void SnapshotTest::ownersWithoutWantedNumberAreNeverOver() {
    auto seen = configured();
    allAnswer(seen);
    QVERIFY(snapshotOf(seen)->all(PartitionClass::Over).empty());
    Profile profile;
    profile.replication = 2;
    QCOMPARE(snapshotOf(seen, profile)->all(PartitionClass::Thin), setOf({{10, 255}}));
}

void SnapshotTest::theWorkersWordWins() {
    auto seen = configured();
    allAnswer(seen);
    answers(seen, u"b:1"_s, u"LOADING"_s);
    told(seen, u"b:1"_s, u"ACTIVE"_s);
    const auto snapshot = snapshotOf(seen);
    QCOMPARE(snapshot->nodes[1].state, NodeState::Loading);
    QCOMPARE(classOf(snapshot, 200), PartitionClass::AtRisk);
}

void SnapshotTest::disagreementIsShown() {
    auto seen = configured();
    allAnswer(seen);
    told(seen, u"b:1"_s, u"DOWN"_s);
    const auto snapshot = snapshotOf(seen);
    QCOMPARE(snapshot->nodes[1].state, NodeState::Degraded);
    QVERIFY2(snapshot->nodes[1].reason.contains("Couldn't connect"_L1), qPrintable(snapshot->nodes[1].reason));
    QCOMPARE(classOf(snapshot, 200), PartitionClass::AtRisk); // searches do not reach it
}

void SnapshotTest::catchingUpIsTheCoordinatorsWord() {
    auto seen = configured();
    allAnswer(seen);
    told(seen, u"b:1"_s, u"CATCHING_UP"_s);
    QCOMPARE(snapshotOf(seen)->nodes[1].state, NodeState::CatchingUp);
}

void SnapshotTest::unreachableWorkersAreKnownViaTheCoordinator() {
    auto seen = configured();
    allAnswer(seen);
    fails(seen, u"b:1"_s, 5);
    told(seen, u"b:1"_s, u"ACTIVE"_s);
    const auto snapshot = snapshotOf(seen);
    QCOMPARE(snapshot->nodes[1].state, NodeState::Ok);
    QVERIFY(snapshot->nodes[1].viaCoordinator);
    QCOMPARE(classOf(snapshot, 200), PartitionClass::Ok);
}

void SnapshotTest::sinceIsKeptWhileTheStateLasts() {
    auto seen = configured();
    allAnswer(seen);
    const auto first = snapshotOf(seen);
    const auto second = snapshotOf(seen, {}, kNow + 1s, first);
    QCOMPARE(second->nodes[1].since, kNow);
    fails(seen, u"b:1"_s, 2);
    const auto third = snapshotOf(seen, {}, kNow + 2s, second);
    QCOMPARE(third->nodes[1].since, kNow + 2s);
    QCOMPARE(third->number, 3U);
}

void SnapshotTest::aliasesAndMaintenanceComeFromTheProfile() {
    auto seen = configured();
    Profile profile;
    profile.aliases.insert(u"a:1"_s, u"rack 4"_s);
    profile.maintenance = {u"b:1"_s};
    profile.rewrites.insert(u"c:1"_s, u"10.0.0.9:4003"_s);
    profile.coordinators = {QUrl(u"https://k:4005"_s)};
    const auto snapshot = snapshotOf(seen, profile);
    QCOMPARE(snapshot->nodes[0].label(), u"rack 4"_s);
    QVERIFY(snapshot->nodes[1].inMaintenance && !snapshot->nodes[0].inMaintenance);
    QCOMPARE(snapshot->nodes[2].url, QUrl(u"https://10.0.0.9:4003"_s));
}

void SnapshotTest::discoveredNodesFollowTheConfigs() {
    auto seen = configured();
    told(seen, u"x:1"_s, u"ACTIVE"_s);
    const auto snapshot = snapshotOf(seen);
    QCOMPARE(snapshot->nodes.size(), 4U);
    QCOMPARE(snapshot->nodes[3].address, u"x:1"_s);
    QVERIFY(!snapshot->nodes[3].isConfigured && snapshot->nodes[3].assigned.empty());
}

void SnapshotTest::vectorsAreThoseOfTheFullestOwner() {
    auto seen = configured();
    VectorLoad full;
    VectorLoad less;
    full.partitions[5] = 100;
    less.partitions[5] = 90;
    seen.nodes[u"a:1"_s].load.set(std::make_shared<const VectorLoad>(less), kNow);
    seen.nodes[u"c:1"_s].load.set(std::make_shared<const VectorLoad>(full), kNow);
    const auto snapshot = snapshotOf(seen);
    QCOMPARE(snapshot->partitions[5].vectors, quint64{100});
    QCOMPARE(snapshot->partitions[5].disagreement(), quint64{10});
}

void SnapshotTest::unknownVectorsAreNotZero() {
    const auto snapshot = snapshotOf(configured());
    QVERIFY(!snapshot->partitions[5].vectors && !snapshot->partitions[5].disagreement());
    QVERIFY(!snapshot->partitions[5].queued && !snapshot->nodes[0].vectors());
}

void SnapshotTest::reportedRangesThatDifferAreDrift() {
    auto seen = configured();
    Health health;
    health.state = u"ACTIVE"_s;
    health.partitions = setOf({{0, 99}});
    seen.nodes[u"a:1"_s].health.set(health, kNow);
    const auto snapshot = snapshotOf(seen);
    QCOMPARE(snapshot->drifts.size(), 1U);
    QCOMPARE(snapshot->drifts[0].subject, u"a:1"_s);
    QVERIFY(snapshot->drifts[0].text.contains("0-99"_L1) && snapshot->drifts[0].text.contains("0-127"_L1));
}

void SnapshotTest::coordinatorsWithDifferentEpochsAreDrift() {
    auto seen = configured();
    for (const auto* epoch : {"epoch", "other"}) {
        CoordinatorObservation coordinator;
        coordinator.url = QUrl(u"http://%1:4005"_s.arg(QLatin1StringView(epoch)));
        ClusterStatus status;
        status.configEpoch = QLatin1StringView(epoch);
        coordinator.status.set(status, kNow);
        seen.coordinators.push_back(coordinator);
    }
    const auto snapshot = snapshotOf(seen);
    QCOMPARE(snapshot->coordinator, 0);
    QCOMPARE(snapshot->drifts.size(), 1U);
    QCOMPARE(snapshot->drifts[0].subject, u"http://other:4005"_s);
}

void SnapshotTest::countsAddUp() {
    auto seen = configured();
    answers(seen, u"a:1"_s);
    fails(seen, u"b:1"_s, 2);
    ClusterQueue queue;
    queue.totalOps = 12;
    QueueDepth depth;
    depth.address = u"b:1"_s;
    depth.ops = 12;
    depth.oldestSeconds = 33;
    queue.nodes = {depth};
    seen.queue.set(queue, kNow);
    const auto snapshot = snapshotOf(seen);
    int sum = 0;
    for (const int count : snapshot->counts.partitions)
        sum += count;
    QCOMPARE(sum, 256);
    QCOMPARE(snapshot->counts.nodes, 3);
    QCOMPARE(snapshot->counts.nodesOk, 1);
    QCOMPARE(snapshot->counts.nodesDown, 1);
    QCOMPARE(snapshot->counts.nodesUnknown, 1);
    QCOMPARE(snapshot->counts.queued, quint64{12});
    QCOMPARE(snapshot->counts.oldestQueuedSeconds, qint64{33});
    QCOMPARE(snapshot->partitions[200].queued, quint64{12});
}

void SnapshotTest::queueEtaNeedsAShrinkingQueue() {
    NodeView node;
    QueueDepth depth;
    depth.ops = 600;
    node.queue.set(depth, kNow);
    QVERIFY(!node.queueEtaSeconds());
    node.queueRate = -5;
    QVERIFY(!node.queueEtaSeconds());
    node.queueRate = 60;
    QCOMPARE(node.queueEtaSeconds(), qint64{10});
}

void SnapshotTest::equalObservationsGiveEqualSnapshots() {
    auto seen = configured();
    allAnswer(seen);
    const auto first = snapshotOf(seen);
    const auto second = snapshotOf(seen, {}, kNow + 1s, first);
    QVERIFY(first->sameAs(*second));
    fails(seen, u"b:1"_s, 2);
    QVERIFY(!first->sameAs(*snapshotOf(seen, {}, kNow + 2s, second)));
}

QTEST_GUILESS_MAIN(SnapshotTest)
#include "snapshot_test.moc"
