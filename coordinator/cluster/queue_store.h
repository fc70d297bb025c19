#pragma once

#include "coordinator/cluster/queue_disk.h"
#include "coordinator/cluster/queue_entry.h"
#include "shared/hashing/partition_set.h"
#include "shared/storage/enrollment_store.h"

namespace fremis::coordinator {

/// The durable queue of writes that replicas missed: one queue per target node, all in one database. What returns
/// success is on the disk (fsync). Blocking, without threads or clocks: time comes as an argument, and the same calls
/// give the same content. Thread: one at a time; health(): any.
///
/// Errors of all calls: StorageFull, nothing of the call was done; Internal, the same, but after a failed fsync
/// health().mustExit is set and every later call is refused; CorruptData, the file is damaged, likewise final.
class QueueStore {
public:
    virtual ~QueueStore() = default;

    /// All of `records` in one commit, in their order. Answers one Placed per record. Over the byte limit the target
    /// with the most bytes is marked for a full resync and its records are dropped, so that the limit fails no call.
    [[nodiscard]] virtual base::Result<std::vector<Placed>> append(std::span<const QueueRecord> records,
                                                                   std::chrono::milliseconds now) = 0;

    /// The target's first records behind `after` (0: from the start), in order: at most `limit`, and after the first
    /// one only while they hold `maxBytes` together. Left out: parked records and those that wait behind one. Damaged
    /// records are set aside on the way, see damage().
    [[nodiscard]] virtual base::Result<std::vector<QueueEntry>>
    next(const storage::NodeId& target, Sequence after, std::size_t limit, std::size_t maxBytes = 4 * 1024 * 1024) = 0;
    /// Visits every enrolment, delete or keyspace record (`kind`) there is, parked ones included, by target and in
    /// order. False from the visitor ends it.
    [[nodiscard]] virtual base::Status
    forEach(QueuedKind kind, const std::function<bool(const storage::NodeId&, const QueueEntry&)>& visitor) = 0;

    /// The target holds these durably: they leave, in one commit. Unknown ones are ignored.
    [[nodiscard]] virtual base::Status confirm(const storage::NodeId& target, std::span<const Sequence> sequences) = 0;

    /// Sets a record aside that the target will always refuse, with the token or text of its refusal; later records of
    /// its face wait behind it. NotFound: no such record. Overloaded: kMaxParked are
    /// parked, so it is the target that is wrong and not the records.
    [[nodiscard]] virtual base::Status park(const storage::NodeId& target, Sequence sequence,
                                            std::string_view reason) = 0;
    /// The first `limit` parked records behind `after`, without their bytes.
    [[nodiscard]] virtual base::Result<std::vector<QueueEntry>> parked(const storage::NodeId& target, Sequence after,
                                                                       std::size_t limit) = 0;
    /// Back into the queue, at their old places, in one commit. Answers how many; those that are not parked are
    /// ignored.
    [[nodiscard]] virtual base::Result<std::size_t> retryParked(const storage::NodeId& target,
                                                                std::span<const Sequence> sequences) = 0;
    /// For ever, in one commit. Answers what should be repaired instead of each; those that are not parked are ignored.
    [[nodiscard]] virtual base::Result<std::vector<Damage>> dropParked(const storage::NodeId& target,
                                                                       std::span<const Sequence> sequences) = 0;

    /// Copies the target's records of `partitions` to the end of the queues of `to` and takes them from its own, in
    /// commits of about `limit` records from `after` on. With `to` empty they are dropped. Answers where to go on, or
    /// nothing at the end.
    [[nodiscard]] virtual base::Result<std::optional<Sequence>> move(const storage::NodeId& target,
                                                                     const hashing::PartitionSet& partitions,
                                                                     std::span<const storage::NodeId> to,
                                                                     Sequence after, std::size_t limit) = 0;

    /// Marks the target for a full resync and drops its records. From then on append() only answers MarkedForResync.
    [[nodiscard]] virtual base::Status markForResync(const storage::NodeId& target) = 0;
    /// The targets that calls have marked since this was asked last: append() and move() mark where there is no room.
    [[nodiscard]] virtual std::vector<storage::NodeId> takeMarked() = 0;
    /// To be called before the target is compared with the other replicas: its queue works again, so that no write
    /// falls between the two; the mark stays until endResync(), also over a restart. No effect on an unmarked target.
    [[nodiscard]] virtual base::Status beginResync(const storage::NodeId& target) = 0;
    /// The comparison is complete. False: the target was marked again meanwhile (or never begun), begin anew.
    [[nodiscard]] virtual base::Result<bool> endResync(const storage::NodeId& target) = 0;
    /// The node is gone for good: drops its records and its mark. Unknown ones are ignored.
    [[nodiscard]] virtual base::Status forget(const storage::NodeId& target) = 0;

    /// Erases some of what was dropped, and when nothing is left gives the room back to the disk. True: call it again
    /// soon. To be called while nothing else is to do, and now and then in any case.
    [[nodiscard]] virtual base::Result<bool> tidy() = 0;

    [[nodiscard]] virtual base::Result<QueueStats> stats() = 0;
    /// What must be repaired at which target because records were damaged; kept, also over a restart, until settled.
    [[nodiscard]] virtual std::vector<Damage> damage() = 0;
    /// It has been repaired.
    [[nodiscard]] virtual base::Status settleDamage(const Damage& damage) = 0;
    [[nodiscard]] virtual const QueueOpening& opening() const = 0;
    [[nodiscard]] virtual storage::StoreHealth health() const = 0; ///< never blocks

    static constexpr std::size_t kMaxParked = 10'000; ///< per target
};

struct QueueOptions {
    std::filesystem::path directory; ///< made with mode 0700 when missing; the caller holds its lock
    std::string vfs;                 ///< name of a registered SQLite VFS; empty: the system's
    std::shared_ptr<QueueDisk> disk; ///< for all but the database; null: the system's
    /// Most bytes of queued operations over all targets; a disk of which 80 % is less lowers it.
    std::uint64_t limitBytes = 8ULL << 30;
};

/// Opens or makes queue.sqlite and queue.marks in the directory, mode 0600, and checks every page and record. A damaged
/// database is kept as queue.sqlite.damaged and a new one begun, see QueueOpening. BadStore: written by a newer
/// program, nothing was changed. Memory does not grow with the queue.
[[nodiscard]] base::Result<std::unique_ptr<QueueStore>> openSqliteQueue(const QueueOptions& options);

} // namespace fremis::coordinator
