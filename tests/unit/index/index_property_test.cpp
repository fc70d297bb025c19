#include "shared/hashing/partition.h"
#include "tests/unit/index/index_fixtures.h"

#include <QtTest>

#include <rapidcheck.h>

#include <cstring>

using namespace fremis::index;
using namespace fremis::index::testing;
using fremis::base::Partition;
using fremis::base::Variation;
using fremis::hashing::PartitionSet;
using namespace std::chrono_literals;

namespace {

struct Operation {
    enum Kind {
        Add,
        RemoveVariation,
        RemoveFace,
        DropKeyspace,
        DropPartitions,
        DropPartitionsOfKeyspace,
        Search,
        Settle
    } kind;
    int keyspace;
    int face;
    std::uint64_t variation;
    unsigned vector; ///< equal numbers: equal embeddings
    int k;
    PartitionSet partitions;
};

std::ostream& operator<<(std::ostream& out, const Operation& operation) {
    return out << "{kind " << operation.kind << ", keyspace " << operation.keyspace << ", face " << operation.face
               << ", variation " << operation.variation << ", vector " << operation.vector << ", k " << operation.k
               << ", partitions " << operation.partitions.text() << "}";
}

rc::Gen<PartitionSet> partitionSets() {
    return rc::gen::oneOf(rc::gen::just(PartitionSet::all()),
                          rc::gen::map<std::vector<Partition>>([](const auto& members) {
                              PartitionSet set;
                              for (const auto partition : members)
                                  set.insert(partition % 4);
                              return set;
                          }));
}

rc::Gen<Operation> operations() {
    using K = Operation;
    const auto kind = rc::gen::weightedElement<K::Kind>({{60, K::Add},
                                                         {12, K::RemoveVariation},
                                                         {6, K::RemoveFace},
                                                         {1, K::DropKeyspace},
                                                         {1, K::DropPartitions},
                                                         {1, K::DropPartitionsOfKeyspace},
                                                         {12, K::Search},
                                                         {1, K::Settle}});
    return rc::gen::build<Operation>(rc::gen::set(&K::kind, kind), rc::gen::set(&K::keyspace, rc::gen::inRange(0, 3)),
                                     rc::gen::set(&K::face, rc::gen::inRange(0, 30)),
                                     rc::gen::set(&K::variation, rc::gen::inRange<std::uint64_t>(0, 4)),
                                     rc::gen::set(&K::vector, rc::gen::inRange(0u, 40u)),
                                     rc::gen::set(&K::k, rc::gen::inRange(1, 40)),
                                     rc::gen::set(&K::partitions, partitionSets()));
}

/// Few numbers, so that ties and near ties are common.
Vector vectorOf(unsigned number, int dimension) {
    std::mt19937 random(number / 2); // two numbers share a vector
    std::uniform_int_distribution<int> step(-2, 2);
    Vector vector(static_cast<std::size_t>(dimension));
    for (float& value : vector)
        value = static_cast<float>(step(random));
    vector[number % vector.size()] += number % 2 == 0 ? 0.0F : 1e-6F; // and some pairs all but do
    vector[0] += 3;
    return unit(std::move(vector));
}

class Subject {
public:
    Subject(const Options& options) : m_index(makeIndex(options)), m_dimension(options.dimension) {}

    void apply(const Operation& operation) {
        const std::string keyspace = "keyspace-" + std::to_string(operation.keyspace);
        const std::string face = "face " + std::to_string(operation.face);
        const auto partition = static_cast<Partition>(fremis::hashing::partitionOf(keyspace, face) % 4);
        const FaceAddress address{keyspace, partition, face};
        const auto in = [&](const PlainIndex::Key& key) { return key.keyspace == keyspace; };
        switch (operation.kind) {
        case Operation::Add: {
            const auto vector = vectorOf(operation.vector, m_dimension);
            RC_ASSERT(m_index->add({address, Variation(operation.variation), vector}));
            m_plain.rows.insert_or_assign({keyspace, partition, face, operation.variation}, vector);
            break;
        }
        case Operation::RemoveVariation:
            RC_ASSERT(m_index->removeVariation(address, Variation(operation.variation)) ==
                      (m_plain.rows.erase({keyspace, partition, face, operation.variation}) == 1));
            break;
        case Operation::RemoveFace:
            RC_ASSERT(m_index->removeFace(address) ==
                      m_plain.erase([&](const auto& key) { return in(key) && key.face == face; }));
            break;
        case Operation::DropKeyspace:
            RC_ASSERT(m_index->dropKeyspace(keyspace) == m_plain.erase(in));
            break;
        case Operation::DropPartitions:
            RC_ASSERT(m_index->dropPartitions(operation.partitions) ==
                      m_plain.erase([&](const auto& key) { return operation.partitions.contains(key.partition); }));
            break;
        case Operation::DropPartitionsOfKeyspace:
            RC_ASSERT(m_index->dropPartitions(keyspace, operation.partitions) == m_plain.erase([&](const auto& key) {
                return in(key) && operation.partitions.contains(key.partition);
            }));
            break;
        case Operation::Search:
            search(operation, keyspace);
            break;
        case Operation::Settle:
            RC_ASSERT(m_index->settle(60s));
            break;
        }
    }

