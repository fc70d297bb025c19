// What an upgrade of the program does to data on disk, and what a way back does: stores of the first schema are brought
// up to date with all their faces, stores of a newer program are refused and left alone.
#include "tests/support/app_process.h"
#include "tests/support/face_client.h"
#include "tests/support/photos.h"
#include "tests/support/postgres_server.h"

#include <QFile>
#include <QtTest>

#include <sqlite3.h>

#include <filesystem>
#include <fstream>

using namespace fremis;
namespace fs = std::filesystem;

namespace {

constexpr int kBadConfiguration = 78;
const QString kKeyspace = QStringLiteral("default");
/// The tables of the first schema, in an order in which they may be filled.
const std::vector<std::string> kFirstTables{"embedding_spaces", "store_state",         "keyspaces",
                                            "keyspace_floors",  "enrollments",         "face_tombstones",
                                            "op_answers",       "variation_tombstones"};

std::string firstSchema(const char* dialect) {
    QFile file(QStringLiteral(FREMIS_SOURCE_DIR "/resources/sql/%1/0001_enrollments.sql").arg(QLatin1String(dialect)));
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

/// Runs SQL on a database file; what went wrong, or empty.
std::string sqlite(const fs::path& file, const std::string& statements) {
    sqlite3* database = nullptr;
    char* message = nullptr;
    std::string problem;
    if (sqlite3_open(file.c_str(), &database) != SQLITE_OK ||
        sqlite3_exec(database, statements.c_str(), nullptr, nullptr, &message) != SQLITE_OK)
        problem = message ? message : sqlite3_errmsg(database);
    sqlite3_free(message);
    sqlite3_close(database);
    return problem;
}

int sqliteInteger(const fs::path& file, const char* query) {
    sqlite3* database = nullptr;
    int value = -1;
    if (sqlite3_open(file.c_str(), &database) == SQLITE_OK)
        sqlite3_exec(
            database, query,
            [](void* into, int, char** values, char**) {
                *static_cast<int*>(into) = std::atoi(values[0]);
                return 0;
            },
            &value, nullptr);
    sqlite3_close(database);
    return value;
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

} // namespace

class UpgradeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        FREMIS_NEEDS_FETCHED_DATA(test::modelPack("fp-mfn512") && test::photo("jesper_2.jpg"));
        m_folder = std::make_unique<QTemporaryDir>();
        m_photo = test::photoBase64("jesper.jpg");
    }

    void aDataFolderOfTheFirstSchemaIsBroughtUpToDateWithItsFaces() {
        enrolInto(onSqlite());
        const auto store = folder() / "store.db";
        const auto older = folder() / "older.db";
        std::string build = "PRAGMA page_size=16384; PRAGMA journal_mode=WAL; PRAGMA foreign_keys=OFF; BEGIN;" +
                            firstSchema("sqlite") + "COMMIT; ATTACH '" + store.string() + "' AS newer; BEGIN;";
        for (const auto& table : kFirstTables)
            build += "INSERT INTO main." + table + " SELECT * FROM newer." + table + ";";
        build += "COMMIT; DETACH newer; PRAGMA application_id = " +
                 std::to_string(sqliteInteger(store, "PRAGMA application_id")) + "; PRAGMA user_version = 1";
        QCOMPARE(sqlite(older, build), std::string());
        fs::rename(older, store);
        fs::remove(folder() / "older.db-wal");
        fs::remove(folder() / "older.db-shm");

        const auto log = findsEnrolledFace(onSqlite());
        QVERIFY2(contains(log, "\"event\":\"store_migrated\"") && contains(log, "\"from_schema\":1") &&
                     contains(log, "a way back needs the backup"),
                 log.c_str());
        QCOMPARE_GT(sqliteInteger(store, "PRAGMA user_version"), 1);
        QVERIFY(!contains(findsEnrolledFace(onSqlite()), "store_migrated"));
    }

    void aDatabaseOfTheFirstSchemaIsBroughtUpToDateWithItsFaces() {
        startPostgres();
        enrolInto(onPostgres());
        std::string build = "BEGIN; ALTER SCHEMA fremis_n RENAME TO newer; CREATE SCHEMA fremis_n; "
                            "SET LOCAL search_path = fremis_n; " +
                            firstSchema("postgres");
        for (const auto& table : {"nodes", "embedding_spaces", "store_state", "keyspaces", "keyspace_floors",
                                  "enrollments", "face_tombstones", "op_answers", "variation_tombstones"})
            build += std::string("INSERT INTO ") + table + " SELECT * FROM newer." + table + ";";
        build += "CREATE TABLE schema_migrations (number integer PRIMARY KEY, name text NOT NULL);"
                 "INSERT INTO schema_migrations VALUES (1, '0001_enrollments'); DROP SCHEMA newer CASCADE; COMMIT";
        const auto built = m_postgres->sql(m_database, build);
        QVERIFY2(built, built ? "" : built.error().message.c_str());

        const auto log = findsEnrolledFace(onPostgres());
        QVERIFY2(contains(log, "\"event\":\"store_migrated\"") && contains(log, "\"from_schema\":1"), log.c_str());
        const auto number = m_postgres->sql(m_database, "SELECT max(number) > 1 FROM fremis_n.schema_migrations");
        QVERIFY2(number && contains(*number, "t"), number ? number->c_str() : number.error().message.c_str());
    }

