#include "shared/wire/internal.h"

#include "shared/wire/base64.h"
#include "shared/wire/json_writer.h"
#include "shared/wire/reply_fields.h"
#include "shared/wire/reply_parts.h"

#include <openssl/evp.h>

#include <algorithm>
#include <limits>

namespace fremis::wire::internal {

namespace {

using base::Reason;

constexpr std::size_t kMaxNodes = 4'096; ///< nodes or coordinators in one list
constexpr std::size_t kMaxEpoch = 64;
constexpr std::size_t kMaxText = 4'096;
constexpr std::size_t kMaxTreeNode = 511;
constexpr std::uint64_t kAnyCount = std::numeric_limits<std::uint64_t>::max();

template<class T> struct Token {
    T value;
    std::string_view text;
};

constexpr Token<ApplyEffect> kEffects[] = {
    {ApplyEffect::Applied, "applied"},
    {ApplyEffect::Already, "already"},
    {ApplyEffect::Stale, "stale"},
    {ApplyEffect::KeyspaceUnknown, "keyspace_unknown"},
    {ApplyEffect::VersionAhead, "version_ahead"},
    {ApplyEffect::StaleIncarnation, "stale_incarnation"},
    {ApplyEffect::BehindHorizon, "behind_horizon"},
    {ApplyEffect::NotOwner, "not_owner"},
    {ApplyEffect::SpaceMismatch, "space_mismatch"},
    {ApplyEffect::DimensionMismatch, "dimension_mismatch"},
    {ApplyEffect::EmbeddingInvalid, "embedding_invalid"},
    {ApplyEffect::Damaged, "damaged"},
    {ApplyEffect::Invalid, "invalid"},
};
constexpr Token<IndexState> kIndexStates[] = {
    {IndexState::Equal, "equal"},
    {IndexState::Busy, "busy"},
    {IndexState::Loading, "loading"},
    {IndexState::Different, "different"},
};

template<class T, std::size_t N> std::string_view tokenIn(const Token<T> (&tokens)[N], T value) {
    return std::ranges::find(tokens, value, &Token<T>::value)->text;
}

template<class T, std::size_t N> T valueOf(const Token<T> (&tokens)[N], Fields& fields, std::string_view key) {
    const auto* const found = std::ranges::find(tokens, fields.text(key, 64), &Token<T>::text);
    if (found != std::end(tokens))
        return found->value;
    fields.fail(Reason::InvalidParams, "the field " + std::string(key) + " is none of its words");
    return tokens[0].value;
}

std::string hex(std::span<const std::uint8_t> bytes) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    text.reserve(bytes.size() * 2);
    for (const auto byte : bytes) {
        text += kDigits[byte >> 4];
        text += kDigits[byte & 15];
    }
    return text;
}

template<std::size_t N> base::Result<std::array<std::uint8_t, N>> bytesOf(std::string_view text) {
    const auto digit = [](char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; };
    std::array<std::uint8_t, N> bytes{};
    bool sound = text.size() == 2 * N;
    for (std::size_t i = 0; sound && i < N; ++i) {
        const int high = digit(text[2 * i]);
        const int low = digit(text[2 * i + 1]);
        sound = high >= 0 && low >= 0;
        bytes[i] = static_cast<std::uint8_t>(high << 4 | low);
    }
    if (!sound)
        return base::fail(Reason::InvalidParams, "not " + std::to_string(2 * N) + " lower-case hexadecimal digits");
    return bytes;
}

std::array<std::uint8_t, 8> bigEndian(std::uint64_t value) {
    std::array<std::uint8_t, 8> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<std::uint8_t>(value >> (56 - 8 * i));
    return bytes;
}

std::uint64_t numberOf(std::span<const std::uint8_t, 8> bytes) {
    std::uint64_t value = 0;
    for (const auto byte : bytes)
        value = value << 8 | byte;
    return value;
}

Id partId(const Id& call, char kind, std::string_view part) {
    std::string input(call.begin(), call.end());
    input.append(1, kind).append(part);
    Digest digest{};
    EVP_Digest(input.data(), input.size(), digest.data(), nullptr, EVP_sha256(), nullptr);
    Id id{};
    std::copy_n(digest.begin(), id.size(), id.begin());
    return id;
}

// ---- writing

void writeRecords(JsonWriter& json, std::string_view name, std::span<const Record> records) {
    writeList(json, name, records, [&](const Record& record) {
        json.value(encodeBase64({reinterpret_cast<const std::uint8_t*>(record.data()), record.size()}));
    });
}

void writeIds(JsonWriter& json, std::string_view name, std::span<const Id> ids) {
    writeList(json, name, ids, [&](const Id& id) { json.value(textOf(id)); });
}

void writeFaceIds(JsonWriter& json, std::string_view name, std::span<const base::FaceId> ids) {
    writeList(json, name, ids, [&](const base::FaceId& id) { json.value(id.text()); });
}

void writeVersion(JsonWriter& json, std::string_view name, const std::optional<base::Version>& version) {
    json.key(name);
    version ? json.value(textOf(*version)) : json.null();
}

void writeHead(JsonWriter& json, const WriteHead& head) {
    json.beginObject().member("op_id", textOf(head.opId)).member("epoch", head.epoch);
}

std::string finished(JsonWriter& json) {
    return json.endObject().take();
}

template<class Reply> std::string withOperations(const Reply& reply, std::span<const Record> operations) {
    JsonWriter json;
    json.beginObject().raw(withoutBraces(wire::toJson(reply)));
    writeRecords(json, "operations", operations);
    return finished(json);
}

// ---- reading

base::Result<std::string> epochText(std::string_view text, bool mayBeEmpty) {
    const auto isPlain = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_';
    };
    if ((text.empty() && !mayBeEmpty) || text.size() > kMaxEpoch || !std::ranges::all_of(text, isPlain))
        return base::fail(Reason::InvalidParams, "not an epoch");
    return std::string(text);
}

