#include "console/client/alert_engine.h"

#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace fremis::console;

namespace {

constexpr Instant kStart{1'767'600'000'000};

/// A cluster of one node, polled every two seconds.
struct Bench {
    EventLog log;
    AlertEngine engine{log};
    QSignalSpy raised{&engine, &AlertEngine::raised};
    QSignalSpy recovered{&engine, &AlertEngine::recovered};
    Instant now = kStart;

    void poll(const std::function<void(Snapshot&)>& change, int times = 1) {
        for (; times > 0; --times) {
            auto snapshot = std::make_shared<Snapshot>();
            snapshot->generation = 1;
            snapshot->takenAt = now;
            auto& node = snapshot->nodes.emplace_back();
            node.address = u"a:1"_s;
            node.name = u"worker-7"_s;
            node.state = NodeState::Ok;
            node.lastAnswerAt = now;
            change(*snapshot);
            engine.look(snapshot);
            now += 2s;
        }
    }
    void good(int times = 1) {
        poll([](Snapshot&) {}, times);
    }
    void atRisk(int first, int last, int times = 1) {
        poll(
            [=](Snapshot& snapshot) {
                for (int partition = first; partition <= last; ++partition)
                    snapshot.partitions[static_cast<std::size_t>(partition)].health = PartitionClass::AtRisk;
            },
            times);
    }
    void down(int times = 1) {
        poll([](Snapshot& snapshot) { snapshot.nodes[0].state = NodeState::Down; }, times);
    }
};

} // namespace

class AlertTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void twoBadPollsRaiseAndThreeGoodOnesClear();
    void snapshotsOfOnePollCountOnce();
    void anOutageThatThePollsHaveShownIsRaisedAtOnce();
    void moreRiskIsToldAgain();
    void flappingIsToldOnceAndThenSilent();
    void mutedAlertsMakeNoNotice();
    void acknowledgementsEndWhenItGetsWorse();
    void maintenanceMutes();
    void thresholdsAreTheProfiles_data();
    void thresholdsAreTheProfiles();
    void pausedAndRecordedSnapshotsAreNotJudged();
    void anotherConnectionBeginsAnew();
};

void AlertTest::twoBadPollsRaiseAndThreeGoodOnesClear() {
    Bench bench;
    bench.atRisk(182, 207);
    QCOMPARE(bench.raised.size(), 0);
    bench.atRisk(182, 207);
    QCOMPARE(bench.raised.size(), 1);
    const auto alert = bench.raised[0][0].value<Alert>();
    QCOMPARE(alert.kind, AlertKind::AtRisk);
    QCOMPARE(alert.severity, Severity::Critical);
    QVERIFY2(alert.text.contains("182-207"_L1) && alert.text.contains("26"_L1), qPrintable(alert.text));
    bench.good(2);
    QCOMPARE(bench.engine.alerts().size(), 1U);
    bench.atRisk(182, 207); // not over yet: the good ones count anew
    bench.good(2);
    QCOMPARE(bench.recovered.size(), 0);
    bench.good();
    QCOMPARE(bench.recovered.size(), 1);
    QCOMPARE(bench.recovered[0][1].value<Milliseconds>(), 12s);
    QVERIFY(bench.engine.alerts().empty());
    QCOMPARE(bench.log.events().size(), 2U);
    QCOMPARE(bench.log.events()[1].severity, Severity::Success);
}

void AlertTest::snapshotsOfOnePollCountOnce() {
    Bench bench;
    for (int number = 0; number < 4; ++number) {
        bench.atRisk(1, 1);
        bench.now -= 1500ms; // half a second after the last
    }
    QCOMPARE(bench.raised.size(), 0);
    bench.now += 3s;
    bench.atRisk(1, 1);
    QCOMPARE(bench.raised.size(), 1);
}

void AlertTest::anOutageThatThePollsHaveShownIsRaisedAtOnce() {
    Bench bench;
    bench.poll([](Snapshot& snapshot) {
        snapshot.nodes[0].state = NodeState::Down;
        snapshot.nodes[0].failedPolls = 2;
    });
    QCOMPARE(bench.raised.size(), 1);
    QCOMPARE(bench.raised[0][0].value<Alert>().subject, u"a:1"_s);
}

void AlertTest::moreRiskIsToldAgain() {
    Bench bench;
    bench.atRisk(10, 20, 3);
    QCOMPARE(bench.raised.size(), 1);
    bench.atRisk(10, 15); // less
    QCOMPARE(bench.raised.size(), 1);
    bench.atRisk(10, 30);
    QCOMPARE(bench.raised.size(), 2);
    QCOMPARE(bench.engine.alerts().size(), 1U);
}

