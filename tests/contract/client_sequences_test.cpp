// The calls that existing clients make, in their order and with their habits, against the real server over a socket:
// demo scripts and dashboards that keep persons.
#include "tests/contract/sequences.h"

#include <cmath>

using namespace fremis::test;

namespace {

const QString kDefault = QStringLiteral("default");

} // namespace

class ClientSequencesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();
    void cleanupTestCase();

    void demoComparesTwoPhotos();
    void demoFindsTheEnrolledPhoto();
    void demoBulkGoesOnAfterABadRow();
    void demoBulkWithOwnIdsRunsTwice();
    void dashboardAddsAPersonWithManyPhotos();
    void dashboardRollsBackAPersonWithABadPhoto();
    void dashboardEditsAPerson();
    void dashboardReplacesAllPhotosOfAPerson();
    void dashboardDeletesOneAndAll();
    void dashboardCleansUpAnUnknownFace();
    void dashboardTakesTheSearchToken();

private:
    std::unique_ptr<ServerUnderTest> m_server;
    std::unique_ptr<FaceClient> m_client;
    QString m_jesper;
    QString m_jesperAgain;
    QString m_anneHelene;
    QString m_landscape;
};

void ClientSequencesTest::initTestCase() {
    m_jesper = photoBase64("jesper.jpg");
    m_jesperAgain = photoBase64("jesper_2.jpg");
    m_anneHelene = photoBase64("anne_helene.jpg");
    m_landscape = photoBase64("skagen.jpg");
    FREMIS_START_SERVER(m_server);
}

void ClientSequencesTest::init() {
    m_client = std::make_unique<FaceClient>(m_server->port());
}

void ClientSequencesTest::cleanup() {
    QCOMPARE(m_client->violations(), QStringList());
}

void ClientSequencesTest::cleanupTestCase() {
    FREMIS_STOP_SERVER(m_server);
}

void ClientSequencesTest::demoComparesTwoPhotos() {
    const auto v1 = m_client->match(m_jesper, m_jesperAgain);
    VERIFY_OK(v1);
    const auto match = v1.body.value(QStringLiteral("face_match")).toObject();
    QVERIFY(match.value(QStringLiteral("match")).isBool());
    QVERIFY(match.value(QStringLiteral("match")).toBool());
    QVERIFY(match.value(QStringLiteral("similarity")).isDouble());
    const auto others = m_client->match(m_jesper, m_anneHelene);
    VERIFY_OK(others);
    QVERIFY(!others.body.value(QStringLiteral("face_match")).toObject().value(QStringLiteral("match")).toBool(true));

    VERIFY_OK(m_client->enrol(m_jesper, kDefault, QStringLiteral("demo-match")));
    const auto withStored = [&](const QString& faceId) {
        return m_client->post("/v2/face/match",
                              {{QStringLiteral("face_a"), QJsonObject{{QStringLiteral("image"), m_jesperAgain}}},
                               {QStringLiteral("face_b"), QJsonObject{{QStringLiteral("keyspace"), kDefault},
                                                                      {QStringLiteral("face_id"), faceId}}}});
    };
    const auto v2 = withStored(QStringLiteral("demo-match"));
    VERIFY_OK(v2);
    QVERIFY(v2.body.value(QStringLiteral("similarity")).isDouble());
    QCOMPARE(v2.body.value(QStringLiteral("similarity")).toDouble(), similarityOf(v2));
    QVERIFY(std::abs(similarityOf(v2) - similarityOf(v1)) < 0.001);
    const auto empty = withStored(QString::fromUtf8(""));
    VERIFY_ERROR(empty, 400, "invalid_face_id");
}

void ClientSequencesTest::demoFindsTheEnrolledPhoto() {
    const auto enrolled = m_client->enrol(m_anneHelene, kDefault);
    VERIFY_OK(enrolled);
    const auto found = m_client->recognise(m_anneHelene, kDefault);
    VERIFY_OK(found);
    const auto first = found.candidates().at(0).toObject();
    QCOMPARE(first.value(QStringLiteral("face_id")).toString(), enrolled.text("face_id"));
    QCOMPARE(first.value(QStringLiteral("variation")).toString(), enrolled.text("variation"));
    QVERIFY(first.value(QStringLiteral("similarity")).toDouble() >= 0.99);
    VERIFY_OK(m_client->removeFaces({enrolled.text("face_id")}, kDefault));
}

void ClientSequencesTest::demoBulkGoesOnAfterABadRow() {
    const auto keyFaceId = QStringLiteral("face_id");
    QVERIFY(m_client->enrol(m_jesper, kDefault).body.contains(keyFaceId));
    const auto bad = m_client->enrol(QStringLiteral("bm90IGFuIGltYWdl"), kDefault);
    QVERIFY2(!bad.body.contains(keyFaceId) && bad.status == 400, bad.shown());
    QVERIFY(m_client->enrol(m_jesperAgain, kDefault).body.contains(keyFaceId));
}

