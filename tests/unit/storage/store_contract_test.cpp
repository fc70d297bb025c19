#include "tests/unit/storage/store_fixture.h"

using namespace fremis;
using namespace fremis::storage;
using namespace fremis::storage::test;

#define OPEN_STORE()                                                                                                                   \
    QFETCH(Dialect, dialect);                                                                                                          \
    StoreFixture fixture(dialect);                                                                                                     \
    {                                                                                                                                  \
        const auto opened = fixture.open();                                                                                            \
        QVERIFY2(opened, opened ? "" : (opened.error().message + ": " + opened.error().detail).c_str());                               \
    }                                                                                                                                  \
    auto& store = fixture.store();                                                                                                     \
    const Ops ops{fixture.incarnation()};                                                                                              \
    (void)ops;                                                                                                                         \
    (void)store

namespace {

std::vector<std::string> namesOf(EnrollmentStore& store) {
    std::vector<std::string> names;
    const auto keyspaces = store.keyspaces();
    if (!keyspaces)
        return {"failed: " + keyspaces.error().message};
    for (const auto& keyspace : *keyspaces)
        names.push_back(keyspace.name.text());
    return names;
}

std::string incarnationOf(EnrollmentStore& store, const std::string& name) {
    const auto keyspaces = store.keyspaces();
    if (keyspaces)
        for (const auto& keyspace : *keyspaces)
            if (keyspace.name.text() == name)
                return keyspace.incarnation;
    return {};
}

CreateKeyspace create(const std::string& name, std::uint64_t stamp) {
    CreateKeyspace operation{base::KeyspaceName::trusted(name), {}, {}, version(stamp), std::chrono::milliseconds(1000), {}};
    return operation;
}

DropKeyspace drop(const std::string& name, std::uint64_t stamp) {
    return {base::KeyspaceName::trusted(name), {}, {}, version(stamp), {}};
}

std::uint64_t rowsOf(EnrollmentStore& store) { return store.countRows(hashing::PartitionSet::all()).value_or(std::uint64_t(-1)); }

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

/// What every store must do, said once and asked of both.
class StoreContractTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aNewStoreHasTheDefaultKeyspaceAndNothingElse_data() { addDialects(); }
    void aNewStoreHasTheDefaultKeyspaceAndNothingElse() {
        OPEN_STORE();
        QCOMPARE(namesOf(store), std::vector<std::string>{"default"});
        QCOMPARE(fixture.incarnation(), deriveIncarnation(base::KeyspaceName::trusted("default"), {}));
        QCOMPARE(rowsOf(store), 0U);
        QVERIFY(stateOf(store).empty());
    }

    void whatWasCommittedIsThereAfterReopening_data() { addDialects(); }
    void whatWasCommittedIsThereAfterReopening() {
        OPEN_STORE();
        QCOMPARE(commitOne(store, create("employee", 5)).effect, Effect::Applied);
        const auto added = commitOne(store, ops.add("7", 18446744073709551615U, 10, 1));
        QCOMPARE(added.effect, Effect::Applied);
        QVERIFY(added.created);
        QCOMPARE(commitOne(store, ops.remove("8", 11)).effect, Effect::Applied);
        const auto before = stateOf(store);
        const auto names = namesOf(store);
        fixture.close();
        QVERIFY(fixture.open());
        QCOMPARE(stateOf(fixture.store()), before);
        QCOMPARE(namesOf(fixture.store()), names);
        QCOMPARE(fixture.store().lastVersion().value(), version(11));
        QCOMPARE(commitOne(fixture.store(), ops.add("7", 1, 12, 1)).effect, Effect::Already);
    }

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
                QTest::qVerify(std::ranges::equal(row.embedding, operation.row.embedding), "embedding", "", __FILE__, __LINE__);
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

    void anAddOlderThanItsTombstoneNeverApplies_data() { addDialects(); }
    void anAddOlderThanItsTombstoneNeverApplies() {
        OPEN_STORE();
        QCOMPARE(commitOne(store, ops.remove("a", 20)).effect, Effect::Applied);
        QCOMPARE(commitOne(store, ops.add("a", 1, 19)).effect, Effect::Stale);
        QCOMPARE(commitOne(store, ops.add("a", 1, 21)).effect, Effect::Applied);
        QCOMPARE(commitOne(store, ops.remove("a", 1, 22, 0)).rowsRemoved, 1U);
        QCOMPARE(commitOne(store, ops.add("a", 1, 21)).effect, Effect::Stale);
        QCOMPARE(commitOne(store, ops.add("a", 2, 21)).effect, Effect::Applied);
        QVERIFY(store.face(fixture.incarnation(), base::FaceId::trusted("a")).value().has_value());
    }

