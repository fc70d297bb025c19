#pragma once

#include "shared/base/ids.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

/// Every request of the client plane as a struct, and its reader. A reader checks the JSON, then the fields in the
/// order of the struct, and the first thing wrong is the error; unknown fields are ignored; an optional field that is
/// null is absent. What needs the model or the store (base64 and image bytes, embedding length, existence) is checked
/// by the caller. Thread: any.
namespace fremis::wire {

inline constexpr std::size_t kMaxIdsPerDelete = 100'000;
inline constexpr int kDefaultCandidateCount = 5;
inline constexpr int kMaxCandidateCount = 1'000;
inline constexpr int kDefaultListLimit = 100;
inline constexpr int kMaxListLimit = 1'000;

/// A photo as the client sent it: base64 text, not empty, not yet decoded (decodeBase64()).
struct ImageInput {
    std::string base64;
};

/// A ready embedding: finite floats, norm above kMinEmbeddingNorm, not yet normalised, length and space not yet
/// compared.
struct EmbeddingInput {
    std::vector<float> values;
    std::optional<std::string> space;
};
inline constexpr float kMinEmbeddingNorm = 1e-6F;

/// Longest embedding a reader takes in; longer arrays fail at once with EmbeddingInvalid.
inline constexpr std::size_t kMaxEmbeddingLength = 4'096;

struct StoredFace {
    base::KeyspaceName keyspace;
    base::FaceId faceId;
};

/// Inclusive, start <= end.
struct PartitionRange {
    base::Partition start;
    base::Partition end;
    bool operator==(const PartitionRange&) const = default;
};

/// `additional_params` that concern faces.
struct FaceOptions {
    bool requireSingleFace = false;
    bool liveness = false; ///< `attributes`; names of attributes that are not offered are ignored
    bool gender = false;
    bool age = false;
    bool operator==(const FaceOptions&) const = default;
};

struct Enrollment {
    ImageInput image;
    base::KeyspaceName keyspace;
    std::optional<base::FaceId> faceId; ///< nothing: the server makes one
    FaceOptions options;
};

struct Recognition {
    std::variant<ImageInput, EmbeddingInput> probe;
    base::KeyspaceName keyspace;
    std::optional<std::vector<PartitionRange>> partitions; ///< nothing: all that the worker owns
    int candidateCount = kDefaultCandidateCount;
    std::optional<bool> allowPartialSearch;
    FaceOptions options;
    bool returnEmbedding = false; ///< for a coordinator, which asks the other workers with it; needs the right "embed"
};

struct MatchV1 {
    ImageInput imageA;
    ImageInput imageB;
    std::optional<base::KeyspaceName> keyspace; ///< whose match threshold applies
};

using MatchSide = std::variant<ImageInput, EmbeddingInput, StoredFace>;
struct MatchV2 {
    MatchSide faceA;
    MatchSide faceB;
};

struct DeleteEnrollment {
    base::KeyspaceName keyspace;
    std::vector<base::FaceId> faceIds; ///< each once, in the order first named
};

struct DeleteVariation {
    base::KeyspaceName keyspace;
    base::FaceId faceId;
    std::vector<base::Variation> variations; ///< each once, in the order first named
};

struct ExtractEmbedding {
    ImageInput image;
    FaceOptions options;
};

struct CreateKeyspace {
    base::KeyspaceName keyspace;
    std::optional<double> matchThreshold; ///< cosine, -1..1
};

struct DeleteKeyspace {
    base::KeyspaceName keyspace;
};

/// Of the coordinator: a new config.yml.
struct ReplaceConfig {
    std::string yaml;    ///< at most 1 MiB
    bool dryRun = false; ///< tell what would change
    bool force = false;  ///< also when partitions go to workers without their data
};

/// Of the coordinator: compare the replicas of these partitions.
struct Repair {
    std::vector<base::Partition> partitions; ///< empty: all
};

/// Of the coordinator: what to do with the writes that wait for one worker.
struct QueueAction {
    enum class Kind { Retry, Pause, Resume, Discard, List, Drop };
    std::string node; ///< its address, as config.yml names it
    Kind kind = Kind::List;
    /// Of Retry: which parked writes too, absent: all. Of Drop: which, at least one. 128-bit operation ids.
    std::optional<std::vector<std::array<std::uint8_t, 16>>> opIds;
    std::uint64_t cursor = 0; ///< of List: the last page's; 0 from the start
    int limit = kDefaultListLimit;
    bool force = false; ///< of Discard: also when no other replica could fill the worker
};
[[nodiscard]] std::string_view nameOf(QueueAction::Kind kind);

/// Of the coordinator: another one is gone for good.
struct ForgetCoordinator {
    std::array<std::uint8_t, 16> coordinator{};
};

struct GetEnrollment {
    base::KeyspaceName keyspace;
    base::FaceId faceId;
};

struct ListEnrollments {
    base::KeyspaceName keyspace;
    std::string cursor; ///< empty: from the start; see cursor.h
    int limit = kDefaultListLimit;
    std::optional<std::vector<PartitionRange>> partitions; ///< nothing: all that the worker owns
};

struct ListKeyspaces {
    std::optional<std::vector<PartitionRange>> partitions; ///< whose faces count; nothing: all that the worker owns
};

[[nodiscard]] base::Result<Enrollment> parseEnrollment(std::string_view body);
[[nodiscard]] base::Result<Recognition> parseRecognition(std::string_view body);
[[nodiscard]] base::Result<MatchV1> parseMatchV1(std::string_view body);
[[nodiscard]] base::Result<MatchV2> parseMatchV2(std::string_view body);
[[nodiscard]] base::Result<DeleteEnrollment> parseDeleteEnrollment(std::string_view body);
[[nodiscard]] base::Result<DeleteVariation> parseDeleteVariation(std::string_view body);
[[nodiscard]] base::Result<ExtractEmbedding> parseExtractEmbedding(std::string_view body);
[[nodiscard]] base::Result<CreateKeyspace> parseCreateKeyspace(std::string_view body);
[[nodiscard]] base::Result<DeleteKeyspace> parseDeleteKeyspace(std::string_view body);
[[nodiscard]] base::Result<ReplaceConfig> parseReplaceConfig(std::string_view body);
/// An empty body is an empty request.
[[nodiscard]] base::Result<Repair> parseRepair(std::string_view body);
[[nodiscard]] base::Result<QueueAction> parseQueueAction(std::string_view body);
[[nodiscard]] base::Result<ForgetCoordinator> parseForgetCoordinator(std::string_view body);

/// The client's Idempotency-Key header: "" when absent (nullptr), else 1..255 printable ASCII characters;
/// InvalidParams.
[[nodiscard]] base::Result<std::string> parseIdempotencyKey(const std::string* header);

/// Query parameters after percent-decoding, in the order sent.
using QueryPairs = std::span<const std::pair<std::string, std::string>>;
[[nodiscard]] base::Result<GetEnrollment> parseGetEnrollment(QueryPairs query);
[[nodiscard]] base::Result<ListEnrollments> parseListEnrollments(QueryPairs query);
[[nodiscard]] base::Result<ListKeyspaces> parseListKeyspaces(QueryPairs query);

/// Finite and longer than kMinEmbeddingNorm, else EmbeddingInvalid. For embeddings of any source, a model's too.
[[nodiscard]] base::Status checkEmbedding(std::span<const float> values);

} // namespace fremis::wire
