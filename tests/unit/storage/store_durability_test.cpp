#include "shared/storage/group_commit.h"
#include "tests/unit/storage/store_fixture.h"

#include <QProcess>

#include <sys/stat.h>

#include <set>

using namespace fremis;
using namespace fremis::storage;
using namespace fremis::storage::test;

namespace {

/// What the writer said before it was killed.
struct Promises {
    std::set<std::string> enrolled, deleting, deleted;
};

QStringList argumentsFor(const StoreFixture& fixture, std::uint64_t first) {
    QStringList words;
    if (fixture.dialect() == Dialect::Sqlite)
        words << QStringLiteral("sqlite") << QString::fromStdString(fixture.directory());
    else
        words << QStringLiteral("postgres") << QString::fromStdString(StoreFixture::server().socketDirectory())
              << QString::number(StoreFixture::server().port()) << QString::fromStdString(fixture.database());
    return words << QString::number(first);
}

/// Lets the writer run until it has made some promises, kills it in the middle, and adds them to `promises`.
void runAndKill(const StoreFixture& fixture, std::uint64_t first, Promises& promises) {
    QProcess writer;
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("PGPASSWORD"), QString::fromStdString(fremis::test::PostgresServer::password()));
    writer.setProcessEnvironment(environment);
    writer.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    writer.start(QStringLiteral(FREMIS_STORAGE_WRITER), argumentsFor(fixture, first));
    QByteArray said;
    while (said.count('\n') < 200) {
        QVERIFY2(writer.waitForReadyRead(60000), said.constData());
        said += writer.readAllStandardOutput();
    }
    writer.kill();
    QVERIFY(writer.waitForFinished());
    QCOMPARE(writer.exitStatus(), QProcess::CrashExit);
    said += writer.readAllStandardOutput();
    for (const auto& line : said.split('\n')) {
        const auto words = line.split(' ');
        if (words.size() < 2)
            continue;
        const auto last = words[1].toStdString();
        (words[0] == "deleting"  ? promises.deleting
         : words[0] == "deleted" ? promises.deleted
                                 : promises.enrolled)
            .insert(last);
    }
}

} // namespace

class StoreDurabilityTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyAcknowledgedWriteSurvivesKill_data() { addDialects(); }
    void everyAcknowledgedWriteSurvivesKill() {
        QFETCH(Dialect, dialect);
        StoreFixture fixture(dialect, Medium::Disk);
        Promises promises;
        for (std::uint64_t round = 0; round < 5; ++round) {
            runAndKill(fixture, round * 1'000'000, promises);
            QVERIFY(fixture.open());
            std::set<std::string> stored;
            const auto report = fixture.store().scan(
                hashing::PartitionSet::all(),
                [&](const EnrollmentView& row) {
                    stored.emplace(row.face);
                    return true;
                },
                nullptr);
            QVERIFY(report);
            QCOMPARE(report->degraded, 0U);
            for (const auto& face : promises.enrolled)
                QVERIFY2(stored.contains(face) || promises.deleting.contains(face), face.c_str());
            for (const auto& face : promises.deleted)
                QVERIFY2(!stored.contains(face), face.c_str());
            fixture.close();
        }
        QVERIFY(promises.enrolled.size() > 500);
        QVERIFY(promises.deleted.size() > 50);
    }

    void aSecondProcessOnTheSameDirectoryIsRefused() {
        StoreFixture fixture(Dialect::Sqlite);
        QVERIFY(fixture.open());
        const auto second = fixture.openRaw();
        QVERIFY(!second);
        QCOMPARE(second.error().reason, base::Reason::BadStore);
        QVERIFY(second.error().message.find("another process") != std::string::npos);
        fixture.close();
        QVERIFY(fixture.openRaw());
    }

    void filesArePrivate() {
        StoreFixture fixture(Dialect::Sqlite);
        const auto before = ::umask(0);
        QVERIFY(fixture.open());
        (void)commitOne(fixture.store(), Ops{fixture.incarnation()}.add("a", 1, 1));
        ::umask(before);
        struct stat info {};
        QCOMPARE(::stat(fixture.directory().c_str(), &info), 0);
        QCOMPARE(info.st_mode & 0777, 0700U);
        for (const auto* name : {"store.db", "store.db-wal", "store.db-shm", "lock"}) {
            QCOMPARE(::stat((fixture.directory() + '/' + name).c_str(), &info), 0);
            QCOMPARE(info.st_mode & 0777, 0600U);
        }
    }

    void anOlderSchemaIsMigratedWithItsRows_data() { addDialects(); }
    void anOlderSchemaIsMigratedWithItsRows() {
        QFETCH(Dialect, dialect);
        StoreFixture fixture(dialect);
        QVERIFY(fixture.open());
        (void)commitOne(fixture.store(), Ops{fixture.incarnation()}.add("a", 1, 10, 3));
        const auto before = stateOf(fixture.store());
        fixture.close();
        fixture.sql("DROP TABLE delete_horizons; DROP TABLE settings; " +
                    std::string(dialect == Dialect::Sqlite ? "PRAGMA user_version = 1"
                                                           : "DELETE FROM schema_migrations WHERE number > 1"));
        QVERIFY(fixture.open());
        QCOMPARE(stateOf(fixture.store()), before);
        QVERIFY(fixture.store().setSetting("a", "b"));
        QVERIFY(fixture.store().raiseHorizon(hashing::PartitionSet::all(), version(5)));
        QCOMPARE(commitOne(fixture.store(), Ops{fixture.incarnation()}.add("b", 1, 11, 3)).face, std::string("a"));
    }

    void aNewerSchemaIsRefusedAndLeftAsItIs_data() { addDialects(); }
    void aNewerSchemaIsRefusedAndLeftAsItIs() {
        QFETCH(Dialect, dialect);
        StoreFixture fixture(dialect);
        QVERIFY(fixture.open());
        fixture.close();
        fixture.sql(dialect == Dialect::Sqlite ? "PRAGMA user_version = 99"
                                               : "INSERT INTO schema_migrations VALUES (99, 'later')");
        const auto opened = fixture.open();
        QVERIFY(!opened);
        QCOMPARE(opened.error().reason, base::Reason::BadStore);
        QVERIFY(opened.error().message.find("newer program (schema 99") != std::string::npos);
        fixture.close();
        fixture.sql(dialect == Dialect::Sqlite ? "PRAGMA user_version = 2"
                                               : "DELETE FROM schema_migrations WHERE number = 99");
        QVERIFY(fixture.open());
    }

    void aForeignDatabaseFileIsRefusedAndLeftAsItIs() {
        StoreFixture fixture(Dialect::Sqlite);
        QVERIFY(QDir().mkpath(QString::fromStdString(fixture.directory())));
        fixture.sql("CREATE TABLE somebody (elses INTEGER)");
        const auto opened = fixture.open();
        QVERIFY(!opened);
        QCOMPARE(opened.error().reason, base::Reason::BadStore);
        fixture.sql("INSERT INTO somebody VALUES (1)");
    }

    void aFileThatIsNoDatabaseIsRefused() {
        StoreFixture fixture(Dialect::Sqlite);
        QVERIFY(QDir().mkpath(QString::fromStdString(fixture.directory())));
        QFile file(QString::fromStdString(fixture.directory() + "/store.db"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray(20000, 'x'));
        file.close();
        const auto opened = fixture.open();
        QVERIFY(!opened);
        QCOMPARE(opened.error().reason, base::Reason::BadStore);
    }

    void bytesOfADeletedEmbeddingLeaveTheFiles_data() {
        QTest::addColumn<QString>("how");
        for (const auto* how : {"face", "variation", "keyspace", "replaced", "partition"})
            QTest::newRow(how) << QString::fromLatin1(how);
    }
    void bytesOfADeletedEmbeddingLeaveTheFiles() {
        QFETCH(QString, how);
        StoreFixture fixture(Dialect::Sqlite);
        QVERIFY(fixture.open(64));
        auto& store = fixture.store();
        const Ops ops{fixture.incarnation(), "default", 64};
        const auto secret = ops.add("gone", 1, 10);
        const auto bytes = QByteArray(reinterpret_cast<const char*>(secret.row.embedding.data()), 64 * 4);
        const auto inFiles = [&] {
            bool found = false;
            for (const auto* name : {"/store.db", "/store.db-wal"}) {
                QFile file(QString::fromStdString(fixture.directory() + name));
                found = found || (file.open(QIODevice::ReadOnly) && file.readAll().contains(bytes));
            }
            return found;
        };
        std::vector<Operation> batch;
        for (std::uint64_t i = 0; i < 200; ++i)
            batch.push_back(ops.add("stays" + std::to_string(i), 1, 100 + i));
        batch.insert(batch.begin() + 100, secret);
        QVERIFY(store.commit(batch));
        QVERIFY(store.purgeErased()); // it is in the database file now
        QVERIFY(inFiles());
        if (how == QLatin1String("face"))
            (void)commitOne(store, ops.remove("gone", 2000));
        else if (how == QLatin1String("variation"))
            (void)commitOne(store, ops.remove("gone", 1, 2000, 0));
        else if (how == QLatin1String("keyspace"))
            (void)commitOne(store, DropKeyspace{base::KeyspaceName::trusted("default"), {}, {}, version(2000), {}});
        else if (how == QLatin1String("replaced"))
            (void)commitOne(store, ops.add("gone", 1, 2000));
        else {
            hashing::PartitionSet one;
            one.insert(secret.row.partition);
            QVERIFY(store.erasePartitions(one).value() >= 1);
        }
        QTRY_VERIFY_WITH_TIMEOUT(!inFiles(), 20000); // by itself
        fixture.close();
        QVERIFY(!inFiles());
    }

    void deletedRowsStillLeaveTheFilesAfterAKill() {
        StoreFixture fixture(Dialect::Sqlite, Medium::Disk);
        Promises promises;
        runAndKill(fixture, 0, promises);
        QVERIFY(QFileInfo(QString::fromStdString(fixture.directory() + "/store.db-wal")).size() > 0);
        QVERIFY(fixture.open());
        QCOMPARE(QFileInfo(QString::fromStdString(fixture.directory() + "/store.db-wal")).size(), 0);
    }
};

QTEST_GUILESS_MAIN(StoreDurabilityTest)
#include "store_durability_test.moc"