/// The text of member `key` through `parse`, or an error and `otherwise`.
template<class Parse>
auto parsed(Fields& fields, std::string_view key, std::size_t most, Parse parse) ->
    typename std::invoke_result_t<Parse, std::string_view>::value_type {
    auto value = parse(std::string_view(fields.text(key, most)));
    if (value)
        return std::move(*value);
    fields.fail(value.error().reason, "the field " + std::string(key) + ": " + value.error().message);
    return {};
}

std::string epochOf(Fields& fields, bool mayBeEmpty = false) {
    return parsed(fields, "epoch", kMaxEpoch,
                  [mayBeEmpty](std::string_view text) { return epochText(text, mayBeEmpty); });
}

Id idOf(Fields& fields, std::string_view key) {
    return parsed(fields, key, 2 * sizeof(Id), parseId);
}

Digest digestOf(Fields& fields, std::string_view key) {
    return parsed(fields, key, 2 * sizeof(Digest), bytesOf<sizeof(Digest)>);
}

base::Version versionOf(Fields& fields, std::string_view key) {
    return parsed(fields, key, 32, parseVersion);
}

std::optional<base::Version> optionalVersion(Fields& fields, std::string_view key) {
    return fields.find(key) ? std::optional(versionOf(fields, key)) : std::nullopt;
}

template<class T> auto fromText(T parse) {
    return [parse](JsonValue value) {
        return value.is(JsonKind::String) ? parse(value.text()) : parse(std::string_view());
    };
}

std::vector<Id> idsOf(Fields& fields, std::string_view key) {
    if (!fields.find(key))
        return {};
    return fields.values(key, 0, kMaxNodes, fromText(parseId));
}

std::vector<Record> recordsOf(Fields& fields, std::string_view key, std::size_t least, std::size_t most) {
    return fields.values(key, least, most, [buffer = Bytes()](JsonValue value) mutable -> base::Result<Record> {
        if (!value.is(JsonKind::String) || !decodeBase64(value.text(), buffer))
            return base::fail(Reason::InvalidParams, "a record is not base64 text");
        return Record(buffer.begin(), buffer.end());
    });
}

