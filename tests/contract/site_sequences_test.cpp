// The calls that existing clients make, in their order and with their habits, against the real server over a socket:
// camera archives, bookings, operators.
#include "tests/contract/sequences.h"

#include <algorithm>
#include <mutex>
#include <set>
#include <thread>

using namespace fremis::test;

namespace {

const QString kDefault = QStringLiteral("default");
const QString kUnrecognized = QStringLiteral("unrecognized");

} // namespace

class SiteSequencesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();
    void cleanupTestCase();

    void videoSystemArchivesCrops();
    void videoSystemSearchesTheArchive();
    void videoSystemEnrolsAgainAfterDeletion();
    void bookingFindsThePersonsOwnPhoto();
    void errorsAreJsonAndTheNextRequestWorks_data();
    void errorsAreJsonAndTheNextRequestWorks();
    void operatorsReadHealthLoadAndResources();
    void operatorsScrapeTheMetrics();
    void manyClientsThroughAProxyAllSucceed();

private:
    std::unique_ptr<ServerUnderTest> m_server;
    std::unique_ptr<FaceClient> m_client;
    QString m_jesper;
    QString m_jesperAgain;
    QString m_anneHelene;
};

void SiteSequencesTest::initTestCase() {
    m_jesper = photoBase64("jesper.jpg");
    m_jesperAgain = photoBase64("jesper_2.jpg");
    m_anneHelene = photoBase64("anne_helene.jpg");
    FREMIS_START_SERVER(m_server);
}

void SiteSequencesTest::init() {
    m_client = std::make_unique<FaceClient>(m_server->port());
}

void SiteSequencesTest::cleanup() {
    QCOMPARE(m_client->violations(), QStringList());
}

void SiteSequencesTest::cleanupTestCase() {
    FREMIS_STOP_SERVER(m_server);
}

void SiteSequencesTest::videoSystemArchivesCrops() {
    constexpr int kThreads = 8;
    constexpr int kEach = 25;
    VERIFY_OK(m_client->createKeyspace(QStringLiteral("recognized")));
    std::mutex mutex;
    std::multiset<QString> ids;
    QStringList failures;
    std::vector<std::thread> cameras;
    for (int i = 0; i < kThreads; ++i) {
        cameras.emplace_back([&] {
            FaceClient camera(m_server->port());
            for (int j = 0; j < kEach; ++j) {
                const auto event = camera.enrol(m_jesper, QStringLiteral("recognized"));
                const std::scoped_lock lock(mutex);
                ids.insert(event.text("face_id"));
                if (event.status != 200)
                    failures << QString::fromUtf8(event.shown());
            }
            const std::scoped_lock lock(mutex);
            failures << camera.violations();
        });
    }
    for (auto& camera : cameras)
        camera.join();
    QCOMPARE(failures, QStringList());
    QCOMPARE(std::set<QString>(ids.begin(), ids.end()).size(), std::size_t{kThreads * kEach});
    for (const auto& id : ids) {
        bool number = false;
        QVERIFY2(id.toLongLong(&number) >= 1 && number && id == QString::number(id.toLongLong()), qPrintable(id));
    }
}

void SiteSequencesTest::videoSystemSearchesTheArchive() {
    VERIFY_OK(m_client->createKeyspace(kUnrecognized));
    const auto archived = m_client->recognise(m_jesper, kUnrecognized);
    VERIFY_OK(archived);
    QVERIFY(archived.body.value(QStringLiteral("result"))
                .toObject()
                .value(QStringLiteral("face_recognition"))
                .toObject()
                .value(QStringLiteral("candidates"))
                .isArray());
    QCOMPARE(archived.candidates(), QJsonArray());
    for (int i = 0; i < 7; ++i)
        VERIFY_OK(m_client->enrol(i % 2 == 0 ? m_jesper : m_anneHelene, kUnrecognized));
    const auto search = [&](const QJsonValue& count) {
        return m_client->post(
            "/v1/face/recognition",
            {{QStringLiteral("image"), m_jesper},
             {QStringLiteral("keyspace"), kUnrecognized},
             {QStringLiteral("additional_params"), QJsonObject{{QStringLiteral("candidateCount"), count}}},
             {QStringLiteral("page"), 1},
             {QStringLiteral("filter"), QJsonObject{{QStringLiteral("camera"), QJsonValue()}}}});
    };
    QCOMPARE(search(3).candidates().size(), 3);
    QCOMPARE(search(QJsonValue()).candidates().size(), 5);
    QCOMPARE(search(100).candidates().size(), 7);
    const auto found = search(4);
    VERIFY_OK(found);
    double before = 1;
    for (const auto& candidate : found.candidates()) {
        const double similarity = candidate.toObject().value(QStringLiteral("similarity")).toDouble();
        QVERIFY(similarity <= before && similarity >= 0.99);
        before = similarity;
    }
    VERIFY_ERROR(search(QStringLiteral("5")), 400, "candidate_count_invalid");
}

