#include "tests/support/app_process.h"
#include "tests/support/face_client.h"
#include "tests/support/photos.h"
#include "tests/support/postgres_server.h"

#include <QtTest>

using namespace fremis;
using namespace std::chrono_literals;

namespace {

const QString kKeyspace = QStringLiteral("default");

test::AppOptions workerOn(const test::PostgresServer& server, const std::string& database,
                          std::vector<std::string> more = {}) {
    test::AppOptions options;
    options.arguments = {
        "--storage", "postgres", "--db-address",  "127.0.0.1",  "--db-port", std::to_string(server.port()),
        "--db-name", database,   "--db-username", server.user()};
    options.arguments.insert(options.arguments.end(), more.begin(), more.end());
    options.environment["FREMISN_DB_PASSWORD"] = server.password();
    return options;
}

QString stateOf(test::FaceClient& client) {
    return client.get(QStringLiteral("/livez")).text("state");
}

} // namespace

class PostgresWorkerTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        FREMIS_NEEDS_FETCHED_DATA(test::modelPack("fp-mfn512") && test::photo("jesper.jpg"));
        FREMIS_NEEDS_FETCHED_DATA(test::PostgresServer::isInstalled());
        auto started = test::PostgresServer::start();
        QVERIFY2(started.has_value(), started ? "" : started.error().message.c_str());
        m_database = std::move(*started);
        auto made = m_database->createDatabase();
        QVERIFY2(made.has_value(), made ? "" : made.error().message.c_str());
        m_name = *made;
        m_photo = test::photoBase64("jesper.jpg");
    }
    void cleanup() { m_database.reset(); }

    void aDatabaseThatIsAwayAtTheStartIsWaitedFor() {
        m_database->stopImmediately();
        auto app = test::AppProcess::start(workerOn(*m_database, m_name));
        QVERIFY(app.has_value());
        QVERIFY((*app)->waitListening());
        test::FaceClient client((*app)->port());
        const auto health = client.get(QStringLiteral("/v1/healthcheck"));
        QCOMPARE(health.status, 503);
        QCOMPARE(health.text("state"), QStringLiteral("LOADING"));
        QTRY_VERIFY(
            client.get(QStringLiteral("/v1/healthcheck")).text("description").contains(QStringLiteral("storage")));
        const auto enrolled = client.enrol(m_photo, kKeyspace);
        QCOMPARE(enrolled.status, 503);
        QCOMPARE(enrolled.error(), QStringLiteral("not_ready"));
        QVERIFY2(m_database->startAgain().has_value(), "PostgreSQL did not come back");
        QVERIFY((*app)->waitReady());
        QCOMPARE(client.enrol(m_photo, kKeyspace).status, 200);
    }

    void aDatabaseLostInUseIsFollowedAndNothingAcknowledgedIsLost() {
        auto app = test::AppProcess::startReady(workerOn(*m_database, m_name));
        QVERIFY2(app.has_value(), app ? "" : app.error().detail.c_str());
        test::FaceClient client((*app)->port());
        QCOMPARE(client.enrol(m_photo, kKeyspace, QStringLiteral("before")).status, 200);
        m_database->stopImmediately();
        const auto refused = client.enrol(m_photo, kKeyspace, QStringLiteral("during"));
        QCOMPARE(refused.status, 503);
        QTRY_COMPARE(stateOf(client), QStringLiteral("DOWN"));
        const auto health = client.get(QStringLiteral("/v1/healthcheck"));
        QCOMPARE(health.status, 503);
        QVERIFY2(health.text("description").contains(QStringLiteral("storage")), health.shown());
        // What was acknowledged is still found while the database is away.
        const auto found = client.recognise(m_photo, kKeyspace);
        QCOMPARE(found.status, 200);
        QCOMPARE(found.candidates()[0].toObject()[QStringLiteral("face_id")].toString(), QStringLiteral("before"));
        QVERIFY2(m_database->startAgain().has_value(), "PostgreSQL did not come back");
        QTRY_COMPARE_WITH_TIMEOUT(stateOf(client), QStringLiteral("ACTIVE"), 30'000);
        QCOMPARE(client.enrol(m_photo, kKeyspace, QStringLiteral("after")).status, 200);
        QCOMPARE(client.face(QStringLiteral("before"), kKeyspace).status, 200);
        QCOMPARE(client.removeFaces({QStringLiteral("before")}, kKeyspace).status, 200);
        (*app)->terminate();
        QVERIFY((*app)->waitExit() == 0);
    }

    void twoWorkersShareADatabaseWithDisjointPartitions() {
        auto low =
            test::AppProcess::startReady(workerOn(*m_database, m_name, {"--partition-start=0", "--partition-end=127"}));
        QVERIFY2(low.has_value(), low ? "" : low.error().detail.c_str());
        auto high = test::AppProcess::startReady(
            workerOn(*m_database, m_name, {"--partition-start=128", "--partition-end=255"}));
        QVERIFY2(high.has_value(), high ? "" : high.error().detail.c_str());
        test::FaceClient lowClient((*low)->port());
        test::FaceClient highClient((*high)->port());

        // 1234567891 lives in partition 5, 1234567892 in 136.
        QCOMPARE(lowClient.enrol(m_photo, kKeyspace, QStringLiteral("1234567891")).status, 200);
        QCOMPARE(highClient.enrol(m_photo, kKeyspace, QStringLiteral("1234567892")).status, 200);
        const auto foreign = lowClient.enrol(m_photo, kKeyspace, QStringLiteral("1234567892"));
        QCOMPARE(foreign.status, 421);
        QCOMPARE(foreign.error(), QStringLiteral("not_owner"));
        QCOMPARE(lowClient.face(QStringLiteral("1234567892"), kKeyspace).status, 421);
        QCOMPARE(lowClient.removeFaces({QStringLiteral("1234567891"), QStringLiteral("1234567892")}, kKeyspace).status,
                 421);

        const auto candidates = lowClient.recognise(m_photo, kKeyspace).candidates();
        QCOMPARE(candidates.size(), 1);
        QCOMPARE(candidates[0].toObject()[QStringLiteral("face_id")].toString(), QStringLiteral("1234567891"));
        // An id that a worker makes is in a partition it owns.
        for (auto* client : {&lowClient, &highClient}) {
            const auto made = client->enrol(m_photo, kKeyspace);
            QCOMPARE(made.status, 200);
            QCOMPARE(client->face(made.text("face_id"), kKeyspace).status, 200);
        }
        // A keyspace made through one is known to the other, and gone with all its faces when one drops it.
        const auto employees = QStringLiteral("employee");
        QCOMPARE(lowClient.createKeyspace(employees).status, 200);
        QTRY_COMPARE(highClient.enrol(m_photo, employees).status, 200);
        QCOMPARE(lowClient.post("/v1/face/delete-keyspace", {{QStringLiteral("keyspace"), employees}}).status, 200);
        QTRY_COMPARE(highClient.recognise(m_photo, employees).status, 404);
    }

    void overlappingPartitionsOnOneDatabaseAreRefused() {
        auto first =
            test::AppProcess::startReady(workerOn(*m_database, m_name, {"--partition-start=0", "--partition-end=127"}));
        QVERIFY2(first.has_value(), first ? "" : first.error().detail.c_str());
        auto second =
            test::AppProcess::start(workerOn(*m_database, m_name, {"--partition-start=100", "--partition-end=255"}));
        QVERIFY(second.has_value());
        QVERIFY((*second)->waitExit() == 78);
    }

    void aRestartFindsEverythingAgain() {
        const QTemporaryDir dir;
        auto options = workerOn(*m_database, m_name);
        options.dataDir = dir.path().toStdString();
        {
            auto app = test::AppProcess::startReady(options);
            QVERIFY2(app.has_value(), app ? "" : app.error().detail.c_str());
            QCOMPARE(test::FaceClient((*app)->port()).enrol(m_photo, kKeyspace, QStringLiteral("kept")).status, 200);
            (*app)->kill();
        }
        auto app = test::AppProcess::startReady(options);
        QVERIFY2(app.has_value(), app ? "" : app.error().detail.c_str());
        const auto found = test::FaceClient((*app)->port()).recognise(m_photo, kKeyspace);
        QCOMPARE(found.candidates()[0].toObject()[QStringLiteral("face_id")].toString(), QStringLiteral("kept"));
    }

private:
    std::unique_ptr<test::PostgresServer> m_database;
    std::string m_name; ///< of the database
    QString m_photo;
};

QTEST_GUILESS_MAIN(PostgresWorkerTest)
#include "postgres_worker_test.moc"
