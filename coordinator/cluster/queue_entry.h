#pragma once

#include "shared/base/ids.h"
#include "shared/storage/node_id.h"
#include "shared/storage/operation.h"

#include <chrono>
#include <map>

namespace fremis::coordinator {

/// Place in the queue: rises by one per record over all targets, from 1, never used again. Below 2^48.
using Sequence = std::uint64_t;

enum class QueuedKind : std::uint8_t { Enrollment = 1, Delete = 2, Keyspace = 3 };

/// One write that one replica missed.
struct QueueRecord {
    storage::NodeId target{};
    QueuedKind kind = QueuedKind::Enrollment;
    storage::OpId opId{}; ///< for the operator's list; all zero: none
    /// Whose repair mends the loss of this record. None: a keyspace operation.
    std::optional<base::Partition> partition;
    /// What keeps its order when a record is parked: records of the same incarnation and face, and a keyspace operation
    /// (empty face) with all records of its incarnation behind it. Only hashes of the two are stored.
    std::string incarnation;
    std::string face;
    std::string bytes; ///< the operation, opaque here; 1 byte to kMaxRecordBytes
};
inline constexpr std::size_t kMaxRecordBytes = 16 * 1024 * 1024;

/// A record as it comes back.
struct QueueEntry {
    Sequence sequence = 0;
    QueuedKind kind = QueuedKind::Enrollment;
    storage::OpId opId{};
    std::optional<base::Partition> partition;
    std::chrono::milliseconds queuedAt{0}; ///< since 1970
    std::uint32_t attempts = 0;            ///< how often it was parked
    std::string parkedBecause;             ///< empty: not parked
    std::string bytes;
};

/// What became of a record given to append().
enum class Placed {
    Queued,         ///< durable in the queue
    MarkedForResync ///< the target is durably marked: a full resync will bring it this write, the queue does not
};

enum class ResyncMark {
    None,
    Marked, ///< records are not queued for the target
    Running ///< a resync has begun: records are queued again, but it must still be brought to its end
};

struct TargetStats {
    std::uint64_t ops = 0; ///< the sum of the next three; parked ones included
    std::uint64_t enrollments = 0;
    std::uint64_t deletes = 0;
    std::uint64_t keyspaceOps = 0;
    std::uint64_t bytes = 0; ///< of the operations
    std::uint64_t parked = 0;
    std::optional<std::chrono::milliseconds> oldestAt; ///< since 1970; none: empty
    std::uint64_t queuedInTotal = 0;                   ///< records since the queue was opened, for rates
    std::uint64_t leftInTotal = 0;                     ///< confirmed, moved or dropped since then
    ResyncMark resync = ResyncMark::None;
};

struct QueueStats {
    std::uint64_t ops = 0;
    std::uint64_t bytes = 0;
    std::uint64_t limitBytes = 0;
    std::uint64_t damaged = 0; ///< records set aside since the queue was opened
    std::map<storage::NodeId, TargetStats> targets;
};

/// Left by a record whose checksum did not fit any more: its content is gone.
struct Damage {
    storage::NodeId target{};
    /// What to repair at the target; none: not known, all of it.
    std::optional<base::Partition> partition;
    bool operator==(const Damage&) const = default;
};

/// What opening the queue found; damaged records are in QueueStore::damage().
struct QueueOpening {
    /// Acknowledged records may be missing: the database was damaged, gone or older than its marks. Every target that
    /// can have lost some is marked for resync.
    bool queueLost = false;
    /// With queueLost: which targets had records is not known either, so each node of the cluster needs a resync.
    bool targetsUnknown = false;
    std::string why; ///< of queueLost; for the log
};

} // namespace fremis::coordinator