    void checkCounts() const {
        const auto counts = m_index->counts();
        std::map<std::string, std::uint64_t> vectors;
        std::set<std::pair<std::string, std::string>> faces;
        std::array<std::uint64_t, 256> partitions{};
        for (const auto& [key, row] : m_plain.rows) {
            ++vectors[key.keyspace];
            ++partitions[key.partition];
            faces.emplace(key.keyspace, key.face);
        }
        RC_ASSERT(counts.vectors == m_plain.rows.size());
        RC_ASSERT(counts.faces == faces.size());
        RC_ASSERT(counts.keyspaces.size() == vectors.size());
        for (const auto& keyspace : counts.keyspaces)
            RC_ASSERT(keyspace.vectors == vectors[keyspace.keyspace]);
        for (std::size_t i = 0; i < partitions.size(); ++i)
            RC_ASSERT(counts.partitions[i].vectors == partitions[i]);
    }

private:
    void search(const Operation& operation, const std::string& keyspace) {
        const auto snapshot = m_index->snapshot();
        // One query, and then the same among others: the batch has its own way through the rows.
        const auto alone = vectorOf(operation.vector, m_dimension);
        Vector many;
        for (unsigned i = 0; i < 5; ++i) {
            const auto next = vectorOf(operation.vector + i, m_dimension);
            many.insert(many.end(), next.begin(), next.end());
        }
        const auto one = snapshot->search({keyspace, alone, operation.k, operation.partitions});
        const auto five = snapshot->search({keyspace, many, operation.k, operation.partitions});
        RC_ASSERT(one.has_value());
        RC_ASSERT(five.has_value());
        RC_ASSERT(one->hits.front() == m_plain.search(keyspace, alone, operation.k, operation.partitions));
        for (unsigned i = 0; i < 5; ++i)
            RC_ASSERT(five->hits[i] == m_plain.search(keyspace, vectorOf(operation.vector + i, m_dimension),
                                                      operation.k, operation.partitions));
        for (const auto& hit : one->hits.front()) {
            const auto partition = static_cast<Partition>(fremis::hashing::partitionOf(keyspace, hit.face) % 4);
            RC_ASSERT(snapshot->bestOfFace({keyspace, partition, hit.face}, alone).value() == hit);
        }
    }

    std::unique_ptr<VectorIndex> m_index;
    PlainIndex m_plain;
    const int m_dimension;
};

} // namespace

class IndexPropertyTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void answersAsThePlainIndexDoes_data() {
        QTest::addColumn<int>("engine");
        QTest::addColumn<int>("floatRows");
        QTest::addColumn<int>("helpers");
        QTest::newRow("flat") << int(Engine::Flat) << int(FloatRows::Memory) << 0;
        QTest::newRow("flat with helpers") << int(Engine::Flat) << int(FloatRows::Memory) << 2;
        QTest::newRow("sq8") << int(Engine::Sq8) << int(FloatRows::Memory) << 0;
        QTest::newRow("sq8 in a file, with helpers") << int(Engine::Sq8) << int(FloatRows::File) << 2;
    }
    void answersAsThePlainIndexDoes() {
        QFETCH(int, engine);
        QFETCH(int, floatRows);
        QFETCH(int, helpers);
        const auto holds = [&](const std::vector<Operation>& steps, int dimension) {
            Subject subject(
                optionsFor(static_cast<Engine>(engine), dimension, static_cast<FloatRows>(floatRows), helpers));
            for (const auto& step : steps)
                subject.apply(step);
            subject.checkCounts();
        };
        QVERIFY(rc::check("any history of writes leaves what a plain map holds", [&] {
            const auto dimension = *rc::gen::element(3, 16, 70);
            holds(*rc::gen::scale(4.0, rc::gen::container<std::vector<Operation>>(operations())), dimension);
        }));
    }
    /// Enough rows for full blocks, pruning and early ends of the proof; the same bits from every engine, whatever the
    /// order of insertion and the number of threads.
    void engineOrderAndThreadsDoNotMatter_data() {
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("identities");
        QTest::newRow("one photo each") << 20'000 << 20'000;
        QTest::newRow("many photos of few") << 20'000 << 300;
        QTest::newRow("fewer identities than asked for") << 5'000 << 7;
    }
    void engineOrderAndThreadsDoNotMatter() {
        QFETCH(int, rows);
        QFETCH(int, identities);
        constexpr int kDimension = 64;
        std::mt19937 random(11);
        std::vector<Vector> vectors;
        for (int i = 0; i < rows; ++i)
            vectors.push_back(i % 10 == 9 ? vectors[random() % vectors.size()]
                                          : randomUnit(random, kDimension)); // copies too
        std::vector<int> order(static_cast<std::size_t>(rows));
        std::iota(order.begin(), order.end(), 0);
        std::vector<std::unique_ptr<VectorIndex>> indexes;
        for (const auto& options :
             {optionsFor(Engine::Flat, kDimension), optionsFor(Engine::Flat, kDimension, FloatRows::Memory, 3),
              optionsFor(Engine::Sq8, kDimension), optionsFor(Engine::Sq8, kDimension, FloatRows::File, 3)}) {
            indexes.push_back(makeIndex(options));
            std::shuffle(order.begin(), order.end(), random);
            for (const int i : order) {
                const std::string face = std::to_string(i % identities);
                QVERIFY(indexes.back()->add({{"k", fremis::hashing::partitionOf("k", face), face},
                                             Variation(static_cast<std::uint64_t>(i)),
                                             vectors[static_cast<std::size_t>(i)]}));
            }
        }
        Vector queries;
        for (int i = 0; i < 70; ++i) { // more than one pass takes
            const auto query = i % 2 == 0 ? randomUnit(random, kDimension) : vectors[random() % vectors.size()];
            queries.insert(queries.end(), query.begin(), query.end());
        }
        for (const int k : {1, 10, 500}) {
            const auto expected = indexes.front()->snapshot()->search({"k", queries, k});
            QVERIFY(expected);
            QCOMPARE(expected->vectorsSearched, static_cast<std::uint64_t>(rows));
            for (const auto& index : indexes) {
                const auto together = index->snapshot()->search({"k", queries, k});
                QVERIFY(together->hits == expected->hits);
                for (std::size_t i = 0; i < 70; i += 7) {
                    const auto alone =
                        index->snapshot()->search({"k", std::span(queries).subspan(i * kDimension, kDimension), k});
                    QVERIFY(alone->hits.front() == expected->hits[i]);
                }
            }
        }
    }
    void theMergeOfPartitionSetsIsTheWholeAnswer() {
        constexpr int kDimension = 16;
        const auto index = makeIndex(optionsFor(Engine::Sq8, kDimension));
        std::mt19937 random(3);
        for (int i = 0; i < 3000; ++i) {
            const std::string face = std::to_string(i % 1000);
            QVERIFY(index->add({{"k", fremis::hashing::partitionOf("k", face), face},
                                Variation(static_cast<std::uint64_t>(i)),
                                randomUnit(random, kDimension)}));
        }
        const auto query = randomUnit(random, kDimension);
        const auto snapshot = index->snapshot();
        PartitionSet low;
        for (int i = 0; i < 100; ++i)
            low.insert(static_cast<Partition>(random()));
        auto merged = snapshot->search({"k", query, 20, low})->hits.front();
        const auto rest = snapshot->search({"k", query, 20, PartitionSet::all() - low})->hits.front();
        merged.insert(merged.end(), rest.begin(), rest.end());
        std::sort(merged.begin(), merged.end(), [](const Hit& a, const Hit& b) { return precedes(a, b); });
        merged.erase(merged.begin() + 20, merged.end());
        const auto whole = snapshot->search({"k", query, 20});
        QVERIFY(whole->hits.front() == merged);
    }
};

QTEST_GUILESS_MAIN(IndexPropertyTest)
#include "index_property_test.moc"
