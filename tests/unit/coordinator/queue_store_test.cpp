#include "tests/unit/coordinator/queue_fixture.h"

#include <sqlite3.h>
#include <sys/stat.h>

using namespace fremis;
using namespace fremis::coordinator;
using namespace fremis::coordinator::test;

namespace {

/// Runs SQL past a closed queue.
void sql(const QueueFixture& fixture, const char* statement) {
    sqlite3* database = nullptr;
    QCOMPARE(sqlite3_open(fixture.file("queue.sqlite").toUtf8().constData(), &database), SQLITE_OK);
    QCOMPARE(sqlite3_exec(database, statement, nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(database);
}

std::vector<QueueRecord> many(std::uint8_t target, int count, std::size_t size) {
    std::vector<QueueRecord> records;
    for (int i = 0; i < count; ++i)
        records.push_back(record(target, "f" + std::to_string(i), std::string(size, 'x')));
    return records;
}

} // namespace

class QueueStoreTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void recordsComeBackInOrderAndWithAllTheyHad() {
        QueueFixture fixture;
        QVERIFY(fixture.open());
        QVERIFY(!fixture.store().opening().queueLost);
        auto first = record(1, "a", "one");
        first.opId.fill(9);
        first.partition = 200;
        fixture.add({first, record(2, "a", "other"), record(1, "b", "two", QueuedKind::Delete)}, 5000ms);
        fixture.add({record(1, "", "three", QueuedKind::Keyspace)}, 6000ms);
        for (int round = 0; round < 2; ++round) {
            const auto entries = fixture.store().next(node(1), 0, 10);
            QVERIFY(entries);
            QCOMPARE(entries->size(), 3U);
            QCOMPARE(fixture.pending(1), std::string("one two three"));
            const auto& entry = entries->front();
            QCOMPARE(entry.opId, first.opId);
            QVERIFY(entry.partition == base::Partition{200});
            QVERIFY(entry.queuedAt == 5000ms);
            QVERIFY(entries->at(2).kind == QueuedKind::Keyspace && !entries->at(2).partition);
            QCOMPARE(fixture.pending(1, entry.sequence, 1), std::string("two"));
            const auto stats = fixture.stats(1);
            QCOMPARE(stats.ops, 3U);
            QCOMPARE(stats.enrollments, 1U);
            QCOMPARE(stats.deletes, 1U);
            QCOMPARE(stats.keyspaceOps, 1U);
            QCOMPARE(stats.bytes, 11U);
            QVERIFY(stats.oldestAt == 5000ms);
            QVERIFY(fixture.open()); // and after a restart
        }
    }

    void bytesOfAnswersAreLimited() {
        QueueFixture fixture;
        QVERIFY(fixture.open());
        fixture.add(many(1, 5, 1000));
        QCOMPARE(fixture.store().next(node(1), 0, 10, 2500)->size(), 2U);
        QCOMPARE(fixture.store().next(node(1), 0, 10, 10)->size(), 1U);
        QCOMPARE(fixture.store().next(node(1), 0, 0)->size(), 0U);
        QCOMPARE(fixture.store().next(node(9), 0, 10)->size(), 0U);
    }

    void confirmedRecordsLeaveAndNumbersAreNotUsedAgain() {
        QueueFixture fixture;
        QVERIFY(fixture.open());
        fixture.add({record(1, "a", "one"), record(1, "b", "two"), record(1, "c", "three")});
        QVERIFY(fixture.store().confirm(node(1), std::vector<Sequence>{3, 1, 1, 77, 0, ~Sequence{0}}));
        QCOMPARE(fixture.pending(1), std::string("two"));
        QVERIFY(fixture.store().confirm(node(1), std::vector<Sequence>{2}));
        QCOMPARE(fixture.stats(1).ops, 0U);
        QCOMPARE(fixture.stats(1).bytes, 0U);
        QVERIFY(!fixture.stats(1).oldestAt);
        QCOMPARE(fixture.stats(1).leftInTotal, 3U);
        QVERIFY(fixture.open());
        fixture.add({record(1, "d", "four")});
        QCOMPARE(fixture.store().next(node(1), 0, 10)->front().sequence, 4U);
    }

    void aParkedRecordHoldsUpItsOwnFaceOnly() {
        QueueFixture fixture;
        QVERIFY(fixture.open());
        fixture.add({record(1, "a", "a1"), record(1, "b", "b1"), record(1, "a", "a2"), record(2, "a", "x")});
        QVERIFY(fixture.store().park(node(1), 1, "dimension_mismatch"));
        fixture.add({record(1, "a", "a3"), record(1, "c", "c1"), record(1, "", "drop", QueuedKind::Keyspace)});
        for (int round = 0; round < 2; ++round) {
            QCOMPARE(fixture.pending(1), std::string("b1 c1 drop"));
            QCOMPARE(fixture.pending(2), std::string("x"));
            const auto parked = fixture.store().parked(node(1), 0, 10);
            QCOMPARE(parked->size(), 1U);
            QCOMPARE(parked->front().parkedBecause, std::string("dimension_mismatch"));
            QCOMPARE(parked->front().attempts, 1U);
            QCOMPARE(fixture.stats(1).parked, 1U);
            QCOMPARE(fixture.stats(1).ops, 6U);
            QVERIFY(fixture.open());
        }
        const std::vector<Sequence> first{1};
        QCOMPARE(*fixture.store().retryParked(node(1), first), 1U);
        QCOMPARE(fixture.pending(1), std::string("a1 b1 a2 a3 c1 drop"));
        QVERIFY(fixture.store().park(node(1), 1, ""));
        QCOMPARE(fixture.store().parked(node(1), 0, 10)->front().attempts, 2U);
        const auto dropped = fixture.store().dropParked(node(1), first);
        QVERIFY(dropped);
        QCOMPARE(dropped->size(), 1U);
        QVERIFY(dropped->front().partition == base::Partition{'a'});
        QCOMPARE(fixture.pending(1), std::string("b1 a2 a3 c1 drop"));
        QCOMPARE(*fixture.store().retryParked(node(1), first), 0U);
        QCOMPARE(fixture.store().park(node(1), 1, "x").error().reason, base::Reason::NotFound);
        QCOMPARE(fixture.store().park(node(7), 1, "x").error().reason, base::Reason::NotFound);
    }

    void aParkedKeyspaceOperationHoldsUpItsKeyspace() {
        QueueFixture fixture;
        QVERIFY(fixture.open());
        auto other = record(1, "a", "other");
        other.incarnation = "another";
        fixture.add({record(1, "a", "before"), record(1, "", "create", QueuedKind::Keyspace), record(1, "a", "behind"),
                     record(1, "", "drop", QueuedKind::Keyspace), other});
        QVERIFY(fixture.store().park(node(1), 2, "refused"));
        QCOMPARE(fixture.pending(1), std::string("before other"));
    }

    void parkingEndsWhereTheTargetMustBeWrong() {
        QueueFixture fixture;
        QVERIFY(fixture.open());
        const int count = static_cast<int>(QueueStore::kMaxParked) + 1;
        fixture.add(many(1, count, 1));
        for (int i = 1; i < count; ++i)
            QVERIFY(fixture.store().park(node(1), static_cast<Sequence>(i), "no"));
        QCOMPARE(fixture.store().park(node(1), static_cast<Sequence>(count), "no").error().reason,
                 base::Reason::Overloaded);
        QVERIFY(fixture.store().park(node(1), 1, "no again"));
    }

    void overTheLimitTheLargestQueueIsMarkedAndTheRestGoesOn() {
        QueueFixture fixture;
        fixture.options.limitBytes = 10 * 1024;
        QVERIFY(fixture.open());
        fixture.add(many(2, 2, 500));
        fixture.add(many(1, 6, 1000));
        const auto placed =
            fixture.store().append(std::vector{record(2, "a", std::string(3000, 'y')), record(1, "b", "z")}, 1000ms);
        QVERIFY(placed);
        QCOMPARE(*placed, (std::vector{Placed::Queued, Placed::MarkedForResync}));
        for (int round = 0; round < 2; ++round) {
            QVERIFY(fixture.stats(1).resync == ResyncMark::Marked);
            QCOMPARE(fixture.stats(1).ops, 0U);
            QCOMPARE(fixture.pending(1), std::string());
            QVERIFY(fixture.stats(2).resync == ResyncMark::None);
            QCOMPARE(fixture.stats(2).ops, 3U);
            QVERIFY(fixture.open());
            QVERIFY(!fixture.store().opening().queueLost);
        }
        QCOMPARE(fixture.store().append(std::vector{record(1, "b", "z")}, 1000ms)->front(), Placed::MarkedForResync);
    }

    void aRecordAboveTheLimitMarksItsTarget() {
        QueueFixture fixture;
        fixture.options.limitBytes = 1024;
        QVERIFY(fixture.open());
        const auto placed = fixture.store().append(many(1, 1, 2000), 1000ms);
        QVERIFY(placed);
        QCOMPARE(placed->front(), Placed::MarkedForResync);
    }

    void aResyncQueuesAgainAndKeepsItsMarkUntilItsEnd() {
        QueueFixture fixture;
        QVERIFY(fixture.open());
        fixture.add({record(1, "a", "old")});
        QVERIFY(fixture.store().markForResync(node(1)));
        QCOMPARE(fixture.store().endResync(node(1)).value(), false);
        QVERIFY(fixture.store().beginResync(node(1)));
        fixture.add({record(1, "a", "new")});
        QVERIFY(fixture.open());
        QVERIFY(fixture.stats(1).resync == ResyncMark::Running);
        QCOMPARE(fixture.pending(1), std::string("new"));
        QCOMPARE(fixture.store().endResync(node(1)).value(), true);
        QVERIFY(fixture.open());
        QVERIFY(fixture.stats(1).resync == ResyncMark::None);
        QCOMPARE(fixture.pending(1), std::string("new"));
    }

    void aNodeCanBeMarkedBeforeItEverMissedAWrite() {
        QueueFixture fixture;
        QVERIFY(fixture.open());
        QVERIFY(fixture.store().markForResync(node(1)));
        QVERIFY(fixture.open());
        QVERIFY(fixture.stats(1).resync == ResyncMark::Marked);
    }

    void recordsOfMovedPartitionsGoToTheirNewOwners() {
        QueueFixture fixture;
        QVERIFY(fixture.open());
        fixture.add({record(1, "a", "a1"), record(1, "b", "b1"), record(1, "a", "a2"),
                     record(1, "", "keyspace", QueuedKind::Keyspace), record(2, "c", "c1")});
        QVERIFY(fixture.store().park(node(1), 1, "refused"));
        hashing::PartitionSet moved;
        moved.insert('a');
        std::optional<Sequence> after = 0;
        int commits = 0;
        while (after) {
            const auto goOn = fixture.store().move(node(1), moved, std::vector{node(2), node(3), node(1)}, *after, 1);
            QVERIFY(goOn);
            after = *goOn;
            ++commits;
        }
        QVERIFY(commits >= 2);
        QVERIFY(fixture.open());
        QCOMPARE(fixture.pending(1), std::string("b1 keyspace"));
        QCOMPARE(fixture.pending(2), std::string("c1 a1 a2"));
        QCOMPARE(fixture.pending(3), std::string("a1 a2"));
        QCOMPARE(fixture.stats(1).parked, 0U);
        moved.insert('b');
        QVERIFY(fixture.store().move(node(1), moved, {}, 0, 100)->has_value() == false);
        QCOMPARE(fixture.pending(1), std::string("keyspace"));
    }

    void aForgottenNodeLeavesNothingAndMayComeBack() {
        QueueFixture fixture;
        QVERIFY(fixture.open());
        fixture.add(many(1, 1200, 100));
        QVERIFY(fixture.store().forget(node(1)));
        QVERIFY(!fixture.store().stats()->targets.contains(node(1)));
        fixture.add({record(1, "a", "back")});
        QCOMPARE(fixture.pending(1), std::string("back"));
        QVERIFY(fixture.store().forget(node(1)));
        QVERIFY(fixture.open());
        QVERIFY(fixture.store().stats()->targets.empty());
        while (*fixture.store().tidy()) {
        }
        fixture.add({record(2, "a", "takes the slot")});
        QVERIFY(fixture.open());
        QVERIFY(!fixture.store().opening().queueLost);
        QCOMPARE(fixture.store().stats()->targets.size(), 1U);
        QCOMPARE(fixture.pending(2), std::string("takes the slot"));
        fixture.close();
        QVERIFY(!readFile(fixture.file("queue.marks")).contains(QByteArray(16, '\1')));
    }

    void droppedAndConfirmedBytesLeaveTheDisk() {
        QueueFixture fixture;
        QVERIFY(fixture.open());
        fixture.add({record(1, "a", "secret-one"), record(2, "a", "secret-two"), record(3, "b", "stays")});
        const auto found = [&] {
            const auto bytes = readFile(fixture.file("queue.sqlite")) + readFile(fixture.file("queue.sqlite-wal"));
            return bytes.contains("secret");
        };
        QVERIFY(found());
        QVERIFY(fixture.store().confirm(node(1), std::vector<Sequence>{1}));
        QVERIFY(fixture.store().markForResync(node(2)));
        while (*fixture.store().tidy()) {
        }
        QVERIFY(!found());
        QCOMPARE(fixture.pending(3), std::string("stays"));
    }

    void aDrainedQueueGivesItsRoomBack() {
        QueueFixture fixture;
        QVERIFY(fixture.open());
        for (int i = 0; i < 20; ++i)
            fixture.add(many(1, 1000, 4000));
        QVERIFY(fixture.store().markForResync(node(1)));
        while (*fixture.store().tidy()) {
        }
        QVERIFY(QFileInfo(fixture.file("queue.sqlite")).size() < 1 << 20);
        QCOMPARE(QFileInfo(fixture.file("queue.sqlite-wal")).size(), 0);
        fixture.add({record(2, "a", "goes on")});
        QVERIFY(fixture.open());
        QCOMPARE(fixture.pending(2), std::string("goes on"));
    }

    void everyDeleteIsVisited() {
        QueueFixture fixture;
        QVERIFY(fixture.open());
        fixture.add({record(2, "a", "d1", QueuedKind::Delete), record(1, "a", "e"),
                     record(1, "b", "d2", QueuedKind::Delete), record(1, "c", "d3", QueuedKind::Delete)});
        QVERIFY(fixture.store().park(node(1), 3, "parked"));
        std::string seen;
        QVERIFY(
            fixture.store().forEach(QueuedKind::Delete, [&](const storage::NodeId& target, const QueueEntry& entry) {
                seen += std::to_string(target[0]) + entry.bytes + ' ';
                return true;
            }));
        QCOMPARE(seen, std::string("1d2 1d3 2d1 "));
    }

    void filesArePrivate() {
        QueueFixture fixture;
        const auto before = ::umask(0);
        QVERIFY(fixture.open());
        fixture.add({record(1, "a", "x")});
        ::umask(before);
        for (const auto* name : {"queue.sqlite", "queue.sqlite-wal", "queue.marks"}) {
            struct stat info {};
            QCOMPARE(::stat(fixture.file(name).toUtf8().constData(), &info), 0);
            QCOMPARE(info.st_mode & 0777, 0600U);
        }
    }

    void invalidRecordsAreRefusedAndNothingIsStored() {
        QueueFixture fixture;
        QVERIFY(fixture.open());
        for (auto bad : {record(1, "a", ""), record(0, "a", "x"), record(1, "a", std::string(kMaxRecordBytes + 1, 'x')),
                         record(1, "a", "x", static_cast<QueuedKind>(4))})
            QVERIFY(!fixture.store().append(std::vector{record(1, "b", "good"), bad}, 0ms));
        QCOMPARE(fixture.store().stats()->ops, 0U);
        QVERIFY(!fixture.store().health().mustExit);
    }

    void aNewerFormatIsRefusedAndLeftAsItIs() {
        QueueFixture fixture;
        QVERIFY(fixture.open());
        fixture.add({record(1, "a", "x")});
        fixture.close();
        sql(fixture, "PRAGMA user_version = 2; UPDATE queue_state SET format = 2");
        const auto opened = fixture.open();
        QVERIFY(!opened);
        QCOMPARE(opened.error().reason, base::Reason::BadStore);
        QVERIFY(opened.error().message.find("newer program") != std::string::npos);
        sql(fixture, "PRAGMA user_version = 1; UPDATE queue_state SET format = 1");
        QVERIFY(fixture.open());
        QCOMPARE(fixture.pending(1), std::string("x"));
    }

    void aDamagedRecordIsSetAsideAndReportedUntilSettled() {
        QueueFixture fixture;
        QVERIFY(fixture.open());
        fixture.add({record(1, "a", "one"), record(1, "b", "two"), record(1, "c", "three")});
        fixture.close();
        sql(fixture, "UPDATE entries SET bytes = x'00' WHERE id & 0xffff = 2");
        const std::vector expected{Damage{node(1), base::Partition{'b'}}};
        QVERIFY(fixture.open());
        QCOMPARE(fixture.store().stats()->damaged, 1U);
        for (int round = 0; round < 2; ++round) {
            QVERIFY(!fixture.store().opening().queueLost);
            QVERIFY(fixture.store().damage() == expected);
            QCOMPARE(fixture.pending(1), std::string("one three"));
            QCOMPARE(fixture.stats(1).ops, 2U);
            QVERIFY(fixture.open());
        }
        QVERIFY(fixture.store().settleDamage(expected.front()));
        QVERIFY(fixture.open());
        QVERIFY(fixture.store().damage().empty());
    }

    void damageOfAHeadIsReportedForEveryTarget() {
        QueueFixture fixture;
        QVERIFY(fixture.open());
        fixture.add({record(1, "a", "one"), record(2, "b", "two")});
        fixture.close();
        sql(fixture, "UPDATE entries SET id = (9 << 48) + 1 WHERE bytes = x'6f6e65'"); // a target that is not there
        QVERIFY(fixture.open());
        QVERIFY((fixture.store().damage() == std::vector{Damage{node(1), {}}, Damage{node(2), {}}}));
        QCOMPARE(fixture.pending(2), std::string("two"));
        QCOMPARE(fixture.store().stats()->ops, 1U);
    }

    void damageFoundWhileRunningIsSetAside() {
        QueueFixture fixture;
        QVERIFY(fixture.open());
        fixture.add({record(1, "a", "one"), record(1, "b", "two")});
        sql(fixture, "UPDATE entries SET bytes = x'00' WHERE id & 0xffff = 1");
        QCOMPARE(fixture.pending(1), std::string("two"));
        QCOMPARE(fixture.stats(1).ops, 1U);
        QVERIFY((fixture.store().damage() == std::vector{Damage{node(1), base::Partition{'a'}}}));
    }

    void aLostDatabaseMarksItsTargets_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("zero-filled") << QByteArray(32768, '\0');
        QTest::newRow("no database") << QByteArray(32768, 'x');
    }
    void aLostDatabaseMarksItsTargets() {
        QFETCH(QByteArray, content);
        QueueFixture fixture;
        QVERIFY(fixture.open());
        fixture.add({record(1, "a", "x"), record(2, "a", "x")});
        fixture.close();
        writeFile(fixture.file("queue.sqlite"), content);
        QVERIFY(fixture.open());
        QVERIFY(fixture.store().opening().queueLost);
        QVERIFY(!fixture.store().opening().targetsUnknown);
        QVERIFY(fixture.stats(1).resync == ResyncMark::Marked);
        QVERIFY(fixture.stats(2).resync == ResyncMark::Marked);
        if (!content.isEmpty())
            QCOMPARE(readFile(fixture.file("queue.sqlite.damaged")), content);
        fixture.add({record(3, "a", "new")});
        QVERIFY(fixture.open());
        QVERIFY(!fixture.store().opening().queueLost);
        QVERIFY(fixture.stats(1).resync == ResyncMark::Marked);
        QCOMPARE(fixture.store().next(node(3), 0, 1)->front().sequence, 3U);
    }

