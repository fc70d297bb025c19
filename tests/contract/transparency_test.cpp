// The same calls to one worker and to a coordinator over $FREMIS_TEST_WORKERS workers with $FREMIS_TEST_REPLICAS
// replicas get the same replies, but for generated numbers, times and the keys that only a coordinator has.
#include "tests/contract/sequences.h"

#include <QJsonDocument>

using namespace fremis::test;

namespace {

const QString kKeyspace = QStringLiteral("employee");

/// What differs from run to run becomes its type; the coordinator's own keys go.
QJsonValue comparable(const QJsonValue& value, const QString& key = {}) {
    static const QSet<QString> generated{QStringLiteral("variation"),   QStringLiteral("deleted_variations"),
                                         QStringLiteral("created_at"),  QStringLiteral("updated_at"),
                                         QStringLiteral("incarnation"), QStringLiteral("next_cursor")};
    static const QSet<QString> left{QStringLiteral("coverage"),   QStringLiteral("replication"),
                                    QStringLiteral("request_id"), QStringLiteral("nodes"),
                                    QStringLiteral("complete"),   QStringLiteral("memory_bytes")};
    if (value.isArray()) {
        QJsonArray list;
        for (const auto& entry : value.toArray())
            list << comparable(entry, key);
        return list;
    }
    if (value.isObject()) {
        const auto object = value.toObject();
        QJsonObject kept;
        for (auto member = object.begin(); member != object.end(); ++member)
            if (!left.contains(member.key()))
                kept.insert(member.key(), comparable(member.value(), member.key()));
        return kept;
    }
    return generated.contains(key) && value.isString() ? QJsonValue(QStringLiteral("<generated>")) : value;
}

QByteArray shown(const Answer& answer) {
    return QByteArray::number(answer.status) + ' ' +
           QJsonDocument(comparable(answer.body).toObject()).toJson(QJsonDocument::Indented);
}

} // namespace

class TransparencyTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanup();
    void cleanupTestCase();

    void writesAndReadsOfFaces();
    void searches();
    void comparisons();
    void pagesOfAList_data();
    void pagesOfAList();
    void keyspacesAreCountedOnce();
    void aWorkerTellsOfNamedPartitions();
    void errorsAreTheSame_data();
    void errorsAreTheSame();

private:
    using Call = std::function<Answer(FaceClient&)>;
    /// The reply of the worker; a failure of the test when the coordinator replied otherwise.
    Answer same(const Call& call);

    std::unique_ptr<AppProcess> m_worker;
    std::unique_ptr<TestCluster> m_cluster;
    std::unique_ptr<FaceClient> m_one;
    std::unique_ptr<FaceClient> m_many;
    QString m_jesper;
    QString m_jesperAgain;
    QString m_anneHelene;
};

Answer TransparencyTest::same(const Call& call) {
    const auto one = call(*m_one);
    const auto many = call(*m_many);
    [&] { QCOMPARE(QString::fromUtf8(shown(many)), QString::fromUtf8(shown(one))); }();
    return one;
}

void TransparencyTest::initTestCase() {
    FREMIS_NEEDS_FETCHED_DATA(photo("jesper.jpg") && modelPack("fp-mfn512"));
    m_jesper = photoBase64("jesper.jpg");
    m_jesperAgain = photoBase64("jesper_2.jpg");
    m_anneHelene = photoBase64("anne_helene.jpg");
    auto worker = AppProcess::startReady();
    QVERIFY2(worker, worker ? "" : worker.error().detail.c_str());
    m_worker = std::move(*worker);
    auto options = clusterUnderTest();
    options.workers = qMax(2, options.workers);
    auto cluster = TestCluster::start(options);
    QVERIFY2(cluster, cluster ? "" : cluster.error().detail.c_str());
    m_cluster = std::move(*cluster);
    m_one = std::make_unique<FaceClient>(m_worker->port());
    m_many = std::make_unique<FaceClient>(m_cluster->port());
    VERIFY_OK(same([](FaceClient& client) { return client.createKeyspace(kKeyspace); }));
    for (int i = 1; i <= 12; ++i)
        VERIFY_OK(same([&](FaceClient& client) {
            return client.enrol(i % 3 == 0   ? m_anneHelene
                                : i % 3 == 1 ? m_jesper
                                             : m_jesperAgain,
                                kKeyspace, QString::number(i));
        }));
}

