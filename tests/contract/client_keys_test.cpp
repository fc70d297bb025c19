// Client keys, with the example file that the operations page shows.
#include "shared/http/signature.h"
#include "tests/contract/sequences.h"
#include "tests/support/certificate.h"

#include <QJsonDocument>
#include <QNetworkInterface>
#include <QSslSocket>

#include <algorithm>

using namespace fremis::test;

namespace {

HttpHeaders bearer(const char* secret) {
    return {{"Content-Type", "application/json"}, {"Authorization", std::string("Bearer ") + secret}};
}

std::string bodyOf(const QJsonObject& object) {
    return QJsonDocument(object).toJson(QJsonDocument::Compact).toStdString();
}

constexpr const char* kAdmin = "example-change-me-admin";
constexpr const char* kDashboard = "example-change-me-dashboard";
constexpr const char* kDoor = "example-change-me-door";
constexpr const char* kPrometheus = "example-change-me-prometheus";

const std::vector<std::string> kKeysRequired{"--client-auth", "required", "--client-keys-file",
                                             FREMIS_SOURCE_DIR "/resources/config/client-keys.yml"};

/// An address of this machine that is not loopback: who connects to it comes from it. "" without a network.
std::string addressOnTheNetwork() {
    const auto all = QNetworkInterface::allAddresses();
    const auto found = std::find_if(all.begin(), all.end(), [](const QHostAddress& address) {
        return address.protocol() == QAbstractSocket::IPv4Protocol && !address.isLoopback();
    });
    return found == all.end() ? std::string() : found->toString().toStdString();
}

/// The head and body of the answer to a scrape over TLS; "" when there is none.
QByteArray scrapeEncrypted(const std::string& host, int port, const char* secret) {
    QSslSocket socket;
    socket.setPeerVerifyMode(QSslSocket::VerifyNone);
    socket.connectToHostEncrypted(QString::fromStdString(host), static_cast<quint16>(port));
    if (!socket.waitForEncrypted())
        return {};
    socket.write("GET /metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer " +
                 QByteArray(secret) + "\r\n\r\n");
    while (socket.waitForReadyRead()) {
    }
    return socket.readAll();
}

} // namespace

class ClientKeysTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void withoutAKeyOnlyHealthAnswers();
    void wrongKeysLookLikeNoKey_data();
    void wrongKeysLookLikeNoKey();
    void aKeyDoesWhatItsRightsSay_data();
    void aKeyDoesWhatItsRightsSay();
    void aKeyStaysInItsKeyspaces();
    void aSignedRequestWorksOnce();
    void metricsNeedAKeyAndHealthDoesNot();
    void metricsAreOpenWhenTheOperatorSaysSo();
    void aKeyCrossesTheNetworkOverTlsOnly_data();
    void aKeyCrossesTheNetworkOverTlsOnly();

private:
    std::unique_ptr<AppProcess> m_server;
};

void ClientKeysTest::initTestCase() {
    FREMIS_NEEDS_FETCHED_DATA(photo("jesper.jpg") && modelPack("fp-mfn512"));
    AppOptions options;
    options.arguments = kKeysRequired;
    auto server = AppProcess::startReady(options);
    QVERIFY2(server, server ? "" : server.error().detail.c_str());
    m_server = std::move(*server);
    FaceClient client(m_server->port());
    for (const char* keyspace : {"employee", "visitors"})
        VERIFY_OK(client.postText("/v1/face/keyspace",
                                  bodyOf({{QStringLiteral("keyspace"), QString::fromUtf8(keyspace)}}), bearer(kAdmin)));
}

void ClientKeysTest::cleanupTestCase() {
    FREMIS_STOP_SERVER(m_server);
}

void ClientKeysTest::withoutAKeyOnlyHealthAnswers() {
    FaceClient client(m_server->port());
    for (const char* path : {"/v1/healthcheck", "/health", "/readyz", "/livez"}) {
        const auto health = client.get(QString::fromUtf8(path));
        VERIFY_OK(health);
        QCOMPARE(health.text("client_auth"), QStringLiteral("required"));
    }
    VERIFY_ERROR(client.enrol(photoBase64("jesper.jpg"), QStringLiteral("default")), 401, "unauthorized");
    VERIFY_ERROR(client.get(QStringLiteral("/v1/face/keyspace")), 401, "unauthorized");
    const auto raw = client.http().get("/v1/loaded-vectors");
    QVERIFY(raw);
    QCOMPARE(raw->status, 401);
    QVERIFY(!raw->header("www-authenticate").empty());
    QCOMPARE(client.violations(), QStringList());
}