WriteHead headOf(Fields& fields) {
    return {idOf(fields, "op_id"), epochOf(fields)};
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

base::Partition partitionOf(Fields& fields) {
    return static_cast<base::Partition>(fields.integer<int>("partition", 0, base::kPartitionCount - 1));
}

std::vector<Record> operationsOf(Fields& fields, std::size_t most = kMaxIdsPerDelete) {
    return recordsOf(fields, "operations", 0, most);
}

Heard heardOf(Fields& fields) {
    Heard heard;
    heard.coordinator = idOf(fields, "coordinator");
    heard.pending = idsOf(fields, "pending");
    heard.lowWater = optionalVersion(fields, "low_water");
    heard.ageMs = fields.integer<std::int64_t>("age_ms", 0, std::numeric_limits<std::int64_t>::max());
    return heard;
}

} // namespace

std::string textOf(const Id& id) {
    return hex(id);
}

base::Result<Id> parseId(std::string_view text) {
    return bytesOf<sizeof(Id)>(text);
}

std::string textOf(base::Version version) {
    return hex(bigEndian(version.stamp)) + hex(bigEndian(version.writer));
}

base::Result<base::Version> parseVersion(std::string_view text) {
    const auto bytes = bytesOf<16>(text);
    if (!bytes)
        return tl::unexpected(bytes.error());
    const std::span<const std::uint8_t, 16> all(*bytes);
    return base::Version{numberOf(all.first<8>()), numberOf(all.last<8>())};
}

std::string_view tokenOf(ApplyEffect effect) {
    return tokenIn(kEffects, effect);
}

std::string_view tokenOf(IndexState state) {
    return tokenIn(kIndexStates, state);
}

Id faceOpId(const Id& call, const base::FaceId& face) {
    return partId(call, 'f', face.text());
}

Id variationOpId(const Id& call, base::Variation variation) {
    return partId(call, 'v', variation.text());
}

// ---- requests -------------------------------------------------------------------------------------------------------

std::string toJson(const ProbeRequest& message) {
    JsonWriter json;
    json.beginObject().member("coordinator", textOf(message.coordinator)).member("epoch", message.epoch);
    json.member("clock_ms", message.clockMs);
    writeVersion(json, "low_water", message.lowWater);
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
    json.member("keyspace", message.body.keyspace.text());
    writeFaceIds(json, "face_ids", message.body.faceIds);
    return finished(json);
}

base::Result<DeleteEnrollmentRequest> parseDeleteEnrollment(std::string_view body) {
    return readBody(body, [](Fields& fields) {
        auto request = deleteEnrollmentOf(fields);
        return DeleteEnrollmentRequest{headOf(fields), std::move(request)};
    });
}

std::string toJson(const DeleteVariationRequest& message) {
    JsonWriter json;
    writeHead(json, message.head);
    json.member("keyspace", message.body.keyspace.text()).member("face_id", message.body.faceId.text());
    writeList(json, "variations", message.body.variations, [&](const auto& one) { json.value(one.text()); });
    return finished(json);
}

