#include "coordinator/cluster/read_health.h"
#include "tests/sim/sim_world.h"

#include <QtTest>

#include <algorithm>

using namespace fremis;
using namespace fremis::coordinator;
using namespace std::chrono_literals;

namespace {

constexpr ReadHealth::Moment kBegin{1h};

} // namespace

class ReadHealthTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void failuresInARowMakeItRest() {
        ReadHealth health;
        health.failed(kBegin);
        health.failed(kBegin);
        QVERIFY(!health.rests(kBegin));
        health.failed(kBegin);
        QVERIFY(health.rests(kBegin));
        QVERIFY(health.rests(kBegin + 199ms));
        QVERIFY(!health.rests(kBegin + 200ms));
    }

    void aFewAmongOthersDoNot() {
        ReadHealth health;
        for (int i = 0; i < 100; ++i) {
            health.failed(kBegin);
            health.failed(kBegin);
            health.succeeded();
        }
        QVERIFY(!health.rests(kBegin));
    }

    void oneTrialEndsTheRestOrDoublesIt() {
        ReadHealth health;
        for (int i = 0; i < 3; ++i)
            health.failed(kBegin);
        auto now = kBegin + 200ms;
        health.begin(now);
        QVERIFY(health.rests(now)); // the trial is under way
        health.failed(now);
        QVERIFY(health.rests(now + 399ms));
        QVERIFY(!health.rests(now + 400ms));
        for (int i = 0; i < 20; ++i)
            health.failed(now);
        QVERIFY(!health.rests(now + 5s));
        health.begin(now + 5s);
        health.succeeded();
        QVERIFY(!health.rests(now + 5s));
    }

    // It answers 503 to every search for minutes, and the others have what it has.
    void aWorkerThatAlwaysFailsCostsTheOthersNothing_data() {
        QTest::addColumn<int>("topology");
        QTest::newRow("a ring of two copies") << int(sim::SimWorld::Topology::Ring);
        QTest::newRow("all everywhere") << int(sim::SimWorld::Topology::AllEverywhere);
    }
    void aWorkerThatAlwaysFailsCostsTheOthersNothing() {
        QFETCH(const int, topology);
        sim::keepQuiet();
        sim::SimWorld world(17, static_cast<sim::SimWorld::Topology>(topology), 4);
        world.search.setAllowPartial(false);
        world.environment.runFor(3s);
        std::vector<std::shared_ptr<sim::SimWorld::Asked>> searches;
        const auto search = [&](int count) {
            for (int i = 0; i < count; ++i) {
                searches.push_back(world.ask(sim::SimWorld::photoSearch(), 9s));
                world.environment.runFor(20ms);
            }
        };
        search(200); // the repeats that the first failures cost are saved up by then
        world.transport.workers[0].fault = sim::Fault::Overloaded;
        search(3'000);
        world.environment.runFor(10s);
        const auto failed = std::count_if(searches.begin(), searches.end(), [](const auto& asked) {
            return !asked->answer || !asked->answer->has_value();
        });
        QCOMPARE(failed, 0);
    }
};

QTEST_GUILESS_MAIN(ReadHealthTest)
#include "read_health_test.moc"
