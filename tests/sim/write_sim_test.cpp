#include "tests/sim/replay.h"
#include "tests/sim/sim_world.h"
#include "tests/sim/write_world.h"

#include <QtTest>

using namespace fremis;
using namespace fremis::sim;
using namespace std::chrono_literals;
using test::History;

namespace {

// Of faults with an end, and of longer ones without.
constexpr std::uint64_t kSeeds = 9'800;
constexpr std::uint64_t kLongSeeds = 200;

History::Counts g_total; ///< of all runs, so that nobody takes an empty run for a proof

void count(const History& history) {
    const auto counts = history.counts();
    g_total.enrolled += counts.enrolled;
    g_total.removed += counts.removed;
    g_total.unknown += counts.unknown;
    g_total.reads += counts.reads;
}

/// Faults, an end of all faults, and then what has to be true of a cluster at rest.
std::string live(std::uint64_t seed) {
    WriteWorld world(seed);
    world.runFaults(8s);
    world.heal();
    auto why = world.settle(30s);
    if (why.empty())
        why = world.readAll();
    if (why.empty())
        why = world.judge();
    count(world.history);
    return why;
}

/// Faults without an end.
std::string stayTrue(std::uint64_t seed) {
    WriteWorld world(seed);
    world.runFaults(60s);
    count(world.history);
    return world.judge();
}

} // namespace

class WriteSimTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        if (const auto chosen = chosenSeeds(); !chosen || chosen->first != chosen->last)
            keepQuiet();
    }
    void cleanupTestCase() {
        qInfo("%zu acknowledged enrolments, %zu removals, %zu writes of unknown outcome, %zu searches",
              g_total.enrolled, g_total.removed, g_total.unknown, g_total.reads);
    }

    void aSeedIsRepeatedExactly() {
        overSeeds(20, [](std::uint64_t seed) -> std::string {
            std::uint64_t traces[2];
            for (auto& trace : traces) {
                WriteWorld world(seed);
                world.runFaults(8s);
                trace = world.environment.trace();
            }
            return traces[0] == traces[1] ? "" : "two runs differ";
        });
    }

    void whatIsAcknowledgedSurvivesAndCopiesAgree() {
        overSeeds(kSeeds, live);
        if (!chosenSeeds())
            QVERIFY(g_total.enrolled > 1'000 && g_total.removed > 500 && g_total.reads > 1'000);
    }

    void whatIsAcknowledgedStaysTrueUnderFaults() { overSeeds(kLongSeeds, stayTrue); }
};

QTEST_GUILESS_MAIN(WriteSimTest)
#include "write_sim_test.moc"