void ClientKeysTest::wrongKeysLookLikeNoKey_data() {
    QTest::addColumn<QByteArray>("authorization");
    QTest::newRow("unknown secret") << QByteArray("Bearer example-change-me-nobody");
    QTest::newRow("the id in place of the secret") << QByteArray("Bearer admin");
    QTest::newRow("empty secret") << QByteArray("Bearer ");
    QTest::newRow("another scheme") << QByteArray("Basic YWRtaW46YWRtaW4=");
    QTest::newRow("half a signature") << QByteArray("FREMISN-HMAC-SHA256 Credential=admin");
}

void ClientKeysTest::wrongKeysLookLikeNoKey() {
    QFETCH(const QByteArray, authorization);
    FaceClient client(m_server->port());
    const auto none = client.get(QStringLiteral("/v1/face/keyspace"));
    const auto wrong =
        client.get(QStringLiteral("/v1/face/keyspace"), {{"Authorization", authorization.toStdString()}});
    VERIFY_ERROR(wrong, 401, "unauthorized");
    QCOMPARE(wrong.text("description"), none.text("description"));
}

void ClientKeysTest::aKeyDoesWhatItsRightsSay_data() {
    QTest::addColumn<QString>("secret");
    QTest::addColumn<QString>("call");
    QTest::addColumn<int>("status");
    const auto row = [](const char* name, const char* secret, const char* call, int status) {
        QTest::newRow(name) << QString::fromUtf8(secret) << QString::fromUtf8(call) << status;
    };
    row("admin reads the load", kAdmin, "GET /v1/loaded-vectors", 200);
    row("dashboard may not", kDashboard, "GET /v1/loaded-vectors", 403);
    row("dashboard lists keyspaces", kDashboard, "GET /v1/face/keyspace", 200);
    row("dashboard makes none", kDashboard, "POST /v1/face/keyspace", 403);
    row("dashboard deletes", kDashboard, "POST /v1/face/delete-enrollment", 200);
    row("door may not", kDoor, "POST /v1/face/delete-enrollment", 403);
    row("door gets no embeddings", kDoor, "POST /v1/face/extract-embedding", 403);
    row("admin gets embeddings", kAdmin, "POST /v1/face/extract-embedding", 200);
}

void ClientKeysTest::aKeyDoesWhatItsRightsSay() {
    QFETCH(const QString, secret);
    QFETCH(const QString, call);
    QFETCH(const int, status);
    FaceClient client(m_server->port());
    const auto headers = bearer(qPrintable(secret));
    const auto path = call.section(QLatin1Char(' '), 1).toStdString();
    const auto body = bodyOf({{QStringLiteral("keyspace"), QStringLiteral("employee")},
                              {QStringLiteral("face_ids"), QJsonArray()},
                              {QStringLiteral("image"), photoBase64("jesper.jpg")}});
    const auto answer = call.startsWith(QStringLiteral("GET")) ? client.get(QString::fromStdString(path), headers)
                                                               : client.postText(path.c_str(), body, headers);
    QVERIFY2(answer.status == status, answer.shown());
    if (status == 403)
        QCOMPARE(answer.error(), QStringLiteral("forbidden"));
    QCOMPARE(client.violations(), QStringList());
}

void ClientKeysTest::aKeyStaysInItsKeyspaces() {
    FaceClient client(m_server->port());
    const auto search = [&](const char* secret, const char* keyspace) {
        return client.postText("/v1/face/recognition",
                               bodyOf({{QStringLiteral("image"), photoBase64("jesper.jpg")},
                                       {QStringLiteral("keyspace"), QString::fromUtf8(keyspace)}}),
                               bearer(secret));
    };
    VERIFY_OK(search(kDoor, "employee"));
    VERIFY_ERROR(search(kDoor, "default"), 403, "forbidden");
    VERIFY_ERROR(search(kDashboard, "visitors"), 403, "forbidden");
    VERIFY_OK(search(kAdmin, "visitors"));
    // Whether a keyspace of others exists is not told.
    VERIFY_ERROR(search(kDoor, "no-such-keyspace"), 403, "forbidden");
    VERIFY_ERROR(search(kAdmin, "no-such-keyspace"), 404, "keyspace_not_found");
}

