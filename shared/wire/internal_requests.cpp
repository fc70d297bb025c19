#include "shared/wire/internal_parts.h"

#include <algorithm>

namespace fremis::wire::internal {

using base::Reason;

namespace {

void writeHead(JsonWriter& json, const WriteHead& head) {
    json.beginObject().member("op_id", textOf(head.opId)).member("epoch", head.epoch);
    writeVersion(json, "seen", head.seen);
}

WriteHead headOf(Fields& fields) {
    auto opId = idOf(fields, "op_id");
    auto epoch = epochOf(fields);
    return {std::move(opId), std::move(epoch), optionalVersion(fields, "seen").value_or(base::Version())};
}

/// Small integers of an array, `least`..`most`.
template<class T> auto smallInteger(int least, int most) {
    return [least, most](JsonValue value) -> base::Result<T> {
        int number = 0;
        const auto text = value.text();
        const bool plain = value.is(JsonKind::Number) && !text.empty() && text.size() <= 4 &&
                           std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
        for (std::size_t i = 0; plain && i < text.size(); ++i)
            number = number * 10 + (text[i] - '0');
        if (!plain || number < least || number > most)
            return base::fail(Reason::InvalidParams, "a number is not in its range");
        return static_cast<T>(number);
    };
}

void writeFace(JsonWriter& json, const StoredFace& face) {
    json.beginObject().member("keyspace", face.keyspace.text()).member("face_id", face.faceId.text());
}

StoredFace storedFaceOf(Fields& fields) {
    auto face = replyFaceId(fields);
    return {fields.keyspace(), std::move(face)};
}

} // namespace

std::string toJson(const ProbeRequest& message) {
    JsonWriter json;
    json.beginObject().member("coordinator", textOf(message.coordinator)).member("epoch", message.epoch);
    json.member("clock_ms", message.clockMs);
    writeVersion(json, "low_water", message.lowWater);
    writeVersion(json, "seen", message.seen);
    writeIds(json, "pending", message.pending);
    if (!message.forget.empty())
        writeIds(json, "forget", message.forget);
    json.member("protocol", message.protocol).member("partition_rule", message.partitionRule);
    json.member("space", message.space).member("dimension", message.dimension);
    return finished(json);
}

base::Result<ProbeRequest> parseProbe(std::string_view body) {
    return readBody(body, [](Fields& fields) {
        ProbeRequest probe;
        probe.coordinator = idOf(fields, "coordinator");
        probe.epoch = epochOf(fields);
        probe.clockMs = fields.integer<std::int64_t>("clock_ms", 0, std::numeric_limits<std::int64_t>::max());
        probe.lowWater = optionalVersion(fields, "low_water");
        probe.seen = optionalVersion(fields, "seen").value_or(base::Version());
        probe.pending = idsOf(fields, "pending");
        probe.forget = idsOf(fields, "forget");
        probe.protocol = fields.integer<int>("protocol", 1, 1'000'000);
        probe.partitionRule = fields.text("partition_rule", kMaxText);
        probe.space = fields.optionalText("space", kMaxText);
        if (fields.find("dimension"))
            probe.dimension = fields.integer<int>("dimension", 1, 1'000'000);
        return probe;
    });
}

std::string toJson(const EnrollmentRequest& message) {
    JsonWriter json;
    writeHead(json, message.head);
    json.member("new_face", message.newFace).member("keyspace", message.body.keyspace.text());
    json.key("additional_params").beginObject();
    if (message.body.faceId)
        json.member("face_id", message.body.faceId->text());
    const auto& options = message.body.options;
    json.member("require_single_face", options.requireSingleFace).key("attributes").beginArray();
    for (const auto& [wanted, name] :
         {std::pair(options.liveness, "liveness"), std::pair(options.gender, "gender"), std::pair(options.age, "age")})
        if (wanted)
            json.value(name);
    json.endArray().endObject().member("image", message.body.image.base64);
    return finished(json);
}

base::Result<EnrollmentRequest> parseEnrollment(std::string_view body) {
    return readBody(body, [](Fields& fields) {
        auto enrollment = enrollmentOf(fields);
        if (!enrollment.faceId)
            fields.fail(Reason::InvalidFaceId, "the face_id field not found");
        auto head = headOf(fields);
        return EnrollmentRequest{std::move(head), std::move(enrollment), fields.truth("new_face")};
    });
}

std::string toJson(const DeleteEnrollmentRequest& message) {
    JsonWriter json;
    writeHead(json, message.head);
    json.member("keyspace", message.body.keyspace.text()).member("even_if_absent", message.evenIfAbsent);
    writeFaceIds(json, "face_ids", message.body.faceIds);
    return finished(json);
}

base::Result<DeleteEnrollmentRequest> parseDeleteEnrollment(std::string_view body) {
    return readBody(body, [](Fields& fields) {
        auto request = deleteEnrollmentOf(fields);
        auto head = headOf(fields);
        return DeleteEnrollmentRequest{std::move(head), std::move(request), fields.truth("even_if_absent")};
    });
}

std::string toJson(const DeleteVariationRequest& message) {
    JsonWriter json;
    writeHead(json, message.head);
    json.member("keyspace", message.body.keyspace.text()).member("face_id", message.body.faceId.text());
    json.member("even_if_absent", message.evenIfAbsent);
    writeList(json, "variations", message.body.variations, [&](const auto& one) { json.value(one.text()); });
    return finished(json);
}

base::Result<DeleteVariationRequest> parseDeleteVariation(std::string_view body) {
    return readBody(body, [](Fields& fields) {
        auto request = deleteVariationOf(fields);
        auto head = headOf(fields);
        return DeleteVariationRequest{std::move(head), std::move(request), fields.truth("even_if_absent")};
    });
}

std::string toJson(const CreateKeyspaceRequest& message) {
    JsonWriter json;
    writeHead(json, message.head);
    json.member("keyspace", message.body.keyspace.text());
    if (message.body.matchThreshold)
        json.key("additional_params").beginObject().member("match_threshold", *message.body.matchThreshold).endObject();
    return finished(json);
}

base::Result<CreateKeyspaceRequest> parseCreateKeyspace(std::string_view body) {
    return readBody(body, [](Fields& fields) {
        auto request = createKeyspaceOf(fields);
        return CreateKeyspaceRequest{headOf(fields), std::move(request)};
    });
}

std::string toJson(const DeleteKeyspaceRequest& message) {
    JsonWriter json;
    writeHead(json, message.head);
    json.member("keyspace", message.body.keyspace.text());
    return finished(json);
}

base::Result<DeleteKeyspaceRequest> parseDeleteKeyspace(std::string_view body) {
    return readBody(body, [](Fields& fields) {
        auto keyspace = fields.keyspace();
        return DeleteKeyspaceRequest{headOf(fields), {std::move(keyspace)}};
    });
}

std::string toJson(const ApplyRequest& message) {
    JsonWriter json;
    json.beginObject().member("epoch", message.epoch).member("mend", message.mend);
    writeRecords(json, "operations", message.operations);
    return finished(json);
}

base::Result<ApplyRequest> parseApply(std::string_view body) {
    return readBody(body, [](Fields& fields) {
        auto epoch = epochOf(fields);
        auto operations = recordsOf(fields, "operations", 1, kMaxRecords);
        return ApplyRequest{std::move(epoch), std::move(operations), fields.flag("mend").value_or(false)};
    });
}

std::string toJson(const DigestsRequest& message) {
    JsonWriter json;
    json.beginObject();
    writeRanges(json, "partitions", message.partitions);
    return finished(json);
}

base::Result<DigestsRequest> parseDigests(std::string_view body) {
    return readBody(body, [](Fields& fields) { return DigestsRequest{fields.ranges("partitions", 1)}; });
}

std::string toJson(const LeavesRequest& message) {
    JsonWriter json;
    json.beginObject().member("partition", message.partition);
    writeList(json, "nodes", message.nodes, [&](std::uint16_t node) { json.value(node); });
    return finished(json);
}

base::Result<LeavesRequest> parseLeaves(std::string_view body) {
    return readBody(body, [](Fields& fields) {
        const auto partition = partitionOf(fields);
        return LeavesRequest{partition, fields.values("nodes", 1, kMaxTreeNode,
                                                      smallInteger<std::uint16_t>(1, static_cast<int>(kMaxTreeNode)))};
    });
}

std::string toJson(const RowsRequest& message) {
    JsonWriter json;
    json.beginObject().member("partition", message.partition);
    writeList(json, "leaves", message.leaves, [&](std::uint8_t leaf) { json.value(leaf); });
    json.member("cursor", message.cursor).member("limit", message.limit);
    return finished(json);
}

base::Result<RowsRequest> parseRows(std::string_view body) {
    return readBody(body, [](Fields& fields) {
        RowsRequest request;
        request.partition = partitionOf(fields);
        request.leaves = fields.values("leaves", 1, 256, smallInteger<std::uint8_t>(0, 255));
        request.cursor = fields.optionalText("cursor", kMaxText).value_or(std::string());
        if (fields.find("limit"))
            request.limit = fields.integer<int>("limit", 1, static_cast<int>(kMaxRecords));
        return request;
    });
}

std::string toJson(const CollectRequest& message) {
    JsonWriter json;
    json.beginObject().member("epoch", message.epoch);
    writeRanges(json, "partitions", message.partitions);
    json.member("horizon", textOf(message.horizon));
    return finished(json);
}

base::Result<CollectRequest> parseCollect(std::string_view body) {
    return readBody(body, [](Fields& fields) {
        auto epoch = epochOf(fields);
        auto partitions = fields.ranges("partitions", 1);
        return CollectRequest{std::move(epoch), std::move(partitions), versionOf(fields, "horizon")};
    });
}

std::string toJson(const FaceEmbeddingsRequest& message) {
    JsonWriter json;
    writeFace(json, message.face);
    return finished(json);
}

base::Result<FaceEmbeddingsRequest> parseFaceEmbeddings(std::string_view body) {
    return readBody(body, [](Fields& fields) { return FaceEmbeddingsRequest{storedFaceOf(fields)}; });
}

std::string toJson(const MatchRequest& message) {
    JsonWriter json;
    writeFace(json, message.face);
    writeEmbeddings(json, message.other);
    return finished(json);
}

base::Result<MatchRequest> parseMatch(std::string_view body) {
    return readBody(body, [](Fields& fields) {
        auto face = storedFaceOf(fields);
        return MatchRequest{std::move(face), embeddingsOf(fields)};
    });
}

} // namespace fremis::wire::internal
