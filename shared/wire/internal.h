#pragma once

#include "shared/base/version.h"
#include "shared/wire/replies.h"

#include <array>

/// The internal plane: every message between a coordinator and a worker, both directions, as a struct with its JSON
/// text (toJson()) and its reader. All calls are POST with a JSON object; the paths are below. Readers check types,
/// ranges and ids and ignore unknown members; of a request they fail with the tokens of the client plane, of a reply
/// always with Reason::CorruptData. Thread: any. resources/docs/internal-plane.md tells who sends what when.
///
/// Records are the bytes of storage::encode(Operation); in JSON they are base64. This folder does not look inside.
namespace fremis::wire::internal {

/// Raised when a message changes so that an older program would misread it. Programs one apart work together.
inline constexpr int kProtocol = 1;

inline constexpr std::string_view kProbePath = "/internal/probe";
inline constexpr std::string_view kEnrollmentPath = "/internal/enrollment";
inline constexpr std::string_view kDeleteEnrollmentPath = "/internal/delete-enrollment";
inline constexpr std::string_view kDeleteVariationPath = "/internal/delete-enrollment-variation";
inline constexpr std::string_view kKeyspacePath = "/internal/keyspace";
inline constexpr std::string_view kDeleteKeyspacePath = "/internal/delete-keyspace";
inline constexpr std::string_view kApplyPath = "/internal/apply";
inline constexpr std::string_view kDigestsPath = "/internal/digests";
inline constexpr std::string_view kLeavesPath = "/internal/leaves";
inline constexpr std::string_view kRowsPath = "/internal/rows";
inline constexpr std::string_view kKeyspaceRecordsPath = "/internal/keyspace-records";
inline constexpr std::string_view kCollectPath = "/internal/collect";
inline constexpr std::string_view kFaceEmbeddingsPath = "/internal/face-embeddings";
inline constexpr std::string_view kMatchPath = "/internal/match";

/// Request header on both planes: milliseconds that the caller will still wait, plain digits. It can only shorten the
/// worker's own deadline.
inline constexpr std::string_view kDeadlineHeader = "X-Deadline-Ms";

/// A node, a coordinator or an operation. In JSON 32 lower-case hexadecimal digits.
using Id = std::array<std::uint8_t, 16>;
[[nodiscard]] std::string textOf(const Id& id);
[[nodiscard]] base::Result<Id> parseId(std::string_view text);

/// One life of a worker, from a start to its end: the node of its data and its generation, which rises at each start.
/// Compared as a whole.
[[nodiscard]] std::string instanceOf(const Id& node, std::uint64_t generation);
/// Request header on both planes: the instance that the caller takes this worker for. Another one does nothing and
/// answers 421 `other_instance`: what the caller knows of it (that it is loaded, that it missed no write) is of a past
/// life or of another worker. Without the header everybody is answered.
inline constexpr std::string_view kInstanceHeader = "X-Instance";

/// 32 hexadecimal digits, stamp then writer: texts sort as versions do.
[[nodiscard]] std::string textOf(base::Version version);
[[nodiscard]] base::Result<base::Version> parseVersion(std::string_view text);

/// SHA-256. In JSON 64 lower-case hexadecimal digits.
using Digest = std::array<std::uint8_t, 32>;

/// Bytes of one encoded operation.
using Record = std::string;

// ---- probe ----------------------------------------------------------------------------------------------------------

/// Every 500 ms. What the coordinator knows of itself; the worker repeats it to the others (R25).
struct ProbeRequest {
    Id coordinator{};
    std::string epoch;                     ///< of its map; 1..64 characters of A-Za-z0-9_-
    std::int64_t clockMs = 0;              ///< its wall clock, since 1970
    std::optional<base::Version> lowWater; ///< everything older has left its queues; nothing: not known now
    base::Version seen{};                  ///< see WriteHead
    std::vector<Id> pending;               ///< nodes that have operations waiting in its queues
    std::vector<Id> forget;                ///< coordinators that an operator has removed for good; silent ones go
    int protocol = kProtocol;
    std::string partitionRule;        ///< hashing::kPartitionRule
    std::optional<std::string> space; ///< of the cluster, once known
    std::optional<int> dimension;
};

/// What a worker has heard of a coordinator.
struct Heard {
    Id coordinator{};
    std::vector<Id> pending;
    std::optional<base::Version> lowWater;
    std::int64_t ageMs = 0;   ///< since its last probe
    std::int64_t clockMs = 0; ///< ProbeRequest::clockMs of that probe: which of two words is the newer one
};
/// Of two words of a coordinator by its own clock, which may have been set back.
[[nodiscard]] constexpr bool isOlder(std::int64_t clockMs, std::int64_t thanClockMs) {
    constexpr std::int64_t kSetBack = 10'000;
    return clockMs < thanClockMs && thanClockMs - clockMs < kSetBack;
}

/// Refused (nothing of the request is kept): 409 `rule_mismatch`, `protocol_mismatch`, `dimension_mismatch`;
/// 400 `space_mismatch`.
struct ProbeReply {
    Id node{};
    std::uint64_t generation = 0; ///< rises at each start
    std::string version;          ///< of the program
    std::string state;            ///< DOWN, LOADING, CATCHING_UP, ACTIVE: of the node itself, without its replicas
    double loadedPercent = 0;
    std::uint64_t vectorsLoaded = 0;
    std::string space;
    int dimension = 0;
    std::string partitionRule;
    int protocol = kProtocol;
    std::vector<PartitionRange> partitions; ///< owned
    std::int64_t clockMs = 0;
    base::Version lastVersion; ///< the greatest that its store has ever applied
    base::Version seen{};      ///< the greatest it knows of, its own and those that coordinators told
    std::string epoch;         ///< the one it holds for present; "" before the first probe
    std::vector<Heard> heard;  ///< of all coordinators, the asking one included
};

// ---- originating writes: the first replica decides version, variation, incarnation (R2, R6) -------------------------

/// What each of them has beside the client's body.
struct WriteHead {
    Id opId{};         ///< a repeat gets the first answer and the first operations, for 24 h
    std::string epoch; ///< as in ProbeRequest; 409 `stale_epoch` when the worker knows a newer map
    /// The greatest version that the coordinator knows of: the worker decides above it, however slow its clock and
    /// whatever it has missed. All zero: none.
    base::Version seen{};
};

struct EnrollmentRequest {
    WriteHead head;
    Enrollment body;      ///< faceId is set always
    bool newFace = false; ///< the id was generated: 409 `face_exists` when that face is there
};

struct DeleteEnrollmentRequest {
    WriteHead head; ///< each face has its own op id, see faceOpId()
    DeleteEnrollment body;
    /// The worker may have missed enrolments, so that it finds nothing does not mean that there is nothing: each face
    /// gets its tombstone and counts as deleted. Default false.
    bool evenIfAbsent = false;
};

struct DeleteVariationRequest {
    WriteHead head; ///< each variation has its own op id, see variationOpId()
    DeleteVariation body;
    bool evenIfAbsent = false; ///< as above, for each variation
};

struct CreateKeyspaceRequest {
    WriteHead head;
    CreateKeyspace body;
};

struct DeleteKeyspaceRequest {
    WriteHead head;
    DeleteKeyspace body;
};

/// Op ids of the parts of a list: the first 16 bytes of SHA-256 over the call's op id and the part's text.
[[nodiscard]] Id faceOpId(const Id& call, const base::FaceId& face);
[[nodiscard]] Id variationOpId(const Id& call, base::Variation variation);

/// The answers: the client plane's body with one member more, `operations`: what the other replicas have to apply,
/// fully stamped. Deletes that found nothing leave no operation.
struct EnrollmentWritten {
    EnrollmentReply reply;
    std::vector<Record> operations; ///< one
};
struct FacesDeleted {
    DeleteEnrollmentReply reply;
    std::vector<base::FaceId> failed; ///< not decided; the call's status is then 503 or 507 and `operations` are those
                                      ///< of the deleted ones
    std::vector<Record> operations;
};
struct VariationsDeleted {
    DeleteVariationReply reply;
    std::vector<Record> operations;
};
struct KeyspaceCreated {
    CreateKeyspaceReply reply;
    std::vector<Record> operations; ///< one or two, also when the keyspace was there (created: false)
};
struct KeyspaceDeleted {
    DeleteKeyspaceReply reply;
    std::vector<Record> operations; ///< one
};

// ---- apply ----------------------------------------------------------------------------------------------------------

inline constexpr std::size_t kMaxRecords = 512; ///< of one apply call and of one page

/// Records in any order, any number of times. Keyspaces go before their faces if they can: an operation of a keyspace
/// that is not there yet is `keyspace_unknown`.
struct ApplyRequest {
    std::string epoch;
    std::vector<Record> operations; ///< 1..kMaxRecords
    /// The records were read by RowsRequest from a replica that is in order, not from a queue: they are the present, so
    /// the delete horizon does not stop them, and a damaged row gives way to its sound copy. Default false.
    bool mend = false;
};

enum class ApplyEffect {
    Applied,           ///< durable now
    Already,           ///< was there
    Stale,             ///< something newer is there
    KeyspaceUnknown,   ///< send its keyspace first, then this again
    VersionAhead,      ///< more than 60 s ahead of this worker's clock: send it later
    StaleIncarnation,  ///< its keyspace has ended: drop it
    BehindHorizon,     ///< older than tombstones that were collected: drop it
    NotOwner,          ///< of a partition that this worker does not own
    SpaceMismatch,     ///< an embedding of another model
    DimensionMismatch, ///< of another length
    EmbeddingInvalid,  ///< not finite, or zero
    Damaged,           ///< the record's bytes are not whole: send the original
    Invalid,           ///< breaks a rule of its type; `why`
};
[[nodiscard]] std::string_view tokenOf(ApplyEffect effect);
/// The replica's state has all that the operation could bring: it may leave the queue as confirmed.
[[nodiscard]] constexpr bool isConfirmed(ApplyEffect effect) {
    return effect == ApplyEffect::Applied || effect == ApplyEffect::Already || effect == ApplyEffect::Stale;
}
/// No repetition will change the refusal; of the rest KeyspaceUnknown, VersionAhead, NotOwner and Damaged may end.
[[nodiscard]] constexpr bool isRefusedForEver(ApplyEffect effect) {
    return effect == ApplyEffect::StaleIncarnation || effect == ApplyEffect::BehindHorizon ||
           effect == ApplyEffect::SpaceMismatch || effect == ApplyEffect::DimensionMismatch ||
           effect == ApplyEffect::EmbeddingInvalid || effect == ApplyEffect::Invalid;
}

struct ApplyOutcome {
    ApplyEffect effect = ApplyEffect::Applied;
    std::string why; ///< of refusals, for the log; names no id
    std::uint64_t rowsRemoved = 0;
    std::uint64_t facesRemoved = 0;
};

/// One outcome for each operation, in order. When every operation is of a foreign partition the call itself is 421
/// `not_owner`. An error of the call (503, 507) leaves open which operations were applied: send all again.
struct ApplyReply {
    std::vector<ApplyOutcome> outcomes;
};

// ---- anti-entropy (R37) ---------------------------------------------------------------------------------------------

struct DigestsRequest {
    std::vector<PartitionRange> partitions; ///< owned ones, else 421 `not_owner`
};

/// How a worker's index stands to its database.
enum class IndexState {
    Equal,     ///< the same rows
    Busy,      ///< writes came between at each try: not known
    Loading,   ///< not compared
    Different, ///< it was out of step, and has been brought into step with the database
};
[[nodiscard]] std::string_view tokenOf(IndexState state);

struct PartitionDigest {
    base::Partition partition = 0;
    Digest root{};
    std::uint64_t rows = 0;
    std::uint64_t tombstones = 0;
    std::uint64_t degraded = 0;  ///< rows that cannot be used (checksum); not part of the tree
    std::uint64_t indexRows = 0; ///< vectors in memory
    IndexState index = IndexState::Equal;
    base::Version horizon{}; ///< older tombstones were collected; all zero: never, or not told by an older worker
};

/// Always read anew from the database.
struct DigestsReply {
    std::vector<PartitionDigest> partitions; ///< those asked for, rising
    Digest keyspaces{}; ///< over the records of KeyspaceRecordsReply: equal on replicas that know the same keyspaces
};

/// Digests of tree nodes, see hashing::merkleStep(). May come from the last reading of the partition when no write of
/// this worker has touched it since; read anew otherwise.
struct LeavesRequest {
    base::Partition partition = 0;
    std::vector<std::uint16_t> nodes; ///< 1..511 of them, each in 1..511
};
struct LeavesReply {
    std::vector<Digest> digests; ///< in the order asked
};

/// The rows and tombstones of some leaves as operations that make them: what another replica has to apply.
struct RowsRequest {
    base::Partition partition = 0;
    std::vector<std::uint8_t> leaves;          ///< 1..256, each once
    std::string cursor;                        ///< of the last page; "" from the start
    int limit = static_cast<int>(kMaxRecords); ///< 1..kMaxRecords
};
struct RowsReply {
    std::vector<Record> records;
    std::optional<std::string> nextCursor; ///< null on the last page
};

/// All keyspaces as operations (creations, thresholds, drops), dead lives included. An empty request.
struct KeyspaceRecordsReply {
    std::vector<Record> records;
    Digest digest{};
};

/// Collects tombstones (R7): to be sent only when every replica has confirmed everything below `horizon`.
struct CollectRequest {
    std::string epoch;
    std::vector<PartitionRange> partitions; ///< owned ones, else 421 `not_owner`
    base::Version horizon;
};
struct CollectReply {};

// ---- comparing two stored faces of different workers
// -----------------------------------------------------------------

/// The embeddings of a stored face. 421 `not_owner`, 404 `keyspace_not_found`, 503 `not_ready`.
struct FaceEmbeddingsRequest {
    StoredFace face;
};
struct FaceEmbeddingsReply {
    std::string space;
    std::vector<std::vector<float>> embeddings; ///< one for each variation, of unit length; none: it is not enrolled
};

/// A stored face against the embeddings of another one; the best pair counts. The answer is a MatchV2Reply; refusals as
/// above, and 404 `face_not_found` when either is not enrolled, 400 `space_mismatch`, `embedding_invalid`.
struct MatchRequest {
    StoredFace face;
    FaceEmbeddingsReply other;
};

// ---- JSON -----------------------------------------------------------------------------------------------------------

[[nodiscard]] std::string toJson(const ProbeRequest& message);
[[nodiscard]] std::string toJson(const ProbeReply& message);
[[nodiscard]] std::string toJson(const EnrollmentRequest& message);
[[nodiscard]] std::string toJson(const DeleteEnrollmentRequest& message);
[[nodiscard]] std::string toJson(const DeleteVariationRequest& message);
[[nodiscard]] std::string toJson(const CreateKeyspaceRequest& message);
[[nodiscard]] std::string toJson(const DeleteKeyspaceRequest& message);
[[nodiscard]] std::string toJson(const EnrollmentWritten& message);
[[nodiscard]] std::string toJson(const FacesDeleted& message);
[[nodiscard]] std::string toJson(const VariationsDeleted& message);
[[nodiscard]] std::string toJson(const KeyspaceCreated& message);
[[nodiscard]] std::string toJson(const KeyspaceDeleted& message);
[[nodiscard]] std::string toJson(const ApplyRequest& message);
[[nodiscard]] std::string toJson(const ApplyReply& message);
[[nodiscard]] std::string toJson(const DigestsRequest& message);
[[nodiscard]] std::string toJson(const DigestsReply& message);
[[nodiscard]] std::string toJson(const LeavesRequest& message);
[[nodiscard]] std::string toJson(const LeavesReply& message);
[[nodiscard]] std::string toJson(const RowsRequest& message);
[[nodiscard]] std::string toJson(const RowsReply& message);
[[nodiscard]] std::string toJson(const KeyspaceRecordsReply& message);
[[nodiscard]] std::string toJson(const CollectRequest& message);
[[nodiscard]] std::string toJson(const FaceEmbeddingsRequest& message);
[[nodiscard]] std::string toJson(const FaceEmbeddingsReply& message);
[[nodiscard]] std::string toJson(const MatchRequest& message);
[[nodiscard]] std::string toJson(const CollectReply& message);

[[nodiscard]] base::Result<ProbeRequest> parseProbe(std::string_view body);
[[nodiscard]] base::Result<EnrollmentRequest> parseEnrollment(std::string_view body);
[[nodiscard]] base::Result<DeleteEnrollmentRequest> parseDeleteEnrollment(std::string_view body);
[[nodiscard]] base::Result<DeleteVariationRequest> parseDeleteVariation(std::string_view body);
[[nodiscard]] base::Result<CreateKeyspaceRequest> parseCreateKeyspace(std::string_view body);
[[nodiscard]] base::Result<DeleteKeyspaceRequest> parseDeleteKeyspace(std::string_view body);
[[nodiscard]] base::Result<ApplyRequest> parseApply(std::string_view body);
[[nodiscard]] base::Result<DigestsRequest> parseDigests(std::string_view body);
[[nodiscard]] base::Result<LeavesRequest> parseLeaves(std::string_view body);
[[nodiscard]] base::Result<RowsRequest> parseRows(std::string_view body);
[[nodiscard]] base::Result<CollectRequest> parseCollect(std::string_view body);
[[nodiscard]] base::Result<FaceEmbeddingsRequest> parseFaceEmbeddings(std::string_view body);
[[nodiscard]] base::Result<MatchRequest> parseMatch(std::string_view body);

[[nodiscard]] base::Result<ProbeReply> readProbe(std::string_view body);
[[nodiscard]] base::Result<EnrollmentWritten> readEnrollmentWritten(std::string_view body);
/// Of a 200, or of an error that has `deleted_face_ids` and `failed_face_ids`.
[[nodiscard]] base::Result<FacesDeleted> readFacesDeleted(std::string_view body);
[[nodiscard]] base::Result<VariationsDeleted> readVariationsDeleted(std::string_view body);
[[nodiscard]] base::Result<KeyspaceCreated> readKeyspaceCreated(std::string_view body);
[[nodiscard]] base::Result<KeyspaceDeleted> readKeyspaceDeleted(std::string_view body);
[[nodiscard]] base::Result<ApplyReply> readApply(std::string_view body);
[[nodiscard]] base::Result<DigestsReply> readDigests(std::string_view body);
[[nodiscard]] base::Result<LeavesReply> readLeaves(std::string_view body);
[[nodiscard]] base::Result<RowsReply> readRows(std::string_view body);
[[nodiscard]] base::Result<KeyspaceRecordsReply> readKeyspaceRecords(std::string_view body);
[[nodiscard]] base::Result<FaceEmbeddingsReply> readFaceEmbeddings(std::string_view body);

} // namespace fremis::wire::internal