void AlertTest::flappingIsToldOnceAndThenSilent() {
    Bench bench;
    for (int round = 0; round < 5; ++round) {
        bench.down(2);
        bench.good(3);
    }
    // Raised, recovered, raised, and with the fourth change: flapping.
    QCOMPARE(bench.raised.size(), 3);
    QVERIFY(bench.raised[2][0].value<Alert>().isFlapping);
    QCOMPARE(bench.recovered.size(), 1);
    int told = 0;
    for (const auto& event : bench.log.events())
        told += event.text.contains("flapping"_L1);
    QCOMPARE(told, 1);
    bench.good(310); // more than ten minutes of quiet
    bench.down(2);
    QCOMPARE(bench.raised.size(), 4);
    QVERIFY(!bench.raised[3][0].value<Alert>().isFlapping);
}

void AlertTest::mutedAlertsMakeNoNotice() {
    Bench bench;
    bench.good();
    bench.engine.mute(AlertKind::NodeDown, u"a:1"_s, bench.now + 1h);
    bench.down(3);
    QCOMPARE(bench.raised.size(), 0);
    QCOMPARE(bench.engine.alerts().size(), 1U);
    QVERIFY(bench.engine.alerts()[0].isMuted);
    bench.good(3);
    bench.now += 2h;
    bench.down(2);
    QCOMPARE(bench.raised.size(), 1);
    bench.engine.muteUntilRecovery(AlertKind::NodeDown, u"a:1"_s);
    bench.good(3);
    QCOMPARE(bench.recovered.size(), 0);
}

void AlertTest::acknowledgementsEndWhenItGetsWorse() {
    Bench bench;
    bench.atRisk(1, 5, 2);
    bench.engine.acknowledge(AlertKind::AtRisk, {}, u"seen by Ani"_s);
    QVERIFY(bench.engine.alerts()[0].isAcknowledged);
    bench.atRisk(1, 5, 2);
    QCOMPARE(bench.engine.alerts()[0].note, u"seen by Ani"_s);
    bench.atRisk(1, 6);
    QVERIFY(!bench.engine.alerts()[0].isAcknowledged);
}

void AlertTest::maintenanceMutes() {
    Bench bench;
    bench.poll(
        [](Snapshot& snapshot) {
            snapshot.nodes[0].state = NodeState::Down;
            snapshot.nodes[0].inMaintenance = true;
        },
        3);
    QCOMPARE(bench.raised.size(), 0);
    QVERIFY(bench.engine.alerts()[0].isMuted);
}

void AlertTest::thresholdsAreTheProfiles_data() {
    QTest::addColumn<AlertKind>("kind");
    QTest::addColumn<int>("value");
    QTest::addColumn<bool>("isAlert");
    QTest::newRow("memory below") << AlertKind::Ram << 84 << false;
    QTest::newRow("memory at the limit") << AlertKind::Ram << 85 << true;
    QTest::newRow("queue at the limit") << AlertKind::QueueOps << 1000 << false;
    QTest::newRow("queue above") << AlertKind::QueueOps << 1001 << true;
    QTest::newRow("queue young") << AlertKind::QueueAge << 600 << false;
    QTest::newRow("queue old") << AlertKind::QueueAge << 601 << true;
    QTest::newRow("clock near") << AlertKind::ClockSkew << -2 << false;
    QTest::newRow("clock slow") << AlertKind::ClockSkew << -3 << true;
}

void AlertTest::thresholdsAreTheProfiles() {
    QFETCH(AlertKind, kind);
    QFETCH(int, value);
    QFETCH(bool, isAlert);
    Bench bench;
    bench.poll(
        [&](Snapshot& snapshot) {
            auto& node = snapshot.nodes[0];
            Resources resources;
            resources.ramPercent = kind == AlertKind::Ram ? value : 10;
            node.resources.set(resources, snapshot.takenAt);
            QueueDepth queue;
            queue.ops = kind == AlertKind::QueueOps ? static_cast<quint64>(value) : 1;
            if (kind == AlertKind::QueueAge)
                queue.oldestSeconds = value;
            node.queue.set(queue, snapshot.takenAt);
            if (kind == AlertKind::ClockSkew)
                node.clockSkew = std::chrono::seconds(value);
        },
        2);
    QCOMPARE(bench.raised.size(), isAlert ? 1 : 0);
    if (isAlert)
        QCOMPARE(bench.raised[0][0].value<Alert>().kind, kind);
}

void AlertTest::pausedAndRecordedSnapshotsAreNotJudged() {
    Bench bench;
    bench.poll(
        [](Snapshot& snapshot) {
            snapshot.nodes[0].state = NodeState::Down;
            snapshot.isPaused = true;
        },
        3);
    bench.poll(
        [](Snapshot& snapshot) {
            snapshot.nodes[0].state = NodeState::Down;
            snapshot.isRecorded = true;
        },
        3);
    bench.engine.look({});
    QVERIFY(bench.engine.alerts().empty());
}

void AlertTest::anotherConnectionBeginsAnew() {
    Bench bench;
    bench.down(2);
    QCOMPARE(bench.engine.worst(), Severity::Critical);
    bench.poll([](Snapshot& snapshot) { snapshot.generation = 2; });
    QCOMPARE(bench.engine.worst(), Severity::Info);
    QCOMPARE(bench.recovered.size(), 0);
}

QTEST_GUILESS_MAIN(AlertTest)
#include "alert_test.moc"