void SiteSequencesTest::videoSystemEnrolsAgainAfterDeletion() {
    const auto keyspace = QStringLiteral("video-again");
    VERIFY_OK(m_client->createKeyspace(keyspace));
    const auto first = m_client->enrol(m_jesper, keyspace);
    VERIFY_OK(first);
    const auto id = first.text("face_id");
    VERIFY_OK(m_client->removeFaces({id}, keyspace));
    for (const auto& image : {m_jesper, m_jesperAgain}) {
        const auto again = m_client->enrol(image, keyspace, id);
        VERIFY_OK(again);
        QCOMPARE(again.text("face_id"), id);
        QCOMPARE(idsOf(m_client->recognise(image, keyspace).candidates()), QStringList{id});
    }
    QCOMPARE(variationsOf(m_client->face(id, keyspace)).size(), 2);
}

void SiteSequencesTest::bookingFindsThePersonsOwnPhoto() {
    const std::vector<QString> bookings{m_anneHelene, m_jesper, photoBase64("wayne.jpg"), photoBase64("qt-logo.jpg"),
                                        photoBase64("bar55.jpg")};
    for (int round = 0; round < 10; ++round) {
        std::vector<double> similarities;
        for (const auto& booking : bookings) {
            const auto answer = m_client->match(m_jesper, booking);
            VERIFY_OK(answer);
            similarities.push_back(similarityOf(answer));
        }
        const auto best = std::max_element(similarities.begin(), similarities.end());
        QCOMPARE(best - similarities.begin(), 1);
        QVERIFY(*best >= 0.8);
    }
    QCOMPARE(m_client->http().connectionsOpened(), 1);
}

void SiteSequencesTest::errorsAreJsonAndTheNextRequestWorks_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("token");
    QTest::newRow("no image") << QByteArray(R"({"keyspace":"default"})") << 400 << QStringLiteral("image_missing");
    QTest::newRow("null image") << QByteArray(R"({"image":null,"keyspace":"default"})") << 400
                                << QStringLiteral("image_missing");
    QTest::newRow("text that is not an image")
        << QByteArray(R"({"image":"bm90IGFuIGltYWdl","keyspace":"default"})") << 400 << QStringLiteral("image_invalid");
    QTest::newRow("text that is not base64")
        << QByteArray(R"({"image":"%%%","keyspace":"default"})") << 400 << QStringLiteral("image_not_base64");
    QTest::newRow("not JSON") << QByteArray("image=abc&keyspace=default") << 400 << QStringLiteral("invalid_json");
    QTest::newRow("not an object") << QByteArray("[1]") << 400 << QStringLiteral("not_an_object");
    QTest::newRow("empty body") << QByteArray() << 400 << QStringLiteral("invalid_json");
    QTest::newRow("no keyspace") << QByteArray(R"({"image":"bm90IGFuIGltYWdl"})") << 400
                                 << QStringLiteral("keyspace_missing");
    QTest::newRow("unknown keyspace") << QByteArray() << 404 << QStringLiteral("keyspace_not_found");
}

void SiteSequencesTest::errorsAreJsonAndTheNextRequestWorks() {
    QFETCH(const QByteArray, body);
    QFETCH(const int, status);
    QFETCH(const QString, token);
    const auto answer =
        token == QStringLiteral("keyspace_not_found")
            ? m_client->enrol(m_jesper, QStringLiteral("no-such-keyspace"))
            : m_client->postText("/v1/face/enrollment", body.toStdString(), {{"Content-Type", "application/json"}});
    QVERIFY2(answer.status == status && answer.error() == token, answer.shown());
    if (token == QStringLiteral("image_missing"))
        QVERIFY(answer.text("description").contains(QStringLiteral("image")));
    VERIFY_OK(m_client->recognise(m_jesper, kDefault));
}

