#include "tests/unit/index/index_fixtures.h"

#include <QtTest>

#include <faiss/IndexFlat.h>

using namespace fremis::index;
using namespace fremis::index::testing;
using fremis::base::Variation;

/// An independent exact search as the judge.
class FaissReferenceTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void findsWhatFaissFinds_data() {
        QTest::addColumn<int>("engine");
        QTest::addColumn<int>("dimension");
        for (const int dimension : {128, 512})
            for (const auto engine : {Engine::Flat, Engine::Sq8})
                QTest::addRow("%s %d", engineName(engine).data(), dimension) << int(engine) << dimension;
    }
    void findsWhatFaissFinds() {
        QFETCH(int, engine);
        QFETCH(int, dimension);
        constexpr int kRows = 6000;
        constexpr int kQueries = 30;
        constexpr int kCandidates = 10;
        std::mt19937 random(9);
        const auto index = makeIndex(optionsFor(static_cast<Engine>(engine), dimension));
        faiss::IndexFlatIP reference(dimension);
        for (int i = 0; i < kRows; ++i) {
            const auto vector = randomUnit(random, dimension);
            QVERIFY(index->add(
                {{"k", static_cast<fremis::base::Partition>(i * 7), std::to_string(i)}, Variation(1), vector}));
            reference.add(1, vector.data());
        }
        Vector queries;
        for (int i = 0; i < kQueries; ++i) {
            const auto query = randomUnit(random, dimension);
            queries.insert(queries.end(), query.begin(), query.end());
        }
        std::vector<float> scores(kQueries * kCandidates);
        std::vector<faiss::Index::idx_t> labels(kQueries * kCandidates);
        reference.search(kQueries, queries.data(), kCandidates, scores.data(), labels.data());
        const auto answer = index->snapshot()->search({"k", queries, kCandidates});
        QVERIFY(answer);
        for (std::size_t i = 0; i < labels.size(); ++i) {
            const Hit& hit = answer->hits[i / kCandidates][i % kCandidates];
            QVERIFY(std::fabs(hit.score - scores[i]) < 2e-6F);
            // Two scores this near may be ordered either way by different roundings.
            if (hit.face != std::to_string(labels[i]))
                QVERIFY(std::fabs(hit.score - scores[i]) < 5e-7F);
        }
    }
};

QTEST_GUILESS_MAIN(FaissReferenceTest)
#include "faiss_reference_test.moc"