base::Result<DeleteVariationRequest> parseDeleteVariation(std::string_view body) {
    return readBody(body, [](Fields& fields) {
        auto request = deleteVariationOf(fields);
        return DeleteVariationRequest{headOf(fields), std::move(request)};
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
    json.beginObject().member("epoch", message.epoch);
    writeRecords(json, "operations", message.operations);
    return finished(json);
}

base::Result<ApplyRequest> parseApply(std::string_view body) {
    return readBody(body, [](Fields& fields) {
        auto epoch = epochOf(fields);
        return ApplyRequest{std::move(epoch), recordsOf(fields, "operations", 1, kMaxRecords)};
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

// ---- replies --------------------------------------------------------------------------------------------------------

std::string toJson(const ProbeReply& message) {
    JsonWriter json;
    json.beginObject().member("node_id", textOf(message.node)).member("generation", message.generation);
    json.member("version", message.version).member("state", message.state);
    json.member("loaded_percent", message.loadedPercent).member("vectors_loaded", message.vectorsLoaded);
    json.member("space", message.space).member("dimension", message.dimension);
    json.member("partition_rule", message.partitionRule).member("protocol", message.protocol);
    writeRanges(json, "partitions", message.partitions);
    json.member("clock_ms", message.clockMs).member("last_version", textOf(message.lastVersion));
    json.member("epoch", message.epoch);
    writeList(json, "heard", message.heard, [&](const Heard& heard) {
        json.beginObject().member("coordinator", textOf(heard.coordinator));
        writeIds(json, "pending", heard.pending);
        writeVersion(json, "low_water", heard.lowWater);
        json.member("age_ms", heard.ageMs).endObject();
    });
    return finished(json);
}

base::Result<ProbeReply> readProbe(std::string_view body) {
    return readReply(body, [](Fields& fields) {
        ProbeReply reply;
        reply.node = idOf(fields, "node_id");
        reply.generation = fields.integer<std::uint64_t>("generation", 0, kAnyCount);
        reply.version = fields.text("version", kMaxText);
        reply.state = fields.text("state", 64);
        reply.loadedPercent = fields.real("loaded_percent", 0, 100);
        reply.vectorsLoaded = fields.integer<std::uint64_t>("vectors_loaded", 0, kAnyCount);
        reply.space = fields.text("space", kMaxText);
        reply.dimension = fields.integer<int>("dimension", 1, 1'000'000);
        reply.partitionRule = fields.text("partition_rule", kMaxText);
        reply.protocol = fields.integer<int>("protocol", 1, 1'000'000);
        reply.partitions = fields.ranges("partitions", 0);
        reply.clockMs = fields.integer<std::int64_t>("clock_ms", 0, std::numeric_limits<std::int64_t>::max());
        reply.lastVersion = versionOf(fields, "last_version");
        reply.epoch = epochOf(fields, true);
        reply.heard = fields.objects("heard", kMaxNodes, heardOf);
        return reply;
    });
}

std::string toJson(const EnrollmentWritten& message) {
    return withOperations(message.reply, message.operations);
}

base::Result<EnrollmentWritten> readEnrollmentWritten(std::string_view body) {
    return readReply(body, [](Fields& fields) {
        auto reply = enrollmentReplyOf(fields);
        return EnrollmentWritten{std::move(reply), operationsOf(fields, 1)};
    });
}

std::string toJson(const FacesDeleted& message) {
    JsonWriter json;
    json.beginObject().raw(withoutBraces(wire::toJson(message.reply)));
    if (!message.failed.empty())
        writeFaceIds(json, "failed_face_ids", message.failed);
    writeRecords(json, "operations", message.operations);
    return finished(json);
}

base::Result<FacesDeleted> readFacesDeleted(std::string_view body) {
    return readReply(body, [](Fields& fields) {
        auto reply = deleteEnrollmentReplyOf(fields);
        auto failed = optionalReplyFaceIds(fields, "failed_face_ids");
        return FacesDeleted{std::move(reply), std::move(failed).value_or(std::vector<base::FaceId>()),
                            operationsOf(fields)};
    });
}

std::string toJson(const VariationsDeleted& message) {
    return withOperations(message.reply, message.operations);
}

base::Result<VariationsDeleted> readVariationsDeleted(std::string_view body) {
    return readReply(body, [](Fields& fields) {
        auto reply = deleteVariationReplyOf(fields);
        return VariationsDeleted{std::move(reply), operationsOf(fields)};
    });
}

std::string toJson(const KeyspaceCreated& message) {
    return withOperations(message.reply, message.operations);
}

base::Result<KeyspaceCreated> readKeyspaceCreated(std::string_view body) {
    return readReply(body, [](Fields& fields) {
        auto reply = createKeyspaceReplyOf(fields);
        return KeyspaceCreated{std::move(reply), operationsOf(fields, 1)};
    });
}

std::string toJson(const KeyspaceDeleted& message) {
    return withOperations(message.reply, message.operations);
}

base::Result<KeyspaceDeleted> readKeyspaceDeleted(std::string_view body) {
    return readReply(body, [](Fields& fields) {
        auto reply = deleteKeyspaceReplyOf(fields);
        return KeyspaceDeleted{std::move(reply), operationsOf(fields, 1)};
    });
}

std::string toJson(const ApplyReply& message) {
    JsonWriter json;
    json.beginObject();
    writeList(json, "outcomes", message.outcomes, [&](const ApplyOutcome& outcome) {
        json.beginObject().member("effect", tokenOf(outcome.effect));
        if (!outcome.why.empty())
            json.member("why", outcome.why);
        json.member("rows_removed", outcome.rowsRemoved).member("faces_removed", outcome.facesRemoved).endObject();
    });
    return finished(json);
}

base::Result<ApplyReply> readApply(std::string_view body) {
    return readReply(body, [](Fields& fields) {
        return ApplyReply{fields.objects("outcomes", kMaxRecords, [](Fields& one) {
            ApplyOutcome outcome;
            outcome.effect = valueOf(kEffects, one, "effect");
            outcome.why = one.optionalText("why", kMaxText).value_or(std::string());
            outcome.rowsRemoved = one.integer<std::uint64_t>("rows_removed", 0, kAnyCount);
            outcome.facesRemoved = one.integer<std::uint64_t>("faces_removed", 0, kAnyCount);
            return outcome;
        })};
    });
}

std::string toJson(const DigestsReply& message) {
    JsonWriter json;
    json.beginObject();
    writeList(json, "partitions", message.partitions, [&](const PartitionDigest& one) {
        json.beginObject().member("partition", one.partition).member("root", hex(one.root));
        json.member("rows", one.rows).member("tombstones", one.tombstones).member("degraded", one.degraded);
        json.member("index_rows", one.indexRows).member("index", tokenOf(one.index)).endObject();
    });
    json.member("keyspaces", hex(message.keyspaces));
    return finished(json);
}

base::Result<DigestsReply> readDigests(std::string_view body) {
    return readReply(body, [](Fields& fields) {
        DigestsReply reply;
        reply.partitions = fields.objects("partitions", base::kPartitionCount, [](Fields& one) {
            PartitionDigest digest;
            digest.partition = partitionOf(one);
            digest.root = digestOf(one, "root");
            digest.rows = one.integer<std::uint64_t>("rows", 0, kAnyCount);
            digest.tombstones = one.integer<std::uint64_t>("tombstones", 0, kAnyCount);
            digest.degraded = one.integer<std::uint64_t>("degraded", 0, kAnyCount);
            digest.indexRows = one.integer<std::uint64_t>("index_rows", 0, kAnyCount);
            digest.index = valueOf(kIndexStates, one, "index");
            return digest;
        });
        reply.keyspaces = digestOf(fields, "keyspaces");
        return reply;
    });
}

std::string toJson(const LeavesReply& message) {
    JsonWriter json;
    json.beginObject();
    writeList(json, "digests", message.digests, [&](const Digest& digest) { json.value(hex(digest)); });
    return finished(json);
}

base::Result<LeavesReply> readLeaves(std::string_view body) {
    return readReply(body, [](Fields& fields) {
        return LeavesReply{fields.values("digests", 1, kMaxTreeNode, fromText(bytesOf<sizeof(Digest)>))};
    });
}

std::string toJson(const RowsReply& message) {
    JsonWriter json;
    json.beginObject();
    writeRecords(json, "records", message.records);
    json.member("next_cursor", message.nextCursor);
    return finished(json);
}

base::Result<RowsReply> readRows(std::string_view body) {
    return readReply(body, [](Fields& fields) {
        auto records = recordsOf(fields, "records", 0, kMaxRecords);
        return RowsReply{std::move(records), fields.optionalText("next_cursor", kMaxText)};
    });
}

std::string toJson(const KeyspaceRecordsReply& message) {
    JsonWriter json;
    json.beginObject();
    writeRecords(json, "records", message.records);
    json.member("digest", hex(message.digest));
    return finished(json);
}

base::Result<KeyspaceRecordsReply> readKeyspaceRecords(std::string_view body) {
    return readReply(body, [](Fields& fields) {
        auto records = recordsOf(fields, "records", 0, 1'000'000);
        return KeyspaceRecordsReply{std::move(records), digestOf(fields, "digest")};
    });
}

std::string toJson(const CollectReply&) {
    return "{}";
}

} // namespace fremis::wire::internal
