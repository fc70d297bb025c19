#include "tests/unit/index/index_fixtures.h"

#include <QtTest>

#include <atomic>
#include <thread>

using namespace fremis::index;
using namespace fremis::index::testing;
using fremis::base::Variation;
using fremis::hashing::PartitionSet;
using namespace std::chrono_literals;

namespace {

constexpr int kDimension = 48;
constexpr int kPeople = 400;
constexpr int kPhotos = 5;

Options options() {
    auto chosen = optionsFor(Engine::Hnsw, kDimension);
    chosen.hnsw.exactBelow = 1000;
    chosen.hnsw.neighbours = 16;
    return chosen;
}

/// Photos near one another for each person, as embeddings of faces are.
struct People {
    std::vector<Vector> photos;
    People() {
        std::mt19937 random(21);
        for (int person = 0; person < kPeople; ++person) {
            const auto centre = randomUnit(random, kDimension);
            for (int photo = 0; photo < kPhotos; ++photo) {
                auto vector = randomUnit(random, kDimension);
                for (std::size_t i = 0; i < vector.size(); ++i)
                    vector[i] = centre[i] + 0.5F * vector[i];
                photos.push_back(unit(std::move(vector)));
            }
        }
    }
    [[nodiscard]] const Vector& photo(int person, int number) const {
        return photos[static_cast<std::size_t>(person * kPhotos + number)];
    }
};

FaceAddress addressOf(const std::string& person) {
    return {"k", static_cast<fremis::base::Partition>(std::stoi(person) % 16), person};
}

void fill(VectorIndex& index, PlainIndex& plain, const People& people) {
    for (int person = 0; person < kPeople; ++person)
        for (int photo = 0; photo < kPhotos; ++photo) {
            const std::string name = std::to_string(person);
            const auto& vector = people.photo(person, photo);
            QVERIFY(index.add({addressOf(name), Variation(static_cast<std::uint64_t>(photo)), vector}));
            plain.rows[{"k", addressOf(name).partition, name, static_cast<std::uint64_t>(photo)}] = vector;
        }
}

/// The share of the exact answer that the index finds. Whatever it finds must carry the exact score, in the right
/// order.
double recallAgainst(const VectorIndex& index, const PlainIndex& plain, const People& people,
                     const PartitionSet& partitions) {
    int wanted = 0;
    int found = 0;
    for (int person = 0; person < kPeople; person += 9) {
        auto query = people.photo(person, 0);
        query[3] += 0.1F;
        query = unit(std::move(query));
        const auto exact = plain.search("k", query, kPeople, partitions);
        const auto answer = index.snapshot()->search({"k", query, 10, partitions});
        const auto& hits = answer->hits.front();
        const auto first = exact.begin() + std::min<std::ptrdiff_t>(10, static_cast<std::ptrdiff_t>(exact.size()));
        wanted += static_cast<int>(first - exact.begin());
        for (const auto& hit : hits) {
            // A face may be known by a worse photo when the graph missed its best; its score is that photo's.
            found += std::find(exact.begin(), first, hit) != first ? 1 : 0;
        }
        if (!std::is_sorted(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) { return precedes(a, b); }))
            return -1;
    }
    return static_cast<double>(found) / wanted;
}

} // namespace

class HnswTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void buildsAGraphAndSaysHowGoodItIs() {
        const auto index = makeIndex(options());
        const People people;
        PlainIndex plain;
        QCOMPARE(index->recall().graphRows, std::uint64_t{0});
        QCOMPARE(index->recall().atTen, 1.0);
        fill(*index, plain, people);
        QVERIFY(index->settle(60s));
        const auto measured = index->recall();
        QVERIFY(measured.graphRows > 0);
        QVERIFY2(measured.atTen > 0.9 && measured.atTen <= 1.0, std::to_string(measured.atTen).c_str());
        QVERIFY(recallAgainst(*index, plain, people, PartitionSet::all()) > 0.9);
        // A part of the partitions is answered exactly.
        PartitionSet few;
        few.insert(1);
        few.insert(2);
        QCOMPARE(recallAgainst(*index, plain, people, few), 1.0);
    }
    void findsRowsThatAreYoungerThanTheGraph() {
        const auto index = makeIndex(options());
        const People people;
        PlainIndex plain;
        fill(*index, plain, people);
        QVERIFY(index->settle(60s));
        std::mt19937 random(22);
        for (int i = 0; i < 50; ++i) {
            const auto vector = randomUnit(random, kDimension);
            const std::string name = std::to_string(1000 + i);
            QVERIFY(index->add({addressOf(name), Variation(1), vector}));
            const auto answer = index->snapshot()->search({"k", vector, 1});
            QCOMPARE(answer->hits.front().front().face, name);
            QCOMPARE(answer->vectorsSearched, static_cast<std::uint64_t>(kPeople * kPhotos + i + 1));
        }
    }
    void neverFindsARemovedRow() {
        const auto index = makeIndex(options());
        const People people;
        PlainIndex plain;
        fill(*index, plain, people);
        QVERIFY(index->settle(60s));
        for (int person = 0; person < kPeople; ++person) {
            const std::string name = std::to_string(person);
            QCOMPARE(index->removeFace(addressOf(name)), static_cast<std::size_t>(kPhotos));
            const auto answer = index->snapshot()->search({"k", people.photo(person, 0), 10});
            QVERIFY(answer);
            for (const auto& hit : answer->hits.front())
                QVERIFY(std::stoi(hit.face) > person);
            QCOMPARE(answer->hits.front().size(), static_cast<std::size_t>(std::min(10, kPeople - person - 1)));
        }
    }
    void rebuildsWhenEnoughHasChanged() {
        const auto index = makeIndex(options());
        const People people;
        PlainIndex plain;
        fill(*index, plain, people);
        QVERIFY(index->settle(60s));
        for (int person = 0; person < kPeople / 4; ++person)
            index->removeFace(addressOf(std::to_string(person)));
        QVERIFY(index->settle(60s));
        QCOMPARE(index->recall().graphRows, static_cast<std::uint64_t>(kPeople * 3 / 4 * kPhotos));
        QCOMPARE(index->dropKeyspace("k"), static_cast<std::size_t>(kPeople * 3 / 4 * kPhotos));
        QCOMPARE(index->recall().graphRows, std::uint64_t{0});
        fill(*index, plain, people);
        QVERIFY(index->settle(60s));
        QVERIFY(recallAgainst(*index, plain, people, PartitionSet::all()) > 0.9);
    }
    void searchesGoOnWhileGraphsAreBuilt() {
        auto chosen = options();
        chosen.hnsw.rebuildAt = 0.02;
        const auto index = makeIndex(chosen);
        const People people;
        std::atomic<bool> stop{false};
        std::atomic<int> broken{0};
        std::vector<std::jthread> threads;
        for (unsigned t = 0; t < 2; ++t)
            threads.emplace_back([&, t] {
                std::mt19937 random(t);
                while (!stop) {
                    const auto person = static_cast<int>(random() % kPeople);
                    const auto answer = index->snapshot()->search({"k", people.photo(person, 0), 5});
                    if (!answer || answer->hits.size() != 1)
                        ++broken;
                }
            });
        for (int round = 0; round < 4; ++round)
            for (int person = 0; person < kPeople; ++person) {
                const std::string name = std::to_string(person);
                for (int photo = 0; photo < kPhotos; ++photo)
                    if (!index->add({addressOf(name), Variation(static_cast<std::uint64_t>(photo)),
                                     people.photo(person, photo)}))
                        ++broken;
                if (person % 3 == 0)
                    index->removeFace(addressOf(name));
            }
        QVERIFY(index->settle(60s));
        stop = true;
        threads.clear();
        QCOMPARE(broken.load(), 0);
    }
};

QTEST_GUILESS_MAIN(HnswTest)
#include "hnsw_test.moc"