    void aDataFolderOfANewerProgramIsRefusedAndLeftAsItIs() {
        enrolInto(onSqlite());
        const auto store = folder() / "store.db";
        const int present = sqliteInteger(store, "PRAGMA user_version");
        QCOMPARE(sqlite(store, "PRAGMA user_version = 99"), std::string());
        refuses(onSqlite());
        QCOMPARE(sqlite(store, "PRAGMA user_version = " + std::to_string(present)), std::string());
        (void)findsEnrolledFace(onSqlite());
    }

    void aDatabaseOfANewerProgramIsRefusedAndLeftAsItIs() {
        startPostgres();
        enrolInto(onPostgres());
        QVERIFY(m_postgres->sql(m_database, "INSERT INTO fremis_n.schema_migrations VALUES (99, 'later')"));
        refuses(onPostgres());
        QVERIFY(m_postgres->sql(m_database, "DELETE FROM fremis_n.schema_migrations WHERE number = 99"));
        (void)findsEnrolledFace(onPostgres());
    }

    void aWriteQueueOfANewerProgramIsRefusedAndLeftAsItIs() {
        const auto queue = folder() / "queue.sqlite";
        auto first = test::AppProcess::start(coordinator());
        QVERIFY(first && (*first)->waitListening());
        QCOMPARE((*first)->stop().value_or(-1), 0);
        const int format = sqliteInteger(queue, "SELECT format FROM queue_state");
        QCOMPARE_GT(format, 0);
        const auto setFormat = [&](int number) {
            const auto text = std::to_string(number);
            return sqlite(queue, "PRAGMA user_version = " + text + "; UPDATE queue_state SET format = " + text);
        };
        QCOMPARE(setFormat(99), std::string());
        refuses(coordinator());
        QCOMPARE(setFormat(format), std::string());
        auto again = test::AppProcess::start(coordinator());
        QVERIFY(again && (*again)->waitListening());
    }

private:
    [[nodiscard]] fs::path folder() const { return m_folder->path().toStdString(); }

    [[nodiscard]] test::AppOptions onSqlite() const {
        test::AppOptions options;
        options.dataDir = folder().string();
        return options;
    }

    void startPostgres() {
        FREMIS_NEEDS_FETCHED_DATA(test::PostgresServer::isInstalled());
        auto started = test::PostgresServer::start();
        QVERIFY2(started, started ? "" : started.error().message.c_str());
        m_postgres = std::move(*started);
        auto made = m_postgres->createDatabase();
        QVERIFY2(made, made ? "" : made.error().message.c_str());
        m_database = *made;
    }

    [[nodiscard]] test::AppOptions onPostgres() const {
        auto options = onSqlite();
        options.arguments = {"--storage",     "postgres",
                             "--db-address",  "127.0.0.1",
                             "--db-port",     std::to_string(m_postgres->port()),
                             "--db-name",     m_database,
                             "--db-username", test::PostgresServer::user()};
        options.environment["FREMISN_DB_PASSWORD"] = test::PostgresServer::password();
        return options;
    }

    [[nodiscard]] test::AppOptions coordinator() const {
        const auto config = folder() / "config.yml";
        std::ofstream(config) << "version: \"v1\"\nnodes:\n"
                                 "  - {address: \"127.0.0.1:1\", partition_start: 0, partition_end: 255}\n";
        auto options = onSqlite();
        options.subcommand = "coordinator";
        options.modelPack = false;
        options.arguments = {"--config-path", config.string()};
        return options;
    }

    void enrolInto(const test::AppOptions& options) const {
        auto app = test::AppProcess::startReady(options);
        QVERIFY2(app, app ? "" : app.error().detail.c_str());
        const auto enrolled = test::FaceClient((*app)->port()).enrol(m_photo, kKeyspace, QStringLiteral("jesper"));
        QVERIFY2(enrolled.status == 200, enrolled.shown());
        QCOMPARE((*app)->stop().value_or(-1), 0);
    }

    /// The worker starts, finds the face of enrolInto() in another photo, and takes another one. Returns its log.
    std::string findsEnrolledFace(const test::AppOptions& options) const {
        auto app = test::AppProcess::startReady(options);
        if (!app) {
            QTest::qFail(app.error().detail.c_str(), __FILE__, __LINE__);
            return {};
        }
        test::FaceClient client((*app)->port());
        const auto found = client.recognise(test::photoBase64("jesper_2.jpg"), kKeyspace);
        const auto best = found.candidates().at(0).toObject().value(QStringLiteral("face_id")).toString();
        if (best != QStringLiteral("jesper"))
            QTest::qFail(found.shown().constData(), __FILE__, __LINE__);
        const auto enrolled = client.enrol(m_photo, kKeyspace, QStringLiteral("later"));
        if (enrolled.status != 200)
            QTest::qFail(enrolled.shown().constData(), __FILE__, __LINE__);
        (void)(*app)->stop();
        return (*app)->errorText();
    }

    static void refuses(const test::AppOptions& options) {
        auto app = test::AppProcess::start(options);
        QVERIFY(app);
        QCOMPARE((*app)->waitExit().value_or(-1), kBadConfiguration);
        const auto said = (*app)->errorText();
        QVERIFY2(contains(said, "written by a newer program") && contains(said, "install that one again"),
                 said.c_str());
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<test::PostgresServer> m_postgres;
    std::string m_database;
    QString m_photo;
};

QTEST_GUILESS_MAIN(UpgradeTest)
#include "upgrade_test.moc"