void TransparencyTest::cleanup() {
    QCOMPARE(m_one->violations(), QStringList());
    QCOMPARE(m_many->violations(), QStringList());
}

void TransparencyTest::cleanupTestCase() {
    if (!m_cluster)
        return;
    QCOMPARE(m_cluster->stop().value_or(-1), 0);
    QCOMPARE(m_worker->stop().value_or(-1), 0);
}

void TransparencyTest::writesAndReadsOfFaces() {
    const auto keyspace = QStringLiteral("writes");
    const auto id = QStringLiteral("7");
    VERIFY_OK(same([&](FaceClient& client) { return client.createKeyspace(keyspace); }));
    same([&](FaceClient& client) { return client.createKeyspace(keyspace); });
    for (int i = 0; i < 2; ++i)
        VERIFY_OK(same([&](FaceClient& client) { return client.enrol(m_jesper, keyspace, id); }));
    const auto face = same([&](FaceClient& client) { return client.face(id, keyspace); });
    QCOMPARE(variationsOf(face).size(), 2);
    const auto removeFirst = [&](FaceClient& client) {
        return client.removeVariations(id, {variationsOf(client.face(id, keyspace)).value(0)}, keyspace);
    };
    same(removeFirst);
    QCOMPARE(same(removeFirst).body.value(QStringLiteral("face_deleted")), QJsonValue(true));
    same(removeFirst);
    for (const char* other : {"1", "2", "3", "4"})
        VERIFY_OK(same([&](FaceClient& client) { return client.enrol(m_jesper, keyspace, QString::fromUtf8(other)); }));
    const QStringList ids{QStringLiteral("4"), QStringLiteral("absent"), QStringLiteral("1"), QStringLiteral("4"),
                          QStringLiteral("3")};
    QCOMPARE(same([&](FaceClient& client) { return client.removeFaces(ids, keyspace); }).array("deleted_face_ids"),
             (QJsonArray{QStringLiteral("4"), QStringLiteral("1"), QStringLiteral("3")}));
    same([&](FaceClient& client) { return client.removeFaces({}, keyspace); });
    const auto removeKeyspace = [&](FaceClient& client) {
        return client.post("/v1/face/delete-keyspace", {{QStringLiteral("keyspace"), keyspace}});
    };
    QCOMPARE(same(removeKeyspace).body.value(QStringLiteral("faces_deleted")), QJsonValue(1));
    VERIFY_ERROR(same(removeKeyspace), 404, "keyspace_not_found");
    VERIFY_OK(same([&](FaceClient& client) { return client.createKeyspace(keyspace); }));
    QCOMPARE(same([&](FaceClient& client) { return client.recognise(m_jesper, keyspace); }).candidates(), QJsonArray());
    VERIFY_OK(same(removeKeyspace));
}

void TransparencyTest::searches() {
    for (const auto& image : {m_jesper, m_jesperAgain, m_anneHelene})
        for (const int count : {1, 5, 7, 1000}) {
            const QJsonObject params{{QStringLiteral("candidateCount"), count}};
            const auto found = same([&](FaceClient& client) { return client.recognise(image, kKeyspace, params); });
            QCOMPARE(found.candidates().size(), qMin(count, 12));
        }
    const auto embedding = m_one->post("/v1/face/extract-embedding", {{QStringLiteral("image"), m_jesper}})
                               .array("embeddings")
                               .at(0)
                               .toArray();
    same([&](FaceClient& client) {
        return client.post("/v1/face/recognition",
                           {{QStringLiteral("embedding"), embedding}, {QStringLiteral("keyspace"), kKeyspace}});
    });
}

