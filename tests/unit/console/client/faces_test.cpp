#include "console/client/csv.h"
#include "console/client/curl_text.h"
#include "console/client/demo_transport.h"
#include "console/client/face_calls.h"
#include "console/client/poller.h"
#include "console/client/redaction.h"
#include "shared/hashing/partition.h"
#include "shared/http/signature.h"
#include "tests/support/fake_clock.h"
#include "tests/support/fake_cluster.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace fremis::console;

namespace {

DemoScenario threeNodes() {
    DemoScenario scenario;
    scenario.nodes = 3;
    scenario.replication = 1;
    scenario.singleCopies = false;
    scenario.vectors = 3000;
    scenario.enrollmentsPerSecond = 0;
    return scenario;
}

const QByteArray kPhoto = QByteArray("\xff\xd8 a photo ").repeated(100);
const QByteArray kOther = QByteArray("\xff\xd8 another ").repeated(100);

struct Bench {
    fremis::test::FakeClock clock;
    DemoTransport transport{threeNodes(), clock};
    ClusterClient client{transport, clock};
    FaceCalls faces{client};
    QObject context;
    QUrl coordinator = transport.profile().coordinators.first();

    template<class T, class Call> FaceOutcome<T> get(Call call) {
        std::optional<FaceOutcome<T>> outcome;
        call([&outcome](FaceOutcome<T> got) { outcome.emplace(std::move(got)); });
        if (!QTest::qWaitFor([&outcome] { return outcome.has_value(); }, 20'000))
            qFatal("no outcome");
        return std::move(*outcome);
    }
    auto enroll(const QByteArray& photo, const QString& id) {
        return get<fremis::wire::EnrollmentReply>(
            [&](auto done) { faces.enroll(coordinator, photo, u"visitors"_s, id, &context, done); });
    }
    auto recognise(const QByteArray& photo, RecogniseOptions options = {u"visitors"_s, 5, {}}) {
        return get<fremis::wire::RecognitionReply>(
            [&](auto done) { faces.recognise(coordinator, photo, options, &context, done); });
    }
};

} // namespace

class FacesTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatIsEnrolledIsFound();
    void photosMatchThemselves();
    void idsAreText();
    void missingFacesAreARefusal();
    void incompleteSearchesTellWhatIsMissing();
    void everyNodeIsTimed();
    void repeatedCallsEndAndCanBeCancelled();
    void enrolmentsAreForeseen();
    void tracesHoldNoPicture();
    void secretsAreCutOut_data();
    void secretsAreCutOut();
    void longNumberListsAreCounted();
    void csvIsSafeForSpreadsheets();
    void curlTextsReachTheServerAndAreRightlySigned();
    void curlTextsHoldNoSecretAndNoPicture();
    void twoPicturesOfACallAreTwoFiles();
    void theNumberOfCandidatesIsAskedFor();
};

void FacesTest::whatIsEnrolledIsFound() {
    Bench bench;
    const auto enrolled = bench.enroll(kPhoto, u"alice-01"_s);
    QVERIFY(enrolled.result);
    QCOMPARE(enrolled.result->faceId.text(), std::string("alice-01"));
    QCOMPARE(enrolled.trace.status, 200);
    QVERIFY(enrolled.result->replication && enrolled.result->replication->acked == 1);
    QVERIFY(bench.enroll(kOther, u"bob"_s).result);
    const auto found = bench.recognise(kPhoto);
    QVERIFY2(found.result, found.result ? "" : qPrintable(textOf(found.result.error())));
    QCOMPARE(found.result->candidates.size(), 2U);
    QCOMPARE(found.result->candidates[0].faceId.text(), std::string("alice-01"));
    QVERIFY(found.coverage && found.coverage->complete());
}

void FacesTest::photosMatchThemselves() {
    Bench bench;
    const auto match = [&](const QByteArray& a, const QByteArray& b) {
        return bench.get<fremis::wire::MatchV1Reply>(
            [&](auto done) { bench.faces.match(bench.coordinator, a, b, &bench.context, done); });
    };
    QVERIFY(match(kPhoto, kPhoto).result->match);
    QVERIFY(!match(kPhoto, kOther).result->match);
}

void FacesTest::idsAreText() {
    Bench bench;
    const auto id = u"09223372036854775807001"_s; // no double keeps that
    QVERIFY(bench.enroll(kPhoto, id).result);
    const auto got = bench.get<fremis::wire::GetEnrollmentReply>(
        [&](auto done) { bench.faces.get(bench.coordinator, u"visitors"_s, id, &bench.context, done); });
    QVERIFY(got.result);
    QCOMPARE(QString::fromStdString(got.result->faceId.text()), id);
    QCOMPARE(got.result->partition, fremis::hashing::partitionOf("visitors", id.toStdString()));
    const auto listed = bench.get<fremis::wire::ListEnrollmentsReply>(
        [&](auto done) { bench.faces.list(bench.coordinator, u"visitors"_s, {}, 10, &bench.context, done); });
    QVERIFY(listed.result && listed.result->faces.size() == 1);
    const auto removed = bench.get<fremis::wire::DeleteEnrollmentReply>(
        [&](auto done) { bench.faces.remove(bench.coordinator, u"visitors"_s, id, &bench.context, done); });
    QVERIFY(removed.result && removed.result->deleted.size() == 1);
}

void FacesTest::missingFacesAreARefusal() {
    Bench bench;
    const auto got = bench.get<fremis::wire::GetEnrollmentReply>(
        [&](auto done) { bench.faces.get(bench.coordinator, u"visitors"_s, u"nobody"_s, &bench.context, done); });
    QVERIFY(!got.result);
    QCOMPARE(got.result.error().kind, CallFailure::Kind::Refused);
    QCOMPARE(got.result.error().token, u"face_not_found"_s);
}

void FacesTest::incompleteSearchesTellWhatIsMissing() {
    Bench bench;
    bench.transport.world().setFault(u"worker-2"_s, DemoFault::Dead);
    const auto strict = bench.recognise(kPhoto);
    QVERIFY(!strict.result);
    QCOMPARE(strict.result.error().token, u"incomplete_search"_s);
    QVERIFY(strict.coverage && !strict.coverage->complete());
    QCOMPARE(strict.coverage->failedNodes.size(), 1U);
    QCOMPARE(strict.coverage->failedNodes[0].address, std::string("worker-2.demo:4003"));
    QVERIFY(!strict.coverage->failedNodes[0].partitions.empty());
    const auto partial = bench.recognise(kPhoto, {u"visitors"_s, 5, true});
    QVERIFY(partial.result && partial.coverage && !partial.coverage->complete());
}

void FacesTest::everyNodeIsTimed() {
    Bench bench;
    for (int number = 0; number < 30; ++number) // every node owns some of them
        QVERIFY(bench.enroll(kPhoto, u"alice-%1"_s.arg(number)).result);
    bench.transport.world().setFault(u"worker-3"_s, DemoFault::Dead);
    std::vector<NodeView> nodes(3);
    for (std::size_t number = 0; number < 3; ++number) {
        nodes[number].address = bench.transport.world().addresses()[static_cast<qsizetype>(number)];
        nodes[number].url = QUrl(u"http://"_s + nodes[number].address);
    }
    std::vector<NodeTiming> timings;
    bench.faces.recogniseByNode(nodes, kPhoto, {u"visitors"_s, 5, true}, &bench.context,
                                [&timings](std::vector<NodeTiming> got) { timings = std::move(got); });
    QTRY_COMPARE(timings.size(), 3U);
    QCOMPARE(timings[0].address, nodes[0].address);
    QVERIFY(timings[0].problem.isEmpty() && timings[0].bestSimilarity);
    QVERIFY(!timings[2].problem.isEmpty() && !timings[2].bestSimilarity);
}

void FacesTest::repeatedCallsEndAndCanBeCancelled() {
    Bench bench;
    RecognitionRun run(bench.faces);
    QSignalSpy finished(&run, &RecognitionRun::finished);
    run.start(bench.coordinator, kPhoto, {u"visitors"_s, 5, {}}, 10);
    QTRY_COMPARE(finished.size(), 1);
    QCOMPARE(run.done(), 10);
    QCOMPARE(run.failed(), 0);
    QVERIFY(run.percentile(50) && *run.percentile(95) >= *run.percentile(50));
    run.start(bench.coordinator, kPhoto, {u"visitors"_s, 5, {}}, 1000);
    run.cancel();
    QTRY_COMPARE(finished.size(), 2);
    QCOMPARE(run.done(), RecognitionRun::kAtOnce);
    run.start(bench.coordinator, kPhoto, {u"nowhere"_s, 5, {}}, 3);
    QTRY_COMPARE(finished.size(), 3);
    QCOMPARE(run.failed(), 3);
    QVERIFY(!run.percentile(50));
}

void FacesTest::enrolmentsAreForeseen() {
    Snapshot snapshot;
    snapshot.nodes.resize(2);
    snapshot.nodes[0].address = u"a:1"_s;
    snapshot.nodes[0].state = NodeState::Ok;
    snapshot.nodes[1].address = u"b:1"_s;
    snapshot.nodes[1].state = NodeState::Down;
    const auto partition = fremis::hashing::partitionOf("employee", "7");
    QCOMPARE(int{partition}, 43);
    snapshot.partitions[partition].owners = {0, 1};
    auto preview = previewEnrollment(snapshot, u"employee"_s, u"7"_s);
    QCOMPARE(int{preview.partition}, 43);
    QCOMPARE(preview.owners, (QStringList{u"a:1"_s, u"b:1"_s}));
    QCOMPARE(preview.willQueue, QStringList{u"b:1"_s});
    QVERIFY(preview.isPossible);
    snapshot.nodes[0].state = NodeState::Loading;
    QVERIFY(!previewEnrollment(snapshot, u"employee"_s, u"7"_s).isPossible);
}

void FacesTest::tracesHoldNoPicture() {
    Bench bench;
    const auto enrolled = bench.enroll(kPhoto, u"alice"_s);
    QVERIFY(enrolled.trace.request.contains("<base64 "_L1));
    const auto base64 = QString::fromLatin1(kPhoto.toBase64());
    for (const auto& text : {enrolled.trace.request, enrolled.trace.response, enrolled.trace.curl})
        QVERIFY(!text.contains(base64.left(60)));
}

void FacesTest::secretsAreCutOut_data() {
    QTest::addColumn<QString>("text");
    QTest::newRow("header") << u"Authorization: FREMISN-HMAC-SHA256 Credential=AK, Signature=geheim"_s;
    QTest::newRow("header in quotes") << u"{\"authorization\": \"Bearer geheim\"}"_s;
    QTest::newRow("flag") << u"--secret-key=geheim --port 1"_s;
    QTest::newRow("environment") << u"FREMISN_SECRET_KEY=geheim"_s;
    QTest::newRow("JSON") << u"{\"secret_key\":\"geheim\",\"a\":1}"_s;
    QTest::newRow("password") << u"password: geheim"_s;
    QTest::newRow("address") << u"https://user:geheim@10.0.0.5:4005/v1"_s;
    QTest::newRow("picture") << u"image "_s + QString(300, u'A') + u"geheim"_s;
}

void FacesTest::secretsAreCutOut() {
    QFETCH(QString, text);
    const auto safe = redacted(text);
    QVERIFY2(!safe.contains("geheim"_L1), qPrintable(safe));
    QVERIFY(!redactedBody(text.toUtf8()).contains("geheim"_L1));
    QCOMPARE(redacted(safe), safe);
    QCOMPARE(redacted(u"worker-7 is down since 14:02"_s), u"worker-7 is down since 14:02"_s);
}

void FacesTest::longNumberListsAreCounted() {
    QByteArray body = R"({"embedding":[0.1)";
    for (int number = 1; number < 512; ++number)
        body += ",0.5";
    body += R"(],"small":[1,2],"deep":{"secret":"geheim"}})";
    const auto shown = redactedBody(body);
    QVERIFY(shown.contains("<512 numbers>"_L1) && !shown.contains("geheim"_L1) && shown.contains("2"_L1));
}

void FacesTest::csvIsSafeForSpreadsheets() {
    const auto csv = csvText({u"bytes\nnot a line"_s}, {u"name"_s, u"n"_s},
                             {{u"=cmd|' /C calc'!A0"_s, -5},
                              {u"+1"_s, 1.5},
                              {u"-1"_s, QVariant()},
                              {u"@x"_s, quint64{18'446'744'073'709'551'615U}},
                              {u"a,\"b\"\nc"_s, true},
                              {u"# no comment"_s, 1e21}});
    QCOMPARE(csv,
             QByteArray("# bytes not a line\nname,n\n'=cmd|' /C calc'!A0,-5\n'+1,1.5\n'-1,\n'@x,18446744073709551615\n"
                        "\"a,\"\"b\"\"\nc\",true\n\"# no comment\",1e+21\n"));
}

void FacesTest::curlTextsReachTheServerAndAreRightlySigned() {
    fremis::test::FakeClock clock;
    fremis::test::FakeCluster cluster(threeNodes(), clock);
    const QTemporaryDir folder;
    QFile photo(folder.filePath(u"face.jpg"_s));
    QVERIFY(photo.open(QIODevice::WriteOnly));
    photo.write(kPhoto);
    photo.close();
    ClusterClient::RawCall call;
    call.method = "POST";
    call.path = u"/v1/face/enrollment"_s;
    call.query = {{u"z"_s, u"1 2"_s}, {u"a"_s, u"it's"_s}};
    call.body = R"({"image":"AAAA","keyspace":"visitors","additional_params":{"face_id":"o'neil \"x\""}})";
    QProcess shell;
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"FREMIS_SECRET_KEY"_s, u"geheim"_s);
    shell.setProcessEnvironment(environment);
    shell.setWorkingDirectory(folder.path());
    shell.start(u"bash"_s, {u"-c"_s, curlText(cluster.coordinatorUrl(), call, u"AK"_s)});
    QTRY_VERIFY_WITH_TIMEOUT(shell.state() == QProcess::NotRunning, 30'000);
    QVERIFY2(shell.exitCode() == 0, shell.readAllStandardError());
    QCOMPARE(cluster.received().size(), 1);
    const auto& request = cluster.received().first();
    HttpReply headers;
    headers.headers = request.headers;
    const auto fields = fremis::http::parseAuthorization(headers.header("Authorization").toStdString());
    QVERIFY(fields);
    QCOMPARE(fields->credential, std::string("AK"));
    const auto target = request.url.toEncoded(QUrl::RemoveScheme | QUrl::RemoveAuthority).toStdString();
    const fremis::http::SignedParts parts{
        "POST", target, {request.body.data(), static_cast<std::size_t>(request.body.size())}};
    QCOMPARE(fields->signature, fremis::http::sign("geheim", parts, fields->timestamp, fields->nonce));
    QVERIFY(request.body.contains(kPhoto.toBase64()));
    const QByteArray id = "\"face_id\":\"o'neil \\\"x\\\"\"";
    QVERIFY(request.body.contains(id));
}

void FacesTest::curlTextsHoldNoSecretAndNoPicture() {
    ClusterClient::RawCall call;
    call.method = "POST";
    call.path = u"/v1/face/match"_s;
    const auto picture = QString::fromLatin1(kPhoto.toBase64());
    call.body = "{\"image_a\":{\"content\":\"" + picture.toLatin1() + "\"},\"image_b\":{\"content\":\"" +
                picture.toLatin1() + "\"}}";
    const auto text = curlText(QUrl(u"http://10.0.0.5:4005"_s), call);
    QVERIFY(!text.contains(picture.left(60)));
    QCOMPARE(text.count("$IMAGE"_L1), 2);
    QVERIFY(!text.contains("Authorization"_L1)); // without a key it is open
    ClusterClient::RawCall get;
    get.path = u"/v1/cluster/status"_s;
    QCOMPARE(curlText(QUrl(u"http://10.0.0.5:4005"_s), get),
             u"curl -sS -X GET 'http://10.0.0.5:4005/v1/cluster/status'\n"_s);
}

void FacesTest::twoPicturesOfACallAreTwoFiles() {
    fremis::test::FakeClock clock;
    fremis::test::FakeCluster cluster(threeNodes(), clock);
    const QTemporaryDir folder;
    for (const auto& [name, bytes] : {std::pair{u"face.jpg"_s, kPhoto}, {u"face2.jpg"_s, kOther}}) {
        QFile photo(folder.filePath(name));
        QVERIFY(photo.open(QIODevice::WriteOnly));
        photo.write(bytes);
    }
    ClusterClient::RawCall call;
    call.method = "POST";
    call.path = u"/v1/face/match"_s;
    call.body = R"({"image_a":{"content":"AAAA"},"image_b":{"content":"BBBB"}})";
    QProcess shell;
    shell.setWorkingDirectory(folder.path());
    shell.start(u"bash"_s, {u"-c"_s, curlText(cluster.coordinatorUrl(), call)});
    QTRY_VERIFY_WITH_TIMEOUT(shell.state() == QProcess::NotRunning, 30'000);
    QVERIFY2(shell.exitCode() == 0, shell.readAllStandardError());
    QCOMPARE(cluster.received().size(), 1);
    const auto sent = QJsonDocument::fromJson(cluster.received().first().body).object();
    QCOMPARE(sent["image_a"_L1]["content"_L1].toString().toLatin1(), kPhoto.toBase64());
    QCOMPARE(sent["image_b"_L1]["content"_L1].toString().toLatin1(), kOther.toBase64());
}

void FacesTest::theNumberOfCandidatesIsAskedFor() {
    Bench bench;
    for (const auto& id : {u"alice"_s, u"bob"_s, u"carol"_s})
        QVERIFY(bench.enroll(kPhoto, id).result);
    const auto found = bench.recognise(kPhoto, {u"visitors"_s, 2, {}});
    QVERIFY(found.result);
    QCOMPARE(found.result->candidates.size(), 2U);
}

QTEST_GUILESS_MAIN(FacesTest)
#include "faces_test.moc"
