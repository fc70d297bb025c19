#include "shared/wire/requests.h"

#include "shared/wire/fields.h"

#include <charconv>
#include <cmath>

namespace fremis::wire {

namespace {

using base::Reason;

std::variant<ImageInput, EmbeddingInput> probeOf(Fields& body) {
    const auto embedding = body.find("embedding");
    if (!embedding)
        return body.image();
    if (body.find("image"))
        body.fail(Reason::AmbiguousInput, "the request has both an image and an embedding");
    return body.embedding(*embedding);
}

// The value of one query parameter, or nothing.
base::Result<std::optional<std::string>> parameter(QueryPairs query, std::string_view name) {
    std::optional<std::string> found;
    for (const auto& [key, value] : query) {
        if (key != name)
            continue;
        if (found)
            return base::fail(Reason::DuplicateKey, "the parameter " + std::string(name) + " is given twice");
        found = value;
    }
    return found;
}

base::Result<base::KeyspaceName> keyspaceParameter(QueryPairs query) {
    const auto text = parameter(query, "keyspace");
    if (!text)
        return tl::unexpected(text.error());
    if (!*text)
        return base::fail(Reason::KeyspaceMissing, "the keyspace parameter not found");
    return base::KeyspaceName::parse(**text);
}

base::Result<int> limitParameter(QueryPairs query) {
    const auto text = parameter(query, "limit");
    if (!text)
        return tl::unexpected(text.error());
    if (!*text)
        return kDefaultListLimit;
    int limit = 0;
    const auto* const end = (*text)->data() + (*text)->size();
    const auto [stop, error] = std::from_chars((*text)->data(), end, limit);
    if (error != std::errc() || stop != end || (*text)->front() == '0' || limit < 1 || limit > kMaxListLimit)
        return base::fail(Reason::InvalidLimit, "the limit is not an integer in 1..1000");
    return limit;
}

} // namespace

Enrollment enrollmentOf(Fields& fields) {
    auto image = fields.image();
    auto keyspace = fields.keyspace();
    auto params = fields.params();
    auto faceId = params.optionalFaceId();
    return {std::move(image), std::move(keyspace), std::move(faceId), params.faceOptions()};
}

DeleteEnrollment deleteEnrollmentOf(Fields& fields) {
    auto keyspace = fields.keyspace();
    return {std::move(keyspace), fields.faceIds()};
}

DeleteVariation deleteVariationOf(Fields& fields) {
    auto keyspace = fields.keyspace();
    auto faceId = fields.faceId();
    return {std::move(keyspace), std::move(faceId), fields.variations()};
}

CreateKeyspace createKeyspaceOf(Fields& fields) {
    auto keyspace = fields.keyspace();
    return {std::move(keyspace), fields.params().number("match_threshold", -1.0, 1.0)};
}

base::Result<Enrollment> parseEnrollment(std::string_view body) {
    return readBody(body, enrollmentOf);
}

base::Result<Recognition> parseRecognition(std::string_view body) {
    return readBody(body, [](Fields& fields) {
        auto probe = probeOf(fields);
        auto keyspace = fields.keyspace();
        auto partitions = fields.partitions();
        auto params = fields.params();
        const int count = params.candidateCount();
        const auto partial = params.flag("allow_partial_search");
        auto options = params.faceOptions();
        const bool returnEmbedding = params.flag("return_embedding").value_or(false);
        return Recognition{std::move(probe), std::move(keyspace), std::move(partitions), count, partial,
                           options,          returnEmbedding};
    });
}

base::Result<MatchV1> parseMatchV1(std::string_view body) {
    return readBody(body, [](Fields& fields) {
        auto imageA = fields.object("image_a", Reason::ImageMissing, kImageNotFound).image("content");
        auto imageB = fields.object("image_b", Reason::ImageMissing, kImageNotFound).image("content");
        return MatchV1{std::move(imageA), std::move(imageB), fields.optionalKeyspace()};
    });
}

base::Result<MatchV2> parseMatchV2(std::string_view body) {
    return readBody(body, [](Fields& fields) {
        auto faceA = fields.object("face_a", Reason::InputMissing, "face_a is not an object").side();
        auto faceB = fields.object("face_b", Reason::InputMissing, "face_b is not an object").side();
        return MatchV2{std::move(faceA), std::move(faceB)};
    });
}

base::Result<DeleteEnrollment> parseDeleteEnrollment(std::string_view body) {
    return readBody(body, deleteEnrollmentOf);
}

base::Result<DeleteVariation> parseDeleteVariation(std::string_view body) {
    return readBody(body, deleteVariationOf);
}

base::Result<ExtractEmbedding> parseExtractEmbedding(std::string_view body) {
    return readBody(body, [](Fields& fields) {
        auto image = fields.image();
        return ExtractEmbedding{std::move(image), fields.params().faceOptions()};
    });
}

base::Result<CreateKeyspace> parseCreateKeyspace(std::string_view body) {
    return readBody(body, createKeyspaceOf);
}

base::Result<DeleteKeyspace> parseDeleteKeyspace(std::string_view body) {
    return readBody(body, [](Fields& fields) { return DeleteKeyspace{fields.keyspace()}; });
}

base::Result<ReplaceConfig> parseReplaceConfig(std::string_view body) {
    constexpr std::size_t kMostYaml = 1024 * 1024;
    return readBody(body, [](Fields& fields) {
        auto yaml = fields.text("yaml", kMostYaml);
        const bool dryRun = fields.flag("dry_run").value_or(false);
        return ReplaceConfig{std::move(yaml), dryRun, fields.flag("force").value_or(false)};
    });
}

base::Result<Repair> parseRepair(std::string_view body) {
    if (body.empty())
        return Repair();
    return readBody(body, [](Fields& fields) {
        Repair request;
        if (!fields.find("partitions"))
            return request;
        request.partitions =
            fields.values("partitions", 0, base::kPartitionCount, [](JsonValue value) -> base::Result<base::Partition> {
                base::Partition partition = 0;
                const auto text = value.text();
                const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), partition);
                if (!value.is(JsonKind::Number) || error != std::errc() || end != text.data() + text.size())
                    return base::fail(Reason::InvalidParams, "a partition is not 0..255");
                return partition;
            });
        return request;
    });
}