    void anOlderDatabaseIsNoticed() {
        QueueFixture fixture;
        QVERIFY(fixture.open());
        fixture.add({record(1, "a", "old")});
        fixture.close();
        const auto old = readFile(fixture.file("queue.sqlite"));
        QVERIFY(fixture.open());
        fixture.add({record(1, "b", "new")});
        fixture.close();
        writeFile(fixture.file("queue.sqlite"), old);
        QVERIFY(fixture.open());
        QVERIFY(fixture.store().opening().queueLost);
        QVERIFY(fixture.stats(1).resync == ResyncMark::Marked);
        QVERIFY(fixture.open());
        QVERIFY(!fixture.store().opening().queueLost);
    }

    void lostMarksMarkEveryTarget_data() {
        QTest::addColumn<bool>("removed");
        QTest::newRow("removed") << true;
        QTest::newRow("zero-filled") << false;
    }
    void lostMarksMarkEveryTarget() {
        QFETCH(bool, removed);
        QueueFixture fixture;
        QVERIFY(fixture.open());
        fixture.add({record(1, "a", "x")});
        QVERIFY(fixture.store().markForResync(node(2)));
        fixture.close();
        if (removed)
            QVERIFY(QFile::remove(fixture.file("queue.marks")));
        else
            writeFile(fixture.file("queue.marks"), QByteArray(QFileInfo(fixture.file("queue.marks")).size(), '\0'));
        QVERIFY(fixture.open());
        QVERIFY(fixture.store().opening().queueLost);
        QVERIFY(fixture.store().opening().targetsUnknown);
        QVERIFY(fixture.stats(1).resync == ResyncMark::Marked);
    }
};

QTEST_GUILESS_MAIN(QueueStoreTest)
#include "queue_store_test.moc"
