#include "coordinator/cluster/queue_store.h"
#include "tests/support/crash_disk.h"
#include "tests/unit/coordinator/queue_fixture.h"

#include <random>

using namespace fremis;
using namespace fremis::coordinator;
using namespace fremis::coordinator::test;
using fremis::test::CrashDisk;

/// The power goes at any moment; what append() and confirm() have answered holds all the same.
class QueuePowerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { base::setLogLevel(base::LogLevel::Error); }

    void whatWasAnsweredSurvivesThePower() {
        for (std::uint32_t seed = 1; seed <= 60; ++seed) {
            std::mt19937_64 random(seed);
            CrashDisk disk;
            std::vector<std::string> expected;
            int last = 0;
            for (int life = 0; life < 4; ++life) {
                auto store = openSqliteQueue({disk.directory(), CrashDisk::vfs(), disk.files()});
                QVERIFY2(store, store ? "" : store.error().detail.c_str());
                QVERIFY(!(*store)->opening().queueLost);
                const auto entries = (*store)->next(node(1), 0, 1'000);
                QVERIFY(entries);
                std::vector<std::string> found;
                for (const auto& entry : *entries)
                    found.push_back(entry.bytes);
                QCOMPARE(found, expected);
                for (auto steps = random() % 6; steps > 0; --steps) {
                    if (random() % 3 == 0 && !expected.empty()) {
                        const auto first = (*store)->next(node(1), 0, 1);
                        QVERIFY(first && (*store)->confirm(node(1), std::array{first->front().sequence}));
                        expected.erase(expected.begin());
                    } else {
                        const auto bytes = "operation " + std::to_string(++last);
                        QVERIFY((*store)->append(std::array{record(1, "face", bytes)}, 1000ms));
                        expected.push_back(bytes);
                    }
                }
                disk.cutPower([&random] { return random(); });
            }
        }
    }
};

QTEST_GUILESS_MAIN(QueuePowerTest)
#include "queue_power_test.moc"