void SiteSequencesTest::operatorsReadHealthLoadAndResources() {
    for (const char* path : {"/v1/healthcheck", "/health", "/readyz", "/livez"}) {
        const auto health = m_client->get(QString::fromUtf8(path));
        VERIFY_OK(health);
        QCOMPARE(health.text("state"), QStringLiteral("ACTIVE"));
    }
    VERIFY_ERROR(m_client->get(QStringLiteral("/")), 404, "not_found");

    const auto loaded = m_client->get(QStringLiteral("/v1/loaded-vectors"));
    VERIFY_OK(loaded);
    QCOMPARE(loaded.array("partitions").size(), 256);
    const auto sumOf = [&](const char* member) {
        int sum = 0;
        for (const auto& entry : loaded.array(member))
            sum += entry.toObject().value(QStringLiteral("vectors")).toInt();
        return sum;
    };
    QCOMPARE(sumOf("partitions"), loaded.body.value(QStringLiteral("total")).toInt());
    QCOMPARE(sumOf("keyspaces"), loaded.body.value(QStringLiteral("total")).toInt());

    const auto stats = m_client->get(QStringLiteral("/v1/resource-stats"));
    VERIFY_OK(stats);
    for (const char* member : {"cpu", "ram", "process", "disk"})
        QVERIFY(stats.body.value(QString::fromUtf8(member)).isObject());
    QVERIFY(stats.body.value(QStringLiteral("gpu")).isArray());
    QVERIFY(stats.body.value(QStringLiteral("disk")).toObject().value(QStringLiteral("data_bytes")).toDouble() > 0);

    const auto usage = m_client->get(QStringLiteral("/v1/get-limit-usage"));
    VERIFY_OK(usage);
    for (const char* member : {"current_enrollment", "maximum_enrollment", "current_keyspace", "maximum_keyspace",
                               "current_anonymous_enrollment", "maximum_anonymous_enrollment"})
        QVERIFY(usage.body.value(QString::fromUtf8(member)).isDouble());
}

void SiteSequencesTest::operatorsScrapeTheMetrics() {
    VERIFY_OK(m_client->recognise(m_jesper, kDefault));
    HttpClient scraper("127.0.0.1", m_server->monitoringPort());
    const auto scrape = scraper.get("/metrics");
    QVERIFY2(scrape, scrape ? "" : scrape.error().message.c_str());
    QCOMPARE(scrape->status, 200);
    QVERIFY(scrape->header("content-type").starts_with("text/plain"));
    const auto text = QString::fromStdString(scrape->body);
    for (const char* name : {"latency_face_recognition", "latency_face_extraction", "latency_face_detection",
                             "latency_face_id_search", "latency_create_enrollment"})
        for (const char* quantile : {"0.500000", "0.900000", "0.950000", "0.990000"})
            QVERIFY2(
                text.contains(
                    QStringLiteral("\n%1{quantile=\"%2\"} ").arg(QString::fromUtf8(name), QString::fromUtf8(quantile))),
                name);
    for (const char* line : {"\nqueue_face ", "\nfremisn_vectors_loaded ", "\nfremisn_state{state=\"ACTIVE\"} 1",
                             "\nfremisn_requests_total{endpoint=\"/v1/face/recognition\",status=\"200\"} "})
        QVERIFY2(text.contains(QString::fromUtf8(line)), line);
    QVERIFY(!text.contains(QStringLiteral("latency_face_recognition{quantile=\"0.500000\"} 0\n")));
    const auto onClientPort = m_client->http().get("/metrics");
    QVERIFY(onClientPort);
    QCOMPARE(onClientPort->status, 404);
}

void SiteSequencesTest::manyClientsThroughAProxyAllSucceed() {
    std::mutex mutex;
    QStringList failures;
    std::vector<std::thread> clients;
    for (int i = 0; i < 20; ++i) {
        clients.emplace_back([&] {
            FaceClient client(m_server->port());
            const HttpHeaders viaProxy{{"Connection", "upgrade"}, {"Content-Type", "application/json"}};
            const auto body = R"({"keyspace":"default","face_ids":["never-enrolled"]})";
            for (int j = 0; j < 20; ++j) {
                const auto removed = client.postText("/v1/face/delete-enrollment", body, viaProxy);
                const auto health = client.get(QStringLiteral("/v1/healthcheck"), {{"Connection", "upgrade"}});
                const std::scoped_lock lock(mutex);
                for (const auto& answer : {removed, health})
                    if (answer.status != 200)
                        failures << QString::fromUtf8(answer.shown());
            }
            const std::scoped_lock lock(mutex);
            failures << client.violations();
        });
    }
    for (auto& client : clients)
        client.join();
    QCOMPARE(failures, QStringList());
}

QTEST_GUILESS_MAIN(SiteSequencesTest)
#include "site_sequences_test.moc"
