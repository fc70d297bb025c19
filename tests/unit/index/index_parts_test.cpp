#include "shared/index/candidates.h"
#include "shared/index/index_core.h"
#include "tests/unit/index/index_fixtures.h"

#include <QtTest>

#include <rapidcheck.h>

#include <set>

using namespace fremis::index;
using namespace fremis::index::testing;

namespace {

bool allZero(const void* memory, std::size_t bytes) {
    const auto* const begin = static_cast<const unsigned char*>(memory);
    return std::all_of(begin, begin + bytes, [](unsigned char byte) { return byte == 0; });
}

struct FaceFree {
    void operator()(Face* face) const { Face::destroy(face); }
};

} // namespace

class IndexPartsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theFaceTableIsASet() {
        QVERIFY(rc::check(
            "finds what was inserted and not erased", [](const std::vector<std::pair<bool, std::uint8_t>>& steps) {
                FaceTable table;
                std::map<std::string, std::unique_ptr<Face, FaceFree>> faces;
                for (const auto& [insert, number] : steps) {
                    const std::string text = std::to_string(number % 40);
                    const std::uint32_t hash = static_cast<std::uint32_t>(number % 5); // many collide
                    if (insert && !faces.contains(text)) {
                        auto& face = faces[text];
                        face.reset(Face::create(text, static_cast<std::uint32_t>(std::stoi(text) % 5)));
                        table.reserveOne();
                        table.insert(face.get());
                    } else if (!insert && faces.contains(text)) {
                        table.erase(faces[text].get());
                        faces.erase(text);
                    }
                    RC_ASSERT(table.size() == faces.size());
                    RC_ASSERT((table.find(text, static_cast<std::uint32_t>(std::stoi(text) % 5)) != nullptr) ==
                              faces.contains(text));
                    (void)hash;
                }
                for (const auto& [text, face] : faces)
                    RC_ASSERT(table.find(text, face->hash) == face.get());
            }));
    }
    void slabPiecesAreZeroedAndGivenBack_data() {
        QTest::addColumn<std::size_t>("pieceBytes");
        for (const std::size_t bytes : {4096U, 131'072U, 77'824U, 3U << 20, 1'155'072U})
            QTest::addRow("%zu", bytes) << bytes;
    }
    void slabPiecesAreZeroedAndGivenBack() {
        QFETCH(std::size_t, pieceBytes);
        SlabPool pool(pieceBytes);
        std::vector<void*> pieces;
        for (int i = 0; i < 40; ++i) {
            pieces.push_back(pool.take());
            QVERIFY(allZero(pieces.back(), pieceBytes));
            std::memset(pieces.back(), 0xAA, pieceBytes);
        }
        QCOMPARE(std::set<void*>(pieces.begin(), pieces.end()).size(), std::size_t{40});
        QCOMPARE(pool.bytes(), 40 * pieceBytes);
        for (int i = 0; i < 40; i += 2)
            pool.give(pieces[static_cast<std::size_t>(i)]);
        for (int i = 1; i < 40; i += 2)
            QCOMPARE(static_cast<unsigned char*>(pieces[static_cast<std::size_t>(i)])[pieceBytes - 1],
                     static_cast<unsigned char>(0xAA));
        for (int i = 0; i < 40; i += 2) {
            pieces[static_cast<std::size_t>(i)] = pool.take();
            QVERIFY(allZero(pieces[static_cast<std::size_t>(i)], pieceBytes));
        }
        for (void* piece : pieces)
            pool.give(piece);
        QCOMPARE(pool.bytes(), std::uint64_t{0});
    }
    void theRowFileKeepsRowsAndForgetsThem() {
        const auto folder = std::filesystem::temp_directory_path();
        auto file = RowFile::create(folder);
        QVERIFY(file);
        const Vector row(16, 1.5F);
        const auto first = (*file)->take(64);
        const auto second = (*file)->take(64);
        QVERIFY((*file)->write(first, row));
        QVERIFY((*file)->write(second, row));
        (*file)->wipe(first, 64);
        Vector got(16, -1);
        QVERIFY((*file)->read(first, got));
        QCOMPARE(got, Vector(16, 0.0F));
        QVERIFY((*file)->read(second, got));
        QCOMPARE(got, row);
        (*file)->give(second, 64);
        QVERIFY((*file)->read(second, got));
        QCOMPARE(got, Vector(16, 0.0F));
        QCOMPARE((*file)->take(64), second);
        QVERIFY(!(*file)->read(1 << 20, got)); // behind the end
    }
    /// The removed numbers themselves: in place, as soon as no snapshot can read them.
    void aRemovedRowIsOverwritten_data() {
        QTest::addColumn<int>("engine");
        QTest::newRow("flat") << int(Engine::Flat);
        QTest::newRow("sq8") << int(Engine::Sq8);
    }
    void aRemovedRowIsOverwritten() {
        QFETCH(int, engine);
        const auto core = std::make_shared<IndexCore>(optionsFor(static_cast<Engine>(engine), 64), nullptr);
        std::mt19937 random(1);
        for (const char* face : {"stays", "goes"})
            QVERIFY(core->add({{"k", 3, face}, fremis::base::Variation(1), randomUnit(random, 64)}));
        // The two rows are in blocks of one row each.
        const auto epoch = core->enter();
        const Block* const stays = core->directory().find("k", epoch)->find(3, epoch)->first();
        const Block* const goes = stays->next.load();
        QVERIFY(core->add({{"k", 3, "third"}, fremis::base::Variation(1), randomUnit(random, 64)}));
        QVERIFY(core->add({{"k", 3, "fourth"}, fremis::base::Variation(1), randomUnit(random, 64)}));
        const Block* const pair = goes->next.load();
        QCOMPARE(int(pair->capacity), 2);
        QVERIFY(core->removeVariation({"k", 3, "third"}, fremis::base::Variation(1)));
        while (core->tend()) {
        }
        QVERIFY(!allZero(pair->floats, 64 * sizeof(float))); // the epoch entered above still sees it
        core->leave(epoch);
        while (core->tend()) {
        }
        QVERIFY(allZero(pair->floats, 64 * sizeof(float)));
        QVERIFY(!allZero(pair->floats + 64, 64 * sizeof(float)));
        if (pair->codes != nullptr)
            QVERIFY(allZero(pair->codes, 64));
        QVERIFY(core->tidy());
    }
    void boundsHoldForAnyUnitVectors() {
        QVERIFY(rc::check("|exact - approximate| stays below the bound", [] {
            const int dimension = *rc::gen::element(3, 64, 130, 512);
            const auto seed = *rc::gen::arbitrary<unsigned>();
            const bool spiky = *rc::gen::arbitrary<bool>();
            std::mt19937 random(seed);
            const auto make = [&] {
                auto vector = randomUnit(random, dimension);
                if (spiky)
                    vector[random() % vector.size()] *= 30;
                return unit(std::move(vector));
            };
            const auto layout = RowLayout::of(optionsFor(Engine::Sq8, dimension));
            const auto x = make();
            auto q = make();
            if (*rc::gen::arbitrary<bool>())
                q = x;
            QuantizedRow row(layout);
            row.assign(layout, x);
            const PreparedQueries queries(layout, q);
            const auto& kernels = bestKernels();
            float score = 0;
            kernels.dotRows(queries[0].floats, row.floats.get(), layout.floatStride, 1, nullptr, &score);
            std::int32_t fine = 0;
            kernels.dotCodes(queries[0].fine, row.codes.get(), layout.codeStride, 1, nullptr, &fine);
            std::int32_t coarse = 0;
            kernels.dotTile(queries[0].coarse, 1, row.codes.get(), layout.codeStride, 1, nullptr, 0, &coarse);
            for (const auto& [dot, quality] :
                 {std::pair(fine, queries[0].fineQuality), std::pair(coarse, queries[0].coarseQuality)}) {
                const auto bound = errorBound(layout, quality);
                const float approximate = static_cast<float>(dot) * (row.quality.scale * quality.scale);
                RC_ASSERT(std::fabs(score - approximate) <= row.quality.error * bound.errorFactor + bound.slack);
            }
        }));
    }
    void candidatesGiveTheExactBest() {
        QVERIFY(rc::check("whatever the bounds, as long as they hold", [] {
            const auto count = *rc::gen::inRange<std::size_t>(0, 3000);
            const auto k = *rc::gen::inRange(1, 50);
            std::mt19937 random(*rc::gen::arbitrary<unsigned>());
            Block block;
            std::vector<RowMeta> meta(64);
            block.meta = meta.data();
            for (std::size_t i = 0; i < 64; ++i)
                meta[i].variation = i;
            std::vector<std::unique_ptr<Face, FaceFree>> faces;
            for (int i = 0; i < 200; ++i)
                faces.emplace_back(Face::create(std::to_string(i), 0));
            std::map<const Block*, float> none;
            std::vector<float> scores;
            CandidateList list(k, [&](const Candidate& candidate) -> fremis::base::Result<float> {
                return (candidate.lower + candidate.upper) / 2;
            });
            TopFaces expected(k);
            for (std::size_t i = 0; i < count; ++i) {
                const float score =
                    static_cast<float>(random() % 64) / 64; // exact in binary, and so are the bounds: many ties
                const float error = static_cast<float>(random() % 16) / 64;
                const auto& face = faces[random() % faces.size()];
                const auto slot = static_cast<unsigned>(random() % 64);
                list.add({score - error, score + error, face.get(), &block, slot});
                expected.offer({score, face.get(), slot});
            }
            const auto got = list.resolve().value();
            const auto want = expected.take();
            RC_ASSERT(got.size() == want.size());
            for (std::size_t i = 0; i < got.size(); ++i)
                RC_ASSERT(got[i].score == want[i].score && got[i].face == want[i].face &&
                          got[i].variation == want[i].variation);
        }));
    }
};

QTEST_GUILESS_MAIN(IndexPartsTest)
#include "index_parts_test.moc"
