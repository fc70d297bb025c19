#include "console/client/demo_transport.h"
#include "console/client/lagging.h"
#include "console/client/spread.h"
#include "console/client/trend.h"
#include "tests/support/fake_clock.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QSignalSpy>
#include <QTest>

#include <numeric>
#include <random>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace fremis::console;
namespace base = fremis::base;

namespace {

constexpr Instant kStart{1'767'600'000'000}; // a whole minute
const QString kNode = u"a:1"_s;

/// Memory of one node, a sample each half minute: `percentAt` of the hours since the start.
template<class F> History memory(std::chrono::minutes length, F percentAt) {
    History history;
    for (auto time = 0s; time <= length; time += 30s) {
        history.beginTick(kStart + time);
        history.add(kNode, Metric::Ram, static_cast<float>(percentAt(static_cast<double>(time.count()) / 3600.0)));
    }
    return history;
}

Spread evenSpread(quint64 each) {
    Spread spread;
    spread.counts.fill(each);
    spread.total = each * base::kPartitionCount;
    return spread;
}

/// Two owners of everything, the second of which holds `held` vectors in partition 7 where the first holds 10.
std::shared_ptr<Snapshot> twoOwners(quint64 held, quint64 queued) {
    auto snapshot = std::make_shared<Snapshot>();
    for (int number = 0; number < 2; ++number) {
        auto& node = snapshot->nodes.emplace_back();
        node.address = u"w%1:4003"_s.arg(number);
        node.state = NodeState::Ok;
        for (int partition = 0; partition < base::kPartitionCount; ++partition)
            node.assigned.insert(base::Partition(partition));
        auto load = std::make_shared<VectorLoad>();
        load->partitions.fill(10);
        if (number == 1)
            load->partitions[7] = held;
        node.load.set(std::move(load), kStart);
        QueueDepth depth;
        depth.ops = number == 1 ? queued : 0;
        node.queue.set(depth, kStart);
    }
    for (auto& partition : snapshot->partitions)
        partition.vectors = 10;
    return snapshot;
}

} // namespace

class TrendTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aLineIsFoundAgain();
    void farFromZeroItIsFoundJustAsWell();
    void pointsWithoutALineGiveNone();
    void steadyGrowthIsForetold();
    void nothingIsForetoldWithoutReason_data();
    void nothingIsForetoldWithoutReason();
    void anEvenSpreadIsCalledEven();
    void aCrowdedPartitionIsNoticed();
    void fewFacesAreNotJudged();
    void aKeyspaceIsCountedOverAllItsPages();
    void aWalkThatIsLeftSaysNoMore();
    void aReplicaWithFewerVectorsIsNamed();
};

void TrendTest::aLineIsFoundAgain() {
    QList<QPointF> points;
    for (int x = 0; x < 10; ++x)
        points.append({double(x), 3.0 * x - 2});
    points.append({4.5, double(kNoSample)});
    const auto fit = fitLine(points);
    QVERIFY(fit);
    QCOMPARE(fit->slope, 3.0);
    QCOMPARE(fit->offset, -2.0);
    QCOMPARE(fit->r2, 1.0);
}