    void aFaceCanBeEnrolledAgainAfterItsDeletion_data() { addDialects(); }
    void aFaceCanBeEnrolledAgainAfterItsDeletion() {
        OPEN_STORE();
        QVERIFY(commitOne(store, ops.add("a", 1, 10)).created);
        QVERIFY(!commitOne(store, ops.add("a", 2, 11)).created);
        const auto removed = commitOne(store, ops.remove("a", 12));
        QCOMPARE(removed.rowsRemoved, 2U);
        QCOMPARE(removed.facesRemoved, 1U);
        QVERIFY(!store.face(fixture.incarnation(), base::FaceId::trusted("a")).value());
        QVERIFY(commitOne(store, ops.add("a", 3, 13)).created);
        const auto face = store.face(fixture.incarnation(), base::FaceId::trusted("a")).value();
        QVERIFY(face);
        QCOMPARE(face->variations.size(), 1U);
        QCOMPARE(face->variations[0].variation.value(), 3U);
    }

    void deletingTheLastVariationDeletesTheFace_data() { addDialects(); }
    void deletingTheLastVariationDeletesTheFace() {
        OPEN_STORE();
        (void)commitOne(store, ops.add("a", 1, 10));
        (void)commitOne(store, ops.add("a", 2, 11));
        QCOMPARE(commitOne(store, ops.remove("a", 1, 12, 0)).facesRemoved, 0U);
        const auto last = commitOne(store, ops.remove("a", 2, 13, 0));
        QCOMPARE(last.rowsRemoved, 1U);
        QCOMPARE(last.facesRemoved, 1U);
        QVERIFY(!store.face(fixture.incarnation(), base::FaceId::trusted("a")).value());
        QCOMPARE(rowsOf(store), 0U);
    }

    void aRepeatedOperationGetsTheFirstAnswer_data() { addDialects(); }
    void aRepeatedOperationGetsTheFirstAnswer() {
        OPEN_STORE();
        (void)commitOne(store, ops.add("a", 1, 10, 100));
        const auto repeat = commitOne(store, ops.add("b", 2, 11, 100)); // another content under the same op id
        QCOMPARE(repeat.effect, Effect::Already);
        QCOMPARE(repeat.face, std::string("a"));
        QCOMPARE(repeat.variation, 1U);
        QCOMPARE(repeat.version, version(10));
        QVERIFY(repeat.created);
        QVERIFY(!store.face(fixture.incarnation(), base::FaceId::trusted("b")).value());
        const auto removed = commitOne(store, ops.remove("a", 12, 101));
        const auto again = commitOne(store, ops.remove("a", 13, 101));
        QCOMPARE(again.effect, Effect::Already);
        QCOMPARE(again.rowsRemoved, removed.rowsRemoved);
        QCOMPARE(again.facesRemoved, 1U);
        QCOMPARE(again.version, version(12));
    }

    void twoEqualOperationsInOneBatchApplyOnce_data() { addDialects(); }
    void twoEqualOperationsInOneBatchApplyOnce() {
        OPEN_STORE();
        const std::vector<Operation> batch{ops.add("a", 1, 10, 5), ops.add("a", 1, 10, 5), ops.add("c", 1, 10), ops.add("c", 1, 10)};
        const auto outcomes = store.commit(batch);
        QVERIFY(outcomes);
        QCOMPARE((*outcomes)[0].effect, Effect::Applied);
        QCOMPARE((*outcomes)[1].effect, Effect::Already);
        QCOMPARE((*outcomes)[2].effect, Effect::Applied);
        QCOMPARE((*outcomes)[3].effect, Effect::Already);
        QCOMPARE(rowsOf(store), 2U);
    }

    void answersAreForgottenOnlyAfterADay_data() { addDialects(); }
    void answersAreForgottenOnlyAfterADay() {
        OPEN_STORE();
        (void)commitOne(store, ops.add("a", 1, 10, 100));
        fixture.clock().advance(std::chrono::hours(24));
        fixture.close();
        QVERIFY(fixture.open());
        QVERIFY(fixture.store().purgeErased());
        QCOMPARE(commitOne(fixture.store(), ops.add("b", 2, 11, 100)).effect, Effect::Already);
        fixture.clock().advance(std::chrono::hours(2));
        fixture.close();
        QVERIFY(fixture.open());
        QVERIFY(fixture.store().purgeErased());
        QCOMPARE(commitOne(fixture.store(), ops.add("b", 2, 11, 100)).effect, Effect::Applied);
    }

