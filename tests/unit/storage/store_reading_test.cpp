#include "tests/unit/storage/store_fixture.h"

using namespace fremis;
using namespace fremis::storage;
using namespace fremis::storage::test;

namespace {

/// Walks a listing with pages of `limit`; "partition face" for each.
std::vector<std::pair<int, std::string>> walk(EnrollmentStore& store, const std::string& incarnation,
                                              const hashing::PartitionSet& partitions, std::size_t limit) {
    std::vector<std::pair<int, std::string>> seen;
    std::optional<FacePosition> after;
    while (true) {
        const auto page = store.list(incarnation, after, partitions, limit);
        if (!page || page->faces.size() > limit)
            return {{-1, "failed"}};
        for (const auto& face : page->faces)
            seen.emplace_back(face.partition, face.face.text());
        if (!page->more)
            return seen;
        after = FacePosition{page->faces.back().partition, page->faces.back().face.text()};
    }
}

} // namespace

/// What reads give from every store, said once and asked of both.
class StoreReadingTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aScanGivesEachFieldAsItWasStored_data() { addDialects(); }
    void aScanGivesEachFieldAsItWasStored() {
        OPEN_STORE();
        auto operation = ops.add("\xF0\x9F\x98\x80 face", 9183746501928374650U, 0xFFFF'FFFF'FFFF'FFF0U);
        operation.row.version.writer = 0x8000'0000'0000'0001U;
        QCOMPARE(commitOne(store, operation).effect, Effect::Applied);
        int seen = 0;
        const auto report = store.scan(
            hashing::PartitionSet::all(),
            [&](const EnrollmentView& row) {
                ++seen;
                QTest::qCompare(std::string(row.incarnation), operation.row.incarnation, "", "", __FILE__, __LINE__);
                QTest::qCompare(std::string(row.face), operation.row.face.text(), "", "", __FILE__, __LINE__);
                QTest::qVerify(row.variation == operation.row.variation, "variation", "", __FILE__, __LINE__);
                QTest::qVerify(row.version == operation.row.version, "version", "", __FILE__, __LINE__);
                QTest::qVerify(row.partition == operation.row.partition, "partition", "", __FILE__, __LINE__);
                QTest::qCompare(std::string(row.space), operation.row.space, "", "", __FILE__, __LINE__);
                QTest::qVerify(std::ranges::equal(row.embedding, operation.row.embedding), "embedding", "", __FILE__,
                               __LINE__);
                QTest::qVerify(row.norm == operation.row.norm, "norm", "", __FILE__, __LINE__);
                QTest::qVerify(row.createdAt == operation.row.createdAt, "created", "", __FILE__, __LINE__);
                return true;
            },
            nullptr);
        QVERIFY(report);
        QCOMPARE(seen, 1);
        QCOMPARE(report->rows, 1U);
        QCOMPARE(report->degraded, 0U);
    }

    void aScanGivesOnlyThePartitionsAskedForAndStopsWhenTold_data() { addDialects(); }
    void aScanGivesOnlyThePartitionsAskedForAndStopsWhenTold() {
        OPEN_STORE();
        std::vector<Operation> adds;
        for (std::uint64_t i = 0; i < 300; ++i)
            adds.push_back(ops.add(std::to_string(i), i, 100 + i));
        QVERIFY(store.commit(adds));
        hashing::PartitionSet some;
        some.insert(hashing::PartitionRange{10, 40});
        some.insert(hashing::PartitionRange{200, 200});
        std::uint64_t expected = 0;
        for (std::uint64_t i = 0; i < 300; ++i)
            expected += some.contains(ops.partitionOf(std::to_string(i))) ? 1 : 0;
        QVERIFY(expected > 5);
        ScanProgress progress;
        bool onlyThose = true;
        const auto report = store.scan(
            some,
            [&](const EnrollmentView& row) {
                onlyThose = onlyThose && some.contains(row.partition);
                return true;
            },
            &progress);
        QVERIFY(report);
        QVERIFY(onlyThose);
        QCOMPARE(report->rows, expected);
        QCOMPARE(progress.rows.load(), expected);
        QCOMPARE(store.countRows(some).value(), expected);
        int visits = 0;
        QVERIFY(store.scan(
            hashing::PartitionSet::all(), [&](const EnrollmentView&) { return ++visits < 3; }, nullptr));
        QCOMPARE(visits, 3);
        progress.cancel = true;
        visits = 0;
        QVERIFY(store.scan(
            hashing::PartitionSet::all(), [&](const EnrollmentView&) { return ++visits > 0; }, &progress));
        QCOMPARE(visits, 1);
    }

    void aListingIsOrderedByPartitionAndIdBytesForAnyPageSize_data() { addDialects(); }
    void aListingIsOrderedByPartitionAndIdBytesForAnyPageSize() {
        OPEN_STORE();
        std::vector<std::pair<int, std::string>> expected;
        std::vector<Operation> adds;
        for (std::uint64_t i = 0; i < 700; ++i) {
            const auto face = (i % 3 == 0 ? "Z" : i % 3 == 1 ? "\xC3\xA9" : "a") + std::to_string(i);
            adds.push_back(ops.add(face, 1, 100 + i));
            if (i % 5 == 0)
                adds.push_back(ops.add(face, 2, 1000 + i));
            expected.emplace_back(ops.partitionOf(face), face);
        }
        QVERIFY(store.commit(adds));
        std::ranges::sort(expected); // bytes as unsigned: std::string compares by char_traits
        const auto all = hashing::PartitionSet::all();
        for (const std::size_t limit : {1U, 7U, 100U, 700U, 1000U})
            QCOMPARE(walk(store, fixture.incarnation(), all, limit), expected);
        hashing::PartitionSet some;
        some.insert(hashing::PartitionRange{3, 90});
        some.insert(hashing::PartitionRange{250, 255});
        std::erase_if(expected,
                      [&](const auto& face) { return !some.contains(static_cast<base::Partition>(face.first)); });
        QCOMPARE(walk(store, fixture.incarnation(), some, 9), expected);
        const auto page = store.list(fixture.incarnation(), std::nullopt, all, 1);
        QVERIFY(page->faces[0].updatedAt == version(100).time());
    }

    void aFaceThatStaysIsListedOnceWhileOthersComeAndGo_data() { addDialects(); }
    void aFaceThatStaysIsListedOnceWhileOthersComeAndGo() {
        OPEN_STORE();
        std::vector<Operation> adds;
        for (std::uint64_t i = 0; i < 60; ++i)
            adds.push_back(ops.add("stays" + std::to_string(i), 1, 100 + i));
        QVERIFY(store.commit(adds));
        std::map<std::string, int> seen;
        std::optional<FacePosition> after;
        for (std::uint64_t step = 0;; ++step) {
            const auto page = store.list(fixture.incarnation(), after, hashing::PartitionSet::all(), 3).value();
            for (const auto& face : page.faces)
                ++seen[face.face.text()];
            if (!page.more)
                break;
            after = FacePosition{page.faces.back().partition, page.faces.back().face.text()};
            (void)commitOne(store, ops.add("new" + std::to_string(step), 1, 1000 + step));
            (void)commitOne(store, ops.remove("new" + std::to_string(step / 2), 2000 + step));
        }
        for (std::uint64_t i = 0; i < 60; ++i)
            QCOMPARE(seen["stays" + std::to_string(i)], 1);
    }

    void countsAreByKeyspace_data() { addDialects(); }
    void countsAreByKeyspace() {
        OPEN_STORE();
        (void)commitOne(store, create("employee", 5));
        const Ops employee{incarnationOf(store, "employee"), "employee"};
        const std::vector<Operation> batch{ops.add("a", 1, 10), ops.add("a", 2, 10), ops.add("b", 1, 10),
                                           employee.add("a", 1, 10)};
        QVERIFY(store.commit(batch));
        const auto counts = store.counts(hashing::PartitionSet::all()).value();
        QCOMPARE(counts.size(), 2U);
        QCOMPARE(counts[0].name.text(), std::string("default"));
        QCOMPARE(counts[0].faces, 2U);
        QCOMPARE(counts[0].variations, 3U);
        QCOMPARE(counts[1].faces, 1U);
        hashing::PartitionSet none;
        QCOMPARE(store.counts(none).value()[0].faces, 0U);
    }

    void hostileIdsAreOrdinaryText_data() { addDialects(); }
    void hostileIdsAreOrdinaryText() {
        OPEN_STORE();
        const std::vector<std::string> ids{"'; DROP TABLE enrollments;--",
                                           "\" OR 1=1",
                                           "$1",
                                           "\\x00",
                                           "\\",
                                           "%s%n",
                                           "{a,b}",
                                           "NULL",
                                           "null",
                                           "a\"b\\c",
                                           "../../etc/passwd",
                                           "\xF0\x9F\x98\x80",
                                           "e\xCC\x81",
                                           "\xC3\xA9",
                                           "7",
                                           "007",
                                           "a-b",
                                           ",",
                                           "}",
                                           std::string(255, 'x')};
        std::vector<Operation> adds;
        for (std::uint64_t i = 0; i < ids.size(); ++i)
            adds.push_back(ops.add(ids[i], i + 1, 100 + i, 500 + i));
        const auto outcomes = store.commit(adds);
        QVERIFY(outcomes);
        for (std::size_t i = 0; i < ids.size(); ++i) {
            QCOMPARE((*outcomes)[i].effect, Effect::Applied);
            const auto face = store.face(fixture.incarnation(), base::FaceId::trusted(ids[i])).value();
            QVERIFY2(face, ids[i].c_str());
            QCOMPARE(face->variations[0].variation.value(), i + 1);
            QCOMPARE(commitOne(store, ops.add(ids[i], 99, 999, 500 + i)).face, ids[i]);
        }
        for (std::uint64_t i = 0; i < ids.size(); i += 2)
            QCOMPARE(commitOne(store, ops.remove(ids[i], 2000 + i)).facesRemoved, 1U);
        QCOMPARE(rowsOf(store), ids.size() / 2);
        for (const std::string name : {"'; DROP TABLE keyspaces;--", "a\"b", "%s%n", "\xF0\x9F\x98\x80"}) {
            QCOMPARE(commitOne(store, create(name, 3000)).effect, Effect::Applied);
            const Ops inside{incarnationOf(store, name), name};
            QCOMPARE(commitOne(store, inside.add("a", 1, 3001)).effect, Effect::Applied);
        }
    }

    void rowsThatCannotBeUsedAreSkippedAndCounted_data() { addDialects(); }
    void rowsThatCannotBeUsedAreSkippedAndCounted() {
        OPEN_STORE();
        const std::vector<std::string> damages{
            "SET norm = 99 WHERE face_id = 'f0'",
            "SET partition = partition + 1000 WHERE face_id = 'f1'",
            "SET stamp = stamp + 1 WHERE face_id = 'f2'",
            "SET variation = variation + 1 WHERE face_id = 'f3'",
            "SET created_at = 5 WHERE face_id = 'f4'",
            "SET checksum = checksum + 1 WHERE face_id = 'f5'",
            "SET keyspace_id = 4711 WHERE face_id = 'f6'",
            "SET face_id = 'moved' WHERE face_id = 'f7'",
            "SET embedding = substr(embedding, 1, 8) WHERE face_id = 'f8'",
            dialect == Dialect::Sqlite
                ? "SET embedding = x'0000c07f0000c07f0000c07f0000c07f0000c07f0000c07f0000c07f0000c07f' WHERE face_id = "
                  "'f9'"
                : "SET embedding = set_byte(embedding, 3, get_byte(embedding, 3) # 1) WHERE face_id = 'f9'",
        };
        std::vector<Operation> adds;
        for (std::uint64_t i = 0; i < 20; ++i)
            adds.push_back(ops.add("f" + std::to_string(i), 1, 100 + i));
        QVERIFY(store.commit(adds));
        fixture.close();
        for (const auto& damage : damages)
            fixture.sql("UPDATE enrollments " + damage);
        QVERIFY(fixture.open());
        std::vector<std::string> usable;
        const auto report = fixture.store().scan(
            hashing::PartitionSet::all(),
            [&](const EnrollmentView& row) {
                usable.emplace_back(row.face);
                return true;
            },
            nullptr);
        QVERIFY(report);
        QCOMPARE(report->degraded, damages.size());
        QCOMPARE(report->rows, 20 - damages.size());
        for (const auto& face : usable)
            QVERIFY2(face.size() == 3, face.c_str()); // f10..f19
    }

    void aWalkGivesOnePartitionInOrderFromAnyPlace_data() { addDialects(); }
    void aWalkGivesOnePartitionInOrderFromAnyPlace() {
        OPEN_STORE();
        QVERIFY(commitOne(store, create("employee", 50)).done());
        const Ops employees{incarnationOf(store, "employee"), "employee"};
        const auto partition = ops.partitionOf("f0");
        std::vector<Operation> adds;
        std::vector<RowPosition> wanted;
        std::uint64_t stamp = 100;
        for (const auto& of : {ops, employees})
            for (int face = 0; face < 900; ++face)
                for (const std::uint64_t variation : {3ULL, 18446744073709551615ULL, 9223372036854775808ULL}) {
                    const auto add = of.add("f" + std::to_string(face), variation, ++stamp);
                    if (add.row.partition == partition)
                        wanted.push_back({add.row.incarnation, add.row.face.text(), variation});
                    if (add.row.partition == partition || face % 50 == 0)
                        adds.push_back(add);
                }
        QVERIFY(store.commit(adds));
        QVERIFY(wanted.size() > 12);
        std::ranges::sort(wanted);
        const auto walkFrom = [&](const std::optional<RowPosition>& after, std::size_t most) {
            std::vector<RowPosition> seen;
            const auto report = store.walk(partition, after, [&](const EnrollmentView& row) {
                seen.push_back({std::string(row.incarnation), std::string(row.face), row.variation.value()});
                return seen.size() < most;
            });
            return report ? seen : std::vector<RowPosition>();
        };
        QVERIFY(walkFrom({}, 10'000) == wanted);
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            QVERIFY(walkFrom(wanted[i], 10'000) ==
                    std::vector(wanted.begin() + static_cast<long>(i) + 1, wanted.end()));
            if (i + 1 < wanted.size())
                QVERIFY(walkFrom(wanted[i], 1) == std::vector(1, wanted[i + 1]));
        }
        // A place where no row is.
        QVERIFY(walkFrom(RowPosition{"", "", 0}, 10'000) == wanted);
        QVERIFY(walkFrom(RowPosition{"zzzz", "", 0}, 10'000).empty());
    }

    void aRowIsGivenWithItsEmbedding_data() { addDialects(); }
    void aRowIsGivenWithItsEmbedding() {
        OPEN_STORE();
        const auto add = ops.add("Ã©", 18446744073709551615U, 100);
        QVERIFY(commitOne(store, add).done());
        const auto row = store.row(ops.incarnation, add.row.face, add.row.variation);
        QVERIFY(row && *row);
        QVERIFY((*row)->embedding == add.row.embedding);
        QVERIFY((*row)->version == add.row.version);
        QCOMPARE((*row)->partition, add.row.partition);
        QCOMPARE((*row)->space, add.row.space);
        QCOMPARE((*row)->norm, add.row.norm);
        QVERIFY((*row)->createdAt == add.row.createdAt);
        const auto none = store.row(ops.incarnation, add.row.face, base::Variation(7));
        QVERIFY(none && !*none);
        const auto nowhere = store.row("NOBODYKNOWSTHISONE", add.row.face, add.row.variation);
        QVERIFY(nowhere && !*nowhere);
    }
};

QTEST_GUILESS_MAIN(StoreReadingTest)
#include "store_reading_test.moc"