void TransparencyTest::comparisons() {
    same([&](FaceClient& client) { return client.match(m_jesper, m_jesperAgain); });
    same([&](FaceClient& client) {
        return client.post("/v1/face/extract-embedding", {{QStringLiteral("image"), m_jesper}});
    });
    const auto stored = [](const char* id) {
        return QJsonObject{{QStringLiteral("keyspace"), kKeyspace}, {QStringLiteral("face_id"), QString::fromUtf8(id)}};
    };
    const auto match = [&](const QJsonObject& a, const QJsonObject& b) {
        return same([&](FaceClient& client) {
            return client.post("/v2/face/match", {{QStringLiteral("face_a"), a}, {QStringLiteral("face_b"), b}});
        });
    };
    const QJsonObject image{{QStringLiteral("image"), m_anneHelene}};
    VERIFY_OK(match(image, image));
    for (const char* id : {"1", "2", "3", "4", "5"})
        VERIFY_OK(match(image, stored(id)));
    VERIFY_ERROR(match(image, stored("absent")), 404, "face_not_found");
    for (const char* id : {"1", "2", "3", "4", "5", "6"}) // on one worker or on two
        for (const char* other : {"1", "3", "6", "12"})
            VERIFY_OK(match(stored(id), stored(other)));
    VERIFY_ERROR(match(stored("absent"), stored("1")), 404, "face_not_found");
    VERIFY_ERROR(match(stored("1"), stored("absent")), 404, "face_not_found");
    VERIFY_ERROR(match(stored("absent"), stored("nobody")), 404, "face_not_found");
    const QJsonObject elsewhere{{QStringLiteral("keyspace"), QStringLiteral("nobody")},
                                {QStringLiteral("face_id"), QStringLiteral("1")}};
    VERIFY_ERROR(match(stored("1"), elsewhere), 404, "keyspace_not_found");
    VERIFY_ERROR(match(elsewhere, stored("1")), 404, "keyspace_not_found");
}

void TransparencyTest::pagesOfAList_data() {
    QTest::addColumn<int>("limit");
    for (const int limit : {1, 2, 5, 6, 11, 12, 13, 1000})
        QTest::addRow("%d", limit) << limit;
}

void TransparencyTest::pagesOfAList() {
    QFETCH(const int, limit);
    QString cursors[2];
    QStringList seen;
    do {
        int number = 0;
        const auto page = same([&](FaceClient& client) {
            auto& cursor = cursors[number++];
            const auto answer = client.get(QStringLiteral("/v1/face/enrollments?keyspace=%1&limit=%2&cursor=%3")
                                               .arg(kKeyspace, QString::number(limit), cursor));
            cursor = answer.text("next_cursor");
            return answer;
        });
        VERIFY_OK(page);
        seen << idsOf(page.array("enrollments"));
        QCOMPARE(cursors[0].isEmpty(), cursors[1].isEmpty());
    } while (!cursors[0].isEmpty() && seen.size() < 100);
    QCOMPARE(seen.size(), 12);
    QCOMPARE(QSet<QString>(seen.begin(), seen.end()).size(), 12);
}

void TransparencyTest::keyspacesAreCountedOnce() {
    const auto keyspaces = same([](FaceClient& client) { return client.get(QStringLiteral("/v1/face/keyspace")); });
    QCOMPARE(keyspaces.array("keyspaces").size(), 2);
    for (const char* path : {"/v1/get-limit-usage", "/v1/loaded-vectors"})
        VERIFY_OK(same([&](FaceClient& client) { return client.get(QString::fromUtf8(path)); }));
}

