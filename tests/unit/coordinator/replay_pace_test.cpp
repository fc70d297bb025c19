#include "coordinator/cluster/replay_pace.h"
#include "tests/support/fake_clock.h"

#include <QtTest>

using namespace fremis;
using namespace fremis::coordinator;
using namespace std::chrono_literals;

namespace {

/// Searches at a steady rate on a clock of their own.
struct Traffic {
    /// So many searches, one each 5 ms; one of 50 takes `slow`, the others `usual`.
    void searches(int count, std::chrono::microseconds usual, std::chrono::microseconds slow) {
        for (int i = 0; i < count; ++i) {
            clock.advance(5ms);
            pace.noteSearch(clock.steady(), ++m_all % 50 == 0 ? slow : usual);
        }
    }
    void replay(bool runs) { pace.setReplaying(clock.steady(), runs); }
    [[nodiscard]] bool allowed() { return pace.allows(clock.steady()); }

    fremis::test::FakeClock clock;
    ReplayPace pace;

private:
    int m_all = 0;
};

} // namespace

class ReplayPaceTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void withoutSearchesReplayRuns() {
        Traffic traffic;
        QVERIFY(traffic.allowed());
        traffic.replay(true);
        traffic.clock.advance(1h);
        QVERIFY(traffic.allowed());
    }

    void unharmedSearchesLetItRun() {
        Traffic traffic;
        traffic.searches(400, 3ms, 20ms);
        traffic.replay(true);
        for (int i = 0; i < 20; ++i) {
            traffic.searches(100, 4ms, 22ms); // the median does not count
            QVERIFY(traffic.allowed());
        }
    }

    void slowerSearchesPauseItForAWhile() {
        Traffic traffic;
        traffic.searches(400, 3ms, 20ms);
        traffic.replay(true);
        traffic.searches(99, 3ms, 30ms);
        QVERIFY(traffic.allowed()); // it has run for less than half a second
        traffic.searches(60, 3ms, 30ms);
        QVERIFY(!traffic.allowed());
        traffic.replay(false);
        traffic.searches(20, 3ms, 20ms);
        QVERIFY(!traffic.allowed());
        traffic.searches(60, 3ms, 20ms);
        QVERIFY(traffic.allowed());
        // The next trial is judged by its own searches.
        traffic.replay(true);
        traffic.searches(250, 3ms, 20ms);
        QVERIFY(traffic.allowed());
    }

    void harmAfterHarmPausesItLonger() {
        Traffic traffic;
        traffic.searches(400, 3ms, 20ms);
        for (const auto pause : {300ms, 600ms, 1'000ms, 1'000ms}) {
            traffic.replay(true);
            traffic.searches(150, 3ms, 90ms);
            QVERIFY(!traffic.allowed());
            traffic.replay(false);
            traffic.clock.advance(pause - 5ms);
            QVERIFY(!traffic.allowed());
            traffic.clock.advance(5ms);
            QVERIFY(traffic.allowed());
        }
        traffic.replay(true);
        traffic.searches(150, 3ms, 20ms);
        QVERIFY(traffic.allowed());
        traffic.searches(400, 3ms, 90ms);
        QVERIFY(!traffic.allowed());
        traffic.replay(false);
        traffic.clock.advance(300ms);
        QVERIFY(traffic.allowed());
    }

    void searchesBesideItAreNotTakenForQuietOnes() {
        Traffic traffic;
        traffic.searches(400, 3ms, 20ms);
        traffic.replay(true);
        traffic.searches(250, 3ms, 90ms);
        QVERIFY(!traffic.allowed());
        traffic.replay(false);
        traffic.pace.noteSearch(traffic.clock.steady(), 90ms); // begun while it ran
        traffic.searches(70, 3ms, 20ms);
        traffic.replay(true);
        traffic.searches(250, 3ms, 90ms);
        QVERIFY(!traffic.allowed());
    }

    void searchesThatAreSlowForAnotherReasonDoNotHoldItForEver() {
        Traffic traffic;
        traffic.searches(600, 3ms, 20ms);
        int batches = 0;
        for (int i = 0; i < 200; ++i) { // 50 s in which every search is slower than before
            const bool runs = traffic.allowed();
            traffic.replay(runs);
            batches += runs;
            traffic.searches(50, 6ms, 60ms);
        }
        QVERIFY2(batches > 120, qPrintable(QString::number(batches)));
    }

    void fewSearchesAreNoProof() {
        Traffic traffic;
        traffic.searches(400, 3ms, 20ms);
        traffic.replay(true);
        traffic.clock.advance(2s);
        traffic.searches(50, 500ms, 500ms);
        QVERIFY(traffic.allowed());
    }
};

QTEST_GUILESS_MAIN(ReplayPaceTest)
#include "replay_pace_test.moc"
