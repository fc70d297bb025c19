#pragma once

#include "shared/base/error.h"
#include "shared/base/ids.h"
#include "shared/wire/requests.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Every reply of the client plane as a struct, and its JSON text. Ids are strings in JSON always. Times are
/// milliseconds since 1970 here and RFC 3339 in UTC in JSON. An std::optional without value is a member left out,
/// unless its comment says null. No reply has a top-level member `description`: clients read that as an error. Thread:
/// any.
namespace fremis::wire {

using Milliseconds = std::chrono::milliseconds;

struct FaceAttributes {
    std::optional<double> liveness; ///< experimental: 0..1, 1 = live
    std::optional<double> gender;   ///< 0..1, above 0.5 = male
    std::optional<double> age;      ///< years, rough
};

/// A face found in the photo; pixels of the photo after its EXIF orientation.
struct DetectedFace {
    int top = 0;
    int left = 0;
    int width = 0;
    int height = 0;
    double score = 0; ///< of the detector
    bool used = false;
    std::optional<double> norm;               ///< of embedded faces
    std::vector<std::string> warnings;        ///< left out when empty
    std::optional<FaceAttributes> attributes; ///< of the used face, when asked for
};

/// Of the coordinator: replicas that hold the write, and those it is queued for.
struct Replication {
    int acked = 0;
    int queued = 0;
};

struct EnrollmentReply {
    base::FaceId faceId;
    base::Variation variation;
    std::vector<DetectedFace> faces;
    std::optional<Replication> replication;
};

struct Candidate {
    base::FaceId faceId;
    double similarity = 0; ///< 0..1, finite
    base::Variation variation;
    double score = 0; ///< cosine, finite
};

struct FailedNode {
    std::string address;
    std::vector<PartitionRange> partitions; ///< left unsearched
    std::string reason;
};

/// Of the coordinator: how much of the cluster a search saw.
struct Coverage {
    int partitionsSearched = 0;
    std::uint64_t vectorsSearched = 0;
    std::vector<FailedNode> failedNodes;
    std::string configEpoch;
    bool stale = false; ///< a partition was searched at a worker that may lack late enrolments: no better one answered
    [[nodiscard]] bool complete() const { return partitionsSearched == base::kPartitionCount; }
};
/// The JSON object alone, for the extra member of an `incomplete_search` error.
[[nodiscard]] std::string toJson(const Coverage& coverage);

struct RecognitionReply {
    std::vector<Candidate> candidates;
    std::optional<std::vector<DetectedFace>> faces;                ///< nothing when the request brought an embedding
    std::optional<std::uint64_t> vectorsSearched;                  ///< of a worker, for its coordinator
    std::optional<std::vector<PartitionRange>> partitionsSearched; ///< of a worker, when the request named partitions
    std::optional<std::vector<float>> embedding;                   ///< of a worker, when the request asked for it
    std::optional<Coverage> coverage;
};

struct MatchV1Reply {
    bool match = false;
    double similarity = 0;
    double score = 0;
};

struct MatchV2Reply {
    double similarity = 0;
    double score = 0;
};

struct DeleteEnrollmentReply {
    std::vector<base::FaceId> deleted;
    std::optional<Replication> replication;
};
/// `"deleted_face_ids":[…],"failed_face_ids":[…]`: the extra members of `partition_unavailable` on a delete done in
/// part.
[[nodiscard]] std::string partialDeleteMembers(std::span<const base::FaceId> deleted,
                                               std::span<const base::FaceId> failed);

struct DeleteVariationReply {
    base::FaceId faceId;
    std::vector<base::Variation> deleted;
    bool faceDeleted = false;
    std::optional<Replication> replication;
};

struct ModelInfo {
    std::string pack;
    std::string space;
    int dim = 0;
};

struct ExtractEmbeddingReply {
    std::vector<std::vector<float>> embeddings; ///< unit length, order of `faces`
    ModelInfo model;
    std::vector<DetectedFace> faces;
};

struct StoredVariation {
    base::Variation variation;
    Milliseconds createdAt;
    std::optional<double> norm; ///< null when unknown
    std::string space;
};

struct GetEnrollmentReply {
    base::KeyspaceName keyspace;
    base::FaceId faceId;
    base::Partition partition = 0;
    Milliseconds updatedAt{};
    std::vector<StoredVariation> variations;
};

struct ListedFace {
    base::FaceId faceId;
    base::Partition partition = 0;
    std::uint64_t variations = 0;
    Milliseconds updatedAt{};
};

struct ListEnrollmentsReply {
    base::KeyspaceName keyspace;
    std::optional<std::string> nextCursor; ///< null on the last page
    std::vector<ListedFace> faces;
    std::optional<std::string> incarnation; ///< of the keyspace; when the request named partitions
};

struct CreateKeyspaceReply {
    base::KeyspaceName keyspace;
    bool created = false;
    std::string incarnation;
    std::optional<double> matchThreshold; ///< null: the pack's
    std::optional<Replication> replication;
};

struct KeyspaceInfo {
    base::KeyspaceName keyspace;
    std::string incarnation;
    std::uint64_t faces = 0;
    std::uint64_t variations = 0;
    Milliseconds createdAt{};
    std::optional<double> matchThreshold; ///< null: the pack's
};

struct ListKeyspacesReply {
    std::vector<KeyspaceInfo> keyspaces; ///< written sorted by name bytes, whatever the order here
    bool complete = true;
};

struct DeleteKeyspaceReply {
    base::KeyspaceName keyspace;
    std::uint64_t facesDeleted = 0;
    std::optional<Replication> replication;
};

/// Health of a worker or the coordinator. Answer 503 with errorBody(NotReady, …, notReadyMembers()) unless ACTIVE.
struct Health {
    std::string state; ///< DOWN, LOADING, CATCHING_UP, ACTIVE
    double loadedPercent = 0;
    std::string role; ///< worker, coordinator
    std::string version;
    Milliseconds time{};
    std::int64_t uptimeSeconds = 0;
    std::uint64_t vectorsLoaded = 0;
    std::uint64_t vectorsExpected = 0;
    std::vector<PartitionRange> partitions;
    std::optional<std::string> space;        ///< null until known
    std::string clientAuth;                  ///< open, required
    std::optional<int> internalPort;         ///< of a worker
    std::optional<std::string> instance;     ///< of a worker, once it knows: internal::instanceOf()
    std::optional<int> partitionsSearchable; ///< of the coordinator
    std::optional<bool> complete;            ///< of the coordinator
    std::optional<std::string> configEpoch;  ///< of the coordinator
};
/// `"state":…,"loaded_percent":…,"role":…`
[[nodiscard]] std::string notReadyMembers(const Health& health);

inline constexpr std::int64_t kNoLimit = 9'007'199'254'740'991; ///< 2^53-1, how "no limit" is shown
struct LimitUsage {
    std::int64_t currentEnrollment = 0; ///< faces
    std::int64_t maximumEnrollment = kNoLimit;
    std::int64_t currentKeyspace = 0;
    std::int64_t maximumKeyspace = kNoLimit;
};

struct PartitionLoad {
    base::Partition partition = 0;
    std::uint64_t vectors = 0;
    std::uint64_t faces = 0;
};
struct KeyspaceLoad {
    base::KeyspaceName keyspace;
    std::uint64_t vectors = 0;
    std::uint64_t faces = 0;
};
struct NodeLoad {
    std::string address;
    std::string state;
    std::uint64_t total = 0;
};
struct LoadedVectors {
    std::string state;
    double loadedPercent = 0;
    std::optional<std::string> space; ///< null until known
    int dim = 0;
    std::string index; ///< flat, sq8, hnsw
    std::vector<PartitionRange> owned;
    std::uint64_t total = 0; ///< vectors
    std::uint64_t faces = 0;
    std::uint64_t memoryBytes = 0;
    std::vector<PartitionLoad> partitions; ///< every owned one
    std::vector<KeyspaceLoad> keyspaces;
    std::optional<std::vector<NodeLoad>> nodes; ///< of the coordinator
    std::optional<bool> complete;               ///< of the coordinator
};

struct GpuStats {
    int index = 0;
    std::string name;
    double utilPercent = 0;
    std::uint64_t memoryTotalBytes = 0;
    std::uint64_t memoryUsedBytes = 0;
};
struct ResourceStats {
    Milliseconds timestamp{};
    struct Cpu {
        int cores = 0;
        std::optional<double> percent;        ///< of all cores in the last full second; null in the first
        std::optional<double> processPercent; ///< likewise
    } cpu;
    struct Ram {
        std::uint64_t totalBytes = 0;
        std::uint64_t usedBytes = 0;
        std::uint64_t availableBytes = 0;
        double percent = 0;
    } ram;
    struct Process {
        std::uint64_t rssBytes = 0;
        std::uint64_t threads = 0;
        std::uint64_t openFds = 0;
    } process;
    struct Disk {
        std::uint64_t totalBytes = 0; ///< of the data directory's file system
        std::uint64_t freeBytes = 0;
        double percent = 0;
        std::uint64_t dataBytes = 0;
        std::uint64_t queueBytes = 0;
    } disk;
    std::vector<GpuStats> gpu;
};

[[nodiscard]] std::string toJson(const EnrollmentReply& reply);
[[nodiscard]] std::string toJson(const RecognitionReply& reply);
[[nodiscard]] std::string toJson(const MatchV1Reply& reply);
[[nodiscard]] std::string toJson(const MatchV2Reply& reply);
[[nodiscard]] std::string toJson(const DeleteEnrollmentReply& reply);
[[nodiscard]] std::string toJson(const DeleteVariationReply& reply);
[[nodiscard]] std::string toJson(const ExtractEmbeddingReply& reply);
[[nodiscard]] std::string toJson(const GetEnrollmentReply& reply);
[[nodiscard]] std::string toJson(const ListEnrollmentsReply& reply);
[[nodiscard]] std::string toJson(const CreateKeyspaceReply& reply);
[[nodiscard]] std::string toJson(const ListKeyspacesReply& reply);
[[nodiscard]] std::string toJson(const DeleteKeyspaceReply& reply);
[[nodiscard]] std::string toJson(const Health& health);
[[nodiscard]] std::string toJson(const LimitUsage& usage);
[[nodiscard]] std::string toJson(const LoadedVectors& loaded);
[[nodiscard]] std::string toJson(const ResourceStats& stats);

/// The fixed `message` of an HTTP status: "invalid arguments" for 400, else as clients know it or the reason phrase in
/// lower case.
[[nodiscard]] std::string_view statusMessage(int status);

/// The body of every reply that is not 2xx: code, message, description, error, request_id, all of them non-empty
/// strings. `extraMembers`: more members as ready JSON without braces, for instance `"coverage":{…}`; may be empty.
[[nodiscard]] std::string errorBody(const base::Error& error, std::string_view requestId,
                                    std::string_view extraMembers = {});

} // namespace fremis::wire
