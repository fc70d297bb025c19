#include "shared/wire/reply_readers.h"
#include "tests/unit/wire/outcome.h"

#include <rapidcheck.h>

#include <bit>
#include <cmath>

using namespace fremis;
using namespace fremis::wire;
using fremis::test::outcome;

namespace {

constexpr Milliseconds kTime{1'767'600'000'123};
const base::Variation kVariation{18'446'744'073'709'551'615U};

base::FaceId face(const char* id = "1234567891") {
    return base::FaceId::trusted(id);
}
base::KeyspaceName keyspace() {
    return base::KeyspaceName::trusted("default");
}
DetectedFace detected() {
    return {112, 208, 160, 201, 0.998, true, 4.1, {"blurred"}, FaceAttributes{0.5, 0.25, 33.0}};
}

RecognitionReply recognition() {
    RecognitionReply reply;
    reply.candidates = {{face("a\"b"), 0.9359, kVariation, double(0.6234F)}, {face(), 0, kVariation, -1.0}};
    reply.faces = {detected()};
    reply.vectorsSearched = 812'345;
    reply.partitionsSearched = {{0, 127}, {200, 200}};
    reply.coverage = Coverage{255, 7, {{"worker2.example.org:4004", {{128, 255}}, "timeout"}}, "9f2c", true};
    return reply;
}

LoadedVectors loadedVectors() {
    LoadedVectors loaded{"ACTIVE", 100, "space-1", 512, "flat", {{0, 127}}, 2, 1, 4096, {}, {}, {}, {}};
    loaded.partitions = {{5, 2, 1}};
    loaded.keyspaces = {{keyspace(), 2, 1}};
    loaded.nodes = {{"worker:4003", "ACTIVE", 2}};
    loaded.complete = true;
    return loaded;
}

Health health() {
    Health health;
    health.state = "LOADING";
    health.loadedPercent = 41.5;
    health.role = "worker";
    health.version = "0.1.0";
    health.time = kTime;
    health.uptimeSeconds = 3'601;
    health.partitions = {{0, 127}};
    health.clientAuth = "open";
    health.internalPort = 4103;
    health.instance = "000102030405060708090a0b0c0d0e0f-3";
    return health;
}

/// What is written is read, and all of it.
template<class Reply, class Read> void checkRoundTrip(const Reply& reply, Read read) {
    const auto json = toJson(reply);
    const auto again = read(json);
    QVERIFY2(again.has_value(), again ? "" : (again.error().detail + " in " + json).c_str());
    QCOMPARE(toJson(*again), json);
}

/// A body with one member changed must be refused as a whole.
template<class Read> void checkRefused(std::string json, Read read, std::string_view from, std::string_view to) {
    const auto at = json.find(from);
    QVERIFY2(at != std::string::npos, (std::string(from) + " is not in " + json).c_str());
    json.replace(at, from.size(), to);
    const auto result = read(json);
    QVERIFY2(outcome(result) == "corrupt_data", json.c_str());
}

} // namespace

class ReplyReadersTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void repliesComeBackFromTheirJson() {
        checkRoundTrip(recognition(), readRecognition);
        checkRoundTrip(RecognitionReply{}, readRecognition);
        checkRoundTrip(MatchV1Reply{true, 0.5, double(0.4F)}, readMatchV1);
        checkRoundTrip(MatchV2Reply{0.5, double(0.4F)}, readMatchV2);
        checkRoundTrip(ExtractEmbeddingReply{{{0.6F, -0.8F}}, {"pack", "space-1", 2}, {detected()}},
                       readExtractEmbedding);
        checkRoundTrip(EnrollmentReply{face(), kVariation, {detected()}, Replication{2, 1}}, readEnrollment);
        checkRoundTrip(DeleteEnrollmentReply{{face(), face("b")}, {}}, readDeleteEnrollment);
        checkRoundTrip(DeleteVariationReply{face(), {kVariation}, true, {}}, readDeleteVariation);
        checkRoundTrip(GetEnrollmentReply{keyspace(), face(), 5, kTime, {{kVariation, kTime, {}, "space-1"}}},
                       readGetEnrollment);
        checkRoundTrip(ListEnrollmentsReply{keyspace(), "AYgB", {{face(), 5, 1, kTime}}, "01JH0Z5M8Q3V7T"},
                       readListEnrollments);
        checkRoundTrip(CreateKeyspaceReply{keyspace(), true, "01JH0Z5M8Q3V7T", 0.45, {}}, readCreateKeyspace);
        checkRoundTrip(ListKeyspacesReply{{{keyspace(), "01JH0Z5M8Q3V7T", 3, 4, kTime, {}}}, false}, readListKeyspaces);
        checkRoundTrip(DeleteKeyspaceReply{keyspace(), 12, {}}, readDeleteKeyspace);
        checkRoundTrip(loadedVectors(), readLoadedVectors);
        checkRoundTrip(LimitUsage{3, kNoLimit, 1, 100}, readLimitUsage);
        checkRoundTrip(health(), readHealth);
    }

    void scoresSurviveBitForBit() {
        QVERIFY(rc::check("a score is the float that was sent", [] {
            const auto score = static_cast<float>(*rc::gen::inRange(-1'000'000'000, 1'000'000'001)) / 1e9F;
            RecognitionReply reply;
            reply.candidates = {{face(), 0.5, kVariation, double(score)}};
            const auto read = readRecognition(toJson(reply));
            RC_ASSERT(read.has_value());
            RC_ASSERT(std::bit_cast<std::uint32_t>(static_cast<float>(read->candidates[0].score)) ==
                      std::bit_cast<std::uint32_t>(score));
        }));
    }

    void wrongRecognitionsAreRefused() {
        const auto json = toJson(recognition());
        const auto refused = [&](std::string_view from, std::string_view to) {
            checkRefused(json, readRecognition, from, to);
        };
        refused("\"similarity\":0.9359", "\"similarity\":1.0001");
        refused("\"similarity\":0.9359", "\"similarity\":-0.1");
        refused("\"similarity\":0.9359", "\"similarity\":1e999");
        refused("\"similarity\":0.9359", "\"similarity\":\"0.9\"");
        refused("\"similarity\":0.9359", "\"similarity\":null");
        refused("\"score\":-1.0", "\"score\":-1.5");
        refused("\"score\":-1.0", "\"score\":0.1"); // no float32
        refused("\"face_id\":\"1234567891\"", "\"face_id\":\"\"");
        refused("\"face_id\":\"1234567891\"", "\"face_id\":1234567891");
        refused("\"face_id\":\"1234567891\"", "\"face_id\":\"a\\u0000\"");
        refused("\"variation\":\"18446744073709551615\"", "\"variation\":\"18446744073709551616\"");
        refused("\"variation\":\"18446744073709551615\"", "\"variation\":7");
        refused("\"candidates\":[", "\"candidates\":[7,");
        refused("\"candidates\"", "\"candidate\"");
        refused("\"end\":127", "\"end\":256");
        refused("\"partitions_searched\":[{\"start\":0", "\"partitions_searched\":[{\"start\":\"0\"");
        refused("\"vectors_searched\":812345", "\"vectors_searched\":-1");
        refused("\"width\":160", "\"width\":1.5");
        refused("{\"result\"", "[{\"result\"");
    }

    void otherWrongRepliesAreRefused() {
        const auto enrolled = toJson(EnrollmentReply{face(), kVariation, {}, {}});
        checkRefused(enrolled, readEnrollment, "\"face_id\"", "\"face\"");
        checkRefused(enrolled, readEnrollment, "\"face_detected\":[]", "\"face_detected\":{}");
        const auto stored = toJson(GetEnrollmentReply{keyspace(), face(), 5, kTime, {}});
        checkRefused(stored, readGetEnrollment, "\"partition\":5", "\"partition\":256");
        checkRefused(stored, readGetEnrollment, "2026-01-05", "2026-02-30");
        checkRefused(stored, readGetEnrollment, "08:00:00.123Z", "24:00:00.123Z");
        checkRefused(stored, readGetEnrollment, "08:00:00.123Z", "08:00:00Z");
        const auto embedding = toJson(ExtractEmbeddingReply{{{0.6F, -0.8F}}, {"pack", "space-1", 2}, {detected()}});
        checkRefused(embedding, readExtractEmbedding, "[0.6,-0.8]", "[0.6]");
        checkRefused(embedding, readExtractEmbedding, "[0.6,-0.8]", "[0.6,1e39]");
        checkRefused(embedding, readExtractEmbedding, "[0.6,-0.8]", "[0.0,0.0]");
        checkRefused(embedding, readExtractEmbedding, "[0.6,-0.8]", "[0.6,null]");
        checkRefused(embedding, readExtractEmbedding, "[[0.6,-0.8]]", "[]");
        checkRefused(toJson(health()), readHealth, "\"internal_port\":4103", "\"internal_port\":65536");
    }

    void errorsAreRead() {
        const auto body = errorBody({base::Reason::NotOwner, "not mine", {}}, "b7c1");
        const auto read = readError(body);
        QVERIFY(read.has_value());
        QVERIFY(read->reason == base::Reason::NotOwner);
        QCOMPARE(read->token, std::string("not_owner"));
        QCOMPARE(read->description, std::string("not mine"));
        const auto future = readError(R"({"error":"of_the_future","description":"x"})");
        QVERIFY(future.has_value() && !future->reason);
        QCOMPARE(outcome(readError("<html>")), QByteArray("corrupt_data"));
    }

    void aReplyMayHaveMoreKeysThanARequest() {
        ListKeyspacesReply reply;
        for (int i = 0; i < 5'000; ++i)
            reply.keyspaces.push_back({base::KeyspaceName::trusted("k" + std::to_string(i)), "I", 0, 0, kTime, {}});
        checkRoundTrip(reply, readListKeyspaces);
    }
};

QTEST_GUILESS_MAIN(ReplyReadersTest)
#include "reply_readers_test.moc"
