#include "shared/metrics/window_timer.h"
#include "tests/support/fake_clock.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <random>
#include <thread>

using fremis::metrics::kQuantiles;
using fremis::metrics::WindowTimer;
using fremis::test::FakeClock;
using namespace std::chrono_literals;

class WindowTimerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void idleTimerReadsZero();
    void oneDurationIsEveryQuantile_data();
    void oneDurationIsEveryQuantile();
    void quantilesFollowTheExactOnes();
    void durationsLeaveAfterAMinute();
    void aLongPauseLeavesNothingBehind();
    void outOfRangeDurationsCountAsTheNearest();
    void totalsAreOfTheWholeLife();
    void scopedTimerMeasuresItsScope();
    void threadsLoseNothing();
};

void WindowTimerTest::idleTimerReadsZero() {
    const FakeClock clock;
    const WindowTimer timer(clock);
    for (const double milliseconds : timer.snapshot().milliseconds)
        QCOMPARE(milliseconds, 0.0);
    QCOMPARE(timer.snapshot().count, 0U);
}

void WindowTimerTest::oneDurationIsEveryQuantile_data() {
    QTest::addColumn<qint64>("nanoseconds");
    QTest::newRow("a microsecond") << qint64{1'000};
    QTest::newRow("at the last single-microsecond bucket") << qint64{31'000};
    QTest::newRow("at the first shared bucket") << qint64{32'000};
    QTest::newRow("a millisecond") << qint64{1'000'000};
    QTest::newRow("a detection") << qint64{43'210'000};
    QTest::newRow("a second") << qint64{1'000'000'000};
    QTest::newRow("two minutes") << qint64{120'000'000'000};
}

void WindowTimerTest::oneDurationIsEveryQuantile() {
    QFETCH(const qint64, nanoseconds);
    const FakeClock clock;
    WindowTimer timer(clock);
    timer.observe(std::chrono::nanoseconds(nanoseconds));
    const double exact = static_cast<double>(nanoseconds) / 1e6;
    for (const double milliseconds : timer.snapshot().milliseconds)
        QVERIFY2(std::abs(milliseconds - exact) <= exact / 32, qPrintable(QString::number(milliseconds)));
}

void WindowTimerTest::quantilesFollowTheExactOnes() {
    std::mt19937_64 random(7);
    std::lognormal_distribution<double> duration(std::log(20.0), 1.0);
    const FakeClock clock;
    WindowTimer timer(clock);
    std::vector<double> all;
    for (int i = 0; i < 20'000; ++i) {
        all.push_back(duration(random));
        timer.observe(std::chrono::nanoseconds(static_cast<std::int64_t>(all.back() * 1e6)));
    }
    std::sort(all.begin(), all.end());
    const auto snapshot = timer.snapshot();
    for (std::size_t i = 0; i < kQuantiles.size(); ++i) {
        const auto rank = static_cast<std::size_t>(std::ceil(kQuantiles[i].rank * 20'000.0)) - 1;
        const double exact = all[rank];
        QVERIFY2(std::abs(snapshot.milliseconds[i] - exact) <= exact / 30, kQuantiles[i].label.data());
    }
}

void WindowTimerTest::durationsLeaveAfterAMinute() {
    FakeClock clock;
    WindowTimer timer(clock);
    timer.observe(900ms);
    clock.advance(30s);
    timer.observe(10ms);
    QVERIFY(timer.snapshot().milliseconds[3] > 800);
    clock.advance(29s);
    QVERIFY(timer.snapshot().milliseconds[3] > 800);
    clock.advance(1s);
    QVERIFY(timer.snapshot().milliseconds[3] < 11);
    clock.advance(30s);
    QCOMPARE(timer.snapshot().milliseconds[3], 0.0);
}

void WindowTimerTest::aLongPauseLeavesNothingBehind() {
    FakeClock clock;
    WindowTimer timer(clock);
    timer.observe(900ms);
    clock.advance(std::chrono::hours(24)); // a whole number of windows: the same slot comes up again
    timer.observe(10ms);
    QVERIFY(timer.snapshot().milliseconds[3] < 11);
}

void WindowTimerTest::outOfRangeDurationsCountAsTheNearest() {
    const FakeClock clock;
    WindowTimer timer(clock);
    timer.observe(-5s);
    QCOMPARE(timer.snapshot().milliseconds[0], 0.001);
    timer.observe(std::chrono::hours(3));
    QVERIFY(std::abs(timer.snapshot().milliseconds[3] - 120'000) < 120'000 / 32.0);
}

void WindowTimerTest::totalsAreOfTheWholeLife() {
    FakeClock clock;
    WindowTimer timer(clock);
    timer.observe(10ms);
    clock.advance(5min);
    timer.observe(20ms);
    QCOMPARE(timer.snapshot().count, 2U);
    QCOMPARE(timer.snapshot().sumMilliseconds, 30.0);
}

void WindowTimerTest::scopedTimerMeasuresItsScope() {
    FakeClock clock;
    WindowTimer timer(clock);
    {
        const fremis::metrics::ScopedTimer scope(timer, clock);
        clock.advance(25ms);
    }
    QCOMPARE(timer.snapshot().sumMilliseconds, 25.0);
}

void WindowTimerTest::threadsLoseNothing() {
    const fremis::base::SystemClock clock;
    WindowTimer timer(clock);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&timer] {
            for (int j = 0; j < 5'000; ++j) {
                timer.observe(1ms);
                if (j % 500 == 0)
                    static_cast<void>(timer.snapshot());
            }
        });
    }
    for (auto& thread : threads)
        thread.join();
    QCOMPARE(timer.snapshot().count, 20'000U);
}

QTEST_GUILESS_MAIN(WindowTimerTest)
#include "window_timer_test.moc"