    void aRefusedOperationLeavesItsNeighboursAlone_data() { addDialects(); }
    void aRefusedOperationLeavesItsNeighboursAlone() {
        OPEN_STORE();
        auto notFinite = ops.add("nan", 1, 10);
        notFinite.row.embedding[3] = std::numeric_limits<float>::quiet_NaN();
        auto shortOne = ops.add("short", 1, 10);
        shortOne.row.embedding.pop_back();
        auto zero = ops.add("zero", 1, 10);
        std::ranges::fill(zero.row.embedding, 0.0F);
        auto foreign = ops.add("foreign", 1, 10);
        foreign.row.space = "another-space";
        auto elsewhere = ops.add("elsewhere", 1, 10);
        elsewhere.row.partition ^= 1;
        auto unknown = ops.add("unknown", 1, 10);
        unknown.row.incarnation = "0000";
        const std::vector<Operation> batch{ops.add("first", 1, 10), notFinite, shortOne, zero, foreign, elsewhere, unknown,
                                           ops.add("last", 1, 11)};
        const auto outcomes = store.commit(batch);
        QVERIFY(outcomes);
        for (const auto bad : {1, 2, 3, 4, 5})
            QCOMPARE((*outcomes)[static_cast<std::size_t>(bad)].effect, Effect::Invalid);
        QCOMPARE((*outcomes)[6].effect, Effect::KeyspaceUnknown);
        QCOMPARE((*outcomes)[0].effect, Effect::Applied);
        QCOMPARE((*outcomes)[7].effect, Effect::Applied);
        QCOMPARE(rowsOf(store), 2U);
    }

    void aGeneratedIdIsRefusedWhenTheFaceExists_data() { addDialects(); }
    void aGeneratedIdIsRefusedWhenTheFaceExists() {
        OPEN_STORE();
        auto generated = ops.add("77", 1, 10, 1);
        generated.mustBeNewFace = true;
        QCOMPARE(commitOne(store, generated).effect, Effect::Applied);
        QCOMPARE(commitOne(store, generated).effect, Effect::Already);
        auto another = ops.add("77", 2, 11, 2);
        another.mustBeNewFace = true;
        QCOMPARE(commitOne(store, another).effect, Effect::FaceExists);
        another.mustBeNewFace = false;
        QCOMPARE(commitOne(store, another).effect, Effect::Applied);
    }

    void deletingNothingLeavesATombstoneUnlessToldOtherwise_data() { addDialects(); }
    void deletingNothingLeavesATombstoneUnlessToldOtherwise() {
        OPEN_STORE();
        auto onlyIfPresent = ops.remove("a", 20);
        onlyIfPresent.onlyIfPresent = true;
        QCOMPARE(commitOne(store, onlyIfPresent).effect, Effect::FaceAbsent);
        auto variation = ops.remove("a", 1, 20, 0);
        variation.onlyIfPresent = true;
        QCOMPARE(commitOne(store, variation).effect, Effect::FaceAbsent);
        QVERIFY(stateOf(store).empty());
        QCOMPARE(commitOne(store, ops.remove("a", 20)).effect, Effect::Applied);
        QCOMPARE(stateOf(store).size(), 1U);
    }

    void keyspacesAreCreatedOnceAndListedByNameBytes_data() { addDialects(); }
    void keyspacesAreCreatedOnceAndListedByNameBytes() {
        OPEN_STORE();
        auto operation = create("employee", 10);
        operation.matchThreshold = 0.45;
        const auto first = commitOne(store, operation);
        QCOMPARE(first.effect, Effect::Applied);
        QVERIFY(first.created);
        const auto second = commitOne(store, create("employee", 11));
        QCOMPARE(second.effect, Effect::Already);
        QVERIFY(!second.created);
        QCOMPARE(second.incarnation, first.incarnation);
        (void)commitOne(store, create("Korlantas", 12));
        (void)commitOne(store, create("\xC3\xA9t\xC3\xA9", 13));
        QCOMPARE(namesOf(store), (std::vector<std::string>{"Korlantas", "default", "employee", "\xC3\xA9t\xC3\xA9"}));
        QCOMPARE(store.keyspaces().value()[2].matchThreshold, std::optional(0.45));
        operation.matchThreshold = 0.5;
        operation.version = version(14);
        const auto changed = commitOne(store, operation);
        QCOMPARE(changed.effect, Effect::Applied);
        QVERIFY(!changed.created);
        QCOMPARE(store.keyspaces().value()[2].matchThreshold, std::optional(0.5));
        QCOMPARE(commitOne(store, (SetThreshold{first.incarnation, std::nullopt, version(15), {}})).effect, Effect::Applied);
        QCOMPARE(commitOne(store, (SetThreshold{first.incarnation, 0.9, version(14, 1), {}})).effect, Effect::Stale);
        QCOMPARE(store.keyspaces().value()[2].matchThreshold, std::optional<double>());
    }

