#pragma once

#include "shared/base/error.h"
#include "shared/base/ids.h"
#include "shared/hashing/partition_set.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fremis::index {

enum class Engine {
    Flat, ///< exact, float rows
    Sq8,  ///< exact: an int8 scan with a proven error bound, float rows for the last word; answers are those of Flat
    Hnsw, ///< approximate: a FAISS graph for each large keyspace; scores and their order exact, recall() measured
};
/// "flat", "sq8", "hnsw". parseEngine fails with Reason::InvalidConfig.
[[nodiscard]] base::Result<Engine> parseEngine(std::string_view text);
[[nodiscard]] std::string_view engineName(Engine engine);

enum class FloatRows {
    Memory,
    File, ///< Sq8 only: in a nameless file of Options::dataDir, read row by row; gone with the process
};

struct HnswOptions {
    int neighbours = 32;        ///< M of the HNSW paper
    int constructionDepth = 80; ///< efConstruction
    int searchDepth = 256;      ///< efSearch, at least; grows with k
    int exactBelow = 20'000;    ///< a keyspace with fewer rows is scanned exactly
    double rebuildAt = 0.1;     ///< rebuild when this share of the graph's rows was added or removed since it was built
    int recallQueries = 50;     ///< questions asked after each build to measure recall@10
    /// A graph keeps the numbers of removed rows, which no answer uses, until it is rebuilt: at the latest after this
    /// time.
    std::chrono::seconds eraseWithin{900};
};

struct Options {
    Engine engine = Engine::Flat;
    int dimension = 0; ///< 1..8192
    FloatRows floatRows = FloatRows::Memory;
    std::filesystem::path dataDir; ///< for FloatRows::File
    int helperThreads = 0;         ///< threads that join large searches, beside the caller's
    HnswOptions hnsw;
};

/// Where a face lives. `keyspace` is the keyspace's incarnation; `partition` comes from hashing::partitionOf(name,
/// face), and all photos of a face share it. The texts are copied where they are kept.
struct FaceAddress {
    std::string_view keyspace;
    base::Partition partition = 0;
    std::string_view face; ///< 1..255 bytes
};

/// One enrolled photo: `embedding` is Options::dimension floats of norm 1 (within 1 %).
struct Row {
    FaceAddress address;
    base::Variation variation;
    std::span<const float> embedding;
};

/// An identity found, by its best photo. `score`: raw cosine, the unrounded float every engine and every CPU computes
/// alike.
struct Hit {
    std::string face;
    base::Variation variation;
    float score = 0;
    bool operator==(const Hit&) const = default;
};

/// The order of answers: score descending, face bytes ascending, variation ascending.
[[nodiscard]] bool precedes(const Hit& left, const Hit& right);

struct Query {
    std::string_view keyspace;
    std::span<const float> embeddings; ///< n x dimension, row-major, each of norm 1 (within 1 %)
    int k = 1;                         ///< most identities per embedding, >= 1
    hashing::PartitionSet partitions = hashing::PartitionSet::all();
    int maxThreads = 0; ///< most threads for this query, the caller's included; 0 = that one and all helpers
};

struct Answer {
    std::vector<std::vector<Hit>> hits; ///< n lists of at most k identities, in the order of precedes()
    std::uint64_t vectorsSearched = 0;  ///< rows of the keyspace in the partitions asked for
};

struct PartitionCount {
    std::uint64_t vectors = 0;
    std::uint64_t faces = 0;
};

struct KeyspaceCount {
    std::string keyspace;
    std::uint64_t vectors = 0;
    std::uint64_t faces = 0;
};

/// Each number is exact at some moment of the call; without concurrent writes they agree with one another.
struct Counts {
    std::uint64_t vectors = 0;
    std::uint64_t faces = 0;
    std::array<PartitionCount, base::kPartitionCount> partitions{};
    std::vector<KeyspaceCount> keyspaces; ///< by keyspace; only those with rows
};

/// How good the graphs of Engine::Hnsw are; the exact engines say 1.
struct Recall {
    double atTen = 1.0;          ///< recall@10 against the exact answer, weighted by rows
    std::uint64_t graphRows = 0; ///< rows that are found through a graph; all others are scanned
};

class GraphKeeper;
class IndexCore;

/// The index as it was at one moment, whatever is written meanwhile. Thread: any, also after the index is gone.
/// Rows removed later stay in memory while a snapshot can see them: take it, search, let go.
class Snapshot {
public:
    explicit Snapshot(std::shared_ptr<IndexCore> core); ///< made by VectorIndex::snapshot()
    ~Snapshot();
    Snapshot(const Snapshot&) = delete;
    Snapshot& operator=(const Snapshot&) = delete;