void TransparencyTest::aWorkerTellsOfNamedPartitions() {
    int counted = 0;
    QStringList listed;
    for (const char* partitions : {"0-99", "100-100", "101-127,128-255"}) {
        const auto keyspaces =
            m_one->get(QStringLiteral("/v1/face/keyspace?partitions=") + QString::fromUtf8(partitions));
        VERIFY_OK(keyspaces);
        for (const auto& entry : keyspaces.array("keyspaces"))
            counted += entry.toObject().value(QStringLiteral("faces")).toInt();
        const auto page = m_one->get(QStringLiteral("/v1/face/enrollments?keyspace=%1&partitions=%2")
                                         .arg(kKeyspace, QString::fromUtf8(partitions)));
        VERIFY_OK(page);
        QVERIFY(!page.text("incarnation").isEmpty());
        listed << idsOf(page.array("enrollments"));
    }
    QCOMPARE(counted, 12);
    QCOMPARE(QSet<QString>(listed.begin(), listed.end()).size(), 12);
    FaceClient worker(m_cluster->workerPort(0)); // owns the first partitions
    for (const char* path : {"/v1/face/keyspace?partitions=", "/v1/face/enrollments?keyspace=employee&partitions="}) {
        const auto ask = [&](const char* partitions) {
            return worker.get(QString::fromUtf8(path) + QString::fromUtf8(partitions));
        };
        VERIFY_OK(ask("0-9"));
        if (m_cluster->replicas() < m_cluster->workers())
            VERIFY_ERROR(ask("0-255"), 421, "not_owner");
        VERIFY_ERROR(ask("9-0"), 400, "invalid_params");
    }
    QCOMPARE(worker.violations(), QStringList());
}

void TransparencyTest::errorsAreTheSame_data() {
    QTest::addColumn<QString>("target"); ///< a path alone is a POST of `body`
    QTest::addColumn<QByteArray>("body");
    const auto get = [](const char* target) { QTest::newRow(target) << QString::fromUtf8(target) << QByteArray(); };
    const auto post = [](const char* path, const char* body) {
        QTest::addRow("%s %.60s", path, body) << QString::fromUtf8(path) << QByteArray(body);
    };
    get("/v1/face/enrollments?keyspace=nobody");
    get("/v1/face/enrollments?keyspace=employee&cursor=garbage");
    get("/v1/face/enrollments?keyspace=employee&limit=0");
    get("/v1/face/enrollment?keyspace=employee&face_id=absent");
    get("/v1/face/enrollment?keyspace=nobody&face_id=1");
    get("/v1/face/enrollment?keyspace=employee");
    post("/v1/face/recognition", R"({"keyspace":"employee"})");
    post("/v1/face/recognition", R"({"keyspace":"nobody","embedding":[1,2,3]})");
    post("/v1/face/recognition", R"({"keyspace":"employee","embedding":[1,2,3]})");
    post("/v1/face/recognition", R"({"keyspace":"employee","embedding":[]})");
    post("/v1/face/recognition", R"({"keyspace":"employee","image":"bm90IGFuIGltYWdl"})");
    post("/v1/face/enrollment", R"({"keyspace":"nobody","image":"bm90IGFuIGltYWdl"})");
    post("/v1/face/enrollment", R"({"keyspace":"employee","image":"%%%"})");
    post("/v1/face/match", R"({"image_a":{"content":"bm90"},"image_b":{"content":"bm90"}})");
    post("/v2/face/match", R"({"face_a":{"image":"bm90"},"face_b":{"keyspace":"employee","face_id":""}})");
    post("/v1/face/delete-enrollment", R"({"keyspace":"nobody","face_ids":["1"]})");
    post("/v1/face/delete-enrollment", R"({"keyspace":"nobody","face_ids":[]})");
    post("/v1/face/delete-enrollment-variation", R"({"keyspace":"nobody","face_id":"1","variations":["1"]})");
    post("/v1/face/delete-enrollment-variation", R"({"keyspace":"employee","face_id":"absent","variations":["1"]})");
    post("/v1/face/delete-keyspace", R"({"keyspace":"nobody"})");
    post("/v1/face/keyspace", R"({"keyspace":"a/b"})");
    post("/v1/face/extract-embedding", R"({"image":"bm90IGFuIGltYWdl"})");
}

void TransparencyTest::errorsAreTheSame() {
    QFETCH(const QString, target);
    QFETCH(const QByteArray, body);
    same([&](FaceClient& client) {
        return body.isEmpty()
                   ? client.get(target)
                   : client.postText(qPrintable(target), body.toStdString(), {{"Content-Type", "application/json"}});
    });
}

QTEST_GUILESS_MAIN(TransparencyTest)
#include "transparency_test.moc"
