#include "shared/storage/id_generator.h"
#include "shared/hashing/partition.h"

#include <QtTest>

#include <set>
#include <thread>

using namespace fremis;

namespace {

class FixedClock final : public base::Clock {
public:
    std::chrono::milliseconds now{1'767'600'000'000};
    std::chrono::milliseconds sinceEpoch() const override { return now; }
    std::chrono::steady_clock::time_point steady() const override { return {}; }
};

const auto kAnyPartition = [](base::Partition) { return true; };

} // namespace

class IdGeneratorTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void idsAreDecimalPositiveAndFitASigned64BitNumber() {
        const FixedClock clock;
        storage::FaceIdGenerator ids(clock, [] { return 1023u; });
        for (int i = 0; i < 1000; ++i) {
            const auto text = ids.next("default", kAnyPartition).text();
            const auto number = std::stoull(text);
            QCOMPARE(std::to_string(number), text);
            QVERIFY(number >= 1 && number <= 0x7FFF'FFFF'FFFF'FFFFULL);
        }
    }
    void idsRiseWithTimeAlsoWhenTheClockStepsBack() {
        FixedClock clock;
        storage::FaceIdGenerator ids(clock, [] { return 5u; });
        std::uint64_t last = 0;
        for (int i = 0; i < 20'000; ++i) {
            if (i == 10'000)
                clock.now -= std::chrono::hours(1);
            const auto number = std::stoull(ids.next("default", kAnyPartition).text());
            QVERIFY(number > last);
            last = number;
        }
    }
    void idsOfManyThreadsAndTwoNodesAreAllDifferent() {
        const FixedClock clock;
        storage::FaceIdGenerator first(clock, [] { return 1u; });
        storage::FaceIdGenerator second(clock, [] { return 2u; });
        std::mutex mutex;
        std::set<std::string> seen;
        std::vector<std::thread> threads;
        for (int thread = 0; thread < 4; ++thread)
            threads.emplace_back([&, thread] {
                auto& ids = thread % 2 ? first : second;
                for (int i = 0; i < 5000; ++i) {
                    const auto id = ids.next("default", kAnyPartition);
                    const std::scoped_lock lock(mutex);
                    seen.insert(id.text());
                }
            });
        for (auto& thread : threads)
            thread.join();
        QCOMPARE(seen.size(), 20'000u);
    }
    void idsFallInAnAcceptedPartition() {
        const FixedClock clock;
        storage::FaceIdGenerator ids(clock, [] { return 0u; });
        for (int i = 0; i < 50; ++i) {
            const auto id = ids.next("employee", [](base::Partition partition) { return partition == 17; });
            QCOMPARE(int(hashing::partitionOf("employee", id.text())), 17);
        }
    }
    void allPartitionsAreUsedWhenAllAreAccepted() {
        const FixedClock clock;
        storage::FaceIdGenerator ids(clock, [] { return 0u; });
        std::set<int> partitions;
        for (int i = 0; i < 5000; ++i)
            partitions.insert(hashing::partitionOf("default", ids.next("default", kAnyPartition).text()));
        QCOMPARE(partitions.size(), 256u);
    }
    void variationsAreNeverZeroAndDoNotRepeat() {
        std::set<std::uint64_t> seen;
        for (int i = 0; i < 10'000; ++i)
            seen.insert(storage::randomVariation().value());
        QCOMPARE(seen.size(), 10'000u);
        QVERIFY(!seen.contains(0));
    }
};

QTEST_GUILESS_MAIN(IdGeneratorTest)
#include "id_generator_test.moc"