    void aDroppedKeyspaceTakesItsFacesAndComesBackEmpty_data() { addDialects(); }
    void aDroppedKeyspaceTakesItsFacesAndComesBackEmpty() {
        OPEN_STORE();
        (void)commitOne(store, create("employee", 10));
        const auto old = incarnationOf(store, "employee");
        const Ops employee{old, "employee"};
        (void)commitOne(store, employee.add("a", 1, 11));
        (void)commitOne(store, employee.add("a", 2, 12));
        (void)commitOne(store, employee.add("b", 1, 13));
        (void)commitOne(store, ops.add("a", 1, 13));
        const auto dropped = commitOne(store, drop("employee", 20));
        QCOMPARE(dropped.effect, Effect::Applied);
        QCOMPARE(dropped.rowsRemoved, 3U);
        QCOMPARE(dropped.facesRemoved, 2U);
        QCOMPARE(namesOf(store), std::vector<std::string>{"default"});
        QCOMPARE(rowsOf(store), 1U);
        QCOMPARE(commitOne(store, employee.add("c", 1, 21)).effect, Effect::KeyspaceDropped);
        QCOMPARE(commitOne(store, drop("employee", 22)).effect, Effect::KeyspaceUnknown);
        (void)commitOne(store, create("employee", 23));
        const auto next = incarnationOf(store, "employee");
        QVERIFY(next != old);
        QVERIFY(!store.face(next, base::FaceId::trusted("a")).value());
        QCOMPARE(commitOne(store, employee.add("c", 1, 24)).effect, Effect::KeyspaceDropped);
        QCOMPARE(commitOne(store, (Ops{next, "employee"}).add("c", 1, 25)).effect, Effect::Applied);
        QVERIFY(store.purgeErased());
        QCOMPARE(rowsOf(store), 2U);
    }

