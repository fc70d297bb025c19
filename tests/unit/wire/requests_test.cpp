#include "shared/wire/request_writers.h"
#include "tests/unit/wire/outcome.h"

#include <QtTest>

#include <limits>

using namespace fremis::wire;
using fremis::test::addRows;
using fremis::test::outcome;
using fremis::test::row;

namespace {

// {"keyspace":"default","image":"AAAA","additional_params":<params>}
std::string withParams(const QByteArray& params) {
    return R"({"keyspace":"default","image":"AAAA","additional_params":)" + params.toStdString() + "}";
}

} // namespace

class RequestsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void enrollmentIsRead() {
        const auto request = parseEnrollment(R"({"image": "/9j/", "keyspace": "default", "more": {"x": [1]},
            "additional_params": {"face_id": "1234567891", "attributes": ["liveness", "age", "mood"], "require_single_face": true}})");
        QCOMPARE(outcome(request), QByteArray("ok"));
        QCOMPARE(request->image.base64, std::string("/9j/"));
        QCOMPARE(request->keyspace.text(), std::string("default"));
        QCOMPARE(request->faceId->text(), std::string("1234567891"));
        QVERIFY((request->options == FaceOptions{true, true, false, true}));

        const auto plain = parseEnrollment(R"({"image":"AAAA","keyspace":"default"})");
        QVERIFY(!plain->faceId);
        QVERIFY(plain->options == FaceOptions{});
    }

    void images_data() {
        addRows();
        row("text", "\"AAAA\"", "ok");
        row("any text: base64 is checked later", "\"!!!!\"", "ok");
        row("null", "null", "image_missing");
        row("empty", "\"\"", "image_missing");
        row("number", "7", "image_not_string");
        row("object", "{}", "image_not_string");
        row("array", "[\"AAAA\"]", "image_not_string");
        row("true", "true", "image_not_string");
    }
    void images() {
        QFETCH(QByteArray, value);
        QFETCH(QByteArray, expected);
        const std::string image = R"("image":)" + value.toStdString();
        QCOMPARE(outcome(parseEnrollment("{" + image + R"(,"keyspace":"default"})")), expected);
        QCOMPARE(outcome(parseRecognition("{" + image + R"(,"keyspace":"default"})")), expected);
        QCOMPARE(outcome(parseExtractEmbedding("{" + image + "}")), expected);
        const std::string content = R"({"content":)" + value.toStdString() + "}";
        QCOMPARE(outcome(parseMatchV1(R"({"image_a":)" + content + R"(,"image_b":{"content":"AAAA"}})")), expected);
        QCOMPARE(outcome(parseMatchV1(R"({"image_a":{"content":"AAAA"},"image_b":)" + content + "}")), expected);
    }

    void aMissingImageIsToldInTheOriginalsWords() {
        const std::string expected = "the image field not found";
        QCOMPARE(parseEnrollment(R"({"keyspace":"default"})").error().message, expected);
        QCOMPARE(parseRecognition("{}").error().message, expected);
        QCOMPARE(parseExtractEmbedding("{}").error().message, expected);
        for (const char* body : {"{}", R"({"image_a":null})", R"({"image_a":{}})", R"({"image_a":7})",
                                 R"({"image_a":{"content":"AAAA"}})"}) {
            QCOMPARE(outcome(parseMatchV1(body)), QByteArray("image_missing"));
            QCOMPARE(parseMatchV1(body).error().message, expected);
        }
    }

    void keyspaces_data() {
        addRows();
        row("name", "\"default\"", "ok");
        row("any UTF-8", "\"Korlantas \xC3\xA9 \xF0\x9F\x98\x80\"", "ok");
        row("128 bytes", '"' + QByteArray(128, 'k') + '"', "ok");
        row("device name", "\"CON\"", "ok");
        row("null", "null", "keyspace_missing");
        row("empty", "\"\"", "invalid_keyspace");
        row("129 bytes", '"' + QByteArray(129, 'k') + '"', "invalid_keyspace");
        row("number", "7", "invalid_keyspace");
        row("array", "[]", "invalid_keyspace");
        row("NUL", "\"a\\u0000b\"", "invalid_keyspace");
        row("slash", "\"a/b\"", "invalid_keyspace");
        row("path", "\"../../etc/passwd\"", "invalid_keyspace");
        row("backslash", "\"C:\\\\x\"", "invalid_keyspace");
        row("dots", "\"..\"", "invalid_keyspace");
        row("space at the end", "\"a \"", "invalid_keyspace");
        row("direction override", "\"a\\u202eb\"", "invalid_keyspace");
        row("twice", "\"a\",\"keyspace\":\"b\"", "duplicate_key");
    }
    void keyspaces() {
        QFETCH(QByteArray, value);
        QFETCH(QByteArray, expected);
        const std::string keyspace = R"("keyspace":)" + value.toStdString();
        QCOMPARE(outcome(parseEnrollment(R"({"image":"AAAA",)" + keyspace + "}")), expected);
        QCOMPARE(outcome(parseRecognition(R"({"image":"AAAA",)" + keyspace + "}")), expected);
        QCOMPARE(outcome(parseDeleteEnrollment(R"({"face_ids":[],)" + keyspace + "}")), expected);
        QCOMPARE(outcome(parseDeleteVariation(R"({"face_id":"7","variations":[],)" + keyspace + "}")), expected);
        QCOMPARE(outcome(parseCreateKeyspace("{" + keyspace + "}")), expected);
        QCOMPARE(outcome(parseDeleteKeyspace("{" + keyspace + "}")), expected);
        QCOMPARE(outcome(parseMatchV2(R"({"face_a":{"image":"AAAA"},"face_b":{"face_id":"7",)" + keyspace + "}}")),
                 expected);
        const auto optional = expected == "keyspace_missing" ? QByteArray("ok") : expected;
        QCOMPARE(
            outcome(parseMatchV1(R"({"image_a":{"content":"AAAA"},"image_b":{"content":"AAAA"},)" + keyspace + "}")),
            optional);
    }

    void aKeyspaceThatIsNotThereIsMissing() {
        QCOMPARE(outcome(parseEnrollment(R"({"image":"AAAA"})")), QByteArray("keyspace_missing"));
        QCOMPARE(outcome(parseCreateKeyspace("{}")), QByteArray("keyspace_missing"));
        QCOMPARE(outcome(parseDeleteKeyspace("{}")), QByteArray("keyspace_missing"));
        QVERIFY(!parseMatchV1(R"({"image_a":{"content":"AAAA"},"image_b":{"content":"AAAA"}})")->keyspace);
    }

    void faceIds_data() {
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<QByteArray>("expected"); // the id's text, or a token with a leading '!'
        const auto accepted = [](const char* name, const QByteArray& value, const QByteArray& text) {
            QTest::newRow(name) << value << text;
        };
        const auto refused = [](const char* name, const QByteArray& value) {
            QTest::newRow(name) << value << QByteArray("!");
        };
        accepted("text", "\"1234567891\"", "1234567891");
        accepted("leading zeros", "\"007\"", "007");
        accepted("integer", "7", "7");
        accepted("integer beyond 64 bits", "12345678901234567890123", "12345678901234567890123");
        accepted("negative integer", "-7", "-7");
        accepted("255 bytes", '"' + QByteArray(255, 'x') + '"', QByteArray(255, 'x'));
        accepted("path", "\"../../etc/passwd\"", "../../etc/passwd");
        accepted("backslashes", R"("C:\\x")", "C:\\x");
        accepted("SQL", "\"'; DROP TABLE enrollment;--\"", "'; DROP TABLE enrollment;--");
        accepted("quotes", "\"\\\" OR 1=1\"", "\" OR 1=1");
        accepted("format", "\"%s%n\"", "%s%n");
        accepted("composed letter", "\"\xC3\xA9\"", "\xC3\xA9");
        accepted("decomposed letter", "\"e\xCC\x81\"", "e\xCC\x81");
        accepted("escaped emoji", R"("\ud83d\ude00")", "\xF0\x9F\x98\x80");
        refused("empty", "\"\"");
        refused("fraction", "1.5");
        refused("whole number with a fraction", "1.0");
        refused("exponent", "1e3");
        refused("true", "true");
        refused("object", "{}");
        refused("array", "[\"7\"]");
        refused("256 bytes", '"' + QByteArray(256, 'x') + '"');
        refused("1 MB", '"' + QByteArray(1'000'000, 'x') + '"');
        refused("256 digits", QByteArray(256, '7'));
        refused("NUL", R"("a\u0000b")");
        refused("line feed", R"("a\nb")");
        refused("header injection", R"("a\r\nSet-Cookie: x")");
        refused("escape", "\"\\u001b[31m\"");
        refused("DEL", R"("\u007f")");
        refused("line separator", R"("a\u2028b")");
        refused("byte order mark", R"("\ufeffa")");
        refused("space first", "\" a\"");
    }
    void faceIds() {
        QFETCH(QByteArray, value);
        QFETCH(QByteArray, expected);
        const bool refused = expected == "!";
        const auto id = value.toStdString();
        const auto enrollment = parseEnrollment(withParams(R"({"face_id":)" + value + "}"));
        const auto variation = parseDeleteVariation(R"({"keyspace":"default","variations":[],"face_id":)" + id + "}");
        const auto match =
            parseMatchV2(R"({"face_a":{"image":"AAAA"},"face_b":{"keyspace":"default","face_id":)" + id + "}}");
        const auto list = parseDeleteEnrollment(R"({"keyspace":"default","face_ids":["1",)" + id + "]}");
        if (refused) {
            QCOMPARE(outcome(enrollment), QByteArray("invalid_face_id"));
            QCOMPARE(outcome(variation), QByteArray("invalid_face_id"));
            QCOMPARE(outcome(match), QByteArray("invalid_face_id"));
            QCOMPARE(outcome(list), QByteArray("invalid_face_ids"));
            return;
        }
        QCOMPARE(enrollment->faceId->text(), expected.toStdString());
        QCOMPARE(variation->faceId.text(), expected.toStdString());
        QCOMPARE(std::get<StoredFace>(match->faceB).faceId.text(), expected.toStdString());
        QCOMPARE(list->faceIds.back().text(), expected.toStdString());
    }

    void absentFaceIds() {
        QVERIFY(!parseEnrollment(withParams(R"({"face_id":null})"))->faceId);
        QVERIFY(!parseEnrollment(withParams("{}"))->faceId);
        QVERIFY(!parseEnrollment(withParams("null"))->faceId);
        QCOMPARE(outcome(parseDeleteVariation(R"({"keyspace":"default","variations":[]})")),
                 QByteArray("invalid_face_id"));
        QCOMPARE(outcome(parseDeleteVariation(R"({"keyspace":"default","face_id":null,"variations":[]})")),
                 QByteArray("invalid_face_id"));
    }

    void params_data() {
        addRows();
        row("object", "{}", "ok");
        row("unknown fields", R"({"x":[1,{"y":2}],"x":3})", "ok");
        row("array", "[]", "invalid_params");
        row("text", "\"{}\"", "invalid_params");
        row("true", "true", "invalid_params");
        row("single face of wrong type", R"({"require_single_face":1})", "invalid_params");
        row("single face null", R"({"require_single_face":null})", "ok");
        row("attributes of wrong type", R"({"attributes":"age"})", "invalid_params");
        row("attribute of wrong type", R"({"attributes":["age",1]})", "invalid_params");
        row("no attributes", R"({"attributes":[]})", "ok");
        row("doubled field", R"({"require_single_face":true,"require_single_face":true})", "duplicate_key");
    }
    void params() {
        QFETCH(QByteArray, value);
        QFETCH(QByteArray, expected);
        QCOMPARE(outcome(parseEnrollment(withParams(value))), expected);
        QCOMPARE(outcome(parseRecognition(withParams(value))), expected);
        QCOMPARE(outcome(parseExtractEmbedding(withParams(value))), expected);
    }

    void candidateCounts_data() {
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<int>("count"); // 0: refused
        QTest::newRow("null") << QByteArray("null") << 5;
        QTest::newRow("1") << QByteArray("1") << 1;
        QTest::newRow("1000") << QByteArray("1000") << 1000;
        for (const char* bad : {"0", "-1", "-0", "1001", "1000000000", "9223372036854775808", "1.5", "5.0", "1e2",
                                "1e999", "\"5\"", "true", "[]", "{}"})
            QTest::newRow(bad) << QByteArray(bad) << 0;
        QTest::newRow("400 digits") << QByteArray(400, '9') << 0;
    }
    void candidateCounts() {
        QFETCH(QByteArray, value);
        QFETCH(int, count);
        const auto request = parseRecognition(withParams(R"({"candidateCount":)" + value + "}"));
        if (count == 0) {
            QCOMPARE(outcome(request), QByteArray("candidate_count_invalid"));
            return;
        }
        QCOMPARE(request->candidateCount, count);
        QCOMPARE(parseRecognition(withParams("{}"))->candidateCount, 5);
    }

    void partialSearchIsYesNoOrNotSaid() {
        QCOMPARE(parseRecognition(withParams(R"({"allow_partial_search":true})"))->allowPartialSearch,
                 std::optional(true));
        QCOMPARE(parseRecognition(withParams(R"({"allow_partial_search":false})"))->allowPartialSearch,
                 std::optional(false));
        QCOMPARE(parseRecognition(withParams(R"({"allow_partial_search":null})"))->allowPartialSearch,
                 std::optional<bool>());
        QCOMPARE(outcome(parseRecognition(withParams(R"({"allow_partial_search":"true"})"))),
                 QByteArray("invalid_params"));
    }

    void searchByEmbeddingIsRead() {
        const auto request = parseRecognition(R"({"keyspace":"default","embedding":[0.5,-1,2.5e-1],"space":"s-1",
            "partitions":[{"start":0,"end":127},{"start":255,"end":255}]})");
        QCOMPARE(outcome(request), QByteArray("ok"));
        const auto& embedding = std::get<EmbeddingInput>(request->probe);
        QCOMPARE(embedding.values, (std::vector{0.5F, -1.0F, 0.25F}));
        QCOMPARE(*embedding.space, std::string("s-1"));
        QVERIFY((*request->partitions == std::vector<PartitionRange>{{0, 127}, {255, 255}}));
        QCOMPARE(outcome(parseRecognition(R"({"keyspace":"default","embedding":[1],"image":"AAAA"})")),
                 QByteArray("ambiguous_input"));
        QCOMPARE(outcome(parseRecognition(R"({"keyspace":"default","embedding":null,"image":"AAAA"})")),
                 QByteArray("ok"));
        QCOMPARE(outcome(parseRecognition(R"({"keyspace":"default","embedding":[1],"space":7})")),
                 QByteArray("invalid_params"));
    }

    void aRequestForAllPartitionsIsNarrowedToSome() {
        const auto whole = parseRecognition(R"({"embedding":[0.5,0.25],"keyspace":"default","space":"s",)"
                                            R"("additional_params":{"candidateCount":7}})");
        QVERIFY(whole);
        const std::vector<PartitionRange> ranges{{0, 3}, {128, 255}};
        const auto narrowed = parseRecognition(withPartitions(toJson(*whole), ranges));
        QVERIFY(narrowed);
        QCOMPARE(narrowed->partitions, std::optional(ranges));
        auto same = *whole;
        same.partitions = ranges;
        QCOMPARE(parseRecognition(toJson(same))->partitions, narrowed->partitions);
        QCOMPARE(narrowed->candidateCount, 7);
        QCOMPARE(std::get<EmbeddingInput>(narrowed->probe).values, std::get<EmbeddingInput>(whole->probe).values);
        QCOMPARE(narrowed->keyspace.text(), std::string("default"));
    }
    void partitions_data() {
        addRows();
        row("null", "null", "ok");
        row("all", R"([{"start":0,"end":255}])", "ok");
        row("none", "[]", "invalid_params");
        row("object", R"({"start":0,"end":255})", "invalid_params");
        row("number", "[7]", "invalid_params");
        row("no end", R"([{"start":0}])", "invalid_params");
        row("wrong way round", R"([{"start":2,"end":1}])", "invalid_params");
        row("256", R"([{"start":0,"end":256}])", "invalid_params");
        row("negative", R"([{"start":-1,"end":1}])", "invalid_params");
        row("text", R"([{"start":"0","end":"1"}])", "invalid_params");
        row("fraction", R"([{"start":0.5,"end":1}])", "invalid_params");
        row("257 ranges", "[" + QByteArray(R"({"start":0,"end":0},)").repeated(256) + R"({"start":0,"end":0}])",
            "invalid_params");
    }
    void partitions() {
        QFETCH(QByteArray, value);
        QFETCH(QByteArray, expected);
        QCOMPARE(outcome(parseRecognition(R"({"keyspace":"default","embedding":[1],"partitions":)" +
                                          value.toStdString() + "}")),
                 expected);
    }

    void embeddings_data() {
        addRows();
        row("integers", "[1,2,3]", "ok");
        row("largest float", "[3.4028234e38]", "ok");
        row("too small for a float", "[1e-50,1]", "ok");
        row("subnormal", "[1e-40,1]", "ok");
        row("4,096 elements", "[1" + QByteArray(",0.5").repeated(4'095) + "]", "ok");
        row("none", "[]", "embedding_invalid");
        row("4,097 elements", "[1" + QByteArray(",0.5").repeated(4'096) + "]", "embedding_invalid");
        row("a million", "[1" + QByteArray(",0.5").repeated(999'999) + "]", "embedding_invalid");
        row("text", "[\"1\"]", "embedding_invalid");
        row("null inside", "[1,null]", "embedding_invalid");
        row("array inside", "[[1]]", "embedding_invalid");
        row("too large for a float", "[1e39]", "embedding_invalid");
        row("too large for a double", "[1e999]", "embedding_invalid");
        row("negative, too large", "[1,-1e39]", "embedding_invalid");
        row("zeros", "[0,0,0]", "embedding_invalid");
        row("next to no length", "[1e-7,0]", "embedding_invalid");
        row("object", "{}", "embedding_invalid");
        row("base64", "\"AAAA\"", "embedding_invalid");
    }
    void embeddings() {
        QFETCH(QByteArray, value);
        QFETCH(QByteArray, expected);
        const std::string embedding = R"({"embedding":)" + value.toStdString();
        QCOMPARE(outcome(parseRecognition(embedding + R"(,"keyspace":"default"})")), expected);
        QCOMPARE(outcome(parseMatchV2(R"({"face_a":)" + embedding + R"(},"face_b":{"image":"AAAA"}})")), expected);
    }

    void embeddingsFromElsewhereAreCheckedAlike() {
        constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
        constexpr float kInfinity = std::numeric_limits<float>::infinity();
        QVERIFY(checkEmbedding(std::vector{0.6F, -0.8F}).has_value());
        QVERIFY(checkEmbedding(std::vector{3e38F, 3e38F}).has_value());
        for (const auto& bad : {std::vector<float>{}, std::vector{0.0F}, std::vector{1.0F, kNaN},
                                std::vector{kInfinity}, std::vector{1e-7F}})
            QCOMPARE(outcome(checkEmbedding(bad)), QByteArray("embedding_invalid"));
    }

    void matchSides_data() {
        addRows();
        row("image", R"({"image":"AAAA"})", "ok");
        row("image beside a keyspace", R"({"image":"AAAA","keyspace":"default"})", "ok");
        row("embedding", R"({"embedding":[1]})", "ok");
        row("embedding with space", R"({"embedding":[1],"space":"s"})", "ok");
        row("face", R"({"keyspace":"default","face_id":"7"})", "ok");
        row("other forms null", R"({"image":null,"embedding":null,"keyspace":"default","face_id":"7"})", "ok");
        row("nothing", "{}", "input_missing");
        row("null", "null", "input_missing");
        row("no object", "\"AAAA\"", "input_missing");
        row("image null", R"({"image":null})", "input_missing");
        row("keyspace alone", R"({"keyspace":"default"})", "input_missing");
        row("face without keyspace", R"({"face_id":"7"})", "keyspace_missing");
        row("empty face_id", R"({"keyspace":"default","face_id":""})", "invalid_face_id");
        row("empty face_id without keyspace", R"({"face_id":""})", "invalid_face_id");
        row("empty image", R"({"image":""})", "image_missing");
        row("image of wrong type", R"({"image":7})", "image_not_string");
        row("image and embedding", R"({"image":"AAAA","embedding":[1]})", "ambiguous_input");
        row("image and face", R"({"image":"AAAA","keyspace":"default","face_id":"7"})", "ambiguous_input");
        row("embedding and face", R"({"embedding":[1],"keyspace":"default","face_id":"7"})", "ambiguous_input");
        row("doubled", R"({"image":"AAAA","image":"AAAA"})", "duplicate_key");
    }
    void matchSides() {
        QFETCH(QByteArray, value);
        QFETCH(QByteArray, expected);
        const auto side = value.toStdString();
        QCOMPARE(outcome(parseMatchV2(R"({"face_a":)" + side + R"(,"face_b":{"image":"AAAA"}})")), expected);
        QCOMPARE(outcome(parseMatchV2(R"({"face_a":{"image":"AAAA"},"face_b":)" + side + "}")), expected);
    }

    void matchSidesAreRead() {
        const auto request = parseMatchV2(R"({"face_a":{"keyspace":"k","face_id":7},"face_b":{"image":"AAAA"}})");
        QCOMPARE(std::get<StoredFace>(request->faceA).keyspace.text(), std::string("k"));
        QCOMPARE(std::get<ImageInput>(request->faceB).base64, std::string("AAAA"));
        QCOMPARE(outcome(parseMatchV2("{}")), QByteArray("input_missing"));
    }

    void queueActions_data() {
        addRows();
        row("retry", R"("action":"retry")", "ok");
        row("retry of some", R"("action":"retry","op_ids":["00112233445566778899aabbccddeeff"])", "ok");
        row("pause", R"("action":"pause")", "ok");
        row("list from a cursor", R"("action":"list","cursor":"17","limit":1000)", "ok");
        row("null options", R"("action":"list","cursor":null,"limit":null,"op_ids":null,"force":null)", "ok");
        row("drop", R"("action":"drop","op_ids":["00112233445566778899aabbccddeeff"])", "ok");
        row("drop of all", R"("action":"drop")", "invalid_params");
        row("drop of none", R"("action":"drop","op_ids":[])", "invalid_params");
        row("short id", R"("action":"drop","op_ids":["0011"])", "invalid_params");
        row("number for an id", R"("action":"drop","op_ids":[11])", "invalid_params");
        row("unknown", R"("action":"explode")", "invalid_params");
        row("of another case", R"("action":"Retry")", "invalid_params");
        row("absent", R"("limit":1)", "invalid_params");
        row("no text", R"("action":1)", "invalid_params");
        row("limit 0", R"("action":"list","limit":0)", "invalid_params");
        row("limit 1001", R"("action":"list","limit":1001)", "invalid_params");
        row("cursor without sense", R"("action":"list","cursor":"abc")", "invalid_cursor");
        row("negative cursor", R"("action":"list","cursor":"-1")", "invalid_cursor");
        row("empty cursor", R"("action":"list","cursor":"")", "invalid_cursor");
        row("force as text", R"("action":"discard","force":"yes")", "invalid_params");
    }
    void queueActions() {
        QFETCH(QByteArray, value);
        QFETCH(QByteArray, expected);
        const auto members = value.toStdString();
        QCOMPARE(outcome(parseQueueAction(R"({"node":"w:1",)" + members + "}")), expected);
        QCOMPARE(outcome(parseQueueAction("{" + members + "}")), QByteArray("invalid_params"));
    }

    void queueActionsAreRead() {
        const auto drop =
            parseQueueAction(R"({"node":"w:1","action":"drop","op_ids":["00112233445566778899aabbccddeeff"]})");
        QCOMPARE(drop->node, std::string("w:1"));
        QCOMPARE(nameOf(drop->kind), std::string_view("drop"));
        QCOMPARE(drop->opIds->size(), 1U);
        QCOMPARE(drop->opIds->front()[15], 0xFF);
        const auto list = parseQueueAction(R"({"node":"w:1","action":"list","cursor":"17"})");
        QCOMPARE(nameOf(list->kind), std::string_view("list"));
        QCOMPARE(list->cursor, 17U);
        QCOMPARE(list->limit, 100);
        QVERIFY(!list->opIds && !list->force);
    }

    void theFirstFieldThatIsWrongIsTold() {
        QCOMPARE(outcome(parseEnrollment("{}")), QByteArray("image_missing"));
        QCOMPARE(outcome(parseEnrollment(R"({"image":7,"keyspace":7,"additional_params":7})")),
                 QByteArray("image_not_string"));
        QCOMPARE(outcome(parseEnrollment(R"({"image":"AAAA","keyspace":7,"additional_params":7})")),
                 QByteArray("invalid_keyspace"));
        QCOMPARE(outcome(parseEnrollment(R"({"image":7,"keyspace":)")), QByteArray("invalid_json"));
    }

    void everyBodyMustBeAnObject() {
        for (const char* body : {"null", "[]", "\"x\"", "1"}) {
            QCOMPARE(outcome(parseEnrollment(body)), QByteArray("not_an_object"));
            QCOMPARE(outcome(parseDeleteKeyspace(body)), QByteArray("not_an_object"));
        }
        QCOMPARE(outcome(parseMatchV2("")), QByteArray("invalid_json"));
    }
};

QTEST_GUILESS_MAIN(RequestsTest)
#include "requests_test.moc"
