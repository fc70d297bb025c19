#include "shared/wire/json.h"
#include "shared/wire/json_writer.h"
#include "shared/wire/replies.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include <rapidcheck.h>

#include <cmath>
#include <limits>

using namespace fremis::wire;
using fremis::base::FaceId;
using fremis::base::KeyspaceName;
using fremis::base::Reason;
using fremis::base::Variation;

namespace {

constexpr Milliseconds kTime{1'767'600'000'000}; // 2026-01-05T08:00:00Z
const Variation kVariation{9'183'746'501'928'374'650u};

FaceId face(const char* id) {
    return FaceId::trusted(id);
}
KeyspaceName keyspace(const char* name) {
    return KeyspaceName::trusted(name);
}
DetectedFace detected() {
    return {112, 208, 160, 201, 0.998, true, 4.1, {}, {}};
}

QByteArray bytes(const std::string& text) {
    return QByteArray::fromStdString(text);
}
QJsonObject object(const std::string& text) {
    return QJsonDocument::fromJson(bytes(text)).object();
}

// Compares with the contract's example, whose blanks do not count.
void compare(const std::string& written, const char* expected) {
    const auto want = QJsonDocument::fromJson(expected);
    QVERIFY2(want.isObject(), "the expectation is no JSON");
    QCOMPARE(QJsonDocument::fromJson(bytes(written)).toJson(), want.toJson());
    QVERIFY(JsonDocument::parse(written).has_value());
    QVERIFY(!object(written).contains(QStringLiteral("description"))); // clients read it as an error
}

Health health() {
    Health health;
    health.state = "ACTIVE";
    health.loadedPercent = 100;
    health.role = "worker";
    health.version = "0.1.0";
    health.time = kTime;
    health.uptimeSeconds = 3'601;
    health.vectorsLoaded = 403'311;
    health.vectorsExpected = 403'311;
    health.partitions = {{0, 127}};
    health.space = "fp-mfn512-bgr-1";
    health.clientAuth = "open";
    health.internalPort = 4'103;
    health.instance = "000102030405060708090a0b0c0d0e0f-3";
    return health;
}

} // namespace

class RepliesTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void enrollment() {
        compare(toJson(EnrollmentReply{face("1234567891"), kVariation, {detected()}, Replication{2, 0}}), R"(
            {"face_id": "1234567891", "variation": "9183746501928374650",
             "face_detected": [{"top": 112, "left": 208, "width": 160, "height": 201, "score": 0.998, "used": true, "norm": 4.1}],
             "replication": {"acked": 2, "queued": 0}})");
        const auto alone = object(toJson(EnrollmentReply{face("7"), Variation(1), {}, {}}));
        QVERIFY(!alone.contains(QStringLiteral("replication")));
        QVERIFY(alone[QStringLiteral("face_detected")].isArray());
    }

    void warningsAndAttributesOfAFace() {
        auto one = detected();
        one.warnings = {"low_norm", "turned"};
        one.attributes = FaceAttributes{0.98, std::nullopt, 34.5};
        compare(toJson(EnrollmentReply{face("7"), Variation(1), {one}, {}}), R"(
            {"face_id": "7", "variation": "1",
             "face_detected": [{"top": 112, "left": 208, "width": 160, "height": 201, "score": 0.998, "used": true, "norm": 4.1,
                                "warnings": ["low_norm", "turned"], "attributes": {"liveness": 0.98, "age": 34.5}}]})");
    }

    void recognition() {
        RecognitionReply reply;
        reply.candidates = {{face("1234567891"), 0.9359, kVariation, 0.6234},
                            {face("1234567893"), 0.3596, Variation(4'471'100'290'318'846'235), 0.3519}};
        reply.faces = {detected()};
        reply.coverage = Coverage{256, 812'345, {}, "9f2c1a7b30d4e5f6"};
        compare(toJson(reply), R"(
            {"result": {"face_recognition": {"candidates": [
               {"face_id": "1234567891", "similarity": 0.9359, "variation": "9183746501928374650", "score": 0.6234},
               {"face_id": "1234567893", "similarity": 0.3596, "variation": "4471100290318846235", "score": 0.3519}]}},
             "face_detected": [{"top": 112, "left": 208, "width": 160, "height": 201, "score": 0.998, "used": true, "norm": 4.1}],
             "coverage": {"partitions_total": 256, "partitions_searched": 256, "complete": true, "vectors_searched": 812345,
                          "failed_nodes": [], "config_epoch": "9f2c1a7b30d4e5f6"}})");
        compare(toJson(RecognitionReply{{}, {}, 7, {{{0, 127}}}, {}, {}}), R"(
            {"result": {"face_recognition": {"candidates": []}}, "vectors_searched": 7, "partitions_searched": [{"start": 0, "end": 127}]})");
    }

    void incompleteCoverage() {
        const Coverage coverage{128, 5, {{"worker2.example.org:4004", {{128, 255}}, "timeout"}}, "9f2c1a7b30d4e5f6"};
        compare(toJson(coverage), R"(
            {"partitions_total": 256, "partitions_searched": 128, "complete": false, "vectors_searched": 5, "config_epoch": "9f2c1a7b30d4e5f6",
             "failed_nodes": [{"address": "worker2.example.org:4004", "partitions": [{"start": 128, "end": 255}], "reason": "timeout"}]})");
    }

    void staleCoverage() {
        compare(toJson(Coverage{256, 5, {}, "9f2c1a7b30d4e5f6", true}), R"(
            {"partitions_total": 256, "partitions_searched": 256, "complete": true, "vectors_searched": 5, "failed_nodes": [],
             "stale": true, "config_epoch": "9f2c1a7b30d4e5f6"})");
    }

    void matches() {
        compare(toJson(MatchV1Reply{true, 0.9074, 0.5902}),
                R"({"face_match": {"match": true, "similarity": 0.9074, "score": 0.5902}})");
        compare(toJson(MatchV2Reply{0.9359, 0.6234}),
                R"({"similarity": 0.9359, "score": 0.6234, "face_match": {"similarity": 0.9359}})");
    }

    void deletes() {
        compare(toJson(DeleteEnrollmentReply{{face("1234567891")}, Replication{1, 1}}),
                R"({"deleted_face_ids": ["1234567891"], "replication": {"acked": 1, "queued": 1}})");
        compare(toJson(DeleteEnrollmentReply{}), R"({"deleted_face_ids": []})");
        compare(toJson(DeleteVariationReply{face("1234567891"), {kVariation}, false, {}}),
                R"({"face_id": "1234567891", "deleted_variations": ["9183746501928374650"], "face_deleted": false})");
        const std::vector deleted{face("1")};
        const std::vector failed{face("2"), face("3")};
        QCOMPARE(partialDeleteMembers(deleted, failed),
                 std::string(R"("deleted_face_ids":["1"],"failed_face_ids":["2","3"])"));
    }

    void extraction() {
        compare(
            toJson(ExtractEmbeddingReply{{{0.0123F, -0.0456F}}, {"fp-mfn512", "fp-mfn512-bgr-1", 512}, {detected()}}),
            R"(
            {"embeddings": [[0.0123, -0.0456]], "model": {"pack": "fp-mfn512", "space": "fp-mfn512-bgr-1", "dim": 512},
             "face_detected": [{"top": 112, "left": 208, "width": 160, "height": 201, "score": 0.998, "used": true, "norm": 4.1}]})");
        QCOMPARE(object(toJson(ExtractEmbeddingReply{}))[QStringLiteral("embeddings")].toArray(), QJsonArray());
    }

    void getAndList() {
        compare(toJson(GetEnrollmentReply{
                    keyspace("default"), face("1234567891"), 5, kTime, {{kVariation, kTime, 4.1, "fp-mfn512-bgr-1"}}}),
                R"(
            {"keyspace": "default", "face_id": "1234567891", "partition": 5, "updated_at": "2026-01-05T08:00:00.000Z",
             "variations": [{"variation": "9183746501928374650", "created_at": "2026-01-05T08:00:00.000Z", "norm": 4.1, "space": "fp-mfn512-bgr-1"}]})");
        compare(toJson(ListEnrollmentsReply{keyspace("default"), "AYgB", {{face("1234567891"), 5, 1, kTime}}, {}}), R"(
            {"keyspace": "default", "next_cursor": "AYgB", "enrollments": [
               {"face_id": "1234567891", "partition": 5, "variations": 1, "updated_at": "2026-01-05T08:00:00.000Z"}]})");
        compare(toJson(ListEnrollmentsReply{keyspace("default"), {}, {}, {}}),
                R"({"keyspace": "default", "next_cursor": null, "enrollments": []})");
    }

    void keyspaces() {
        compare(
            toJson(CreateKeyspaceReply{keyspace("employee"), true, "01JH0Z5M8Q3V7T", 0.45, {}}),
            R"({"keyspace": "employee", "created": true, "incarnation": "01JH0Z5M8Q3V7T", "match_threshold": 0.45})");
        compare(toJson(ListKeyspacesReply{{{keyspace("default"), "01JH0Z5M8Q3V7A", 3, 4, kTime, {}},
                                           {keyspace("Korlantas"), "B", 0, 0, kTime, 0.5}},
                                          false}),
                R"(
            {"keyspaces": [
               {"keyspace": "Korlantas", "incarnation": "B", "faces": 0, "variations": 0, "created_at": "2026-01-05T08:00:00.000Z", "match_threshold": 0.5},
               {"keyspace": "default", "incarnation": "01JH0Z5M8Q3V7A", "faces": 3, "variations": 4, "created_at": "2026-01-05T08:00:00.000Z",
                "match_threshold": null}], "complete": false})");
        compare(
            toJson(DeleteKeyspaceReply{keyspace("employee"), 12, Replication{2, 0}}),
            R"({"keyspace": "employee", "deleted": true, "faces_deleted": 12, "replication": {"acked": 2, "queued": 0}})");
    }

    void healthOfAWorkerAndOfTheCoordinator() {
        compare(toJson(health()), R"(
            {"state": "ACTIVE", "loaded_percent": 100.0, "role": "worker", "version": "0.1.0", "time": "2026-01-05T08:00:00.000Z", "uptime_s": 3601,
             "vectors_loaded": 403311, "vectors_expected": 403311, "partitions": [{"start": 0, "end": 127}], "space": "fp-mfn512-bgr-1",
             "client_auth": "open", "internal_port": 4103,
             "instance": "000102030405060708090a0b0c0d0e0f-3"})");
        auto coordinator = health();
        coordinator.internalPort.reset();
        coordinator.instance.reset();
        coordinator.space.reset();
        coordinator.partitionsSearchable = 256;
        coordinator.complete = true;
        coordinator.configEpoch = "9f2c1a7b30d4e5f6";
        const auto reply = object(toJson(coordinator));
        QVERIFY(!reply.contains(QStringLiteral("internal_port")));
        QVERIFY(!reply.contains(QStringLiteral("instance")));
        QVERIFY(reply[QStringLiteral("space")].isNull());
        QCOMPARE(reply[QStringLiteral("partitions_searchable")].toInt(), 256);
    }

    void notReadyTellsTheState() {
        auto loading = health();
        loading.state = "LOADING";
        loading.loadedPercent = 41.5;
        const auto body = errorBody({Reason::NotReady, "loading: 41.5 %", {}}, "b7c1", notReadyMembers(loading));
        QCOMPARE(
            body,
            std::string(
                R"({"code":"503","message":"service unavailable","description":"loading: 41.5 %","error":"not_ready",)"
                R"("request_id":"b7c1","state":"LOADING","loaded_percent":41.5,"role":"worker"})"));
    }

    void limitUsage() {
        compare(toJson(LimitUsage{.currentEnrollment = 812'345, .currentKeyspace = 3}), R"(
            {"current_enrollment": 812345, "maximum_enrollment": 9007199254740991, "current_keyspace": 3, "maximum_keyspace": 9007199254740991,
             "current_anonymous_enrollment": 0, "maximum_anonymous_enrollment": 0})");
    }

    void loadedVectors() {
        LoadedVectors loaded{"ACTIVE",
                             100,
                             "fp-mfn512-bgr-1",
                             512,
                             "flat",
                             {{0, 255}},
                             4,
                             3,
                             8'192,
                             {{0, 0, 0}, {5, 1, 1}, {136, 3, 2}},
                             {{keyspace("default"), 4, 3}},
                             {},
                             {}};
        compare(toJson(loaded), R"(
            {"state": "ACTIVE", "loaded_percent": 100.0, "space": "fp-mfn512-bgr-1", "dim": 512, "index": "flat",
             "owned": [{"start": 0, "end": 255}], "total": 4, "faces": 3, "memory_bytes": 8192,
             "partitions": [{"partition": 0, "vectors": 0, "faces": 0}, {"partition": 5, "vectors": 1, "faces": 1}, {"partition": 136, "vectors": 3, "faces": 2}],
             "keyspaces": [{"keyspace": "default", "vectors": 4, "faces": 3}]})");
        loaded.nodes = {{"worker1.example.org:4003", "ACTIVE", 4}};
        loaded.complete = false;
        const auto cluster = object(toJson(loaded));
        QCOMPARE(cluster[QStringLiteral("complete")].toBool(true), false);
        QCOMPARE(cluster[QStringLiteral("nodes")][0][QStringLiteral("total")].toInt(), 4);
    }

    void resourceStats() {
        ResourceStats stats;
        stats.timestamp = kTime;
        stats.cpu = {4, 37.5, 30.1};
        stats.ram = {17'179'869'184, 6'442'450'944, 10'737'418'240, 37.5};
        stats.process = {1'610'612'736, 19, 64};
        stats.disk = {107'374'182'400, 85'899'345'920, 20.0, 734'003'200, 0};
        stats.gpu = {{0, "Example GPU", 12.0, 25'769'803'776, 2'147'483'648}};
        compare(toJson(stats), R"(
            {"timestamp": "2026-01-05T08:00:00.000Z",
             "cpu": {"cores": 4, "percent": 37.5, "process_percent": 30.1},
             "ram": {"total_bytes": 17179869184, "used_bytes": 6442450944, "available_bytes": 10737418240, "percent": 37.5},
             "process": {"rss_bytes": 1610612736, "threads": 19, "open_fds": 64},
             "disk": {"total_bytes": 107374182400, "free_bytes": 85899345920, "percent": 20.0, "data_bytes": 734003200, "queue_bytes": 0},
             "gpu": [{"index": 0, "name": "Example GPU", "util_percent": 12.0, "memory_total_bytes": 25769803776, "memory_used_bytes": 2147483648}]})");
        const auto first = object(toJson(ResourceStats{}));
        QVERIFY(first[QStringLiteral("cpu")][QStringLiteral("percent")].isNull());
        QCOMPARE(first[QStringLiteral("gpu")].toArray(), QJsonArray());
    }

    void everyReasonHasACompleteErrorBody() {
        for (const auto& info : fremis::base::reasonTable()) {
            const auto body = object(errorBody({info.reason, {}, "for the log only"}, ""));
            for (const char* name : {"code", "message", "description", "error", "request_id"}) {
                const auto value = body[QLatin1String(name)];
                QVERIFY2(value.isString() && !value.toString().isEmpty(), name);
            }
            QCOMPARE(body.size(), 5);
            QCOMPARE(body[QStringLiteral("code")].toString(), QString::number(info.status));
            QVERIFY2(body[QStringLiteral("message")].toString() != QStringLiteral("error"),
                     body[QStringLiteral("code")].toString().toUtf8());
        }
    }

    void errorBodyAsClientsKnowIt() {
        QCOMPARE(
            errorBody({Reason::ImageMissing, "the image field not found", {}}, "b7c1"),
            std::string(
                R"({"code":"400","message":"invalid arguments","description":"the image field not found","error":"image_missing","request_id":"b7c1"})"));
        const auto incomplete =
            object(errorBody({Reason::IncompleteSearch, "x", {}}, "1", "\"coverage\":" + toJson(Coverage{})));
        QCOMPARE(incomplete[QStringLiteral("coverage")][QStringLiteral("complete")].toBool(true), false);
        QCOMPARE(statusMessage(429), std::string_view("Too many requests"));
        QCOMPARE(statusMessage(500), std::string_view("internal server error"));
        QCOMPARE(statusMessage(404), std::string_view("not found"));
    }

    void idsAreEchoedWhateverTheyHold() {
        for (const char* id : {"'; DROP TABLE enrollment;--", "\" OR 1=1", "C:\\x", "%s%n", "</script>",
                               "\xF0\x9F\x98\x80", "e\xCC\x81", "\xE2\x81\xA3"}) {
            const auto reply = toJson(EnrollmentReply{face(id), Variation(1), {}, {}});
            QCOMPARE(object(reply)[QStringLiteral("face_id")].toString().toUtf8(), QByteArray(id));
        }
    }

    void numbersAreShortestAndReadBackEqual() {
        const auto written = [](auto number) { return JsonWriter().value(number).take(); };
        QCOMPARE(written(0.1), std::string("0.1"));
        QCOMPARE(written(0.1F), std::string("0.1"));
        QCOMPARE(written(100.0), std::string("100.0"));
        QCOMPARE(written(-0.0), std::string("-0.0"));
        QCOMPARE(written(std::numeric_limits<std::uint64_t>::max()), std::string("18446744073709551615"));
        QCOMPARE(written(std::numeric_limits<std::int64_t>::min()), std::string("-9223372036854775808"));
        QCOMPARE(written(std::numeric_limits<double>::quiet_NaN()), std::string("null"));
        QCOMPARE(written(std::numeric_limits<float>::infinity()), std::string("null"));
        QVERIFY(rc::check("a float that was written reads back as itself", [&](std::uint32_t bits) {
            float number = 0;
            std::memcpy(&number, &bits, sizeof number);
            RC_PRE(std::isfinite(number));
            const auto text = written(number);
            RC_ASSERT(JsonDocument::parse("{\"a\":" + text + "}").has_value());
            RC_ASSERT(std::strtof(text.c_str(), nullptr) == number);
        }));
    }

    void brokenTextNeverBreaksTheJson() {
        QVERIFY(rc::check("any bytes make a JSON string", [](const std::string& text) {
            const auto json = JsonWriter().beginObject().member("a", text).endObject().take();
            RC_ASSERT(JsonDocument::parse(json).has_value());
        }));
        QCOMPARE(JsonWriter().value("a\x1F\x7F\xFF").take(), std::string("\"a\\u001f\\u007f\xEF\xBF\xBD\""));
    }
};

QTEST_GUILESS_MAIN(RepliesTest)
#include "replies_test.moc"
