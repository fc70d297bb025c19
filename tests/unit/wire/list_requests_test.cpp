#include "shared/wire/requests.h"
#include "tests/unit/wire/outcome.h"

#include <QtTest>

using namespace fremis::wire;
using fremis::test::addRows;
using fremis::test::outcome;
using fremis::test::row;
using fremis::test::view;

namespace {

using Params = std::vector<std::pair<std::string, std::string>>;

QByteArray listOf(const char* name, int count) {
    QByteArray body = "{\"keyspace\":\"default\",\"face_id\":\"7\",\"" + QByteArray(name) + "\":[";
    for (int i = 0; i < count; ++i)
        body += (i == 0 ? "\"" : ",\"") + QByteArray::number(1'000'000 + i) + '"';
    return body + "]}";
}

std::vector<std::string> texts(const std::vector<fremis::base::FaceId>& ids) {
    std::vector<std::string> out;
    for (const auto& id : ids)
        out.push_back(id.text());
    return out;
}

} // namespace

class ListRequestsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void deletesNameEachIdOnceInTheOrderGiven() {
        const auto request = parseDeleteEnrollment(R"({"keyspace":"default","face_ids":["b",7,"a","b","7","a"]})");
        QCOMPARE(texts(request->faceIds), (std::vector<std::string>{"b", "7", "a"}));
        const auto variations =
            parseDeleteVariation(R"({"keyspace":"default","face_id":"7","variations":["18446744073709551615",3,"3"]})");
        QVERIFY((variations->variations ==
                 std::vector{fremis::base::Variation(18'446'744'073'709'551'615u), fremis::base::Variation(3)}));
    }

    void lists_data() {
        addRows();
        row("none", "[]", "ok");
        row("absent", "null", "invalid");
        row("text", "\"7\"", "invalid");
        row("object", "{}", "invalid");
        row("null inside", "[null]", "invalid");
        row("fraction", "[1.5]", "invalid");
        row("array inside", "[[]]", "invalid");
        row("empty text", "[\"\"]", "invalid");
    }
    void lists() {
        QFETCH(QByteArray, value);
        QFETCH(QByteArray, expected);
        const auto list = value.toStdString();
        const auto ids = parseDeleteEnrollment(R"({"keyspace":"default","face_ids":)" + list + "}");
        const auto variations =
            parseDeleteVariation(R"({"keyspace":"default","face_id":"7","variations":)" + list + "}");
        QCOMPARE(outcome(ids), expected == "ok" ? expected : QByteArray("invalid_face_ids"));
        QCOMPARE(outcome(variations), expected == "ok" ? expected : QByteArray("invalid_variations"));
    }

    void variations_data() {
        addRows();
        row("largest", "\"18446744073709551615\"", "ok");
        row("0", "\"0\"", "ok");
        row("number", "9183746501928374650", "ok");
        row("too large", "\"18446744073709551616\"", "invalid_variations");
        row("negative", "-1", "invalid_variations");
        row("leading zero", "\"01\"", "invalid_variations");
        row("letters", "\"abc\"", "invalid_variations");
        row("space", "\"1 \"", "invalid_variations");
    }
    void variations() {
        QFETCH(QByteArray, value);
        QFETCH(QByteArray, expected);
        QCOMPARE(outcome(parseDeleteVariation(R"({"keyspace":"default","face_id":"7","variations":[)" +
                                              value.toStdString() + "]}")),
                 expected);
    }

    void longLists() {
        QCOMPARE(parseDeleteEnrollment(view(listOf("face_ids", 100'000)))->faceIds.size(), 100'000u);
        QCOMPARE(outcome(parseDeleteEnrollment(view(listOf("face_ids", 100'001)))), QByteArray("too_many_ids"));
        QCOMPARE(parseDeleteVariation(view(listOf("variations", 100'000)))->variations.size(), 100'000u);
        QCOMPARE(outcome(parseDeleteVariation(view(listOf("variations", 100'001)))), QByteArray("too_many_ids"));
    }

    void thresholds_data() {
        addRows();
        for (const char* good : {"0.45", "-1", "1", "0", "1.0", "4.5e-1"})
            row(good, good, "ok");
        for (const char* bad : {"1.0001", "-1.1", "1e999", "\"0.45\"", "true", "[]"})
            row(bad, bad, "invalid_params");
    }
    void thresholds() {
        QFETCH(QByteArray, value);
        QFETCH(QByteArray, expected);
        const auto request = parseCreateKeyspace(R"({"keyspace":"k","additional_params":{"match_threshold":)" +
                                                 value.toStdString() + "}}");
        QCOMPARE(outcome(request), expected);
        if (request)
            QCOMPARE(*request->matchThreshold, value.toDouble());
    }

    void noThresholdMeansThePacks() {
        QVERIFY(!parseCreateKeyspace(R"({"keyspace":"k"})")->matchThreshold);
        QVERIFY(
            !parseCreateKeyspace(R"({"keyspace":"k","additional_params":{"match_threshold":null}})")->matchThreshold);
    }

    void getParameters() {
        const auto request =
            parseGetEnrollment(Params{{"face_id", "007"}, {"keyspace", "default"}, {"x", "1"}, {"x", "2"}});
        QCOMPARE(request->keyspace.text(), std::string("default"));
        QCOMPARE(request->faceId.text(), std::string("007"));
        QCOMPARE(outcome(parseGetEnrollment({})), QByteArray("keyspace_missing"));
        QCOMPARE(outcome(parseGetEnrollment(Params{{"keyspace", ""}})), QByteArray("invalid_keyspace"));
        QCOMPARE(outcome(parseGetEnrollment(Params{{"keyspace", "a/b"}})), QByteArray("invalid_keyspace"));
        QCOMPARE(outcome(parseGetEnrollment(Params{{"keyspace", "default"}})), QByteArray("invalid_face_id"));
        QCOMPARE(outcome(parseGetEnrollment(Params{{"keyspace", "default"}, {"face_id", ""}})),
                 QByteArray("invalid_face_id"));
        QCOMPARE(outcome(parseGetEnrollment(Params{{"keyspace", "default"}, {"face_id", std::string("a\0", 2)}})),
                 QByteArray("invalid_face_id"));
        QCOMPARE(outcome(parseGetEnrollment(Params{{"keyspace", "a"}, {"keyspace", "b"}, {"face_id", "7"}})),
                 QByteArray("duplicate_key"));
    }

    void listParameters_data() {
        QTest::addColumn<QByteArray>("limit");
        QTest::addColumn<int>("expected"); // 0: refused
        QTest::newRow("1") << QByteArray("1") << 1;
        QTest::newRow("1000") << QByteArray("1000") << 1000;
        for (const char* bad : {"", "0", "-1", "+1", "1001", "01", "1.5", "1 ", "x", "99999999999999999999"})
            QTest::newRow(bad) << QByteArray(bad) << 0;
    }
    void listParameters() {
        QFETCH(QByteArray, limit);
        QFETCH(int, expected);
        const auto request =
            parseListEnrollments(Params{{"keyspace", "default"}, {"cursor", ""}, {"limit", limit.toStdString()}});
        if (expected == 0)
            QCOMPARE(outcome(request), QByteArray("invalid_limit"));
        else
            QCOMPARE(request->limit, expected);
    }

    void listDefaults() {
        const auto request = parseListEnrollments(Params{{"keyspace", "default"}});
        QCOMPARE(request->limit, 100);
        QVERIFY(request->cursor.empty());
        QCOMPARE(parseListEnrollments(Params{{"keyspace", "default"}, {"cursor", "AYgB"}})->cursor,
                 std::string("AYgB"));
        QCOMPARE(outcome(parseListEnrollments({})), QByteArray("keyspace_missing"));
        QCOMPARE(outcome(parseListEnrollments(Params{{"keyspace", "a"}, {"limit", "1"}, {"limit", "1"}})),
                 QByteArray("duplicate_key"));
    }

    void namedPartitions_data() {
        addRows();
        for (const char* good : {"0-255", "3-3", "0-9,200-255", "5-9,7-12"})
            row(good, good, "ok");
        for (const char* bad : {"", "3", "-", "3-", "-3", "9-5", "0-256", "0-9,", ",0-9", "0-9,,12-13", "a-b", "1 - 2",
                                "0x1-2", "+1-2", "1-2-3", "0-9;12-13"})
            row(bad, bad, "invalid_params");
    }
    void namedPartitions() {
        QFETCH(QByteArray, value);
        QFETCH(QByteArray, expected);
        const Params query{{"keyspace", "default"}, {"partitions", value.toStdString()}};
        QCOMPARE(outcome(parseListKeyspaces(query)), expected);
        QCOMPARE(outcome(parseListEnrollments(query)), expected);
    }

    void partitionsAsRanges() {
        QVERIFY(!parseListKeyspaces({})->partitions);
        QVERIFY(*parseListKeyspaces(Params{{"partitions", "0-9,200-255"}})->partitions ==
                (std::vector<PartitionRange>{{0, 9}, {200, 255}}));
        QCOMPARE(outcome(parseListKeyspaces(Params{{"partitions", "0-9"}, {"partitions", "0-9"}})),
                 QByteArray("duplicate_key"));
        std::string ranges = "0-0";
        for (int i = 0; i < 255; ++i)
            ranges += ",0-0";
        QCOMPARE(parseListKeyspaces(Params{{"partitions", ranges}})->partitions->size(), 256u);
        QCOMPARE(outcome(parseListKeyspaces(Params{{"partitions", ranges + ",0-0"}})), QByteArray("invalid_params"));
    }
};

QTEST_GUILESS_MAIN(ListRequestsTest)
#include "list_requests_test.moc"