void ClientKeysTest::aSignedRequestWorksOnce() {
    FaceClient client(m_server->port());
    const auto body =
        bodyOf({{QStringLiteral("keyspace"), QStringLiteral("employee")}, {QStringLiteral("face_ids"), QJsonArray()}});
    const auto now = fremis::base::SystemClock().sinceEpoch() / std::chrono::seconds(1);
    const auto signedFor = [&](std::int64_t timestamp) {
        return HttpHeaders{
            {"Content-Type", "application/json"},
            {"Authorization", fremis::http::authorizationFor("dashboard", kDashboard,
                                                             {"POST", "/v1/face/delete-enrollment", body}, timestamp)}};
    };
    const auto headers = signedFor(now);
    VERIFY_OK(client.postText("/v1/face/delete-enrollment", body, headers));
    VERIFY_ERROR(client.postText("/v1/face/delete-enrollment", body, headers), 401, "replayed");
    VERIFY_ERROR(client.postText("/v1/face/delete-enrollment", body + " ", signedFor(now)), 401, "unauthorized");
    VERIFY_ERROR(client.postText("/v1/face/delete-enrollment", body, signedFor(now - 3600)), 401, "clock_skew");
    QCOMPARE(client.violations(), QStringList());
}

void ClientKeysTest::metricsNeedAKeyAndHealthDoesNot() {
    HttpClient scraper("127.0.0.1", m_server->monitoringPort());
    for (const char* path : {"/v1/healthcheck", "/health", "/readyz", "/livez"})
        QCOMPARE(scraper.get(path)->status, 200);
    const auto none = scraper.get("/metrics");
    QCOMPARE(none->status, 401);
    QVERIFY(!none->header("www-authenticate").empty());
    QCOMPARE(scraper.send("GET", "/metrics", {}, bearer(kDoor))->status, 403);
    const auto scrape = scraper.send("GET", "/metrics", {}, bearer(kPrometheus));
    QCOMPARE(scrape->status, 200);
    QVERIFY(scrape->body.find("queue_face") != std::string::npos);
    const auto now = fremis::base::SystemClock().sinceEpoch() / std::chrono::seconds(1);
    const auto signature = fremis::http::authorizationFor("prometheus", kPrometheus, {"GET", "/metrics", {}}, now);
    QCOMPARE(scraper.send("GET", "/metrics", {}, {{"Authorization", signature}})->status, 200);
}

void ClientKeysTest::metricsAreOpenWhenTheOperatorSaysSo() {
    AppOptions options;
    options.arguments = kKeysRequired;
    options.arguments.insert(options.arguments.end(), {"--metrics-auth", "off"});
    auto server = AppProcess::startReady(options);
    QVERIFY2(server, server ? "" : server.error().detail.c_str());
    QVERIFY((*server)->errorText().find("\"metrics\":\"OPEN\"") != std::string::npos);
    QCOMPARE(HttpClient("127.0.0.1", (*server)->monitoringPort()).get("/metrics")->status, 200);
    QCOMPARE(HttpClient("127.0.0.1", (*server)->port()).get("/v1/loaded-vectors")->status, 401);
    FREMIS_STOP_SERVER(*server);
}

void ClientKeysTest::aKeyCrossesTheNetworkOverTlsOnly_data() {
    QTest::addColumn<bool>("encrypted");
    QTest::newRow("plain") << false;
    QTest::newRow("TLS") << true;
}

void ClientKeysTest::aKeyCrossesTheNetworkOverTlsOnly() {
    QFETCH(const bool, encrypted);
    const std::string host = addressOnTheNetwork();
    if (host.empty())
        QSKIP("this machine has no address but loopback");
    const QTemporaryDir folder;
    const auto files = makeCertificate(folder.path().toStdString());
    AppOptions options;
    options.arguments = kKeysRequired;
    options.arguments.insert(options.arguments.end(), {"--listen-address", "0.0.0.0", "--tls-cert",
                                                       files.certificateChain, "--tls-key", files.privateKey});
    if (encrypted)
        options.arguments.emplace_back("--monitoring-tls");
    auto server = AppProcess::start(options);
    QVERIFY(server);
    QTRY_VERIFY_WITH_TIMEOUT((*server)->monitoringPort() != 0, 60'000);
    const int port = (*server)->monitoringPort();
    if (encrypted) {
        QVERIFY(scrapeEncrypted(host, port, kPrometheus).startsWith("HTTP/1.1 200 "));
        QVERIFY(scrapeEncrypted(host, port, kDoor).startsWith("HTTP/1.1 403 "));
    } else {
        HttpClient scraper(host, port);
        QCOMPARE(scraper.send("GET", "/metrics", {}, bearer(kPrometheus))->status, 401);
        QCOMPARE(scraper.get("/readyz")->header("content-type"), std::string("application/json"));
    }
    FREMIS_STOP_SERVER(*server);
}

QTEST_GUILESS_MAIN(ClientKeysTest)
#include "client_keys_test.moc"
