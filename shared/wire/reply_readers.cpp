#include "shared/wire/reply_readers.h"

#include "shared/wire/reply_fields.h"

#include <charconv>
#include <limits>

namespace fremis::wire {

namespace {

using base::Reason;

constexpr double kAnyNumber = std::numeric_limits<double>::max();
constexpr std::uint64_t kAnyCount = std::numeric_limits<std::uint64_t>::max();
constexpr std::size_t kMostText = 4'096;
constexpr std::size_t kLongestIncarnation = 64;
constexpr std::size_t kMostEntries = 1'000'000;
constexpr std::size_t kMostFaces = 10'000;

base::Result<base::FaceId> faceIdOf(JsonValue value) {
    if (!value.is(JsonKind::String))
        return base::fail(Reason::InvalidFaceId, "a face_id is not a string");
    return base::FaceId::parse(value.text());
}

base::Result<base::Variation> variationOf(JsonValue value) {
    if (!value.is(JsonKind::String))
        return base::fail(Reason::InvalidVariations, "a variation is not a string");
    return base::Variation::parse(value.text());
}

base::Result<std::string> textOf(JsonValue value) {
    if (!value.is(JsonKind::String) || value.text().size() > kMostText)
        return base::fail(Reason::InvalidParams, "an entry is not a short string");
    return std::string(value.text());
}

base::Result<float> floatOf(JsonValue value) {
    float number = 0;
    const auto text = value.text();
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (!value.is(JsonKind::Number) || error != std::errc() || end != text.data() + text.size())
        return base::fail(Reason::InvalidParams, "an element of an embedding is not a float32");
    return number;
}

base::KeyspaceName keyspaceNameOf(Fields& fields) {
    return fields.keyspace();
}

base::Partition partitionOf(Fields& fields) {
    return static_cast<base::Partition>(fields.integer<int>("partition", 0, base::kPartitionCount - 1));
}

// "2026-01-05T08:00:00.000Z", as base::isoTime() writes it.
std::optional<Milliseconds> timeOf(std::string_view text) {
    constexpr std::string_view kShape = "dddd-dd-ddTdd:dd:dd.dddZ";
    if (text.size() != kShape.size())
        return std::nullopt;
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    for (std::size_t i = 0; i < text.size(); ++i)
        if (kShape[i] == 'd' ? !isDigit(text[i]) : text[i] != kShape[i])
            return std::nullopt;
    const auto number = [&](std::size_t at, std::size_t size) {
        int value = 0;
        std::from_chars(text.data() + at, text.data() + at + size, value);
        return value;
    };
    using namespace std::chrono;
    const year_month_day day{year(number(0, 4)), month(static_cast<unsigned>(number(5, 2))),
                             std::chrono::day(static_cast<unsigned>(number(8, 2)))};
    if (!day.ok() || number(11, 2) > 23 || number(14, 2) > 59 || number(17, 2) > 59)
        return std::nullopt;
    return sys_days(day).time_since_epoch() + hours(number(11, 2)) + minutes(number(14, 2)) + seconds(number(17, 2)) +
           milliseconds(number(20, 3));
}

Milliseconds timeOf(Fields& fields, std::string_view key) {
    const auto time = timeOf(fields.text(key, kMostText));
    if (!time)
        fields.fail(Reason::InvalidParams, "the field " + std::string(key) + " is not a time");
    return time.value_or(Milliseconds());
}

std::optional<Replication> replicationOf(Fields& fields) {
    if (!fields.find("replication"))
        return std::nullopt;
    auto inner = fields.object("replication", Reason::InvalidParams, "replication is not an object");
    return Replication{inner.integer<int>("acked", 0, 1'000), inner.integer<int>("queued", 0, 1'000)};
}

DetectedFace detectedFaceOf(Fields& face) {
    constexpr int kMost = 1 << 20;
    DetectedFace detected;
    detected.top = face.integer<int>("top", -kMost, kMost);
    detected.left = face.integer<int>("left", -kMost, kMost);
    detected.width = face.integer<int>("width", 0, kMost);
    detected.height = face.integer<int>("height", 0, kMost);
    detected.score = face.real("score", -kAnyNumber, kAnyNumber);
    detected.used = face.truth("used");
    detected.norm = face.number("norm", 0, kAnyNumber);
    if (face.find("warnings"))
        detected.warnings = face.values("warnings", 0, 100, textOf);
    if (face.find("attributes")) {
        auto inner = face.object("attributes", Reason::InvalidParams, "attributes is not an object");
        detected.attributes = FaceAttributes{inner.number("liveness", -kAnyNumber, kAnyNumber),
                                             inner.number("gender", -kAnyNumber, kAnyNumber),
                                             inner.number("age", -kAnyNumber, kAnyNumber)};
    }
    return detected;
}

std::vector<DetectedFace> detectedFacesOf(Fields& fields) {
    return fields.objects("face_detected", kMostFaces, detectedFaceOf);
}

double scoreOf(Fields& fields) {
    const double score = fields.real("score", -1.01, 1.01);
    if (static_cast<double>(static_cast<float>(score)) != score)
        fields.fail(Reason::InvalidParams, "a score is not a float32");
    return score;
}

Candidate candidateOf(Fields& fields) {
    auto face = replyFaceId(fields);
    const double similarity = fields.real("similarity", 0, 1);
    const auto variation = replyVariation(fields);
    return {std::move(face), similarity, variation, scoreOf(fields)};
}

FailedNode failedNodeOf(Fields& fields) {
    return {fields.text("address", kMostText), fields.ranges("partitions", 0), fields.text("reason", kMostText)};
}

std::optional<Coverage> coverageOf(Fields& fields) {
    if (!fields.find("coverage"))
        return std::nullopt;
    auto inner = fields.object("coverage", Reason::InvalidParams, "coverage is not an object");
    Coverage coverage;
    coverage.partitionsSearched = inner.integer<int>("partitions_searched", 0, base::kPartitionCount);
    coverage.vectorsSearched = inner.integer<std::uint64_t>("vectors_searched", 0, kAnyCount);
    coverage.failedNodes = inner.objects("failed_nodes", kMostFaces, failedNodeOf);
    coverage.stale = inner.find("stale") && inner.truth("stale");
    coverage.configEpoch = inner.text("config_epoch", kMostText);
    return coverage;
}

std::optional<std::uint64_t> optionalCount(Fields& fields, std::string_view key) {
    if (!fields.find(key))
        return std::nullopt;
    return fields.integer<std::uint64_t>(key, 0, kAnyCount);
}

std::optional<int> optionalInt(Fields& fields, std::string_view key, int most) {
    if (!fields.find(key))
        return std::nullopt;
    return fields.integer<int>(key, 0, most);
}

} // namespace

base::FaceId replyFaceId(Fields& fields) {
    const auto value = fields.find("face_id");
    auto id = value ? faceIdOf(*value) : base::fail(Reason::InvalidFaceId, "the face_id field not found");
    if (!id)
        fields.fail(id.error().reason, std::move(id.error().message));
    return id ? std::move(*id) : base::FaceId::trusted({});
}

base::Variation replyVariation(Fields& fields) {
    const auto value = fields.find("variation");
    const auto variation = value ? variationOf(*value) : base::fail(Reason::InvalidVariations, "variation not found");
    if (!variation)
        fields.fail(variation.error().reason, variation.error().message);
    return variation.value_or(base::Variation(0));
}

std::optional<std::vector<base::FaceId>> optionalReplyFaceIds(Fields& fields, std::string_view key) {
    if (!fields.find(key))
        return std::nullopt;
    return fields.values(key, 0, kMaxIdsPerDelete, faceIdOf);
}

EnrollmentReply enrollmentReplyOf(Fields& fields) {
    auto face = replyFaceId(fields);
    const auto variation = replyVariation(fields);
    auto faces = detectedFacesOf(fields);
    return {std::move(face), variation, std::move(faces), replicationOf(fields)};
}

DeleteEnrollmentReply deleteEnrollmentReplyOf(Fields& fields) {
    auto deleted = fields.values("deleted_face_ids", 0, kMaxIdsPerDelete, faceIdOf);
    return {std::move(deleted), replicationOf(fields)};
}

DeleteVariationReply deleteVariationReplyOf(Fields& fields) {
    auto face = replyFaceId(fields);
    auto deleted = fields.values("deleted_variations", 0, kMaxIdsPerDelete, variationOf);
    const bool faceDeleted = fields.truth("face_deleted");
    return {std::move(face), std::move(deleted), faceDeleted, replicationOf(fields)};
}

CreateKeyspaceReply createKeyspaceReplyOf(Fields& fields) {
    auto keyspace = keyspaceNameOf(fields);
    const bool created = fields.truth("created");
    auto incarnation = fields.text("incarnation", kLongestIncarnation);
    const auto threshold = fields.number("match_threshold", -1, 1);
    return {std::move(keyspace), created, std::move(incarnation), threshold, replicationOf(fields)};
}

DeleteKeyspaceReply deleteKeyspaceReplyOf(Fields& fields) {
    auto keyspace = keyspaceNameOf(fields);
    if (!fields.truth("deleted"))
        fields.fail(Reason::InvalidParams, "deleted is not true");
    const auto faces = fields.integer<std::uint64_t>("faces_deleted", 0, kAnyCount);
    return {std::move(keyspace), faces, replicationOf(fields)};
}

base::Result<RecognitionReply> readRecognition(std::string_view body) {
    return readReply(body, [](Fields& fields) {
        RecognitionReply reply;
        reply.candidates = fields.object("result", Reason::InvalidParams, "result is not an object")
                               .object("face_recognition", Reason::InvalidParams, "face_recognition is not an object")
                               .objects("candidates", kMaxCandidateCount, candidateOf);
        if (fields.find("face_detected"))
            reply.faces = detectedFacesOf(fields);
        reply.vectorsSearched = optionalCount(fields, "vectors_searched");
        if (fields.find("partitions_searched"))
            reply.partitionsSearched = fields.ranges("partitions_searched", 1);
        if (const auto embedding = fields.find("embedding"))
            reply.embedding = fields.embedding(*embedding).values;
        reply.coverage = coverageOf(fields);
        return reply;
    });
}

base::Result<MatchV1Reply> readMatchV1(std::string_view body) {
    return readReply(body, [](Fields& fields) {
        auto match = fields.object("face_match", Reason::InvalidParams, "face_match is not an object");
        const bool same = match.truth("match");
        const double similarity = match.real("similarity", 0, 1);
        return MatchV1Reply{same, similarity, scoreOf(match)};
    });
}

base::Result<MatchV2Reply> readMatchV2(std::string_view body) {
    return readReply(body, [](Fields& fields) {
        const double similarity = fields.real("similarity", 0, 1);
        return MatchV2Reply{similarity, scoreOf(fields)};
    });
}

base::Result<ExtractEmbeddingReply> readExtractEmbedding(std::string_view body) {
    return readReply(body, [](Fields& fields) {
        ExtractEmbeddingReply reply;
        auto model = fields.object("model", Reason::InvalidParams, "model is not an object");
        reply.model.pack = model.text("pack", kMostText);
        reply.model.space = model.text("space", kMostText);
        reply.model.dim = model.integer<int>("dim", 1, static_cast<int>(kMaxEmbeddingLength));
        const auto embeddingOf = [&](JsonValue value) -> base::Result<std::vector<float>> {
            if (!value.is(JsonKind::Array) || value.size() != static_cast<std::size_t>(reply.model.dim))
                return base::fail(Reason::EmbeddingInvalid, "an embedding has a wrong length");
            std::vector<float> floats;
            floats.reserve(value.size());
            for (const JsonValue element : value) {
                const auto number = floatOf(element);
                if (!number)
                    return tl::unexpected(number.error());
                floats.push_back(*number);
            }
            if (auto sound = checkEmbedding(floats); !sound)
                return tl::unexpected(sound.error());
            return floats;
        };
        reply.embeddings = fields.values("embeddings", 0, kMostFaces, embeddingOf);
        reply.faces = detectedFacesOf(fields);
        if (reply.faces.size() != reply.embeddings.size())
            fields.fail(Reason::InvalidParams, "faces and embeddings are not of one length");
        return reply;
    });
}

base::Result<EnrollmentReply> readEnrollment(std::string_view body) {
    return readReply(body, enrollmentReplyOf);
}

base::Result<DeleteEnrollmentReply> readDeleteEnrollment(std::string_view body) {
    return readReply(body, deleteEnrollmentReplyOf);
}

base::Result<DeleteVariationReply> readDeleteVariation(std::string_view body) {
    return readReply(body, deleteVariationReplyOf);
}

base::Result<GetEnrollmentReply> readGetEnrollment(std::string_view body) {
    return readReply(body, [](Fields& fields) {
        auto keyspace = keyspaceNameOf(fields);
        GetEnrollmentReply reply{std::move(keyspace), replyFaceId(fields), partitionOf(fields), {}, {}};
        reply.updatedAt = timeOf(fields, "updated_at");
        reply.variations = fields.objects("variations", kMostEntries, [](Fields& one) {
            const auto variation = replyVariation(one);
            const auto created = timeOf(one, "created_at");
            const auto norm = one.number("norm", 0, kAnyNumber);
            return StoredVariation{variation, created, norm, one.text("space", kMostText)};
        });
        return reply;
    });
}

base::Result<ListEnrollmentsReply> readListEnrollments(std::string_view body) {
    return readReply(body, [](Fields& fields) {
        auto keyspace = keyspaceNameOf(fields);
        ListEnrollmentsReply reply{std::move(keyspace), fields.optionalText("next_cursor", kMostText), {}, {}};
        reply.faces = fields.objects("enrollments", kMaxListLimit, [](Fields& one) {
            auto face = replyFaceId(one);
            const auto partition = partitionOf(one);
            const auto variations = one.integer<std::uint64_t>("variations", 1, kAnyCount);
            return ListedFace{std::move(face), partition, variations, timeOf(one, "updated_at")};
        });
        reply.incarnation = fields.optionalText("incarnation", kLongestIncarnation);
        return reply;
    });
}

base::Result<CreateKeyspaceReply> readCreateKeyspace(std::string_view body) {
    return readReply(body, createKeyspaceReplyOf);
}

base::Result<ListKeyspacesReply> readListKeyspaces(std::string_view body) {
    return readReply(body, [](Fields& fields) {
        ListKeyspacesReply reply;
        reply.keyspaces = fields.objects("keyspaces", kMostEntries, [](Fields& one) {
            KeyspaceInfo info{keyspaceNameOf(one), {}, 0, 0, {}, {}};
            info.incarnation = one.text("incarnation", kLongestIncarnation);
            info.faces = one.integer<std::uint64_t>("faces", 0, kAnyCount);
            info.variations = one.integer<std::uint64_t>("variations", 0, kAnyCount);
            info.createdAt = timeOf(one, "created_at");
            info.matchThreshold = one.number("match_threshold", -1, 1);
            return info;
        });
        reply.complete = fields.truth("complete");
        return reply;
    });
}

base::Result<DeleteKeyspaceReply> readDeleteKeyspace(std::string_view body) {
    return readReply(body, deleteKeyspaceReplyOf);
}

base::Result<LoadedVectors> readLoadedVectors(std::string_view body) {
    return readReply(body, [](Fields& fields) {
        LoadedVectors loaded;
        loaded.state = fields.text("state", 64);
        loaded.loadedPercent = fields.real("loaded_percent", 0, 100);
        loaded.space = fields.optionalText("space", kMostText);
        loaded.dim = fields.integer<int>("dim", 0, static_cast<int>(kMaxEmbeddingLength));
        loaded.index = fields.text("index", 64);
        loaded.owned = fields.ranges("owned", 0);
        loaded.total = fields.integer<std::uint64_t>("total", 0, kAnyCount);
        loaded.faces = fields.integer<std::uint64_t>("faces", 0, kAnyCount);
        loaded.memoryBytes = fields.integer<std::uint64_t>("memory_bytes", 0, kAnyCount);
        loaded.partitions = fields.objects("partitions", base::kPartitionCount, [](Fields& one) {
            const auto partition = partitionOf(one);
            const auto vectors = one.integer<std::uint64_t>("vectors", 0, kAnyCount);
            return PartitionLoad{partition, vectors, one.integer<std::uint64_t>("faces", 0, kAnyCount)};
        });
        loaded.keyspaces = fields.objects("keyspaces", kMostEntries, [](Fields& one) {
            auto keyspace = keyspaceNameOf(one);
            const auto vectors = one.integer<std::uint64_t>("vectors", 0, kAnyCount);
            return KeyspaceLoad{std::move(keyspace), vectors, one.integer<std::uint64_t>("faces", 0, kAnyCount)};
        });
        if (fields.find("nodes"))
            loaded.nodes = fields.objects("nodes", kMostFaces, [](Fields& one) {
                auto address = one.text("address", kMostText);
                auto state = one.text("state", 64);
                return NodeLoad{std::move(address), std::move(state),
                                one.integer<std::uint64_t>("total", 0, kAnyCount)};
            });
        loaded.complete = fields.flag("complete");
        return loaded;
    });
}

base::Result<LimitUsage> readLimitUsage(std::string_view body) {
    return readReply(body, [](Fields& fields) {
        LimitUsage usage;
        usage.currentEnrollment = fields.integer<std::int64_t>("current_enrollment", 0, kNoLimit);
        usage.maximumEnrollment = fields.integer<std::int64_t>("maximum_enrollment", 0, kNoLimit);
        usage.currentKeyspace = fields.integer<std::int64_t>("current_keyspace", 0, kNoLimit);
        usage.maximumKeyspace = fields.integer<std::int64_t>("maximum_keyspace", 0, kNoLimit);
        return usage;
    });
}

base::Result<Health> readHealth(std::string_view body) {
    return readReply(body, [](Fields& fields) {
        Health health;
        health.state = fields.text("state", 64);
        health.loadedPercent = fields.real("loaded_percent", 0, 100);
        health.role = fields.text("role", 64);
        health.version = fields.text("version", kMostText);
        health.time = timeOf(fields, "time");
        health.uptimeSeconds = fields.integer<std::int64_t>("uptime_s", std::numeric_limits<std::int64_t>::min(),
                                                            std::numeric_limits<std::int64_t>::max());
        health.vectorsLoaded = fields.integer<std::uint64_t>("vectors_loaded", 0, kAnyCount);
        health.vectorsExpected = fields.integer<std::uint64_t>("vectors_expected", 0, kAnyCount);
        health.partitions = fields.ranges("partitions", 0);
        health.space = fields.optionalText("space", kMostText);
        health.clientAuth = fields.text("client_auth", 64);
        health.internalPort = optionalInt(fields, "internal_port", 65'535);
        health.instance = fields.optionalText("instance", 64);
        health.partitionsSearchable = optionalInt(fields, "partitions_searchable", base::kPartitionCount);
        health.complete = fields.flag("complete");
        health.configEpoch = fields.optionalText("config_epoch", kMostText);
        return health;
    });
}

base::Result<ErrorReply> readError(std::string_view body) {
    return readReply(body, [](Fields& fields) {
        auto token = fields.text("error", 64);
        return ErrorReply{base::reasonOfToken(token), token, fields.text("description", kMostText)};
    });
}

} // namespace fremis::wire
