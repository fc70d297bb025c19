#include "shared/index/vector_index.h"
#include "tests/unit/index/index_fixtures.h"

#include <QtTest>

using namespace fremis::index;
using namespace fremis::index::testing;
using fremis::base::Reason;
using fremis::base::Variation;
using fremis::hashing::PartitionSet;
using namespace std::chrono_literals;

namespace {

constexpr int kDimension = 24;

Vector axis(int i, float along = 1, int other = -1, float alongOther = 0) {
    Vector vector(kDimension);
    vector[static_cast<std::size_t>(i)] = along;
    if (other >= 0)
        vector[static_cast<std::size_t>(other)] = alongOther;
    return vector;
}

PartitionSet only(fremis::base::Partition partition) {
    PartitionSet set;
    set.insert(partition);
    return set;
}

void add(VectorIndex& index, const FaceAddress& address, std::uint64_t variation, const Vector& embedding) {
    const auto added = index.add({address, Variation(variation), embedding});
    QVERIFY2(added, added ? "" : added.error().message.c_str());
}

std::vector<Hit> search(const VectorIndex& index, std::string_view keyspace, const Vector& query, int k = 10,
                        const PartitionSet& partitions = PartitionSet::all()) {
    auto answer = index.snapshot()->search({keyspace, query, k, partitions});
    return answer ? std::move(answer->hits.front()) : std::vector<Hit>{{"failed", Variation(0), 0}};
}

QByteArray text(const std::vector<Hit>& hits) {
    std::string text;
    for (const auto& hit : hits)
        text += hit.face + "/" + hit.variation.text() + " ";
    return QByteArray::fromStdString(text);
}

} // namespace

class VectorIndexTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void answersByScoreThenFaceThenVariation_data() { engines(); }
    void answersByScoreThenFaceThenVariation() {
        const auto index = makeFromRow();
        add(*index, {"k", 1, "b"}, 1, axis(0));
        add(*index, {"k", 2, "a"}, 1, axis(0));
        add(*index, {"k", 1, "B"}, 1, axis(0));
        add(*index, {"k", 3, "\xC3\xA9"}, 1, axis(0));
        add(*index, {"k", 9, "c"}, 10, axis(0));
        add(*index, {"k", 9, "c"}, 9, axis(0));
        add(*index, {"k", 9, "c"}, 8, axis(1));
        add(*index, {"k", 4, "d"}, 1, axis(0, 0.6F, 1, 0.8F));
        QCOMPARE(text(search(*index, "k", axis(0))), QByteArray("B/1 a/1 b/1 c/9 \xC3\xA9/1 d/1 "));
        QCOMPARE(text(search(*index, "k", axis(0), 4)), QByteArray("B/1 a/1 b/1 c/9 "));
        QCOMPARE(text(search(*index, "k", axis(1), 2)), QByteArray("c/8 d/1 "));
        QCOMPARE(search(*index, "k", axis(1), 1).front().score, 1.0F);
    }
    void readsOnlyThePartitionsAskedFor_data() { engines(); }
    void readsOnlyThePartitionsAskedFor() {
        const auto index = makeFromRow();
        add(*index, {"k", 0, "a"}, 1, axis(0));
        add(*index, {"k", 255, "b"}, 1, axis(0));
        QCOMPARE(text(search(*index, "k", axis(0), 5, only(255))), QByteArray("b/1 "));
        QCOMPARE(text(search(*index, "k", axis(0), 5, only(7))), QByteArray());
        QCOMPARE(text(search(*index, "k", axis(0), 5, PartitionSet())), QByteArray());
        const auto answer = index->snapshot()->search({"k", axis(0), 5, only(255)});
        QCOMPARE(answer->vectorsSearched, std::uint64_t{1});
        QCOMPARE(index->snapshot()->vectors("k", PartitionSet::all()), std::uint64_t{2});
    }
    void keepsKeyspacesApart_data() { engines(); }
    void keepsKeyspacesApart() {
        const auto index = makeFromRow();
        add(*index, {"one", 5, "a"}, 1, axis(0));
        add(*index, {"two", 5, "a"}, 1, axis(1));
        QCOMPARE(search(*index, "one", axis(0)).front().score, 1.0F);
        QCOMPARE(search(*index, "two", axis(0)).front().score, 0.0F);
        QVERIFY(search(*index, "three", axis(0)).empty());
        QCOMPARE(index->dropKeyspace("one"), std::size_t{1});
        QCOMPARE(index->dropKeyspace("one"), std::size_t{0});
        QVERIFY(search(*index, "one", axis(0)).empty());
        QCOMPARE(text(search(*index, "two", axis(0))), QByteArray("a/1 "));
        add(*index, {"one", 5, "again"}, 1, axis(0));
        QCOMPARE(text(search(*index, "one", axis(0))), QByteArray("again/1 "));
    }
    void replacesARowOfTheSameVariation_data() { engines(); }
    void replacesARowOfTheSameVariation() {
        const auto index = makeFromRow();
        add(*index, {"k", 5, "a"}, 7, axis(0));
        add(*index, {"k", 5, "a"}, 7, axis(1));
        QCOMPARE(index->counts().vectors, std::uint64_t{1});
        QCOMPARE(search(*index, "k", axis(0)).front().score, 0.0F);
        QCOMPARE(search(*index, "k", axis(1)).front().score, 1.0F);
    }
    void removesVariationsAndFaces_data() { engines(); }
    void removesVariationsAndFaces() {
        const auto index = makeFromRow();
        for (std::uint64_t variation = 1; variation <= 3; ++variation)
            add(*index, {"k", 5, "a"}, variation, axis(static_cast<int>(variation)));
        add(*index, {"k", 5, "b"}, 1, axis(0));
        QVERIFY(!index->removeVariation({"k", 5, "a"}, Variation(4)));
        QVERIFY(!index->removeVariation({"k", 6, "a"}, Variation(1)));
        QVERIFY(!index->removeVariation({"x", 5, "a"}, Variation(1)));
        QVERIFY(index->removeVariation({"k", 5, "a"}, Variation(2)));
        QCOMPARE(search(*index, "k", axis(2)).front().score, 0.0F);
        QCOMPARE(index->counts().faces, std::uint64_t{2});
        QCOMPARE(index->removeFace({"k", 5, "a"}), std::size_t{2});
        QCOMPARE(index->removeFace({"k", 5, "a"}), std::size_t{0});
        QCOMPARE(text(search(*index, "k", axis(1))), QByteArray("b/1 "));
        QCOMPARE(index->counts().faces, std::uint64_t{1});
    }
    void dropsPartitions_data() { engines(); }
    void dropsPartitions() {
        const auto index = makeFromRow();
        for (const auto partition : {10, 20, 30}) {
            add(*index, {"one", static_cast<fremis::base::Partition>(partition), std::to_string(partition)}, 1,
                axis(0));
            add(*index, {"two", static_cast<fremis::base::Partition>(partition), std::to_string(partition)}, 1,
                axis(0));
        }
        QCOMPARE(index->dropPartitions("one", only(10)), std::size_t{1});
        QCOMPARE(index->dropPartitions(only(20) | only(30) | only(40)), std::size_t{4});
        QVERIFY(search(*index, "one", axis(0)).empty());
        QCOMPARE(text(search(*index, "two", axis(0))), QByteArray("10/1 "));
        const auto counts = index->counts();
        QCOMPARE(counts.vectors, std::uint64_t{1});
        QCOMPARE(counts.partitions[10].vectors, std::uint64_t{1});
        QCOMPARE(counts.partitions[20].faces, std::uint64_t{0});
        QCOMPARE(counts.keyspaces.size(), std::size_t{1});
        QCOMPARE(counts.keyspaces.front().keyspace, std::string("two"));
    }
    void aSnapshotKeepsItsState_data() { engines(); }
    void aSnapshotKeepsItsState() {
        const auto index = makeFromRow();
        add(*index, {"k", 5, "a"}, 1, axis(0));
        add(*index, {"k", 6, "b"}, 1, axis(0));
        add(*index, {"k", 7, "c"}, 1, axis(0));
        const auto before = index->snapshot();
        QVERIFY(index->removeVariation({"k", 5, "a"}, Variation(1)));
        QCOMPARE(index->dropPartitions(only(6)), std::size_t{1});
        QCOMPARE(index->dropKeyspace("k"), std::size_t{1});
        add(*index, {"k", 5, "d"}, 1, axis(0));
        add(*index, {"k", 6, "e"}, 1, axis(0));
        QVERIFY(!index->settle(20ms)); // the old snapshot needs what was removed
        QCOMPARE(text(before->search({"k", axis(0), 10})->hits.front()), QByteArray("a/1 b/1 c/1 "));
        QCOMPARE(text(search(*index, "k", axis(0))), QByteArray("d/1 e/1 "));
        int visited = 0;
        before->visitRows("k", 5, [&](std::string_view face, Variation) { visited += face == "a" ? 1 : 100; });
        QCOMPARE(visited, 1);
        QCOMPARE(before->bestOfFace({"k", 6, "b"}, axis(0)).value()->score, 1.0F);
        QVERIFY(!before->bestOfFace({"k", 6, "e"}, axis(0)).value());
    }
    void aSnapshotOutlivesTheIndex_data() { engines(); }
    void aSnapshotOutlivesTheIndex() {
        auto index = makeFromRow();
        add(*index, {"k", 5, "a"}, 1, axis(0));
        const auto snapshot = index->snapshot();
        QVERIFY(index->removeVariation({"k", 5, "a"}, Variation(1)));
        index.reset();
        QCOMPARE(text(snapshot->search({"k", axis(0), 10})->hits.front()), QByteArray("a/1 "));
    }
    void findsTheBestPhotoOfAFace_data() { engines(); }
    void findsTheBestPhotoOfAFace() {
        const auto index = makeFromRow();
        std::mt19937 random(1);
        for (std::uint64_t variation = 1; variation <= 50; ++variation)
            for (const char* face : {"a", "b", "c"})
                add(*index, {"k", 5, face}, variation, randomUnit(random, kDimension));
        const auto query = randomUnit(random, kDimension);
        const auto snapshot = index->snapshot();
        const auto answer = snapshot->search({"k", query, 3});
        QCOMPARE(answer->hits.front().size(), std::size_t{3});
        for (const auto& hit : answer->hits.front())
            QCOMPARE(snapshot->bestOfFace({"k", 5, hit.face}, query).value().value(), hit);
        QVERIFY(!snapshot->bestOfFace({"k", 5, "d"}, query).value());
        QVERIFY(!snapshot->bestOfFace({"k", 4, "a"}, query).value());
    }
    void refusesUnusableEmbeddings_data() {
        QTest::addColumn<Vector>("embedding");
        Vector broken = axis(0);
        QTest::newRow("too short") << Vector(kDimension - 1, 0.2F);
        QTest::newRow("too long") << Vector(kDimension + 1, 0.2F);
        QTest::newRow("empty") << Vector();
        QTest::newRow("zero") << Vector(kDimension, 0.0F);
        broken[3] = std::numeric_limits<float>::quiet_NaN();
        QTest::newRow("not a number") << broken;
        broken[3] = std::numeric_limits<float>::infinity();
        QTest::newRow("infinite") << broken;
        QTest::newRow("norm 1.1") << axis(0, 1.1F);
        QTest::newRow("norm 0.9") << axis(0, 0.9F);
        QTest::newRow("huge") << Vector(kDimension, 3e38F);
    }
    void refusesUnusableEmbeddings() {
        QFETCH(Vector, embedding);
        const auto index = makeIndex(optionsFor(Engine::Flat, kDimension));
        const auto added = index->add({{"k", 1, "a"}, Variation(1), embedding});
        QVERIFY(!added);
        QCOMPARE(added.error().reason, Reason::EmbeddingInvalid);
        QCOMPARE(index->counts().vectors, std::uint64_t{0});
        add(*index, {"k", 1, "a"}, 1, axis(0));
        const auto answer = index->snapshot()->search({"k", embedding, 1});
        QVERIFY(!answer);
        QCOMPARE(answer.error().reason, Reason::EmbeddingInvalid);
        QCOMPARE(index->snapshot()->bestOfFace({"k", 1, "a"}, embedding).error().reason, Reason::EmbeddingInvalid);
    }
    void refusesOtherNonsense() {
        const auto index = makeIndex(optionsFor(Engine::Flat, kDimension));
        QCOMPARE(index->add({{"k", 1, ""}, Variation(1), axis(0)}).error().reason, Reason::InvalidFaceId);
        QCOMPARE(index->add({{"k", 1, std::string(256, 'x')}, Variation(1), axis(0)}).error().reason,
                 Reason::InvalidFaceId);
        QCOMPARE(index->snapshot()->search({"k", axis(0), 0}).error().reason, Reason::CandidateCountInvalid);
        QCOMPARE(VectorIndex::create(optionsFor(Engine::Flat, 0)).error().reason, Reason::InvalidConfig);
        QCOMPARE(VectorIndex::create(optionsFor(Engine::Flat, 4, FloatRows::File)).error().reason,
                 Reason::InvalidConfig);
        auto nowhere = optionsFor(Engine::Sq8, 4, FloatRows::File);
        nowhere.dataDir = "/nonexistent";
        QCOMPARE(VectorIndex::create(nowhere).error().reason, Reason::Internal);
        QCOMPARE(parseEngine("ivf").error().reason, Reason::InvalidConfig);
        for (const auto engine : {Engine::Flat, Engine::Sq8, Engine::Hnsw})
            QCOMPARE(parseEngine(engineName(engine)).value(), engine);
    }
    void takesTheLongestIds_data() { engines(); }
    void takesTheLongestIds() {
        const auto index = makeFromRow();
        const std::string face(255, 'x');
        add(*index, {"k", 1, face}, ~std::uint64_t{0}, axis(0));
        QCOMPARE(search(*index, "k", axis(0)).front(), (Hit{face, Variation(~std::uint64_t{0}), 1.0F}));
    }
    void givesMemoryBack_data() { engines(); }
    void givesMemoryBack() {
        const auto index = makeFromRow();
        const auto empty = index->memoryBytes();
        std::mt19937 random(1);
        const auto fill = [&] {
            for (int i = 0; i < 4000; ++i)
                add(*index, {"k", static_cast<fremis::base::Partition>(i % 3), std::to_string(i)}, 1,
                    randomUnit(random, kDimension));
        };
        fill();
        const auto full = index->memoryBytes();
        QVERIFY(full > empty + 4000 * 64);
        // Nine of ten rows gone, at random places: their memory too.
        for (int i = 0; i < 4000; ++i)
            if (i % 10 != 0)
                QVERIFY(index->removeVariation({"k", static_cast<fremis::base::Partition>(i % 3), std::to_string(i)},
                                               Variation(1)));
        QVERIFY(index->settle(60s));
        QVERIFY2(index->memoryBytes() < empty + (full - empty) / 3, std::to_string(index->memoryBytes()).c_str());
        QCOMPARE(index->snapshot()->search({"k", axis(0), 1000})->hits.front().size(), std::size_t{400});
        QCOMPARE(index->dropKeyspace("k"), std::size_t{400});
        QVERIFY(index->settle(60s));
        QCOMPARE(index->memoryBytes(), empty);
        fill();
        QCOMPARE(index->dropPartitions(PartitionSet::all()), std::size_t{4000});
        QVERIFY(index->settle(60s));
        QVERIFY(index->memoryBytes() < empty + 4096);
    }
    void aSmallKeyspaceIsSmall() {
        const auto index = makeIndex(optionsFor(Engine::Flat, 512));
        std::mt19937 random(1);
        const auto embedding = randomUnit(random, 512);
        for (int i = 0; i < 1000; ++i)
            for (const fremis::base::Partition partition : {1, 77, 200})
                add(*index, {"keyspace-" + std::to_string(i), partition, "face"}, 1, embedding);
        QVERIFY2(index->memoryBytes() < 3000 * 2600, std::to_string(index->memoryBytes()).c_str());
    }

private:
    static void engines() {
        QTest::addColumn<int>("engine");
        QTest::addColumn<int>("floatRows");
        QTest::newRow("flat") << int(Engine::Flat) << int(FloatRows::Memory);
        QTest::newRow("sq8") << int(Engine::Sq8) << int(FloatRows::Memory);
        QTest::newRow("sq8 with rows in a file") << int(Engine::Sq8) << int(FloatRows::File);
        QTest::newRow("hnsw") << int(Engine::Hnsw) << int(FloatRows::Memory);
    }
    static std::unique_ptr<VectorIndex> makeFromRow() {
        QFETCH(int, engine);
        QFETCH(int, floatRows);
        return makeIndex(optionsFor(static_cast<Engine>(engine), kDimension, static_cast<FloatRows>(floatRows)));
    }
};

QTEST_GUILESS_MAIN(VectorIndexTest)
#include "vector_index_test.moc"
