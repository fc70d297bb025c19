#include "shared/storage/operation_codec.h"
#include "tests/unit/storage/store_fixture.h"

using namespace fremis;
using namespace fremis::storage;
using namespace fremis::storage::test;

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

DropKeyspace drop(const std::string& name, std::uint64_t stamp) {
    return {base::KeyspaceName::trusted(name), {}, {}, version(stamp), {}};
}

} // namespace

/// What writes do to every store, said once and asked of both.
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

    void aRepeatOfARemovalThatFoundNothingRemovesNothing_data() { addDialects(); }
    void aRepeatOfARemovalThatFoundNothingRemovesNothing() {
        OPEN_STORE();
        const auto onlyIfPresent = [](auto operation) {
            operation.onlyIfPresent = true;
            return Operation(operation);
        };
        QCOMPARE(commitOne(store, onlyIfPresent(ops.remove("a", 10, 100))).effect, Effect::FaceAbsent);
        QCOMPARE(commitOne(store, onlyIfPresent(ops.remove("a", 1, 11, 101))).effect, Effect::FaceAbsent);
        (void)commitOne(store, ops.add("a", 1, 12));
        fixture.close();
        QVERIFY(fixture.open());
        auto& reopened = fixture.store();
        QCOMPARE(commitOne(reopened, onlyIfPresent(ops.remove("a", 13, 100))).effect, Effect::FaceAbsent);
        QCOMPARE(commitOne(reopened, onlyIfPresent(ops.remove("a", 1, 14, 101))).effect, Effect::FaceAbsent);
        QCOMPARE(rowsOf(reopened), 1U);
        // What another replica did find and remove under the same id is another matter.
        QCOMPARE(commitOne(reopened, ops.remove("a", 15, 100)).rowsRemoved, 1U);
        QCOMPARE(commitOne(reopened, onlyIfPresent(ops.remove("a", 16, 100))).effect, Effect::Already);
    }

    void twoEqualOperationsInOneBatchApplyOnce_data() { addDialects(); }
    void twoEqualOperationsInOneBatchApplyOnce() {
        OPEN_STORE();
        const std::vector<Operation> batch{ops.add("a", 1, 10, 5), ops.add("a", 1, 10, 5), ops.add("c", 1, 10),
                                           ops.add("c", 1, 10)};
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
        const std::vector<Operation> batch{
            ops.add("first", 1, 10), notFinite, shortOne, zero, foreign, elsewhere, unknown, ops.add("last", 1, 11)};
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
        QCOMPARE(commitOne(store, (SetThreshold{first.incarnation, std::nullopt, version(15), {}})).effect,
                 Effect::Applied);
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

    void operationsBelowTheHorizonAreRefused_data() { addDialects(); }
    void operationsBelowTheHorizonAreRefused() {
        OPEN_STORE();
        (void)commitOne(store, ops.add("a", 1, 10));
        (void)commitOne(store, ops.remove("a", 20));
        (void)commitOne(store, ops.add("a", 2, 30));
        hashing::PartitionSet of;
        of.insert(ops.partitionOf("a"));
        const auto partition = ops.partitionOf("a");
        QVERIFY(store.horizon(partition) == base::Version());
        QVERIFY(store.raiseHorizon(of, version(25)));
        QVERIFY(store.horizon(partition) == version(25));
        QVERIFY(store.horizon(static_cast<base::Partition>(partition + 1)) == base::Version());
        QCOMPARE(commitOne(store, ops.add("a", 1, 10)).effect, Effect::BehindHorizon);
        QCOMPARE(commitOne(store, ops.add("a", 1, 26)).effect, Effect::Applied);
        fixture.close();
        QVERIFY(fixture.open());
        QCOMPARE(commitOne(fixture.store(), ops.remove("a", 24)).effect, Effect::BehindHorizon);
        QCOMPARE(stateOf(fixture.store()).size(), 2U);         // two rows, no tombstone
        QVERIFY(fixture.store().raiseHorizon(of, version(5))); // never falls
        QVERIFY(fixture.store().horizon(partition) == version(25));
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

    void aMendReplacesADamagedRowWhateverVersionItClaims_data() { addDialects(); }
    void aMendReplacesADamagedRowWhateverVersionItClaims() {
        OPEN_STORE();
        auto add = ops.add("a", 1, 100);
        QCOMPARE(commitOne(store, add).effect, Effect::Applied);
        const auto whole = stateOf(store);
        for (const char* damage : {"norm = 99", "stamp = stamp + 5", "stamp = stamp - 5"}) {
            fixture.sql(std::string("UPDATE enrollments SET ") + damage);
            QVERIFY(stateOf(store).empty());
            if (std::string(damage) != "stamp = stamp - 5") {
                add.isMend = false; // from a queue it is only old
                QVERIFY(commitOne(store, add).effect != Effect::Applied);
            }
            add.isMend = true;
            QCOMPARE(commitOne(store, add).effect, Effect::Applied);
            QVERIFY(stateOf(store) == whole);
            QCOMPARE(commitOne(store, add).effect, Effect::Already);
        }
        // A sound row stays, and a tombstone too.
        auto older = ops.add("a", 1, 90);
        older.isMend = true;
        QCOMPARE(commitOne(store, older).effect, Effect::Stale);
        QCOMPARE(commitOne(store, ops.remove("a", 101)).effect, Effect::Applied);
        QCOMPARE(commitOne(store, add).effect, Effect::Stale);
    }

    void aMendPassesTheHorizon_data() { addDialects(); }
    void aMendPassesTheHorizon() {
        OPEN_STORE();
        QVERIFY(store.raiseHorizon(hashing::PartitionSet::all(), version(200)));
        auto add = ops.add("a", 1, 100);
        QCOMPARE(commitOne(store, add).effect, Effect::BehindHorizon);
        add.isMend = true;
        QCOMPARE(commitOne(store, add).effect, Effect::Applied);
    }

    void theHistoryOfKeyspacesMakesAnotherStoreKnowTheSame_data() { addDialects(); }
    void theHistoryOfKeyspacesMakesAnotherStoreKnowTheSame() {
        OPEN_STORE();
        auto employee = create("employee", 50);
        employee.matchThreshold = 0.4;
        QVERIFY(commitOne(store, employee).done());
        QVERIFY(commitOne(store, create("visitor", 51)).done());
        const auto drop = [](const char* name, std::uint64_t stamp) {
            return DropKeyspace{base::KeyspaceName::trusted(name), {}, {}, version(stamp), {}};
        };
        QVERIFY(commitOne(store, drop("visitor", 60)).done());
        QVERIFY(commitOne(store, drop("default", 61)).done());
        QVERIFY(commitOne(store, create("visitor", 62)).done());
        QVERIFY(commitOne(store, drop("visitor", 63)).done());
        auto history = store.keyspaceHistory();
        QVERIFY(history.has_value());
        StoreFixture other(dialect);
        QVERIFY(other.open());
        for (int again = 0; again < 2; ++again) {
            std::ranges::reverse(*history); // in any order, any number of times
            for (auto waiting = *history; !waiting.empty();) {
                const auto outcomes = other.store().commit(waiting);
                QVERIFY(outcomes.has_value());
                std::vector<Operation> next; // a threshold whose keyspace comes later
                for (std::size_t i = 0; i < waiting.size(); ++i)
                    if ((*outcomes)[i].effect == Effect::KeyspaceUnknown)
                        next.push_back(waiting[i]);
                waiting = std::move(next);
            }
        }
        const auto text = [](std::vector<Operation> operations) {
            std::string all;
            for (auto& operation : operations) {
                if (auto* created = std::get_if<CreateKeyspace>(&operation))
                    created->createdAt = {};
                all += encode(operation);
            }
            return all;
        };
        const auto learned = other.store().keyspaceHistory();
        QVERIFY(learned.has_value());
        QVERIFY(text(*learned) == text(*store.keyspaceHistory()));
        // What the first store refuses is refused here.
        auto late = ops.add("a", 1, 55);
        QCOMPARE(commitOne(other.store(), late).effect, Effect::KeyspaceDropped);
    }
};

QTEST_GUILESS_MAIN(StoreContractTest)
#include "store_contract_test.moc"