void TrendTest::farFromZeroItIsFoundJustAsWell() {
    std::mt19937 random(1);
    std::normal_distribution<double> noise(0, 1);
    QList<QPointF> points;
    for (int minute = 0; minute < 1440; ++minute)
        points.append({double(kStart.count()) + minute * 60'000.0, 40 + minute / 100.0 + noise(random)});
    const auto fit = fitLine(points);
    QVERIFY(fit);
    QVERIFY2(qAbs(fit->slope * 6'000'000 - 1) < 0.02, qPrintable(QString::number(fit->slope * 6'000'000)));
    QVERIFY(fit->r2 > 0.9 && fit->r2 < 1);
}

void TrendTest::pointsWithoutALineGiveNone() {
    QVERIFY(!fitLine({}));
    QVERIFY(!fitLine({{1, 1}}));
    QVERIFY(!fitLine({{1, 1}, {1, 2}, {1, 3}}));
    QCOMPARE(fitLine({{1, 5}, {2, 5}, {3, 5}})->r2, 0.0);
}

void TrendTest::steadyGrowthIsForetold() {
    // From 40 % by 0.25 % an hour: 60 - 2 * 0.25 left after two hours, at 6 % a day.
    const auto history = memory(120min, [](double hours) { return 40 + 0.25 * hours; });
    const auto days = daysUntilFull(history, kNode, kStart + 120min);
    QVERIFY(days);
    QVERIFY2(qAbs(*days - 59.5 / 6) < 0.05, qPrintable(QString::number(*days)));
    QVERIFY(!daysUntilFull(history, u"b:2"_s, kStart + 120min));
    Snapshot snapshot;
    snapshot.takenAt = kStart + 120min;
    snapshot.nodes.resize(2);
    snapshot.nodes[0].address = kNode;
    snapshot.nodes[1].address = u"b:2"_s;
    QCOMPARE(fullInDays(snapshot, history).keys(), QStringList{kNode});
}

void TrendTest::nothingIsForetoldWithoutReason_data() {
    QTest::addColumn<int>("minutes");
    QTest::addColumn<double>("perHour");
    QTest::addColumn<double>("wave"); ///< percent up and down, within ten minutes
    QTest::newRow("less than an hour of data") << 58 << 1.0 << 0.0;
    QTest::newRow("it does not grow") << 180 << 0.0 << 0.0;
    QTest::newRow("it shrinks") << 180 << -1.0 << 0.0;
    QTest::newRow("noise outweighs growth") << 180 << 0.5 << 20.0;
    QTest::newRow("more than a year away") << 180 << 0.001 << 0.0;
}

void TrendTest::nothingIsForetoldWithoutReason() {
    QFETCH(int, minutes);
    QFETCH(double, perHour);
    QFETCH(double, wave);
    const auto history = memory(std::chrono::minutes(minutes), [&](double hours) {
        return 40 + perHour * hours + wave * (int(hours * 6) % 2 == 0 ? 1 : -1);
    });
    QVERIFY(!daysUntilFull(history, kNode, kStart + std::chrono::minutes(minutes)));
}

void TrendTest::anEvenSpreadIsCalledEven() {
    QCOMPARE(evenSpread(100).chiSquare(), std::optional(0.0));
    QCOMPARE(evenSpread(100).isEven(), std::optional(true));
    // What a fair hash does is even too.
    std::mt19937 random(7);
    Spread spread;
    for (spread.total = 0; spread.total < 50'000; ++spread.total)
        ++spread.counts[random() % 256];
    QCOMPARE(spread.isEven(), std::optional(true));
}

void TrendTest::aCrowdedPartitionIsNoticed() {
    auto spread = evenSpread(100);
    spread.counts[9] += 300;
    spread.total += 300;
    QCOMPARE(spread.isEven(), std::optional(false));
}

void TrendTest::fewFacesAreNotJudged() {
    QVERIFY(!Spread().chiSquare());
    QVERIFY(!Spread().isEven());
    Spread one;
    one.counts[3] = one.total = 1;
    QVERIFY(one.chiSquare());
    QVERIFY(!one.isEven());
    QVERIFY(!spreadOf(Snapshot()));
}

void TrendTest::aKeyspaceIsCountedOverAllItsPages() {
    fremis::test::FakeClock clock;
    DemoScenario scenario;
    scenario.vectors = 0;
    scenario.enrollmentsPerSecond = 0;
    DemoTransport transport(scenario, clock);
    constexpr int kFaces = 2'300; // three pages
    for (int number = 0; number < kFaces; ++number) {
        HttpRequest request;
        request.method = "POST";
        request.url = QUrl(u"http://demo/v1/face/enrollment"_s);
        request.body =
            QJsonDocument(QJsonObject{{u"image"_s, u"QUJD"_s},
                                      {u"keyspace"_s, u"visitors"_s},
                                      {u"additional_params"_s, QJsonObject{{u"face_id"_s, u"face-%1"_s.arg(number)}}}})
                .toJson();
        QCOMPARE(transport.world().answer({}, request).reply.status, 200);
    }
    ClusterClient client(transport, clock);
    FaceCalls calls(client);
    SpreadWalk walk(calls);
    QSignalSpy finished(&walk, &SpreadWalk::finished);
    QSignalSpy progressed(&walk, &SpreadWalk::progressed);
    walk.start(transport.profile().coordinators.first(), u"visitors"_s);
    QVERIFY(walk.isRunning());
    QVERIFY(finished.wait(20'000));
    QCOMPARE(finished.first().first().toString(), QString());
    QCOMPARE(progressed.count(), 2);
    QVERIFY(walk.spread().total >= quint64(kFaces));
    QCOMPARE(std::accumulate(walk.spread().counts.begin(), walk.spread().counts.end(), quint64(0)),
             walk.spread().total);
    QCOMPARE(walk.spread().isEven(), std::optional(true));
    walk.start(transport.profile().coordinators.first(), u"nobody"_s);
    QVERIFY(finished.wait(20'000));
    QVERIFY(!finished.last().first().toString().isEmpty());
}

void TrendTest::aWalkThatIsLeftSaysNoMore() {
    fremis::test::FakeClock clock;
    DemoTransport transport({}, clock);
    ClusterClient client(transport, clock);
    FaceCalls calls(client);
    SpreadWalk walk(calls);
    QSignalSpy finished(&walk, &SpreadWalk::finished);
    walk.start(transport.profile().coordinators.first(), u"default"_s);
    walk.cancel();
    QTRY_COMPARE_WITH_TIMEOUT(transport.underWay(), 0, 20'000);
    QCOMPARE(finished.count(), 0);
    QVERIFY(!walk.isRunning());
}

void TrendTest::aReplicaWithFewerVectorsIsNamed() {
    const auto lagging = laggingReplicas(*twoOwners(4, 0));
    QCOMPARE(lagging.size(), 1U);
    QCOMPARE(lagging[0].address, u"w1:4003"_s);
    QCOMPARE(lagging[0].missing, 6U);
    QCOMPARE(QString::fromStdString(lagging[0].partitions.text()), u"7"_s);
    QVERIFY(laggingReplicas(*twoOwners(10, 0)).empty());
    QVERIFY(laggingReplicas(*twoOwners(4, 3)).empty()); // its writes are on their way
    auto loading = twoOwners(4, 0);
    loading->nodes[1].state = NodeState::CatchingUp;
    QVERIFY(laggingReplicas(*loading).empty());
}

QTEST_GUILESS_MAIN(TrendTest)
#include "trend_test.moc"
