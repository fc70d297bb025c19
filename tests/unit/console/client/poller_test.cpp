#include "console/client/config_draft.h"
#include "console/client/demo_transport.h"
#include "console/client/network_transport.h"
#include "console/client/plan_adapter.h"
#include "console/client/poller.h"
#include "console/client/snapshot_file.h"
#include "tests/support/fake_clock.h"
#include "tests/support/fake_cluster.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace fremis::console;

namespace {

DemoScenario threeNodes() {
    DemoScenario scenario;
    scenario.nodes = 3;
    scenario.replication = 1;
    scenario.singleCopies = false;
    scenario.vectors = 3000;
    scenario.enrollmentsPerSecond = 0;
    return scenario;
}

/// A poller over a cluster in memory, on a clock that the test moves.
struct Bench {
    explicit Bench(DemoScenario scenario = threeNodes()) : transport(std::move(scenario), clock) {}

    fremis::test::FakeClock clock;
    DemoTransport transport;
    ClusterClient client{transport, clock};
    History history;
    Poller poller{client, clock, history, false};

    /// Lets time pass until `fact` holds; false after `most` of the cluster's time.
    bool until(const std::function<bool(const Snapshot&)>& fact, Milliseconds most = 60s) {
        for (Milliseconds passed{0}; passed <= most; passed += 100ms) {
            poller.tick();
            // Answers take some milliseconds of the real time, those of hanging programs their time-out.
            if (!QTest::qWaitFor([this] { return transport.underWay() == 0; }, 20'000))
                return false;
            if (poller.snapshot() && fact(*poller.snapshot()))
                return true;
            clock.advance(100ms);
        }
        return false;
    }
};

bool allOk(const Snapshot& snapshot) {
    return snapshot.counts.of(PartitionClass::Ok) == 256;
}

} // namespace

class PollerTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aHealthyClusterIsSeenWhole();
    void aDeadWorkerPutsItsPartitionsAtRisk();
    void aDeadProgramIsAskedLessAndLessOften();
    void snapshotsComeAtMostTwiceASecond();
    void pausedMeansNoRequests();
    void reconnectingForgetsTheOldCluster();
    void aCoordinatorThatIsGoneMakesUnknownNotOk();
    void endpointsThatAreMissingAreNamed();
    void aConfigFileReplacesTheCoordinators();
    void manualNodesAreAskedWithoutACoordinator();
    void historyHasGapsWhereNobodyAnswered();
    void aHangingWorkerDoesNotPileUpRequests();
    void callsOfANodeAreKept();
    void queuesArePausedAndDiscarded();
    void nodesThatAPlanAddsJoin();
    void scenariosAreRead();
    void badScenariosAreRefused_data();
    void badScenariosAreRefused();
    void whatWasSeenCanBeSavedAndRead();
    void damagedSnapshotFilesAreRefused();
};

void PollerTest::aHealthyClusterIsSeenWhole() {
    Bench bench;
    bench.poller.connectTo(bench.transport.profile());
    QVERIFY(bench.until(allOk));
    const auto fully = [](const Snapshot& snapshot) {
        return snapshot.nodes.size() == 3 && snapshot.nodes[0].load && snapshot.nodes[2].resources && snapshot.queue &&
               snapshot.keyspaces && snapshot.limits && snapshot.status;
    };
    QVERIFY(bench.until(fully));
    const auto& snapshot = *bench.poller.snapshot();
    QCOMPARE(snapshot.nodes[0].name, u"worker-1"_s);
    QCOMPARE(snapshot.nodes[0].state, NodeState::Ok);
    QVERIFY(!snapshot.nodes[0].viaCoordinator && snapshot.nodes[0].pollP50);
    QCOMPARE(snapshot.nodes[0].clockSkew, Milliseconds(0)); // by the answer's time, not the last sample's
    QCOMPARE(snapshot.counts.queued, quint64{0});
    QVERIFY(snapshot.notOffered.isEmpty() && snapshot.drifts.empty());
    QVERIFY(snapshot.partitions[7].vectors.value_or(0) > 0);
}

void PollerTest::aDeadWorkerPutsItsPartitionsAtRisk() {
    Bench bench;
    bench.poller.connectTo(bench.transport.profile());
    QVERIFY(bench.until(allOk));
    bench.transport.world().setFault(u"worker-2"_s, DemoFault::Dead);
    QVERIFY(bench.until([](const Snapshot& snapshot) { return snapshot.counts.of(PartitionClass::AtRisk) > 0; }, 10s));
    const auto* dead = bench.poller.snapshot()->find(u"worker-2.demo:4003"_s);
    QCOMPARE(bench.poller.snapshot()->all(PartitionClass::AtRisk), dead->assigned);
    QVERIFY(!dead->reason.isEmpty());
    bench.transport.world().setFault(u"worker-2"_s, DemoFault::None);
    QVERIFY(bench.until([](const Snapshot& snapshot) { return snapshot.nodes[1].state == NodeState::Loading; }));
    QVERIFY(bench.until(allOk));
}

void PollerTest::aDeadProgramIsAskedLessAndLessOften() {
    Bench bench;
    bench.poller.connectTo(bench.transport.profile());
    QVERIFY(bench.until(allOk));
    bench.transport.world().setFault(u"worker-2"_s, DemoFault::Dead);
    std::vector<Instant> asked;
    connect(&bench.client, &ClusterClient::finished, &bench.client, [&](const CallRecord& record) {
        if (record.url.contains("worker-2"_L1) && record.status == 0)
            asked.push_back(record.startedAt);
    });
    QVERIFY(bench.until([&asked](const Snapshot&) { return asked.size() >= 6; }, 120s));
    // Calls that were under way when it died may be among the first.
    std::vector<Milliseconds> waits;
    for (std::size_t at = 1; at < asked.size(); ++at)
        if (asked[at] - asked[at - 1] >= 1s)
            waits.push_back(asked[at] - asked[at - 1]);
    QVERIFY(waits.size() >= 3);
    QVERIFY(std::is_sorted(waits.begin(), waits.end()));
    QVERIFY(bench.poller.snapshot()->nodes[1].nextTryAt);
}

void PollerTest::snapshotsComeAtMostTwiceASecond() {
    Bench bench;
    std::vector<Instant> published;
    connect(&bench.poller, &Poller::snapshotReady, &bench.poller,
            [&](const SnapshotPtr&) { published.push_back(bench.clock.sinceEpoch()); });
    bench.poller.connectTo(bench.transport.profile());
    QVERIFY(!bench.until([](const Snapshot&) { return false; }, 5s));
    QVERIFY(published.size() >= 5);
    for (std::size_t at = 1; at < published.size(); ++at)
        QVERIFY(published[at] - published[at - 1] >= 500ms);
}

void PollerTest::pausedMeansNoRequests() {
    Bench bench;
    bench.poller.connectTo(bench.transport.profile());
    QVERIFY(bench.until(allOk));
    bench.poller.pause();
    QVERIFY(bench.until([](const Snapshot& snapshot) { return snapshot.isPaused; }));
    QSignalSpy calls(&bench.client, &ClusterClient::finished);
    QVERIFY(!bench.until([](const Snapshot&) { return false; }, 5s));
    QCOMPARE(calls.size(), 0);
    bench.poller.refreshNow();
    QTRY_VERIFY(calls.size() >= 4);
    bench.poller.resume();
    QVERIFY(bench.until([](const Snapshot& snapshot) { return !snapshot.isPaused && allOk(snapshot); }));
}

void PollerTest::reconnectingForgetsTheOldCluster() {
    Bench bench;
    bench.poller.connectTo(bench.transport.profile());
    QVERIFY(bench.until(allOk));
    const auto before = bench.poller.snapshot();
    auto other = bench.transport.profile();
    other.coordinators = {QUrl(u"http://nobody.demo:4005"_s)};
    bench.poller.connectTo(other);
    QVERIFY(!bench.poller.snapshot());
    QVERIFY(bench.until([](const Snapshot& snapshot) { return !snapshot.coordinators[0].lastError.isEmpty(); }));
    const auto& after = *bench.poller.snapshot();
    QVERIFY(after.generation > before->generation);
    QVERIFY(after.nodes.empty() && after.isBlind());
    QCOMPARE(after.counts.of(PartitionClass::Unknown), 256);
    QVERIFY(before->nodes.size() == 3); // whoever still holds it may read on
}

void PollerTest::aCoordinatorThatIsGoneMakesUnknownNotOk() {
    Bench bench;
    bench.poller.connectTo(bench.transport.profile());
    QVERIFY(bench.until(allOk));
    for (const auto* name : {"coordinator", "worker-1", "worker-2", "worker-3"})
        bench.transport.world().setFault(QLatin1StringView(name), DemoFault::Hangs);
    QVERIFY(bench.until(
        [](const Snapshot& snapshot) { return snapshot.counts.of(PartitionClass::Ok) == 0 && !snapshot.coordinator; }));
}

void PollerTest::endpointsThatAreMissingAreNamed() {
    Bench bench;
    bench.transport.world().setOriginal(true);
    auto profile = bench.transport.profile();
    profile.nodeSource = NodeSource::Manual;
    profile.manualNodes = bench.transport.world().addresses();
    bench.poller.connectTo(profile);
    QVERIFY(bench.until([](const Snapshot& snapshot) {
        return snapshot.notOffered.contains(u"/v1/cluster/status"_s) && snapshot.counts.nodesOk == 3;
    }));
    QCOMPARE(bench.poller.snapshot()->counts.of(PartitionClass::Unknown), 256);
    QVERIFY(bench.poller.snapshot()->coordinator);
}

void PollerTest::aConfigFileReplacesTheCoordinators() {
    Bench bench;
    const QTemporaryDir folder;
    QFile file(folder.filePath(u"config.yml"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(bench.transport.world().config().text).replace("\"v1\"", "v1"));
    file.close();
    auto profile = bench.transport.profile();
    profile.nodeSource = NodeSource::File;
    profile.configPath = file.fileName();
    bench.poller.connectTo(profile);
    QVERIFY(bench.until(allOk));
    QCOMPARE((**bench.poller.snapshot()->config).source, ConfigView::Source::File);
    QVERIFY(bench.poller.snapshot()->drifts.empty());
}

void PollerTest::manualNodesAreAskedWithoutACoordinator() {
    Bench bench;
    Profile profile;
    profile.name = u"two nodes"_s;
    profile.nodeSource = NodeSource::Manual;
    profile.manualNodes = {u"worker-1.demo:4003"_s, u"worker-3.demo:4003"_s};
    bench.poller.connectTo(profile);
    QVERIFY(bench.until([](const Snapshot& snapshot) { return snapshot.counts.nodesOk == 2; }));
    QCOMPARE(bench.poller.snapshot()->nodes.size(), 2U);
    QVERIFY(bench.poller.snapshot()->nodes[0].isConfigured);
    QCOMPARE(bench.poller.snapshot()->counts.of(PartitionClass::Unknown), 256); // nobody says who owns what
}

void PollerTest::historyHasGapsWhereNobodyAnswered() {
    Bench bench;
    bench.poller.connectTo(bench.transport.profile());
    const auto node = u"worker-1.demo:4003"_s;
    QVERIFY(bench.until([&](const Snapshot&) { return !std::isnan(bench.history.last(node, Metric::Cpu)); }));
    bench.transport.world().setFault(u"worker-1"_s, DemoFault::Dead);
    QVERIFY(bench.until([&](const Snapshot&) { return std::isnan(bench.history.last(node, Metric::Cpu)); }));
    bench.transport.world().setFault(u"worker-1"_s, DemoFault::None);
    QVERIFY(bench.until([&](const Snapshot&) { return !std::isnan(bench.history.last(node, Metric::Cpu)); }));
    QVERIFY(!std::isnan(bench.history.last(u"worker-2.demo:4003"_s, Metric::Ram)));
}

void PollerTest::aHangingWorkerDoesNotPileUpRequests() {
    fremis::test::FakeClock clock;
    fremis::test::FakeCluster cluster(threeNodes(), clock);
    NetworkTransport transport;
    ClusterClient client(transport, clock);
    client.setTimeout(60s);
    History history;
    Poller poller(client, clock, history, false);
    cluster.setFault(1, DemoFault::Hangs);
    poller.connectTo(cluster.profile());
    const auto hanging = QUrl(u"http://"_s + cluster.address(1)).authority();
    const auto allSeen = [&] {
        poller.tick();
        clock.advance(100ms);
        return poller.snapshot() && poller.snapshot()->counts.nodesOk == 2;
    };
    QTRY_VERIFY_WITH_TIMEOUT(allSeen(), 20'000);
    for (int tick = 0; tick < 300; ++tick) {
        poller.tick();
        clock.advance(100ms);
        QCoreApplication::processEvents();
    }
    QTRY_VERIFY(cluster.mostAtOnce() >= 1);
    QVERIFY2(cluster.mostAtOnce() <= Poller::kCallsPerProgram, qPrintable(QString::number(cluster.mostAtOnce())));
}

void PollerTest::callsOfANodeAreKept() {
    Bench bench;
    bench.poller.connectTo(bench.transport.profile());
    QVERIFY(bench.until(
        [&](const Snapshot&) {
            const auto found = bench.poller.observations().nodes.find(u"worker-1.demo:4003"_s);
            return found != bench.poller.observations().nodes.end() && found->second.calls.size() == 50;
        },
        90s));
    QVERIFY(bench.poller.observations().nodes.at(u"worker-1.demo:4003"_s).latencies.size() <= 50);
}

void PollerTest::queuesArePausedAndDiscarded() {
    auto scenario = threeNodes();
    scenario.replication = 2;
    scenario.enrollmentsPerSecond = 100;
    Bench bench(scenario);
    bench.poller.connectTo(bench.transport.profile());
    QVERIFY(bench.until(allOk));
    bench.transport.world().setFault(u"worker-2"_s, DemoFault::Dead);
    QVERIFY(bench.until([](const Snapshot& snapshot) { return snapshot.counts.queued.value_or(0) > 100; }));
    const auto act = [&bench](const QString& action) {
        std::optional<CallResult<QueueActionReply>> reply;
        bench.client.actOnQueue(bench.transport.profile().coordinators.first(),
                                {u"worker-2.demo:4003"_s, action, {}, {}, true}, &bench.client,
                                [&reply](CallResult<QueueActionReply> got) { reply = std::move(got); });
        return QTest::qWaitFor([&reply] { return reply.has_value(); }, 20'000) && *reply ? (**reply).queue
                                                                                         : QueueDepth();
    };
    QCOMPARE(act(u"pause"_s).paused, true);
    bench.transport.world().setFault(u"worker-2"_s, DemoFault::None);
    QVERIFY(bench.until([](const Snapshot& snapshot) { return snapshot.nodes[1].state == NodeState::CatchingUp; }));
    QVERIFY(
        bench.until([](const Snapshot& snapshot) { return snapshot.nodes[1].queue->state == QueueState::Blocked; }));
    const auto discarded = act(u"discard"_s);
    QVERIFY(discarded.needsFullResync && discarded.ops == 0);
    QVERIFY(bench.until(allOk));
    QVERIFY(act(u"resume"_s).paused == false);
    QVERIFY(act(u"nonsense"_s).address.isEmpty());
}

void PollerTest::nodesThatAPlanAddsJoin() {
    Bench bench;
    bench.poller.connectTo(bench.transport.profile());
    QVERIFY(bench.until([](const Snapshot& snapshot) {
        return allOk(snapshot) && snapshot.nodes[0].load && snapshot.nodes[1].load && snapshot.nodes[2].load;
    }));
    auto request = planRequestOf(*bench.poller.snapshot());
    QVERIFY(request);
    request->add = {{*fremis::routing::Address::parse("worker-4.demo:4003"), std::string("worker-4"), {}, {}}};
    const auto plan = fremis::routing::makePlan(*request);
    QVERIFY(plan);
    ConfigDraft draft;
    const auto& config = **bench.poller.snapshot()->config;
    draft.open(config.text, config.etag);
    QVERIFY(draft.assign(plan->after));
    std::optional<CallResult<ConfigChange>> written;
    bench.client.writeConfig(bench.transport.profile().coordinators.first(), {draft.text(), config.etag, false, true},
                             &bench.client, [&written](CallResult<ConfigChange> got) { written = std::move(got); });
    QTRY_VERIFY(written);
    QVERIFY(*written);
    const auto address = u"worker-4.demo:4003"_s;
    QVERIFY(bench.until([&address](const Snapshot& snapshot) {
        const auto* joined = snapshot.find(address);
        return joined && allOk(snapshot) && joined->vectors().value_or(0) > 0;
    }));
    QCOMPARE(bench.poller.snapshot()->nodes.size(), 4U);
    QCOMPARE(bench.poller.snapshot()->find(address)->label(), u"worker-4"_s);
}

void PollerTest::scenariosAreRead() {
    const auto scenario = readScenario(R"({"nodes":6,"replication":2,"vectors":1000,"enrollments_per_s":2.5,
        "repeat_after_s":60,"steps":[{"at_s":9,"node":"worker-3","do":"heal"},{"at_s":5,"node":"worker-3","do":"slow","delay_ms":70}]})");
    QVERIFY2(scenario, scenario ? "" : scenario.error().message.c_str());
    QCOMPARE(scenario->nodes, 6);
    QCOMPARE(scenario->steps.size(), 2);
    QCOMPARE(scenario->steps[0].fault, DemoFault::Slow); // in order of time
    QCOMPARE(scenario->steps[0].at, 5s);
    QCOMPARE(scenario->steps[0].delay, 70ms);
    fremis::test::FakeClock clock;
    DemoWorld world(*scenario, clock);
    HttpRequest health;
    health.url = QUrl(u"http://x/v1/healthcheck"_s);
    const auto delayAt = [&](Milliseconds wait) {
        clock.advance(wait);
        return world.answer(world.addresses()[2], health).delay;
    };
    QCOMPARE(delayAt(4s), 0ms);
    QCOMPARE(delayAt(2s), 70ms);
    QCOMPARE(delayAt(4s), 0ms);
    QCOMPARE(delayAt(56s), 70ms); // the second round
}

void PollerTest::badScenariosAreRefused_data() {
    QTest::addColumn<QByteArray>("json");
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("no nodes") << QByteArray(R"({"nodes":0})");
    QTest::newRow("too many nodes") << QByteArray(R"({"nodes":257})");
    QTest::newRow("more copies than nodes") << QByteArray(R"({"nodes":2,"replication":3})");
    QTest::newRow("an unknown word") << QByteArray(R"({"steps":[{"at_s":1,"node":"worker-1","do":"dance"}]})");
    QTest::newRow("steps that are none") << QByteArray(R"({"steps":[7]})");
}

void PollerTest::badScenariosAreRefused() {
    QFETCH(QByteArray, json);
    const auto scenario = readScenario(json);
    QVERIFY(!scenario);
    QCOMPARE(scenario.error().reason, fremis::base::Reason::InvalidJson);
}

void PollerTest::whatWasSeenCanBeSavedAndRead() {
    Bench bench;
    bench.client.setKeyPair({u"AKIA"_s, "geheim"});
    const AnswerKeeper keeper(bench.client);
    auto profile = bench.transport.profile();
    profile.aliases.insert(u"worker-1.demo:4003"_s, u"rack 4"_s);
    bench.poller.connectTo(profile);
    QVERIFY(bench.until(allOk));
    bench.transport.world().setFault(u"worker-2"_s, DemoFault::Dead);
    QVERIFY(bench.until([](const Snapshot& snapshot) {
        return snapshot.counts.of(PartitionClass::AtRisk) > 0 && snapshot.nodes[0].load &&
               snapshot.nodes[0].resources && snapshot.keyspaces && snapshot.limits;
    }));
    const auto& live = *bench.poller.snapshot();
    const auto file = keeper.save(live, profile);
    QVERIFY(!file.contains("geheim") && !file.contains("AKIA") && !file.contains("Authorization"));
    const auto read = readSnapshotFile(file);
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    const auto& recorded = *read->snapshot;
    QVERIFY(recorded.isRecorded);
    QCOMPARE(recorded.takenAt, live.takenAt);
    QCOMPARE(recorded.all(PartitionClass::AtRisk), live.all(PartitionClass::AtRisk));
    QCOMPARE(recorded.nodes[0].label(), u"rack 4"_s);
    QCOMPARE(recorded.nodes[0].vectors(), live.nodes[0].vectors());
    QCOMPARE(recorded.counts, live.counts);
    QCOMPARE((**recorded.config).text, (**live.config).text);
    QCOMPARE(recorded.keyspaces->list.size(), live.keyspaces->list.size());
    QCOMPARE(read->profileName, profile.name);
}

void PollerTest::damagedSnapshotFilesAreRefused() {
    for (const auto* file : {"", "[]", "{}", R"({"format":"fremis-snapshot/1"})", R"({"format":"x","profile":{}})",
                             R"({"format":"fremis-snapshot/1","coordinators":7})"}) {
        const auto read = readSnapshotFile(file);
        QVERIFY2(!read, file);
        QCOMPARE(read.error().reason, fremis::base::Reason::InvalidJson);
    }
}

QTEST_GUILESS_MAIN(PollerTest)
#include "poller_test.moc"
