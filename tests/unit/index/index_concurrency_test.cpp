#include "shared/hashing/partition.h"
#include "shared/index/search_batcher.h"
#include "tests/unit/index/index_fixtures.h"

#include <QtTest>

#include <atomic>
#include <barrier>
#include <latch>
#include <thread>

using namespace fremis::index;
using namespace fremis::index::testing;
using fremis::base::Variation;
using fremis::base::WorkPool;
using fremis::hashing::PartitionSet;
using namespace std::chrono_literals;

namespace {

constexpr int kDimension = 32;

FaceAddress addressOf(const std::string& face) {
    return {"k", static_cast<fremis::base::Partition>(fremis::hashing::partitionOf("k", face) % 8), face};
}

} // namespace

/// Real threads on one index; meant for ThreadSanitizer too.
class IndexConcurrencyTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// The writer keeps this true in every state: a pair of faces is there as a whole or not at all, and carries one
    /// generation's number in both variations. Removal and re-adding reuse places while searches read.
    void everySearchSeesAWholeState_data() { engines(); }
    void everySearchSeesAWholeState() {
        const auto index = makeFromRow(2);
        std::mt19937 random(1);
        std::vector<Vector> vectors;
        for (int i = 0; i < 200; ++i)
            vectors.push_back(randomUnit(random, kDimension));
        std::atomic<bool> stop{false};
        std::atomic<int> searches{0};
        std::atomic<int> broken{0};
        // Photos 1 and 2 of a face are written by replacing: a state never lacks one once both are there.
        const auto addFace = [&](int face) {
            const std::string text = std::to_string(face);
            for (const std::uint64_t variation : {1, 2})
                if (!index->add({addressOf(text), Variation(variation), vectors[static_cast<std::size_t>(face)]}))
                    ++broken;
        };
        for (int face = 0; face < 200; ++face)
            addFace(face);
        std::vector<std::jthread> threads;
        for (unsigned t = 0; t < 3; ++t)
            threads.emplace_back([&, t] {
                std::mt19937 own(t);
                while (!stop) {
                    const auto face = own() % 100; // 0..99 are replaced all the time, never removed
                    const auto snapshot = index->snapshot();
                    const auto answer = snapshot->search({"k", vectors[face], 5});
                    if (!answer || answer->hits.front().empty() ||
                        answer->hits.front().front().face != std::to_string(face))
                        ++broken;
                    else if (answer->vectorsSearched != snapshot->vectors("k", PartitionSet::all()))
                        ++broken;
                    if (const auto again = snapshot->search({"k", vectors[face], 5});
                        !again || again->hits != answer->hits)
                        ++broken;
                    ++searches;
                }
            });
        for (int round = 0; round < 30 || searches < 100; ++round)
            for (int face = 0; face < 200; ++face) {
                const std::string text = std::to_string(face);
                if (face < 100)
                    addFace(face);
                else if (round % 2 == 0)
                    index->removeFace(addressOf(text));
                else
                    addFace(face);
            }
        stop = true;
        threads.clear();
        QCOMPARE(broken.load(), 0);
        QVERIFY(index->settle(60s));
    }
    void aRemovedFaceIsInNoLaterSearch_data() { engines(); }
    void aRemovedFaceIsInNoLaterSearch() {
        const auto index = makeFromRow(0);
        std::mt19937 random(2);
        std::vector<Vector> vectors;
        for (int i = 0; i < 300; ++i)
            vectors.push_back(randomUnit(random, kDimension));
        std::atomic<int> removed{-1}; // faces 0..removed are gone
        std::atomic<int> broken{0};
        for (int face = 0; face < 300; ++face)
            QVERIFY(
                index->add({addressOf(std::to_string(face)), Variation(1), vectors[static_cast<std::size_t>(face)]}));
        std::vector<std::jthread> threads;
        for (int t = 0; t < 3; ++t)
            threads.emplace_back([&] {
                for (int gone = removed; gone < 299; gone = removed) {
                    const auto face = static_cast<std::size_t>(std::max(gone, 0));
                    const auto answer = index->snapshot()->search({"k", vectors[face], 1});
                    if (!answer || (gone >= 0 && !answer->hits.front().empty() &&
                                    answer->hits.front().front().face == std::to_string(gone)))
                        ++broken;
                }
            });
        for (int face = 0; face < 300; ++face) {
            QCOMPARE(index->removeFace(addressOf(std::to_string(face))), std::size_t{1});
            removed = face;
        }
        threads.clear();
        QCOMPARE(broken.load(), 0);
        QCOMPARE(index->counts().vectors, std::uint64_t{0});
    }
    void keyspacesAndPartitionsComeAndGoUnderSearches_data() { engines(); }
    void keyspacesAndPartitionsComeAndGoUnderSearches() {
        const auto index = makeFromRow(1);
        std::mt19937 random(3);
        const auto vector = randomUnit(random, kDimension);
        std::atomic<bool> stop{false};
        std::atomic<int> broken{0};
        std::vector<std::jthread> threads;
        for (int t = 0; t < 2; ++t)
            threads.emplace_back([&] {
                while (!stop) {
                    const auto snapshot = index->snapshot();
                    const auto rows = snapshot->vectors("k", PartitionSet::all());
                    const auto answer = snapshot->search({"k", vector, 100});
                    if (!answer || answer->vectorsSearched != rows || answer->hits.front().size() != rows)
                        ++broken;
                    const auto counts = index->counts();
                    if (counts.keyspaces.size() > 1)
                        ++broken;
                }
            });
        for (int round = 0; round < 300; ++round) {
            for (int face = 0; face < 20; ++face)
                QVERIFY(index->add({addressOf(std::to_string(face)), Variation(1), vector}));
            if (round % 3 == 0)
                index->dropKeyspace("k");
            else
                index->dropPartitions(PartitionSet::all());
        }
        stop = true;
        threads.clear();
        QCOMPARE(broken.load(), 0);
        QVERIFY(index->settle(60s));
    }
    void joinsWaitingSearches_data() { engines(); }
    void joinsWaitingSearches() {
        const auto index = makeFromRow(0);
        std::mt19937 random(4);
        std::vector<Vector> vectors;
        for (int i = 0; i < 100; ++i) {
            vectors.push_back(randomUnit(random, kDimension));
            QVERIFY(index->add({addressOf(std::to_string(i)), Variation(1), vectors.back()}));
        }
        WorkPool pool("batch", 1, 64);
        SearchBatcher batcher(*index, pool, 16);
        std::latch hold(1);
        QVERIFY(pool.tryRun([&](int) { hold.wait(); })); // so that searches wait together
        std::latch answered(42);
        std::array<std::optional<fremis::base::Result<SearchBatcher::Found>>, 42> found;
        const auto submit = [&](std::size_t i, SearchBatcher::Request request) {
            QVERIFY(batcher.submit(std::move(request), [&, i](auto result) {
                found[i] = std::move(result);
                answered.count_down();
            }));
        };
        PartitionSet half;
        for (fremis::base::Partition partition = 0; partition < 4; ++partition)
            half.insert(partition);
        for (std::size_t i = 0; i < 40; ++i)
            submit(i, {"k", i % 3 == 0 ? half : PartitionSet::all(), static_cast<int>(1 + i % 7), vectors[i]});
        submit(40, {"k", PartitionSet::all(), 1, Vector(3)});
        submit(41, {"k", PartitionSet::all(), 0, vectors[0]});
        hold.count_down();
        answered.wait();
        for (std::size_t i = 0; i < 40; ++i) {
            const auto alone = index->snapshot()->search(
                {"k", vectors[i], static_cast<int>(1 + i % 7), i % 3 == 0 ? half : PartitionSet::all()});
            QVERIFY(found[i]->value().hits == alone->hits.front());
            QCOMPARE(found[i]->value().vectorsSearched, alone->vectorsSearched);
        }
        QCOMPARE(found[40]->error().reason, fremis::base::Reason::EmbeddingInvalid);
        QCOMPARE(found[41]->error().reason, fremis::base::Reason::CandidateCountInvalid);
    }
    void aFullPoolRefusesSearches() {
        const auto index = makeIndex(optionsFor(Engine::Flat, kDimension));
        std::mt19937 random(5);
        WorkPool pool("full", 1, 2);
        SearchBatcher batcher(*index, pool, 16);
        std::latch running(1);
        std::latch hold(1);
        QVERIFY(pool.tryRun([&](int) {
            running.count_down();
            hold.wait();
        }));
        running.wait();
        std::atomic<int> answers{0};
        const auto submit = [&] {
            return batcher.submit({"k", PartitionSet::all(), 1, randomUnit(random, kDimension)},
                                  [&](auto) { ++answers; });
        };
        QVERIFY(submit());
        QVERIFY(submit());
        const auto refused = submit();
        QVERIFY(!refused);
        QCOMPARE(refused.error().reason, fremis::base::Reason::Overloaded);
        hold.count_down();
        pool.stop();
        QCOMPARE(answers.load(), 2);
    }

private:
    static void engines() {
        QTest::addColumn<int>("engine");
        QTest::addColumn<int>("floatRows");
        QTest::newRow("flat") << int(Engine::Flat) << int(FloatRows::Memory);
        QTest::newRow("sq8") << int(Engine::Sq8) << int(FloatRows::Memory);
        QTest::newRow("sq8 in a file") << int(Engine::Sq8) << int(FloatRows::File);
    }
    static std::unique_ptr<VectorIndex> makeFromRow(int helpers) {
        QFETCH(int, engine);
        QFETCH(int, floatRows);
        return makeIndex(
            optionsFor(static_cast<Engine>(engine), kDimension, static_cast<FloatRows>(floatRows), helpers));
    }
};

QTEST_GUILESS_MAIN(IndexConcurrencyTest)
#include "index_concurrency_test.moc"
