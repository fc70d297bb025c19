#include "tests/support/faulty_vfs.h"
#include "tests/unit/coordinator/queue_fixture.h"

#include <QProcess>

#include <set>

using namespace fremis;
using namespace fremis::coordinator;
using namespace fremis::coordinator::test;
using fremis::test::FaultyVfs;

namespace {

std::set<std::string> bytesOf(QueueStore& store, std::uint8_t target) {
    std::set<std::string> all;
    Sequence after = 0;
    while (true) {
        const auto entries = store.next(node(target), after, 1000);
        if (!entries || entries->empty())
            return all;
        for (const auto& entry : *entries)
            all.insert(entry.bytes);
        after = entries->back().sequence;
    }
}

/// Lets the writer acknowledge some records, kills it in the middle and adds them to `promised`.
void runAndKill(const QueueFixture& fixture, std::uint64_t first, std::set<std::string>& promised) {
    QProcess writer;
    writer.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    writer.start(QStringLiteral(FREMIS_QUEUE_WRITER),
                 {QString::fromStdString(fixture.options.directory.string()), QString::number(first)});
    QByteArray said;
    while (said.count('\n') < 200) {
        QVERIFY2(writer.waitForReadyRead(60000), said.constData());
        said += writer.readAllStandardOutput();
    }
    writer.kill();
    QVERIFY(writer.waitForFinished());
    QCOMPARE(writer.exitStatus(), QProcess::CrashExit);
    said += writer.readAllStandardOutput();
    for (const auto& line : said.split('\n'))
        if (!line.isEmpty())
            promised.insert(line.toStdString());
}

constexpr int kRecords = 60;

/// Records of many sizes for two targets, and what next() must give of them.
std::set<std::string> fill(QueueFixture& fixture) {
    std::set<std::string> all;
    for (int i = 0; i < kRecords; ++i) {
        const auto text = std::to_string(i) + std::string(static_cast<std::size_t>(i * i * 3), 'x');
        fixture.add({record(static_cast<std::uint8_t>(1 + i % 2), "f" + std::to_string(i), text)});
        all.insert(text);
    }
    return all;
}

/// Whatever happened to the files: what comes back is as it was written, and what does not come back is reported.
void verifyNothingWasLostInSilence(QueueFixture& fixture, const std::set<std::string>& all, const std::string& what) {
    const auto opened = fixture.open();
    QVERIFY2(opened, (what + (opened ? "" : ": " + opened.error().message + ' ' + opened.error().detail)).c_str());
    auto& store = fixture.store();
    auto found = bytesOf(store, 1);
    found.merge(bytesOf(store, 2));
    QVERIFY2(std::includes(all.begin(), all.end(), found.begin(), found.end()), what.c_str());
    const auto missing = all.size() - found.size();
    const bool reported = store.opening().queueLost || store.stats()->damaged >= missing;
    QVERIFY2(reported, (what + ": missing " + std::to_string(missing)).c_str());
    if (store.opening().queueLost && !store.opening().targetsUnknown)
        for (const std::uint8_t target : {1, 2})
            QVERIFY2(fixture.stats(target).resync == ResyncMark::Marked, what.c_str());
    if (!store.opening().queueLost)
        QVERIFY2(missing <= 1 && store.damage().size() <= 2, what.c_str());
    QVERIFY2(store.append(std::vector{record(3, "a", "goes on")}, 1000ms), what.c_str());
    fixture.close();
}

struct Files {
    QByteArray database, wal, marks;
    explicit Files(const QueueFixture& fixture)
        : database(readFile(fixture.file("queue.sqlite"))), wal(readFile(fixture.file("queue.sqlite-wal"))),
          marks(readFile(fixture.file("queue.marks"))) {}
    void restore(const QueueFixture& fixture) const {
        writeFile(fixture.file("queue.sqlite"), database);
        writeFile(fixture.file("queue.sqlite-wal"), wal);
        writeFile(fixture.file("queue.marks"), marks);
        QFile::remove(fixture.file("queue.sqlite-shm"));
    }
};

} // namespace

Q_DECLARE_METATYPE(FaultyVfs::Fault)

class QueueDurabilityTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cleanup() { (void)FaultyVfs::instance().clear(); }

    void everyAcknowledgedRecordSurvivesKill() {
        QueueFixture fixture(true);
        std::set<std::string> promised;
        for (std::uint64_t round = 0; round < 8; ++round) {
            runAndKill(fixture, round * 1'000'000, promised);
            QVERIFY(fixture.open());
            QVERIFY(!fixture.store().opening().queueLost);
            QVERIFY(fixture.store().damage().empty());
            for (const std::uint8_t target : {1, 2}) {
                const auto found = bytesOf(fixture.store(), target);
                QVERIFY(std::includes(found.begin(), found.end(), promised.begin(), promised.end()));
            }
            fixture.close();
        }
        QVERIFY(promised.size() >= 1600);
    }

    void aFlippedBitCostsItsRecordAndIsReported_data() {
        QTest::addColumn<QString>("file");
        QTest::newRow("database") << QStringLiteral("queue.sqlite");
        QTest::newRow("WAL of a killed process") << QStringLiteral("queue.sqlite-wal");
        QTest::newRow("marks") << QStringLiteral("queue.marks");
    }
    void aFlippedBitCostsItsRecordAndIsReported() {
        QFETCH(QString, file);
        QueueFixture fixture;
        QVERIFY(fixture.open());
        const auto all = fill(fixture);
        const bool killed = file.endsWith(QLatin1String("wal"));
        if (!killed)
            fixture.close();
        const Files files(fixture);
        fixture.close();
        const auto whole = killed ? files.wal : file.endsWith(QLatin1String("marks")) ? files.marks : files.database;
        QVERIFY(!whole.isEmpty());
        // Every byte of what has structure at the start, then a stride that meets all places within a page and a slot.
        for (qsizetype at = 0; at < whole.size(); at += at < 128 ? 1 : killed ? 1531 : 257) {
            files.restore(fixture);
            auto content = whole;
            content[at] = static_cast<char>(content[at] ^ (1 << (at % 8)));
            writeFile(fixture.file(file.toLatin1().constData()), content);
            verifyNothingWasLostInSilence(fixture, all, file.toStdString() + " byte " + std::to_string(at));
            if (QTest::currentTestFailed())
                return;
        }
    }

    void aCutOrZeroedFileIsReported_data() {
        QTest::addColumn<int>("eighths");
        for (int eighths = 0; eighths < 8; ++eighths)
            QTest::addRow("%d eighths are left", eighths) << eighths;
    }
    void aCutOrZeroedFileIsReported() {
        QFETCH(int, eighths);
        QueueFixture fixture;
        QVERIFY(fixture.open());
        const auto all = fill(fixture);
        const Files running(fixture);
        fixture.close();
        const Files closed(fixture);
        const auto cut = [&](const QByteArray& content) { return content.left(content.size() * eighths / 8); };
        const auto zeroed = [&](const QByteArray& content) {
            return cut(content) + QByteArray(content.size() - cut(content).size(), '\0');
        };
        for (const auto& content : {cut(closed.database), zeroed(closed.database)}) {
            closed.restore(fixture);
            writeFile(fixture.file("queue.sqlite"), content);
            verifyNothingWasLostInSilence(fixture, all, "database");
        }
        for (const auto& content : {cut(running.wal), zeroed(running.wal)}) {
            running.restore(fixture);
            writeFile(fixture.file("queue.sqlite-wal"), content);
            verifyNothingWasLostInSilence(fixture, all, "WAL");
        }
        for (const auto& content : {cut(closed.marks), zeroed(closed.marks)}) {
            closed.restore(fixture);
            writeFile(fixture.file("queue.marks"), content);
            verifyNothingWasLostInSilence(fixture, all, "marks");
        }
    }

    void anyFailedWriteRefusesCleanly_data() {
        QTest::addColumn<FaultyVfs::Fault>("fault");
        QTest::newRow("full") << FaultyVfs::Fault::WriteFull;
        QTest::newRow("error") << FaultyVfs::Fault::WriteError;
        QTest::newRow("short") << FaultyVfs::Fault::ShortWrite;
    }
    void anyFailedWriteRefusesCleanly() {
        QFETCH(FaultyVfs::Fault, fault);
        bool hit = true;
        for (int n = 1; hit; ++n) {
            QueueFixture fixture;
            fixture.options.vfs = FaultyVfs::instance().name();
            QVERIFY(fixture.open());
            fixture.add({record(1, "a", "before"), record(1, "b", "goes")});
            FaultyVfs::instance().failNth(fault, n);
            const auto placed = fixture.store().append(
                std::vector{record(1, "c", std::string(40'000, 'x')), record(4, "d", "new")}, 2000ms);
            const auto confirmed = fixture.store().confirm(node(1), std::vector<Sequence>{2});
            hit = FaultyVfs::instance().clear();
            if (!placed && fault == FaultyVfs::Fault::WriteFull)
                QCOMPARE(placed.error().reason, base::Reason::StorageFull);
            QVERIFY(!fixture.store().health().mustExit);
            fixture.add({record(1, "e", "after")});
            for (int round = 0; round < 2; ++round) {
                const auto found = bytesOf(fixture.store(), 1);
                QCOMPARE(found.contains(std::string(40'000, 'x')), placed.has_value());
                QCOMPARE(bytesOf(fixture.store(), 4).contains("new"), placed.has_value());
                QCOMPARE(!found.contains("goes"), confirmed.has_value());
                QVERIFY(found.contains("before") && found.contains("after"));
                QVERIFY(fixture.open());
                QVERIFY(!fixture.store().opening().queueLost && fixture.store().damage().empty());
            }
        }
    }

    void aFailedSyncIsFinal() {
        bool hit = true;
        int failures = 0;
        for (int n = 1; hit; ++n) {
            QueueFixture fixture;
            fixture.options.vfs = FaultyVfs::instance().name();
            QVERIFY(fixture.open());
            fixture.add({record(1, "a", "before")});
            FaultyVfs::instance().failNth(FaultyVfs::Fault::SyncError, n);
            const auto placed = fixture.store().append(std::vector{record(1, "b", "maybe")}, 2000ms);
            const auto tidied = fixture.store().tidy();
            hit = FaultyVfs::instance().clear();
            if (hit) {
                ++failures;
                QVERIFY(!placed || !tidied);
                QVERIFY(fixture.store().health().mustExit);
                QVERIFY(!fixture.store().health().why.empty());
                QVERIFY(!fixture.store().append(std::vector{record(1, "c", "never")}, 3000ms));
                QVERIFY(!fixture.store().next(node(1), 0, 1));
                QVERIFY(!fixture.store().confirm(node(1), std::vector<Sequence>{1}));
                QVERIFY(!fixture.store().tidy());
            }
            QVERIFY(fixture.open()); // as a new process would
            const auto found = bytesOf(fixture.store(), 1);
            QVERIFY(found.contains("before"));
            QVERIFY(!placed || found.contains("maybe"));
            QVERIFY(!found.contains("never"));
        }
        QVERIFY(failures >= 2); // of the commit and of the checkpoint
    }

    void markingWorksOnAFullDisk() {
        QueueFixture fixture;
        fixture.options.vfs = FaultyVfs::instance().name();
        fixture.options.limitBytes = 4096;
        QVERIFY(fixture.open());
        fixture.add({record(1, "a", std::string(3000, 'x'))});
        FaultyVfs::instance().failNth(FaultyVfs::Fault::WriteFull, 1, true);
        const auto placed = fixture.store().append(std::vector{record(1, "b", std::string(3000, 'y'))}, 2000ms);
        QVERIFY(placed);
        QCOMPARE(placed->front(), Placed::MarkedForResync);
        (void)FaultyVfs::instance().clear();
        QVERIFY(fixture.open());
        QVERIFY(fixture.stats(1).resync == ResyncMark::Marked);
        QVERIFY(bytesOf(fixture.store(), 1).empty());
    }

    void anyFailedCallWhileOpeningLeavesAQueueThatOpens() {
        QueueFixture fixture;
        fixture.options.vfs = FaultyVfs::instance().name();
        QVERIFY(fixture.open());
        const auto all = fill(fixture);
        const Files files(fixture);
        fixture.close();
        for (const auto fault : {FaultyVfs::Fault::WriteError, FaultyVfs::Fault::SyncError}) {
            bool hit = true;
            for (int n = 1; hit; ++n) {
                files.restore(fixture);
                FaultyVfs::instance().failNth(fault, n);
                (void)fixture.open();
                fixture.close();
                hit = FaultyVfs::instance().clear();
                QVERIFY(fixture.open());
                QVERIFY(!fixture.store().opening().queueLost);
                QCOMPARE(bytesOf(fixture.store(), 1).size() + bytesOf(fixture.store(), 2).size(), all.size());
                fixture.close();
            }
        }
    }
};

QTEST_GUILESS_MAIN(QueueDurabilityTest)
#include "queue_durability_test.moc"