void ClientSequencesTest::demoBulkWithOwnIdsRunsTwice() {
    const std::vector<std::pair<QString, QString>> rows{{QStringLiteral("1234567891"), m_jesper},
                                                        {QStringLiteral("1234567892"), m_jesperAgain},
                                                        {QStringLiteral("1234567893"), m_anneHelene}};
    for (int run = 1; run <= 2; ++run) {
        for (const auto& [id, image] : rows) {
            const auto enrolled = m_client->enrol(image, kDefault, id);
            VERIFY_OK(enrolled);
            QCOMPARE(enrolled.text("face_id"), id);
            QCOMPARE(variationsOf(m_client->face(id, kDefault)).size(), run);
        }
    }
    const auto face = m_client->face(QStringLiteral("1234567891"), kDefault);
    QCOMPARE(face.body.value(QStringLiteral("partition")).toInt(), 5);
}

void ClientSequencesTest::dashboardAddsAPersonWithManyPhotos() {
    const auto first = m_client->enrol(m_jesper, kDefault);
    VERIFY_OK(first);
    QVERIFY(first.body.value(QStringLiteral("face_id")).isString());
    QVERIFY(first.body.value(QStringLiteral("variation")).isString());
    QStringList variations{first.text("variation")};
    for (const auto& image : {m_jesperAgain, m_jesper}) {
        const auto next = m_client->enrol(image, kDefault, first.text("face_id"));
        VERIFY_OK(next);
        QCOMPARE(next.text("face_id"), first.text("face_id"));
        QVERIFY(next.took < std::chrono::seconds(10));
        variations << next.text("variation");
    }
    auto stored = variationsOf(m_client->face(first.text("face_id"), kDefault));
    stored.sort();
    variations.sort();
    QCOMPARE(stored, variations);
    QCOMPARE(QSet<QString>(stored.begin(), stored.end()).size(), 3);
}

void ClientSequencesTest::dashboardRollsBackAPersonWithABadPhoto() {
    const auto keyspace = QStringLiteral("dashboard-rollback");
    VERIFY_OK(m_client->createKeyspace(keyspace));
    const auto first = m_client->enrol(m_jesper, keyspace);
    VERIFY_OK(first);
    const auto bad = m_client->enrol(m_landscape, keyspace, first.text("face_id"));
    VERIFY_ERROR(bad, 400, "no_face");
    const auto removed = m_client->removeFaces({first.text("face_id")}, keyspace);
    VERIFY_OK(removed);
    QCOMPARE(removed.array("deleted_face_ids"), QJsonArray{first.text("face_id")});
    const auto gone = m_client->face(first.text("face_id"), keyspace);
    VERIFY_ERROR(gone, 404, "face_not_found");
    QCOMPARE(m_client->recognise(m_jesper, keyspace).candidates(), QJsonArray());
}

void ClientSequencesTest::dashboardEditsAPerson() {
    const auto keyspace = QStringLiteral("dashboard-edit");
    const auto id = QStringLiteral("42");
    VERIFY_OK(m_client->createKeyspace(keyspace));
    const auto kept = m_client->enrol(m_jesper, keyspace, id);
    const auto old = m_client->enrol(m_jesperAgain, keyspace, id);
    VERIFY_OK(kept);
    VERIFY_OK(old);
    const auto removed = m_client->removeVariations(id, {old.text("variation")}, keyspace);
    VERIFY_OK(removed);
    QCOMPARE(removed.array("deleted_variations"), QJsonArray{old.text("variation")});
    QCOMPARE(removed.body.value(QStringLiteral("face_deleted")), QJsonValue(false));
    // Its photo now finds the other variation of the same face: one candidate per face.
    const auto found = m_client->recognise(m_jesperAgain, keyspace);
    VERIFY_OK(found);
    QCOMPARE(idsOf(found.candidates()), QStringList{id});
    QCOMPARE(found.candidates().at(0).toObject().value(QStringLiteral("variation")).toString(), kept.text("variation"));
    // The new photo fails, so the client enrols the old one again.
    VERIFY_ERROR(m_client->enrol(m_landscape, keyspace, id), 400, "no_face");
    const auto again = m_client->enrol(m_jesperAgain, keyspace, id);
    VERIFY_OK(again);
    QVERIFY(again.text("variation") != old.text("variation"));
    QVERIFY(!variationsOf(m_client->face(id, keyspace)).contains(old.text("variation")));
}

