#include "shared/wire/replies.h"

#include "shared/base/clock.h"
#include "shared/wire/json_writer.h"
#include "shared/wire/reply_parts.h"

#include <algorithm>

namespace fremis::wire {

namespace {

void writeFaces(JsonWriter& json, std::span<const DetectedFace> faces) {
    json.key("face_detected").beginArray();
    for (const auto& face : faces) {
        json.beginObject().member("top", face.top).member("left", face.left).member("width", face.width);
        json.member("height", face.height).member("score", face.score).member("used", face.used);
        writeIfSet(json, "norm", face.norm);
        if (!face.warnings.empty())
            writeList(json, "warnings", face.warnings, [&](const auto& warning) { json.value(warning); });
        if (face.attributes) {
            json.key("attributes").beginObject();
            writeIfSet(json, "liveness", face.attributes->liveness);
            writeIfSet(json, "gender", face.attributes->gender);
            writeIfSet(json, "age", face.attributes->age);
            json.endObject();
        }
        json.endObject();
    }
    json.endArray();
}

void writeReplication(JsonWriter& json, const std::optional<Replication>& replication) {
    if (replication)
        json.key("replication")
            .beginObject()
            .member("acked", replication->acked)
            .member("queued", replication->queued)
            .endObject();
}

void writeIds(JsonWriter& json, std::string_view name, std::span<const base::FaceId> ids) {
    writeList(json, name, ids, [&](const auto& id) { json.value(id.text()); });
}

void writeCandidate(JsonWriter& json, const Candidate& candidate) {
    json.beginObject().member("face_id", candidate.faceId.text()).member("similarity", candidate.similarity);
    json.member("variation", candidate.variation.text()).member("score", candidate.score).endObject();
}

std::string finished(JsonWriter& json) {
    return json.endObject().take();
}

} // namespace

void writeRanges(JsonWriter& json, std::string_view name, std::span<const PartitionRange> ranges) {
    writeList(json, name, ranges, [&](const PartitionRange& range) {
        json.beginObject().member("start", range.start).member("end", range.end).endObject();
    });
}

std::string toJson(const Coverage& coverage) {
    JsonWriter json;
    json.beginObject().member("partitions_total", base::kPartitionCount);
    json.member("partitions_searched", coverage.partitionsSearched).member("complete", coverage.complete());
    json.member("vectors_searched", coverage.vectorsSearched);
    writeList(json, "failed_nodes", coverage.failedNodes, [&](const FailedNode& node) {
        json.beginObject().member("address", node.address);
        writeRanges(json, "partitions", node.partitions);
        json.member("reason", node.reason).endObject();
    });
    if (coverage.stale)
        json.member("stale", true);
    json.member("config_epoch", coverage.configEpoch);
    return finished(json);
}

std::string toJson(const EnrollmentReply& reply) {
    JsonWriter json;
    json.beginObject().member("face_id", reply.faceId.text()).member("variation", reply.variation.text());
    writeFaces(json, reply.faces);
    writeReplication(json, reply.replication);
    return finished(json);
}

std::string toJson(const RecognitionReply& reply) {
    JsonWriter json;
    json.beginObject().key("result").beginObject().key("face_recognition").beginObject();
    writeList(json, "candidates", reply.candidates,
              [&](const Candidate& candidate) { writeCandidate(json, candidate); });
    json.endObject().endObject();
    if (reply.faces)
        writeFaces(json, *reply.faces);
    writeIfSet(json, "vectors_searched", reply.vectorsSearched);
    if (reply.partitionsSearched)
        writeRanges(json, "partitions_searched", *reply.partitionsSearched);
    if (reply.embedding)
        writeList(json, "embedding", *reply.embedding, [&](float value) { json.value(value); });
    if (reply.coverage)
        json.key("coverage").raw(toJson(*reply.coverage));
    return finished(json);
}

std::string toJson(const MatchV1Reply& reply) {
    JsonWriter json;
    json.beginObject().key("face_match").beginObject().member("match", reply.match);
    json.member("similarity", reply.similarity).member("score", reply.score).endObject();
    return finished(json);
}

std::string toJson(const MatchV2Reply& reply) {
    JsonWriter json;
    json.beginObject().member("similarity", reply.similarity).member("score", reply.score);
    json.key("face_match").beginObject().member("similarity", reply.similarity).endObject();
    return finished(json);
}

std::string toJson(const DeleteEnrollmentReply& reply) {
    JsonWriter json;
    json.beginObject();
    writeIds(json, "deleted_face_ids", reply.deleted);
    writeReplication(json, reply.replication);
    return finished(json);
}

std::string partialDeleteMembers(std::span<const base::FaceId> deleted, std::span<const base::FaceId> failed) {
    JsonWriter json;
    json.beginObject();
    writeIds(json, "deleted_face_ids", deleted);
    writeIds(json, "failed_face_ids", failed);
    return withoutBraces(finished(json));
}

std::string toJson(const DeleteVariationReply& reply) {
    JsonWriter json;
    json.beginObject().member("face_id", reply.faceId.text());
    writeList(json, "deleted_variations", reply.deleted, [&](const auto& variation) { json.value(variation.text()); });
    json.member("face_deleted", reply.faceDeleted);
    writeReplication(json, reply.replication);
    return finished(json);
}

std::string toJson(const ExtractEmbeddingReply& reply) {
    JsonWriter json;
    json.beginObject();
    writeList(json, "embeddings", reply.embeddings, [&](const std::vector<float>& embedding) {
        json.beginArray();
        for (const float element : embedding)
            json.value(element);
        json.endArray();
    });
    json.key("model").beginObject().member("pack", reply.model.pack).member("space", reply.model.space);
    json.member("dim", reply.model.dim).endObject();
    writeFaces(json, reply.faces);
    return finished(json);
}

std::string toJson(const GetEnrollmentReply& reply) {
    JsonWriter json;
    json.beginObject().member("keyspace", reply.keyspace.text()).member("face_id", reply.faceId.text());
    json.member("partition", reply.partition).member("updated_at", base::isoTime(reply.updatedAt));
    writeList(json, "variations", reply.variations, [&](const StoredVariation& one) {
        json.beginObject().member("variation", one.variation.text()).member("created_at", base::isoTime(one.createdAt));
        json.member("norm", one.norm).member("space", one.space).endObject();
    });
    return finished(json);
}

std::string toJson(const ListEnrollmentsReply& reply) {
    JsonWriter json;
    json.beginObject().member("keyspace", reply.keyspace.text()).member("next_cursor", reply.nextCursor);
    writeList(json, "enrollments", reply.faces, [&](const ListedFace& face) {
        json.beginObject().member("face_id", face.faceId.text()).member("partition", face.partition);
        json.member("variations", face.variations).member("updated_at", base::isoTime(face.updatedAt)).endObject();
    });
    if (reply.incarnation)
        json.member("incarnation", *reply.incarnation);
    return finished(json);
}

std::string toJson(const CreateKeyspaceReply& reply) {
    JsonWriter json;
    json.beginObject().member("keyspace", reply.keyspace.text()).member("created", reply.created);
    json.member("incarnation", reply.incarnation).member("match_threshold", reply.matchThreshold);
    writeReplication(json, reply.replication);
    return finished(json);
}

std::string toJson(const ListKeyspacesReply& reply) {
    std::vector<const KeyspaceInfo*> sorted;
    for (const auto& one : reply.keyspaces)
        sorted.push_back(&one);
    std::ranges::sort(sorted, {}, [](const KeyspaceInfo* one) -> const std::string& { return one->keyspace.text(); });

    JsonWriter json;
    json.beginObject();
    writeList(json, "keyspaces", sorted, [&](const KeyspaceInfo* one) {
        json.beginObject().member("keyspace", one->keyspace.text()).member("incarnation", one->incarnation);
        json.member("faces", one->faces).member("variations", one->variations);
        json.member("created_at", base::isoTime(one->createdAt))
            .member("match_threshold", one->matchThreshold)
            .endObject();
    });
    json.member("complete", reply.complete);
    return finished(json);
}

std::string toJson(const DeleteKeyspaceReply& reply) {
    JsonWriter json;
    json.beginObject().member("keyspace", reply.keyspace.text()).member("deleted", true);
    json.member("faces_deleted", reply.facesDeleted);
    writeReplication(json, reply.replication);
    return finished(json);
}

} // namespace fremis::wire