    void droppingTheDefaultKeyspaceEmptiesIt_data() { addDialects(); }
    void droppingTheDefaultKeyspaceEmptiesIt() {
        OPEN_STORE();
        (void)commitOne(store, ops.add("a", 1, 10));
        const auto dropped = commitOne(store, drop("default", 20));
        QCOMPARE(dropped.facesRemoved, 1U);
        QCOMPARE(namesOf(store), std::vector<std::string>{"default"});
        const auto now = incarnationOf(store, "default");
        QCOMPARE(now, dropped.newIncarnation);
        QVERIFY(now != fixture.incarnation());
        QCOMPARE(commitOne(store, ops.add("a", 1, 21)).effect, Effect::KeyspaceDropped);
        QVERIFY(commitOne(store, Ops{now}.add("a", 1, 22)).created);
        fixture.close();
        QVERIFY(fixture.open());
        QCOMPARE(fixture.incarnation(), now);
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
        std::erase_if(expected, [&](const auto& face) { return !some.contains(static_cast<base::Partition>(face.first)); });
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
        const std::vector<Operation> batch{ops.add("a", 1, 10), ops.add("a", 2, 10), ops.add("b", 1, 10), employee.add("a", 1, 10)};
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
        const std::vector<std::string> ids{"'; DROP TABLE enrollments;--", "\" OR 1=1", "$1", "\\x00", "\\", "%s%n", "{a,b}", "NULL", "null",
                                           "a\"b\\c", "../../etc/passwd", "\xF0\x9F\x98\x80", "e\xCC\x81", "\xC3\xA9", "7", "007", "a-b", ",", "}",
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

    void operationsBelowTheHorizonAreRefused_data() { addDialects(); }
    void operationsBelowTheHorizonAreRefused() {
        OPEN_STORE();
        (void)commitOne(store, ops.add("a", 1, 10));
        (void)commitOne(store, ops.remove("a", 20));
        (void)commitOne(store, ops.add("a", 2, 30));
        hashing::PartitionSet of;
        of.insert(ops.partitionOf("a"));
        QVERIFY(store.raiseHorizon(of, version(25)));
        QCOMPARE(commitOne(store, ops.add("a", 1, 10)).effect, Effect::BehindHorizon);
        QCOMPARE(commitOne(store, ops.add("a", 1, 26)).effect, Effect::Applied);
        fixture.close();
        QVERIFY(fixture.open());
        QCOMPARE(commitOne(fixture.store(), ops.remove("a", 24)).effect, Effect::BehindHorizon);
        QCOMPARE(stateOf(fixture.store()).size(), 2U); // two rows, no tombstone
        QVERIFY(fixture.store().raiseHorizon(of, version(5))); // never falls
        QCOMPARE(commitOne(fixture.store(), ops.add("a", 3, 24)).effect, Effect::BehindHorizon);
    }

    void erasedPartitionsKeepTheirTombstones_data() { addDialects(); }
    void erasedPartitionsKeepTheirTombstones() {
        OPEN_STORE();
        std::vector<Operation> batch;
        for (std::uint64_t i = 0; i < 100; ++i)
            batch.push_back(ops.add(std::to_string(i), 1, 100 + i));
        batch.push_back(ops.remove("3", 1000));
        QVERIFY(store.commit(batch));
        hashing::PartitionSet low;
        low.insert(hashing::PartitionRange{0, 127});
        const auto expected = store.countRows(low).value();
        QCOMPARE(store.erasePartitions(low).value(), expected);
        QCOMPARE(store.countRows(low).value(), 0U);
        QCOMPARE(rowsOf(store), 99 - expected);
        QCOMPARE(commitOne(store, ops.add("3", 1, 999)).effect, Effect::Stale);
    }

    void settingsAreKept_data() { addDialects(); }
    void settingsAreKept() {
        OPEN_STORE();
        QVERIFY(!store.setting("grants").value());
        QVERIFY(store.setSetting("grants", "0-127; '\\ \"{}"));
        QVERIFY(store.setSetting("grants", "0-128; '\\ \"{}"));
        fixture.close();
        QVERIFY(fixture.open());
        QCOMPARE(fixture.store().setting("grants").value(), std::optional<std::string>("0-128; '\\ \"{}"));
    }

    void theIdentityStaysAndTheGenerationRises_data() { addDialects(); }
    void theIdentityStaysAndTheGenerationRises() {
        OPEN_STORE();
        const auto first = store.identity().value();
        QVERIFY(first.nodeId != OpId{});
        fixture.close();
        QVERIFY(fixture.open());
        const auto second = fixture.store().identity().value();
        QVERIFY(second.nodeId == first.nodeId);
        QCOMPARE(second.writer, first.writer);
        QVERIFY(second.generation > first.generation);
    }

    void anotherSpaceIsRefusedWhileRowsAreStored_data() { addDialects(); }
    void anotherSpaceIsRefusedWhileRowsAreStored() {
        OPEN_STORE();
        QVERIFY(store.claimSpace({"next-space", 16})); // nothing stored yet
        QVERIFY(store.claimSpace({kSpace, StoreFixture::kDimension}));
        (void)commitOne(store, ops.add("a", 1, 10));
        const auto refused = store.claimSpace({"next-space", 16});
        QVERIFY(!refused);
        QCOMPARE(refused.error().reason, base::Reason::BadStore);
        for (const auto* word : {"test-space", "next-space", "enrol again", "start with the pack"})
            QVERIFY2(refused.error().message.find(word) != std::string::npos, refused.error().message.c_str());
        QVERIFY(!store.claimSpace({kSpace, 16}));
        QVERIFY(store.storedSpace().value() == (EnrollmentStore::Space{kSpace, StoreFixture::kDimension}));
        (void)commitOne(store, ops.remove("a", 11));
        QVERIFY(store.claimSpace({"next-space", 16}));
    }

    void anotherPartitionRuleIsRefused_data() { addDialects(); }
    void anotherPartitionRuleIsRefused() {
        OPEN_STORE();
        fixture.close();
        fixture.sql("UPDATE store_state SET partition_rule = 'crc32-mod128'");
        const auto opened = fixture.open();
        QVERIFY(!opened);
        QCOMPARE(opened.error().reason, base::Reason::BadStore);
        QVERIFY(opened.error().message.find("crc32-mod128") != std::string::npos);
    }

    void rowsThatCannotBeUsedAreSkippedAndCounted_data();
    void rowsThatCannotBeUsedAreSkippedAndCounted();
};

void StoreContractTest::rowsThatCannotBeUsedAreSkippedAndCounted_data() {
    addDialects();
}

void StoreContractTest::rowsThatCannotBeUsedAreSkippedAndCounted() {
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
        dialect == Dialect::Sqlite ? "SET embedding = x'0000c07f0000c07f0000c07f0000c07f0000c07f0000c07f0000c07f0000c07f' WHERE face_id = 'f9'"
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

QTEST_GUILESS_MAIN(StoreContractTest)
#include "store_contract_test.moc"
