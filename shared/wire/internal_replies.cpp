#include "shared/wire/internal_parts.h"

#include <algorithm>

namespace fremis::wire::internal {

using base::Reason;

namespace {

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

template<class Reply> std::string withOperations(const Reply& reply, std::span<const Record> operations) {
    JsonWriter json;
    json.beginObject().raw(withoutBraces(wire::toJson(reply)));
    writeRecords(json, "operations", operations);
    return finished(json);
}

Digest digestOf(Fields& fields, std::string_view key) {
    return parsed(fields, key, 2 * sizeof(Digest), bytesOf<sizeof(Digest)>);
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
    heard.clockMs = fields.integer<std::int64_t>("clock_ms", 0, std::numeric_limits<std::int64_t>::max());
    return heard;
}

} // namespace

std::string_view tokenOf(ApplyEffect effect) {
    return tokenIn(kEffects, effect);
}

std::string_view tokenOf(IndexState state) {
    return tokenIn(kIndexStates, state);
}

std::string toJson(const ProbeReply& message) {
    JsonWriter json;
    json.beginObject().member("node_id", textOf(message.node)).member("generation", message.generation);
    json.member("version", message.version).member("state", message.state);
    json.member("loaded_percent", message.loadedPercent).member("vectors_loaded", message.vectorsLoaded);
    json.member("space", message.space).member("dimension", message.dimension);
    json.member("partition_rule", message.partitionRule).member("protocol", message.protocol);
    writeRanges(json, "partitions", message.partitions);
    json.member("clock_ms", message.clockMs).member("last_version", textOf(message.lastVersion));
    writeVersion(json, "seen", message.seen);
    json.member("epoch", message.epoch);
    writeList(json, "heard", message.heard, [&](const Heard& heard) {
        json.beginObject().member("coordinator", textOf(heard.coordinator));
        writeIds(json, "pending", heard.pending);
        writeVersion(json, "low_water", heard.lowWater);
        json.member("age_ms", heard.ageMs).member("clock_ms", heard.clockMs).endObject();
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
        reply.seen = optionalVersion(fields, "seen").value_or(base::Version());
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
        return KeyspaceCreated{std::move(reply), operationsOf(fields, 2)};
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
        json.beginObject().member("partition", one.partition).member("root", base::hexText(one.root));
        json.member("rows", one.rows).member("tombstones", one.tombstones).member("degraded", one.degraded);
        json.member("index_rows", one.indexRows).member("index", tokenOf(one.index));
        json.member("horizon", textOf(one.horizon)).endObject();
    });
    json.member("keyspaces", base::hexText(message.keyspaces));
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
            digest.horizon = optionalVersion(one, "horizon").value_or(base::Version());
            return digest;
        });
        reply.keyspaces = digestOf(fields, "keyspaces");
        return reply;
    });
}

std::string toJson(const LeavesReply& message) {
    JsonWriter json;
    json.beginObject();
    writeList(json, "digests", message.digests, [&](const Digest& digest) { json.value(base::hexText(digest)); });
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
    json.member("digest", base::hexText(message.digest));
    return finished(json);
}

base::Result<KeyspaceRecordsReply> readKeyspaceRecords(std::string_view body) {
    return readReply(body, [](Fields& fields) {
        auto records = recordsOf(fields, "records", 0, 1'000'000);
        return KeyspaceRecordsReply{std::move(records), digestOf(fields, "digest")};
    });
}

std::string toJson(const FaceEmbeddingsReply& message) {
    JsonWriter json;
    json.beginObject();
    writeEmbeddings(json, message);
    return finished(json);
}

base::Result<FaceEmbeddingsReply> readFaceEmbeddings(std::string_view body) {
    return readReply(body, [](Fields& fields) { return embeddingsOf(fields); });
}

std::string toJson(const CollectReply&) {
    return "{}";
}

} // namespace fremis::wire::internal