    /// The k nearest identities for each embedding. An unknown keyspace or an empty partition gives none. Several
    /// embeddings in one query cost much less than one after the other. Fails with EmbeddingInvalid (length, NaN,
    /// infinity, norm), CandidateCountInvalid (k < 1) or Internal (the row file cannot be read).
    [[nodiscard]] base::Result<Answer> search(const Query& query) const;

    /// The best photo of one stored face, with the very score search() gives it; nothing when the face has none.
    /// Fails with EmbeddingInvalid or Internal.
    [[nodiscard]] base::Result<std::optional<Hit>> bestOfFace(const FaceAddress& address,
                                                              std::span<const float> embedding) const;

    /// The unit embeddings of a stored face's photos, in no order; empty when it has none. Fails with Internal.
    [[nodiscard]] base::Result<std::vector<std::vector<float>>> embeddingsOf(const FaceAddress& address) const;

    /// Calls visit(face, variation) for each row of a partition, in no order. `face` lives as long as the snapshot.
    void visitRows(std::string_view keyspace, base::Partition partition,
                   const std::function<void(std::string_view face, base::Variation variation)>& visit) const;

    /// Rows of the keyspace in these partitions.
    [[nodiscard]] std::uint64_t vectors(std::string_view keyspace, const hashing::PartitionSet& partitions) const;

    /// Grows with each write: equal numbers, equal contents.
    [[nodiscard]] std::uint64_t epoch() const { return m_epoch; }

private:
    const std::shared_ptr<IndexCore> m_core;
    const std::uint64_t m_epoch;
};

/// Exact nearest-neighbour search over face embeddings, grouped by face, kept in memory by (keyspace, partition).
///
/// Writes may come from any thread and are done one at a time; each is a step: a snapshot has all of it or nothing.
/// Searches neither wait for writes nor hold them up. A removed row is in no answer of a snapshot taken after the
/// removal returned; its bytes are overwritten a few milliseconds after no older snapshot is left, by a thread of the
/// index that also gives memory back. The same rows give the same answer, bit for bit, whatever the engine (Hnsw
/// apart), CPU, order of insertion or threads.
class VectorIndex {
public:
    /// Fails with InvalidConfig, or with StorageFull/Internal when the row file cannot be made.
    [[nodiscard]] static base::Result<std::unique_ptr<VectorIndex>> create(const Options& options);
    ~VectorIndex();
    VectorIndex(const VectorIndex&) = delete;
    VectorIndex& operator=(const VectorIndex&) = delete;

    /// Adds a photo, or replaces the one with the same keyspace, face and variation. Fails, changing nothing, with
    /// EmbeddingInvalid, InvalidFaceId, or StorageFull (no memory, no room in the row file).
    [[nodiscard]] base::Status add(const Row& row);
    /// False when it was not there.
    bool removeVariation(const FaceAddress& address, base::Variation variation);
    /// The number of rows removed.
    std::size_t removeFace(const FaceAddress& address);
    std::size_t dropKeyspace(std::string_view keyspace);
    std::size_t dropPartitions(const hashing::PartitionSet& partitions); ///< in every keyspace
    std::size_t dropPartitions(std::string_view keyspace, const hashing::PartitionSet& partitions);

    [[nodiscard]] std::shared_ptr<const Snapshot> snapshot() const;
    [[nodiscard]] Counts counts() const;
    [[nodiscard]] Recall recall() const;
    /// Bytes held for rows, ids, tables and graphs; rows in the file are not counted.
    [[nodiscard]] std::uint64_t memoryBytes() const;
    [[nodiscard]] const Options& options() const;
    /// The instruction set searches run on: "avx512-vnni", "avx2" or "baseline".
    [[nodiscard]] static std::string_view instructionSet();

    /// Blocks until everything removed so far is overwritten, emptied memory is given back and graphs are up to date,
    /// or until the time is over (false). An older snapshot that is still held keeps it waiting. For tests and orderly
    /// hand-over.
    [[nodiscard]] bool settle(std::chrono::milliseconds timeout);

private:
    explicit VectorIndex(std::shared_ptr<IndexCore> core);

    const std::shared_ptr<IndexCore> m_core;
    class Caretaker;
    std::unique_ptr<Caretaker> m_caretaker;
    std::unique_ptr<GraphKeeper> m_graphKeeper; ///< Engine::Hnsw only
};

} // namespace fremis::index