base::Result<GetEnrollment> parseGetEnrollment(QueryPairs query) {
    auto keyspace = keyspaceParameter(query);
    if (!keyspace)
        return tl::unexpected(std::move(keyspace.error()));
    const auto text = parameter(query, "face_id");
    if (!text)
        return tl::unexpected(text.error());
    auto faceId = base::FaceId::parse(text->value_or(std::string()));
    if (!faceId)
        return tl::unexpected(std::move(faceId.error()));
    return GetEnrollment{std::move(*keyspace), std::move(*faceId)};
}

base::Result<ListEnrollments> parseListEnrollments(QueryPairs query) {
    auto keyspace = keyspaceParameter(query);
    if (!keyspace)
        return tl::unexpected(std::move(keyspace.error()));
    auto cursor = parameter(query, "cursor");
    if (!cursor)
        return tl::unexpected(std::move(cursor.error()));
    const auto limit = limitParameter(query);
    if (!limit)
        return tl::unexpected(limit.error());
    return ListEnrollments{std::move(*keyspace), std::move(*cursor).value_or(std::string()), *limit};
}

base::Status checkEmbedding(std::span<const float> values) {
    double square = 0; // of finite floats it cannot overflow
    for (const float value : values) {
        if (!std::isfinite(value))
            return base::fail(Reason::EmbeddingInvalid, "the embedding is not finite");
        square += double{value} * double{value};
    }
    if (!(std::sqrt(square) > double{kMinEmbeddingNorm}))
        return base::fail(Reason::EmbeddingInvalid, "the embedding has no length");
    return {};
}

} // namespace fremis::wire
