#include "console/client/history.h"

#include <QTest>

#include <cmath>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace fremis::console;

namespace {

constexpr Instant kStart{1'767'600'000'000}; // a whole minute
const QString kNode = u"a:1"_s;

History filled(int ticks) {
    History history;
    for (int tick = 0; tick < ticks; ++tick) {
        history.beginTick(kStart + 2s * tick);
        history.add(kNode, Metric::Cpu, static_cast<float>(tick));
    }
    return history;
}

} // namespace

class HistoryTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void samplesComeBack();
    void whatWasNotMeasuredIsAGap();
    void aSeriesThatBeginsLateHasAGapBefore();
    void notFiniteIsNoSample();
    void theRingKeepsTheNewest();
    void timeDoesNotGoBack();
    void minutesAreRolledUp();
    void thinningKeepsPeaksAndGaps();
};

void HistoryTest::samplesComeBack() {
    const auto history = filled(5);
    const auto points = history.series(kNode, Metric::Cpu, kStart + 2s, kStart + 6s);
    QCOMPARE(points.size(), 3);
    QCOMPARE(points[0], QPointF(static_cast<double>((kStart + 2s).count()), 1));
    QCOMPARE(points[2].y(), 3);
    QCOMPARE(history.last(kNode, Metric::Cpu), 4);
    QVERIFY(history.series(kNode, Metric::Ram, kStart, kStart + 9s).isEmpty());
}

void HistoryTest::whatWasNotMeasuredIsAGap() {
    auto history = filled(3);
    history.beginTick(kStart + 6s);
    history.beginTick(kStart + 8s);
    history.add(kNode, Metric::Cpu, 9);
    const auto points = history.series(kNode, Metric::Cpu, kStart, kStart + 8s);
    QCOMPARE(points.size(), 5);
    QVERIFY(std::isnan(points[3].y()));
    QCOMPARE(points[4].y(), 9);
}

void HistoryTest::aSeriesThatBeginsLateHasAGapBefore() {
    auto history = filled(3);
    history.add(u"b:1"_s, Metric::Cpu, 7);
    const auto points = history.series(u"b:1"_s, Metric::Cpu, kStart, kStart + 4s);
    QVERIFY(std::isnan(points[0].y()) && std::isnan(points[1].y()));
    QCOMPARE(points[2].y(), 7);
    QCOMPARE(history.nodes(), (QStringList{kNode, u"b:1"_s}));
}

void HistoryTest::notFiniteIsNoSample() {
    auto history = filled(1);
    history.beginTick(kStart + 2s);
    history.add(kNode, Metric::Cpu, std::numeric_limits<float>::infinity());
    QVERIFY(std::isnan(history.last(kNode, Metric::Cpu)));
}

void HistoryTest::theRingKeepsTheNewest() {
    const int more = 100;
    const auto history = filled(static_cast<int>(History::kTicks) + more);
    QCOMPARE(*history.firstTick(), kStart + 2s * more);
    const auto points = history.series(kNode, Metric::Cpu, kStart, *history.lastTick(), 1'000'000);
    QCOMPARE(points.size(), qsizetype{History::kTicks});
    QCOMPARE(points.first().y(), more);
    QCOMPARE(points.last().y(), static_cast<double>(History::kTicks) + more - 1);
}

void HistoryTest::timeDoesNotGoBack() {
    auto history = filled(3);
    QVERIFY(!history.beginTick(kStart));
    QVERIFY(!history.beginTick(kStart + 4s));
    QVERIFY(history.beginTick(kStart + 5s));
    QCOMPARE(history.series(kNode, Metric::Cpu, kStart, kStart + 9s).size(), 4);
}

void HistoryTest::minutesAreRolledUp() {
    const auto history = filled(31); // the first minute and one sample of the second
    const auto minutes = history.minutes(kNode, Metric::Cpu, kStart, kStart + 1h);
    QCOMPARE(minutes.size(), 1U);
    QCOMPARE(minutes[0].minute, kStart);
    QCOMPARE(minutes[0].least, 0);
    QCOMPARE(minutes[0].most, 29);
    QCOMPARE(minutes[0].mean, 14.5F);
}

void HistoryTest::thinningKeepsPeaksAndGaps() {
    QList<QPointF> points;
    for (int at = 0; at < 1000; ++at)
        points.append({static_cast<double>(at), 1.0});
    points[500].setY(99);
    points[700].setY(std::nan(""));
    const auto thin = thinned(points, 100);
    QVERIFY(thin.size() <= 100);
    QVERIFY(std::any_of(thin.begin(), thin.end(), [](const QPointF& point) { return point.y() == 99; }));
    QVERIFY(std::any_of(thin.begin(), thin.end(), [](const QPointF& point) { return std::isnan(point.y()); }));
    QVERIFY(std::is_sorted(thin.begin(), thin.end(), [](const QPointF& a, const QPointF& b) { return a.x() < b.x(); }));
    QCOMPARE(thinned(points.mid(0, 100), 100).size(), 100);
}

QTEST_GUILESS_MAIN(HistoryTest)
#include "history_test.moc"
