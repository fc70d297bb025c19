#pragma once

#include "shared/base/work_pool.h"
#include "shared/index/directory.h"
#include "shared/index/epochs.h"

namespace fremis::index {

/// What a VectorIndex and its snapshots share. Public functions may be called from any thread.
class IndexCore : public std::enable_shared_from_this<IndexCore> {
public:
    IndexCore(const Options& options, std::unique_ptr<RowFile> file);
    ~IndexCore();
    IndexCore(const IndexCore&) = delete;
    IndexCore& operator=(const IndexCore&) = delete;

    [[nodiscard]] base::Status add(const Row& row);
    bool removeVariation(const FaceAddress& address, base::Variation variation);
    std::size_t removeFace(const FaceAddress& address);
    std::size_t dropKeyspace(std::string_view keyspace);
    std::size_t dropPartitions(const hashing::PartitionSet& partitions);
    std::size_t dropPartitions(std::string_view keyspace, const hashing::PartitionSet& partitions);

    [[nodiscard]] std::shared_ptr<const Snapshot> snapshot();
    [[nodiscard]] std::uint64_t enter(); ///< for a snapshot
    void leave(std::uint64_t epoch);     ///< a snapshot is gone
    [[nodiscard]] Counts counts() const;
    [[nodiscard]] std::uint64_t memoryBytes() const;

    [[nodiscard]] const Options& options() const { return m_options; }
    [[nodiscard]] const RowStore& store() const { return m_store; }
    [[nodiscard]] const Directory& directory() const { return m_directory; }
    [[nodiscard]] base::WorkPool* helpers() { return m_helpers.get(); }

    /// One piece of housekeeping: overwrites and frees what no reader sees any more, moves sparse rows together, keeps
    /// memory ready. False when there is nothing to do now. Holds up writers for a few rows' time at most. From one
    /// thread.
    [[nodiscard]] bool tend();
    /// Nothing is left to do, not even later.
    [[nodiscard]] bool tidy() const;
    /// Called, from any thread, when tend() may have something to do.
    void onWork(std::function<void()> wake);

    /// Engine::Hnsw. Numbers the keyspace's rows as a held snapshot of `epoch` sees them, for a new graph; null when
    /// there are none. Holds up writers for a block's time at once.
    [[nodiscard]] std::shared_ptr<GraphRows> enlist(std::string_view keyspace, const Snapshot& snapshot);
    /// The numbers of the enlisted rows that are still there, under the same snapshot; `floats` has been zeroed.
    void copyRows(const GraphRows& rows, float* floats) const;
    /// Puts a graph into service, unless its keyspace is gone.
    void serve(std::string_view keyspace, std::shared_ptr<KeyspaceGraph> graph);
    [[nodiscard]] Recall recall() const;

private:
    class Step;
    [[nodiscard]] base::Status addRow(const Row& row);
    [[nodiscard]] base::Result<RowRef> writtenSlot(PartitionRows& partition);
    [[nodiscard]] PartitionRows* partitionOf(const FaceAddress& address) const;
    void removeRow(PartitionRows& partition, RowRef row, std::uint64_t epoch);
    void afterRemoval(PartitionRows& partition, std::uint64_t epoch);
    std::size_t dropPartition(PartitionRows& partition, std::uint64_t epoch);
    void countRows(const PartitionRows& partition, std::int64_t vectors, std::int64_t faces);

    [[nodiscard]] bool reclaimRows();
    [[nodiscard]] bool reclaimOther();
    [[nodiscard]] bool moveSparse();
    void unlinkNow(const Retired& entry);
    void freeNow(const Retired& entry);
    void wake() const;
    void enlistBlock(KeyspaceRows& keyspace, std::size_t generation, Block& block, std::uint64_t epoch);
    void clearNumbers(const KeyspaceRows& keyspace, std::size_t generation, std::uint64_t epoch);

    const Options m_options;
    RowStore m_store;
    Directory m_directory;
    Epochs m_epochs;
    std::unique_ptr<base::WorkPool> m_helpers;

    mutable std::mutex m_writing; ///< one write, or one piece of housekeeping, at a time; guards all that follows
    RetireQueue m_retired;
    std::deque<PartitionRows*> m_sparse;
    std::atomic<bool> m_hasRetired{false};

    std::array<std::atomic<std::uint64_t>, base::kPartitionCount> m_vectors{};
    std::array<std::atomic<std::uint64_t>, base::kPartitionCount> m_faces{};

    std::mutex m_snapshotMutex;
    std::weak_ptr<const Snapshot> m_lastSnapshot;
    std::uint64_t m_lastEpoch = 0;

    mutable std::mutex m_wakeMutex;
    std::function<void()> m_wake;
};

} // namespace fremis::index
