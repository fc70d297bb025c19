#pragma once

#include "coordinator/cluster/parked_set.h"
#include "coordinator/cluster/queue_database.h"
#include "coordinator/cluster/queue_store.h"
#include "coordinator/cluster/resync_marks.h"
#include "shared/storage/fatal_flag.h"

#include <utility>

namespace fremis::coordinator {

/// QueueStore over queue.sqlite and queue.marks; see resources/decisions/write-queue.md.
class SqliteQueue final : public QueueStore {
public:
    SqliteQueue(std::shared_ptr<QueueDisk> disk, std::uint64_t limitBytes, ResyncMarks::Content marks,
                QueueDatabase database, QueueOpening opening);
    /// Second part of the construction: reads and checks every record. CorruptData: the database must be put aside.
    [[nodiscard]] base::Status load();

    base::Result<std::vector<Placed>> append(std::span<const QueueRecord> records,
                                             std::chrono::milliseconds now) override;
    base::Result<std::vector<QueueEntry>> next(const storage::NodeId& target, Sequence after, std::size_t limit,
                                               std::size_t maxBytes) override;
    base::Status forEach(QueuedKind kind,
                         const std::function<bool(const storage::NodeId&, const QueueEntry&)>& visitor) override;
    base::Status confirm(const storage::NodeId& target, std::span<const Sequence> sequences) override;
    base::Status park(const storage::NodeId& target, Sequence sequence, std::string_view reason) override;
    base::Result<std::vector<QueueEntry>> parked(const storage::NodeId& target, Sequence after,
                                                 std::size_t limit) override;
    base::Result<std::size_t> retryParked(const storage::NodeId& target, std::span<const Sequence> sequences) override;
    base::Result<std::vector<Damage>> dropParked(const storage::NodeId& target,
                                                 std::span<const Sequence> sequences) override;
    base::Result<std::optional<Sequence>> move(const storage::NodeId& target, const hashing::PartitionSet& partitions,
                                               std::span<const storage::NodeId> to, Sequence after,
                                               std::size_t limit) override;
    base::Status markForResync(const storage::NodeId& target) override;
    std::vector<storage::NodeId> takeMarked() override { return std::exchange(m_newlyMarked, {}); }
    base::Status beginResync(const storage::NodeId& target) override;
    base::Result<bool> endResync(const storage::NodeId& target) override;
    base::Status forget(const storage::NodeId& target) override;
    base::Result<bool> tidy() override;
    base::Result<QueueStats> stats() override;
    std::vector<Damage> damage() override { return m_damage; }
    base::Status settleDamage(const Damage& damage) override;
    const QueueOpening& opening() const override { return m_opening; }
    storage::StoreHealth health() const override { return m_fatal.health(); }

private:
    struct Target {
        TargetRow row;
        bool unsaved = true;  ///< `row` differs from the database's
        bool erasing = false; ///< the database may hold dropped records
        TargetStats stats;    ///< without oldestAt, parked and resync
        ParkedSet parked;
    };
    /// A record on its way in.
    struct Incoming {
        Target* target;
        QueueRow row; ///< insert() gives it its key; the bytes are the caller's
    };
    /// What a record leaves behind when it goes.
    struct Gone {
        Sequence sequence;
        QueuedKind kind;
        std::uint64_t bytes;
    };
    /// Damaged records, and what they leave.
    struct Found {
        std::vector<std::int64_t> keys;
        std::vector<Damage> damage;
    };

    // sqlite_queue_check.cpp
    [[nodiscard]] base::Status loadDamage();
    void loadTargets();
    [[nodiscard]] base::Status checkAll();
    [[nodiscard]] base::Status findStrays();
    [[nodiscard]] base::Status checkTarget(Target& target);
    [[nodiscard]] base::Status findDamage(Target& target, Found& found);
    [[nodiscard]] base::Status setAside(const Found& found);

    // sqlite_queue.cpp
    static void clearCounts(TargetStats& stats);
    static void count(TargetStats& stats, QueuedKind kind, std::size_t bytes);
    [[nodiscard]] base::Status checkRecord(const QueueRecord& record) const;
    [[nodiscard]] base::Result<Target*> targetOf(const storage::NodeId& node);
    [[nodiscard]] Target* find(const storage::NodeId& node);
    [[nodiscard]] ResyncMark markOf(const Target& target) const { return m_marks.slots()[target.row.number]->mark; }
    [[nodiscard]] base::Status makeRoom(std::map<storage::NodeId, std::uint64_t> incoming,
                                        const storage::NodeId* spared = nullptr);
    [[nodiscard]] base::Status mark(Target& target);
    void drop(Target& target);
    [[nodiscard]] base::Status insert(std::vector<Incoming>& incoming);
    [[nodiscard]] base::Status saveLast(Sequence last);
    void noteInserted(const std::vector<Incoming>& incoming);
    [[nodiscard]] base::Result<std::vector<Gone>> remove(const Target& target, std::span<const Sequence> sequences);
    void noteGone(Target& target, std::span<const Gone> gone);
    [[nodiscard]] base::Status removeNow(Target& target, std::span<const Sequence> sequences);
    [[nodiscard]] base::Status moveRows(Target& from, const std::vector<QueueRow>& rows,
                                        std::span<const Sequence> sequences, std::span<const storage::NodeId> to,
                                        std::uint64_t charge);
    [[nodiscard]] base::Result<QueueRow> load(Target* target, Sequence sequence, std::string& bytes);
    [[nodiscard]] base::Result<std::vector<QueueRow>> loadParked(Target& target, std::span<const Sequence> sequences);
    [[nodiscard]] base::Status setParked(Target& target, std::span<QueueRow> rows, std::string_view reason);

    // sqlite_queue_upkeep.cpp
    [[nodiscard]] base::Status saveTargets();
    [[nodiscard]] base::Result<bool> eraseDropped(Target& target);
    [[nodiscard]] base::Result<bool> shrink();
    void checkpointWhenDue(std::uint64_t bytes);
    [[nodiscard]] base::Error noted(base::Error error);
    [[nodiscard]] base::Status marked(base::Status status);

    // sqlite_queue_inline.h
    template<class Body> [[nodiscard]] base::Status transaction(std::uint64_t bytes, Body body);
    template<class Each> [[nodiscard]] base::Status scan(const Target& target, Sequence after, Each each);
    template<class Each>
    [[nodiscard]] base::Status scanKeys(const storage::NodeId& node, std::int64_t first, std::int64_t last, Each each);

    const std::shared_ptr<QueueDisk> m_disk;
    ResyncMarks m_marks;
    storage::SqliteConnection m_connection;
    const std::uint64_t m_limitBytes;
    QueueOpening m_opening;
    Sequence m_last;
    std::map<storage::NodeId, Target> m_targets;
    std::vector<storage::NodeId> m_newlyMarked; ///< see takeMarked()
    std::vector<Damage> m_damage;
    std::uint64_t m_damagedRecords = 0;
    std::uint64_t m_walBytes = 0; ///< about what the WAL has got since the last checkpoint
    bool m_walDirty = true;       ///< the WAL may hold bytes that were deleted
    storage::FatalFlag m_fatal;
};

} // namespace fremis::coordinator
