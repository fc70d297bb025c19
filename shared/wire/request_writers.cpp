#include "shared/wire/request_writers.h"

#include "shared/wire/json_writer.h"
#include "shared/wire/reply_parts.h"

namespace fremis::wire {

namespace {

void writeOptions(JsonWriter& json, const FaceOptions& options) {
    if (options.requireSingleFace)
        json.member("require_single_face", true);
    if (!options.liveness && !options.gender && !options.age)
        return;
    json.key("attributes").beginArray();
    if (options.liveness)
        json.value("liveness");
    if (options.gender)
        json.value("gender");
    if (options.age)
        json.value("age");
    json.endArray();
}

} // namespace

std::string toJson(const Recognition& request) {
    JsonWriter json;
    json.beginObject();
    if (const auto* image = std::get_if<ImageInput>(&request.probe)) {
        json.member("image", image->base64);
    } else {
        const auto& embedding = std::get<EmbeddingInput>(request.probe);
        writeList(json, "embedding", embedding.values, [&](float value) { json.value(value); });
        if (embedding.space)
            json.member("space", *embedding.space);
    }
    json.member("keyspace", request.keyspace.text());
    if (request.partitions)
        writeRanges(json, "partitions", *request.partitions);
    json.key("additional_params").beginObject().member("candidateCount", request.candidateCount);
    if (request.allowPartialSearch)
        json.member("allow_partial_search", *request.allowPartialSearch);
    if (request.returnEmbedding)
        json.member("return_embedding", true);
    writeOptions(json, request.options);
    json.endObject().endObject();
    return json.take();
}

std::string withPartitions(std::string_view request, std::span<const PartitionRange> partitions) {
    JsonWriter json;
    json.beginObject();
    writeRanges(json, "partitions", partitions);
    return json.take() + ',' + std::string(request.substr(1)); // behind its brace
}

std::string toJson(const Enrollment& request) {
    JsonWriter json;
    json.beginObject().member("image", request.image.base64).member("keyspace", request.keyspace.text());
    json.key("additional_params").beginObject();
    if (request.faceId)
        json.member("face_id", request.faceId->text());
    writeOptions(json, request.options);
    json.endObject().endObject();
    return json.take();
}

std::string toJson(const DeleteEnrollment& request) {
    JsonWriter json;
    json.beginObject().member("keyspace", request.keyspace.text());
    writeList(json, "face_ids", request.faceIds, [&](const base::FaceId& face) { json.value(face.text()); });
    json.endObject();
    return json.take();
}

std::string toJson(const DeleteVariation& request) {
    JsonWriter json;
    json.beginObject().member("keyspace", request.keyspace.text()).member("face_id", request.faceId.text());
    writeList(json, "variations", request.variations, [&](base::Variation variation) { json.value(variation.text()); });
    json.endObject();
    return json.take();
}

std::string toJson(const CreateKeyspace& request) {
    JsonWriter json;
    json.beginObject().member("keyspace", request.keyspace.text());
    if (request.matchThreshold)
        json.key("additional_params").beginObject().member("match_threshold", *request.matchThreshold).endObject();
    json.endObject();
    return json.take();
}

std::string toJson(const DeleteKeyspace& request) {
    JsonWriter json;
    json.beginObject().member("keyspace", request.keyspace.text()).endObject();
    return json.take();
}

std::string targetOf(std::string_view path, std::span<const std::pair<std::string, std::string>> query) {
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    std::string target(path);
    char mark = '?';
    const auto append = [&](std::string_view text) {
        for (const char c : text) {
            const auto byte = static_cast<unsigned char>(c);
            const bool plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                               std::string_view("-._~").find(c) != std::string_view::npos;
            if (plain)
                target += c;
            else
                target.append({'%', kDigits[byte >> 4], kDigits[byte & 15]});
        }
    };
    for (const auto& [name, value] : query) {
        target += std::exchange(mark, '&');
        append(name);
        target += '=';
        append(value);
    }
    return target;
}

} // namespace fremis::wire
