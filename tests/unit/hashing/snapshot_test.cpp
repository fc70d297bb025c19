#include "shared/hashing/analysis.h"
#include "shared/hashing/snapshot_cell.h"
#include "tests/unit/hashing/support.h"

#include <QtTest>

#include <atomic>
#include <thread>

using namespace fremis::hashing;
using namespace fremis::hashing::test;

namespace {

// Tells when it dies, so that a reader that still looks would be seen.
struct Tracked {
    explicit Tracked(std::atomic<int>& alive, int number) : m_alive(alive), value(number), twin(number) { ++m_alive; }
    ~Tracked() {
        value = -1;
        twin = -2;
        --m_alive;
    }
    Tracked(const Tracked&) = delete;
    Tracked& operator=(const Tracked&) = delete;
    std::atomic<int>& m_alive;
    int value;
    int twin;
};

} // namespace

class SnapshotTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readersSeeWholeSnapshotsWhileAWriterSwaps() {
        std::atomic<int> alive{0};
        std::atomic<bool> stop{false};
        std::atomic<long> reads{0};
        std::atomic<long> torn{0};
        {
            SnapshotCell<Tracked> cell(std::make_shared<const Tracked>(alive, 0));
            std::vector<std::thread> readers;
            for (int i = 0; i < 3; ++i)
                readers.emplace_back([&] {
                    int last = 0;
                    while (!stop) {
                        const auto snapshot = cell.read();
                        if (snapshot->value != snapshot->twin || snapshot->value < last)
                            ++torn;
                        last = snapshot->value;
                        ++reads;
                    }
                });
            for (int number = 1; number <= 2000 || reads < 1000; ++number) {
                cell.publish(std::make_shared<const Tracked>(alive, number));
                QVERIFY(alive <= 1); // the old one is gone when publish() returns
            }
            stop = true;
            for (std::thread& reader : readers)
                reader.join();
        }
        QCOMPARE(torn.load(), 0L);
        QCOMPARE(alive.load(), 0);
    }
    // The use it is made for: a ring that changes under lookups. Each lookup must equal one of the two maps, whole.
    void lookupsDuringSwapsEqualOneOfTheMaps() {
        const auto small = make(Scheme::Ring, NodeSet::numbered(10));
        const auto large = *small->add({.id = "zzz"});
        const auto hashes = sampleHashes(256);
        SnapshotCell<Placement> cell(small);
        std::atomic<bool> stop{false};
        std::atomic<long> wrong{0};
        std::atomic<long> rounds{0};
        std::vector<std::thread> readers;
        for (int i = 0; i < 2; ++i)
            readers.emplace_back([&] {
                while (!stop) {
                    for (const std::uint64_t hash : hashes) {
                        const auto map = cell.read();
                        const Placement& expected = map->nodes().size() == 10 ? *small : *large;
                        if (map->ownerOf(hash) != expected.ownerOf(hash))
                            ++wrong;
                    }
                    ++rounds;
                }
            });
        for (int swap = 0; swap < 500 || rounds < 20; ++swap) {
            const auto current = cell.share();
            cell.publish(current->nodes().size() == 10 ? *current->add({.id = "zzz"}) : *current->remove("zzz"));
        }
        stop = true;
        for (std::thread& reader : readers)
            reader.join();
        QCOMPARE(wrong.load(), 0L);
    }
    void aSharedSnapshotOutlivesItsCell() {
        std::shared_ptr<const Placement> kept;
        {
            SnapshotCell<Placement> cell(make(Scheme::Ring, NodeSet::numbered(2)));
            kept = cell.share();
            cell.publish(nullptr);
            QVERIFY(!cell.read());
        }
        QCOMPARE(kept->nodes().size(), std::size_t{2});
    }
    // Digest contexts are per thread; maps are shared.
    void manyThreadsHashAndLookUpAlike() {
        const auto map = make(Scheme::WeightedRendezvous, NodeSet::numbered(20));
        const std::string longKey(200, 'k'); // takes the general SHA-1
        const auto expected = *map->owner(longKey);
        std::atomic<int> wrong{0};
        std::vector<std::thread> threads;
        for (int i = 0; i < 4; ++i)
            threads.emplace_back([&] {
                for (int round = 0; round < 2000; ++round)
                    if (*map->owner(longKey) != expected || *map->owner("k1") != *map->owner("k1"))
                        ++wrong;
            });
        for (std::thread& thread : threads)
            thread.join();
        QCOMPARE(wrong.load(), 0);
    }
};

QTEST_GUILESS_MAIN(SnapshotTest)
#include "snapshot_test.moc"