void ClientSequencesTest::dashboardReplacesAllPhotosOfAPerson() {
    const auto keyspace = QStringLiteral("dashboard-replace");
    const auto id = QStringLiteral("43");
    VERIFY_OK(m_client->createKeyspace(keyspace));
    QStringList variations;
    for (const auto& image : {m_jesper, m_jesperAgain})
        variations << m_client->enrol(image, keyspace, id).text("variation");
    const auto removed = m_client->removeVariations(id, variations, keyspace);
    VERIFY_OK(removed);
    QCOMPARE(removed.array("deleted_variations").size(), 2);
    QCOMPARE(removed.body.value(QStringLiteral("face_deleted")), QJsonValue(true));
    VERIFY_ERROR(m_client->face(id, keyspace), 404, "face_not_found");
    QCOMPARE(m_client->recognise(m_jesper, keyspace).candidates(), QJsonArray());
    const auto unknown = m_client->removeVariations(id, variations, keyspace);
    VERIFY_OK(unknown);
    QCOMPARE(unknown.array("deleted_variations"), QJsonArray());
    VERIFY_OK(m_client->enrol(m_anneHelene, keyspace, id));
    QCOMPARE(idsOf(m_client->recognise(m_anneHelene, keyspace).candidates()), QStringList{id});
}

void ClientSequencesTest::dashboardDeletesOneAndAll() {
    const auto keyspace = QStringLiteral("dashboard-delete");
    VERIFY_OK(m_client->createKeyspace(keyspace));
    QStringList all;
    for (int i = 0; i < 9'997; ++i)
        all << QStringLiteral("absent-%1").arg(i);
    for (const char* id : {"one", "two", "three"}) {
        all.insert(5'000, QString::fromUtf8(id));
        VERIFY_OK(m_client->enrol(m_jesper, keyspace, QString::fromUtf8(id)));
    }
    const auto one = m_client->removeFaces({QStringLiteral("one")}, keyspace);
    VERIFY_OK(one);
    QCOMPARE(one.array("deleted_face_ids"), QJsonArray{QStringLiteral("one")});
    const auto many = m_client->removeFaces(all, keyspace);
    VERIFY_OK(many);
    QCOMPARE(many.array("deleted_face_ids").size(), 2);
    QVERIFY(many.took < std::chrono::seconds(60));
    const auto none = m_client->removeFaces({}, keyspace);
    VERIFY_OK(none);
    QVERIFY(none.body.value(QStringLiteral("deleted_face_ids")).isArray());
    QCOMPARE(none.array("deleted_face_ids"), QJsonArray());
    QCOMPARE(m_client->recognise(m_jesper, keyspace).candidates(), QJsonArray());
}

void ClientSequencesTest::dashboardCleansUpAnUnknownFace() {
    const auto removed = m_client->removeFaces({QStringLiteral("never-enrolled")}, kDefault);
    VERIFY_OK(removed);
    QVERIFY(removed.body.value(QStringLiteral("deleted_face_ids")).isArray());
    QCOMPARE(removed.array("deleted_face_ids"), QJsonArray());
}

void ClientSequencesTest::dashboardTakesTheSearchToken() {
    const auto extract = [&](const QString& image) {
        return m_client->post("/v1/face/extract-embedding", {{QStringLiteral("image"), image}});
    };
    const auto token = extract(m_jesper);
    VERIFY_OK(token);
    const auto vector = token.array("embeddings").at(0).toArray();
    QCOMPARE(vector.size(), token.body.value(QStringLiteral("model")).toObject().value(QStringLiteral("dim")).toInt());
    double length = 0;
    for (const auto& value : vector) {
        QVERIFY(value.isDouble());
        length += value.toDouble() * value.toDouble();
    }
    QVERIFY(std::abs(length - 1) < 1e-3);
    QCOMPARE(token.array("face_detected").size(), token.array("embeddings").size());

    // The token finds what its photo finds.
    VERIFY_OK(m_client->enrol(m_jesper, kDefault, QStringLiteral("token")));
    const auto v2 =
        m_client->post("/v2/face/match",
                       {{QStringLiteral("face_a"), QJsonObject{{QStringLiteral("embedding"), vector}}},
                        {QStringLiteral("face_b"), QJsonObject{{QStringLiteral("keyspace"), kDefault},
                                                               {QStringLiteral("face_id"), QStringLiteral("token")}}}});
    VERIFY_OK(v2);
    QVERIFY(similarityOf(v2) >= 0.99);

    const auto nobody = extract(m_landscape);
    VERIFY_OK(nobody);
    QVERIFY(nobody.body.value(QStringLiteral("embeddings")).isArray());
    QCOMPARE(nobody.array("embeddings"), QJsonArray());
    VERIFY_ERROR(extract(QStringLiteral("bm90IGFuIGltYWdl")), 400, "image_invalid");
}

QTEST_GUILESS_MAIN(ClientSequencesTest)
#include "client_sequences_test.moc"
