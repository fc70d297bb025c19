#include "shared/wire/requests.h"

#include "shared/wire/fields.h"
#include "shared/wire/internal.h"

#include <algorithm>
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

// "3" is no range, "3-3" is.
std::optional<PartitionRange> rangeOf(std::string_view text) {
    const auto numberOf = [](std::string_view digits) -> std::optional<base::Partition> {
        base::Partition number = 0;
        const auto* const end = digits.data() + digits.size();
        const auto [stop, error] = std::from_chars(digits.data(), end, number);
        return error == std::errc() && stop == end ? std::optional(number) : std::nullopt;
    };
    const auto dash = text.find('-');
    if (dash == std::string_view::npos)
        return std::nullopt;
    const auto start = numberOf(text.substr(0, dash));
    const auto end = numberOf(text.substr(dash + 1));
    return start && end && *start <= *end ? std::optional(PartitionRange{*start, *end}) : std::nullopt;
}

// "0-127,200-200"
base::Result<std::optional<std::vector<PartitionRange>>> partitionsParameter(QueryPairs query) {
    const auto text = parameter(query, "partitions");
    if (!text)
        return tl::unexpected(text.error());
    if (!*text)
        return std::nullopt;
    std::vector<PartitionRange> ranges;
    for (std::size_t begin = 0; begin <= (*text)->size() && ranges.size() <= base::kPartitionCount;) {
        const auto comma = std::min((*text)->find(',', begin), (*text)->size());
        const auto range = rangeOf(std::string_view(**text).substr(begin, comma - begin));
        if (!range)
            return base::fail(Reason::InvalidParams, "the partitions are not ranges within 0..255 like 0-127,200-255");
        ranges.push_back(*range);
        begin = comma + 1;
    }
    if (ranges.size() > base::kPartitionCount)
        return base::fail(Reason::InvalidParams, "more than 256 ranges of partitions");
    return ranges;
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

namespace {

constexpr std::pair<QueueAction::Kind, std::string_view> kQueueActions[] = {
    {QueueAction::Kind::Retry, "retry"},     {QueueAction::Kind::Pause, "pause"}, {QueueAction::Kind::Resume, "resume"},
    {QueueAction::Kind::Discard, "discard"}, {QueueAction::Kind::List, "list"},   {QueueAction::Kind::Drop, "drop"},
};

QueueAction::Kind queueActionOf(Fields& fields) {
    const auto name = fields.text("action", 16);
    for (const auto& [kind, text] : kQueueActions)
        if (text == name)
            return kind;
    fields.fail(Reason::InvalidParams, "the action is none of retry, pause, resume, discard, list, drop");
    return QueueAction::Kind::List;
}

std::uint64_t queueCursorOf(Fields& fields) {
    const auto text = fields.optionalText("cursor", 20).value_or("0");
    std::uint64_t cursor = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), cursor);
    if (error != std::errc() || end != text.data() + text.size())
        fields.fail(Reason::InvalidCursor, "the cursor is not one of this list");
    return cursor;
}

} // namespace

std::string_view nameOf(QueueAction::Kind kind) {
    return kQueueActions[static_cast<std::size_t>(kind)].second;
}

base::Result<QueueAction> parseQueueAction(std::string_view body) {
    constexpr std::size_t kMostAddress = 300;
    return readBody(body, [](Fields& fields) {
        QueueAction request;
        request.node = fields.text("node", kMostAddress);
        request.kind = queueActionOf(fields);
        if (fields.find("op_ids"))
            request.opIds = fields.values("op_ids", 1, kMaxListLimit, [](JsonValue value) {
                return value.is(JsonKind::String) ? internal::parseId(value.text())
                                                  : base::fail(Reason::InvalidParams, "an operation id is not text");
            });
        else if (request.kind == QueueAction::Kind::Drop)
            fields.fail(Reason::InvalidParams, "name the parked operations to drop in op_ids");
        request.cursor = queueCursorOf(fields);
        if (fields.find("limit"))
            request.limit = fields.integer<int>("limit", 1, kMaxListLimit);
        request.force = fields.flag("force").value_or(false);
        return request;
    });
}

base::Result<ForgetCoordinator> parseForgetCoordinator(std::string_view body) {
    return readBody(body, [](Fields& fields) {
        ForgetCoordinator request;
        const auto id = internal::parseId(fields.text("coordinator", 32));
        if (id)
            request.coordinator = *id;
        else
            fields.fail(Reason::InvalidParams, "the coordinator is not 32 hexadecimal digits");
        if (fields.text("action", 16) != "forget")
            fields.fail(Reason::InvalidParams, "the action is not forget");
        return request;
    });
}

base::Result<std::string> parseIdempotencyKey(const std::string* header) {
    if (!header)
        return std::string();
    const bool printable = std::all_of(header->begin(), header->end(), [](char c) { return c > 0x20 && c < 0x7F; });
    if (header->empty() || header->size() > 255 || !printable)
        return base::fail(Reason::InvalidParams, "the Idempotency-Key is not 1 to 255 printable characters");
    return *header;
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
    auto partitions = partitionsParameter(query);
    if (!partitions)
        return tl::unexpected(std::move(partitions.error()));
    return ListEnrollments{std::move(*keyspace), std::move(*cursor).value_or(std::string()), *limit,
                           std::move(*partitions)};
}

base::Result<ListKeyspaces> parseListKeyspaces(QueryPairs query) {
    return partitionsParameter(query).map([](auto partitions) { return ListKeyspaces{std::move(partitions)}; });
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
