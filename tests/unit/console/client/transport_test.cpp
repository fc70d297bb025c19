#include "console/client/cluster_client.h"
#include "console/client/connection_check.h"
#include "console/client/network_transport.h"
#include "console/client/secret_store.h"
#include "shared/http/signature.h"
#include "tests/support/certificate.h"
#include "tests/support/fake_clock.h"
#include "tests/support/fake_cluster.h"

#include <QFile>
#include <QSignalSpy>
#include <QSslCertificate>
#include <QSslConfiguration>
#include <QSslKey>
#include <QSslServer>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace fremis::console;
using fremis::test::FakeCluster;
using fremis::test::Mischief;

namespace {

DemoScenario twoNodes() {
    DemoScenario scenario;
    scenario.nodes = 2;
    scenario.replication = 1;
    scenario.singleCopies = false;
    scenario.vectors = 1000;
    scenario.enrollmentsPerSecond = 0;
    return scenario;
}

/// The client over real sockets.
struct Bench {
    fremis::test::FakeClock clock;
    FakeCluster cluster{twoNodes(), clock};
    NetworkTransport transport;
    ClusterClient client{transport, clock};
    QObject context;

    /// The result of a call, once it is there.
    template<class T, class... Arguments>
    CallResult<T> get(void (ClusterClient::*call)(const QUrl&, QObject*, CallDone<T>), int worker = -1) {
        std::optional<CallResult<T>> result;
        const auto base = worker < 0 ? cluster.coordinatorUrl() : QUrl(u"http://"_s + cluster.address(worker));
        (client.*call)(base, &context, [&result](CallResult<T> got) { result = std::move(got); });
        if (!QTest::qWaitFor([&result] { return result.has_value(); }, 20'000))
            qFatal("no result");
        return std::move(*result);
    }
};

} // namespace

class TransportTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void callsBringResults();
    void aDeadProgramIsRefused();
    void aHangingProgramTimesOut();
    void oneThatDripsTimesOutToo();
    void nonsenseIsNoResult_data();
    void nonsenseIsNoResult();
    void largeAnswersAreReadElsewhere();
    void errorsKeepTheirToken();
    void whatIsMissingIsNotOffered();
    void healthFallsBackToTheOriginalsPath();
    void writesAreSignedAndReadsAreNot();
    void readsAreSignedWhereAsked();
    void configIsWrittenOnlyToWhatWasRead();
    void allowedMethodsAreListed();
    void cancelledCallsStaySilent();
    void nobodyIsCalledBackOnceGone();
    void threeAtATimeReachAProgram();
    void recordsHideIds();
    void certificatesAreAcceptedByAuthorityOrFingerprintOnly();
    void connectionTestsTellWhereItEnds_data();
    void connectionTestsTellWhereItEnds();
    void aKeychainIsThereOrSaysWhyNot();
};

void TransportTest::callsBringResults() {
    Bench bench;
    const auto status = bench.get(&ClusterClient::clusterStatus);
    QVERIFY(status);
    QCOMPARE(status->nodesTotal, 2);
    QVERIFY(bench.get(&ClusterClient::clusterNodes) && bench.get(&ClusterClient::clusterQueue));
    const auto config = bench.get(&ClusterClient::runningConfig);
    QVERIFY(config);
    QCOMPARE(config->etag, "\"" + config->epoch.toLatin1() + "\"");
    QVERIFY(bench.get(&ClusterClient::keyspaces) && bench.get(&ClusterClient::limits));
    const auto load = bench.get(&ClusterClient::vectorLoad, 0);
    QVERIFY(load && load->total > 0);
    QVERIFY(bench.get(&ClusterClient::resources, 1));
}

void TransportTest::aDeadProgramIsRefused() {
    Bench bench;
    bench.cluster.setFault(0, DemoFault::Dead);
    const auto health = bench.get(&ClusterClient::health, 0);
    QVERIFY(!health);
    QCOMPARE(health.error().kind, CallFailure::Kind::NoAnswer);
    QCOMPARE(health.error().transport, TransportError::Refused);
    QVERIFY(!textOf(health.error()).isEmpty());
    bench.cluster.setFault(0, DemoFault::None);
    QVERIFY(bench.get(&ClusterClient::health, 0)); // it is loading: 503 with a state
}

void TransportTest::aHangingProgramTimesOut() {
    Bench bench;
    bench.client.setTimeout(100ms);
    bench.cluster.setFault(0, DemoFault::Hangs);
    const auto health = bench.get(&ClusterClient::health, 0);
    QVERIFY(!health && health.error().isTimeout());
}

void TransportTest::oneThatDripsTimesOutToo() {
    Bench bench;
    bench.client.setTimeout(300ms);
    bench.cluster.setMischief(0, Mischief::Drip);
    const auto health = bench.get(&ClusterClient::health, 0);
    QVERIFY(!health && health.error().isTimeout());
}

void TransportTest::nonsenseIsNoResult_data() {
    QTest::addColumn<Mischief>("mischief");
    QTest::addColumn<CallFailure::Kind>("kind");
    QTest::newRow("not HTTP") << Mischief::NotHttp << CallFailure::Kind::NoAnswer;
    QTest::newRow("half a reply") << Mischief::HalfReply << CallFailure::Kind::NoAnswer;
    QTest::newRow("a web page") << Mischief::WrongType << CallFailure::Kind::Unreadable;
}

void TransportTest::nonsenseIsNoResult() {
    QFETCH(Mischief, mischief);
    QFETCH(CallFailure::Kind, kind);
    Bench bench;
    bench.cluster.setMischief(-1, mischief);
    const auto status = bench.get(&ClusterClient::clusterStatus);
    QVERIFY(!status);
    QCOMPARE(status.error().kind, kind);
}

void TransportTest::largeAnswersAreReadElsewhere() {
    Bench bench;
    bench.cluster.setMischief(-1, Mischief::Huge);
    const auto status = bench.get(&ClusterClient::clusterStatus);
    QVERIFY(status);
    QCOMPARE(status->nodesTotal, 2);
}

void TransportTest::errorsKeepTheirToken() {
    Bench bench;
    bench.cluster.setFault(-1, DemoFault::Locked);
    const auto status = bench.get(&ClusterClient::clusterStatus);
    QVERIFY(!status);
    QCOMPARE(status.error().kind, CallFailure::Kind::Refused);
    QCOMPARE(status.error().status, 401);
    QCOMPARE(status.error().token, u"unauthorized"_s);
    bench.cluster.setFault(-1, DemoFault::Malformed);
    QCOMPARE(bench.get(&ClusterClient::clusterStatus).error().kind, CallFailure::Kind::Unreadable);
}

void TransportTest::whatIsMissingIsNotOffered() {
    Bench bench;
    const auto status = bench.get(&ClusterClient::clusterStatus, 0); // a worker has none
    QVERIFY(!status);
    QCOMPARE(status.error().kind, CallFailure::Kind::NotOffered);
}

void TransportTest::healthFallsBackToTheOriginalsPath() {
    Bench bench;
    bench.cluster.world().setOriginal(true);
    const auto health = bench.get(&ClusterClient::health, 0);
    QVERIFY(health);
    QCOMPARE(*health, Health()); // it says "here", no more
    QVERIFY(bench.cluster.requests().contains(u"GET /health"_s));
}

void TransportTest::writesAreSignedAndReadsAreNot() {
    Bench bench;
    bench.client.setKeyPair({u"AK"_s, "geheim"});
    QVERIFY(bench.get(&ClusterClient::clusterStatus));
    QVERIFY(bench.get(&ClusterClient::reload));
    QCOMPARE(bench.cluster.received().size(), 2);
    HttpReply headers;
    headers.headers = bench.cluster.received()[0].headers;
    QVERIFY(headers.header("Authorization").isEmpty());
    headers.headers = bench.cluster.received()[1].headers;
    const auto fields = fremis::http::parseAuthorization(headers.header("Authorization").toStdString());
    QVERIFY(fields);
    QCOMPARE(fields->credential, std::string("AK"));
    fremis::http::NonceCache nonces;
    const auto body = bench.cluster.received()[1].body.toStdString();
    const auto verified =
        fremis::http::verify(*fields, "geheim", {"POST", "/v1/cluster/reload", body}, bench.clock, nonces);
    QVERIFY2(verified, verified ? "" : verified.error().message.c_str());
}

void TransportTest::readsAreSignedWhereAsked() {
    Bench bench;
    bench.client.setKeyPair({u"AK"_s, "geheim"});
    bench.client.setSignReads(true);
    ClusterClient::RawCall call;
    call.path = u"/v1/face/enrollment"_s;
    call.query = {{u"keyspace"_s, u"a b&c"_s}, {u"face_id"_s, u"é/1+2"_s}};
    bool done = false;
    bench.client.call(bench.cluster.coordinatorUrl(), call, &bench.context, [&done](const auto&) { done = true; });
    QTRY_VERIFY(done);
    const auto& request = bench.cluster.received().first();
    HttpReply headers;
    headers.headers = request.headers;
    const auto fields = fremis::http::parseAuthorization(headers.header("Authorization").toStdString());
    QVERIFY(fields);
    const auto target = request.url.toEncoded(QUrl::RemoveScheme | QUrl::RemoveAuthority).toStdString();
    QCOMPARE(target, std::string("/v1/face/enrollment?keyspace=a%20b%26c&face_id=%C3%A9%2F1%2B2"));
    fremis::http::NonceCache nonces;
    QVERIFY(fremis::http::verify(*fields, "geheim", {"GET", target, ""}, bench.clock, nonces));
}

void TransportTest::configIsWrittenOnlyToWhatWasRead() {
    Bench bench;
    const auto config = bench.get(&ClusterClient::runningConfig);
    QVERIFY(config);
    ConfigWrite write{config->yaml + "# a remark\n", "\"0000000000000000\"", false, false};
    std::optional<CallResult<ConfigChange>> result;
    const auto take = [&result](CallResult<ConfigChange> got) { result = std::move(got); };
    bench.client.writeConfig(bench.cluster.coordinatorUrl(), write, &bench.context, take);
    QTRY_VERIFY(result);
    QVERIFY(!*result);
    QCOMPARE(result->error().token, u"config_changed"_s);
    QCOMPARE(result->error().status, 412);
    result.reset();
    write.ifMatch = config->etag;
    bench.client.writeConfig(bench.cluster.coordinatorUrl(), write, &bench.context, take);
    QTRY_VERIFY(result);
    QVERIFY(*result && !(**result).changed); // only a comment is new
    QCOMPARE(bench.get(&ClusterClient::runningConfig)->yaml, write.yaml);
}

void TransportTest::allowedMethodsAreListed() {
    Bench bench;
    std::optional<CallResult<QStringList>> methods;
    bench.client.allowedMethods(bench.cluster.coordinatorUrl(), u"/v1/cluster/config"_s, &bench.context,
                                [&methods](CallResult<QStringList> got) { methods = std::move(got); });
    QTRY_VERIFY(methods);
    QVERIFY(*methods && (**methods).contains(u"PUT"_s));
}

void TransportTest::cancelledCallsStaySilent() {
    Bench bench;
    bench.cluster.setFault(0, DemoFault::Hangs);
    bool called = false;
    QSignalSpy finished(&bench.client, &ClusterClient::finished);
    bench.client.health(QUrl(u"http://"_s + bench.cluster.address(0)), &bench.context,
                        [&called](const CallResult<Health>&) { called = true; });
    QTRY_COMPARE(bench.cluster.requests().size(), 1);
    const auto generation = bench.client.generation();
    bench.client.cancelAll();
    QCOMPARE(bench.client.generation(), generation + 1);
    QCOMPARE(finished.size(), 1);
    QVERIFY(bench.get(&ClusterClient::health, 1));
    QVERIFY(!called);
}

void TransportTest::nobodyIsCalledBackOnceGone() {
    Bench bench;
    auto page = std::make_unique<QObject>();
    bool called = false;
    bench.client.clusterStatus(bench.cluster.coordinatorUrl(), page.get(),
                               [&called](const CallResult<ClusterStatus>&) { called = true; });
    page.reset();
    QVERIFY(bench.get(&ClusterClient::clusterStatus));
    QVERIFY(!called);
}

void TransportTest::threeAtATimeReachAProgram() {
    Bench bench;
    bench.cluster.setFault(0, DemoFault::Slow, 30ms);
    int done = 0;
    for (int call = 0; call < 12; ++call)
        bench.client.resources(QUrl(u"http://"_s + bench.cluster.address(0)), &bench.context,
                               [&done](const CallResult<Resources>& result) { done += result.has_value(); });
    QTRY_COMPARE(done, 12);
    QCOMPARE(bench.cluster.mostAtOnce(), 3);
}

void TransportTest::recordsHideIds() {
    Bench bench;
    QSignalSpy finished(&bench.client, &ClusterClient::finished);
    ClusterClient::RawCall call;
    call.path = u"/v1/face/enrollment"_s;
    call.query = {{u"keyspace"_s, u"visitors"_s}, {u"face_id"_s, u"alice-01"_s}};
    bool done = false;
    bench.client.call(bench.cluster.coordinatorUrl(), call, &bench.context, [&done](const auto& result) {
        done =
            !result && result.error().token == "face_not_found"_L1 && result.error().kind == CallFailure::Kind::Refused;
    });
    QTRY_VERIFY(done);
    const auto record = finished.first().first().value<CallRecord>();
    QVERIFY(record.url.endsWith("/v1/face/enrollment?keyspace=...&face_id=..."_L1));
    QCOMPARE(record.status, 404);
    QCOMPARE(record.error, u"face_not_found"_s);
}

void TransportTest::certificatesAreAcceptedByAuthorityOrFingerprintOnly() {
    const QTemporaryDir folder;
    const auto files = fremis::test::makeCertificate(folder.path().toStdString());
    const auto certificateFile = QString::fromStdString(files.certificateChain);
    const auto certificate = QSslCertificate::fromPath(certificateFile).value(0);
    QFile keyFile(QString::fromStdString(files.privateKey));
    QVERIFY(keyFile.open(QIODevice::ReadOnly));
    auto configuration = QSslConfiguration::defaultConfiguration();
    configuration.setLocalCertificate(certificate);
    configuration.setPrivateKey(QSslKey(&keyFile, QSsl::Ec));
    QSslServer server;
    server.setSslConfiguration(configuration);
    QVERIFY(server.listen(QHostAddress::LocalHost));
    connect(&server, &QSslServer::pendingConnectionAvailable, this, [&server] {
        auto* socket = server.nextPendingConnection();
        connect(socket, &QTcpSocket::readyRead, socket, [socket] {
            if (socket->readAll().contains("\r\n\r\n"))
                socket->write("HTTP/1.1 200 OK\r\nContent-Length: 18\r\n\r\n{\"state\":\"ACTIVE\"}");
        });
    });
    fremis::test::FakeClock clock;
    NetworkTransport transport;
    ClusterClient client(transport, clock);
    const QUrl base(u"https://localhost:%1"_s.arg(server.serverPort()));
    const auto ask = [&] {
        std::optional<CallResult<Health>> health;
        client.health(base, this, [&health](CallResult<Health> got) { health = std::move(got); });
        if (!QTest::qWaitFor([&health] { return health.has_value(); }, 20'000))
            qFatal("no result");
        return std::move(*health);
    };
    const auto unknown = ask();
    QVERIFY(!unknown);
    QCOMPARE(unknown.error().transport, TransportError::Tls);
    QCOMPARE(unknown.error().fingerprint, certificate.digest(QCryptographicHash::Sha256));
    QVERIFY(transport.setTrust({{}, QByteArray(32, 'x')}));
    QVERIFY(!ask());
    QVERIFY(transport.setTrust({{}, unknown.error().fingerprint}));
    QVERIFY(ask());
    QVERIFY(transport.setTrust({certificateFile, {}}));
    QVERIFY(ask());
    QString problem;
    QVERIFY(!transport.setTrust({folder.filePath(u"missing.pem"_s), {}}, &problem));
    QVERIFY(!problem.isEmpty());
    QVERIFY(!ask()); // and not "then anybody"
}

void TransportTest::connectionTestsTellWhereItEnds_data() {
    QTest::addColumn<DemoFault>("coordinator");
    QTest::addColumn<DemoFault>("worker");
    QTest::addColumn<QString>("host");
    QTest::addColumn<CheckStep::Kind>("kind");
    QTest::addColumn<CheckStep::State>("state");
    const QString here = u"127.0.0.1"_s;
    QTest::newRow("all well") << DemoFault::None << DemoFault::None << here << CheckStep::Kind::Worker
                              << CheckStep::State::Ok;
    QTest::newRow("a dead worker") << DemoFault::None << DemoFault::Dead << here << CheckStep::Kind::Worker
                                   << CheckStep::State::Warning;
    QTest::newRow("nobody listens") << DemoFault::Dead << DemoFault::None << here << CheckStep::Kind::Tcp
                                    << CheckStep::State::Failed;
    QTest::newRow("it hangs") << DemoFault::Hangs << DemoFault::None << here << CheckStep::Kind::Health
                              << CheckStep::State::Failed;
    QTest::newRow("it wants a key") << DemoFault::Locked << DemoFault::None << here << CheckStep::Kind::Health
                                    << CheckStep::State::Failed;
    QTest::newRow("no such name") << DemoFault::None << DemoFault::None << u"nobody.invalid"_s << CheckStep::Kind::Name
                                  << CheckStep::State::Failed;
}

void TransportTest::connectionTestsTellWhereItEnds() {
    QFETCH(DemoFault, coordinator);
    QFETCH(DemoFault, worker);
    QFETCH(QString, host);
    QFETCH(CheckStep::Kind, kind);
    QFETCH(CheckStep::State, state);
    Bench bench;
    bench.client.setTimeout(300ms);
    bench.cluster.setFault(-1, coordinator);
    bench.cluster.setFault(0, worker);
    auto profile = bench.cluster.profile();
    profile.coordinators.first().setHost(host);
    ConnectionCheck check(bench.client);
    QSignalSpy finished(&check, &ConnectionCheck::finished);
    check.start(profile);
    QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, 20'000);
    const auto found = std::find_if(check.steps().begin(), check.steps().end(),
                                    [kind](const CheckStep& step) { return step.kind == kind; });
    QVERIFY(found != check.steps().end());
    QCOMPARE(found->state, state);
    QVERIFY(state == CheckStep::State::Ok || !found->text.isEmpty());
    QCOMPARE(check.isGood(), state != CheckStep::State::Failed);
    if (state == CheckStep::State::Failed)
        QVERIFY(kind == CheckStep::Kind::Health || check.steps().back().state == CheckStep::State::Skipped);
}

void TransportTest::aKeychainIsThereOrSaysWhyNot() {
    KeychainStore store(u"fremis-n-console-test"_s);
    std::optional<fremis::base::Status> status;
    store.check(this, [&status](const fremis::base::Status& checked) { status = checked; });
    QVERIFY(!status);
    QTRY_VERIFY_WITH_TIMEOUT(status, 60'000);
    if (!*status) {
        QVERIFY(!status->error().message.empty());
        return; // no keychain here
    }
    std::optional<KeyPair> found;
    store.write(u"p"_s, {u"AK"_s, "s"}, this, [](const fremis::base::Status&) {});
    store.read(u"p"_s, this, [&found](const fremis::base::Result<std::optional<KeyPair>>& read) {
        found = read ? *read : std::nullopt;
    });
    QTRY_VERIFY(found);
    store.remove(u"p"_s, this, [](const fremis::base::Status&) {});
}

QTEST_GUILESS_MAIN(TransportTest)
#include "transport_test.moc"
