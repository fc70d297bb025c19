#pragma once

#include "coordinator/cluster/queue_entry.h"
#include "shared/storage/sqlite/connection.h"

namespace fremis::coordinator {

/// A record's place among all: the target's number above, the sequence below, so that one B-tree without a second index
/// holds each target's records together and in order.
struct QueueKey {
    std::size_t target = 0; ///< slot of ResyncMarks
    Sequence sequence = 0;
    static constexpr Sequence kMaxSequence = (Sequence{1} << 48) - 1;

    [[nodiscard]] std::int64_t column() const {
        return static_cast<std::int64_t>(static_cast<std::uint64_t>(target) << 48 | sequence);
    }
    [[nodiscard]] static QueueKey of(std::int64_t column) {
        const auto bits = static_cast<std::uint64_t>(column);
        return {bits >> 48, bits & kMaxSequence};
    }
};

/// What keeps its order: hashes of the incarnation and of the face, 0 for none (a keyspace operation).
struct Lane {
    std::int64_t keyspace = 0;
    std::int64_t face = 0;
    auto operator<=>(const Lane&) const = default;
    [[nodiscard]] static Lane of(const QueueRecord& record);
};

/// A row of the table entries.
struct QueueRow {
    QueueKey key;
    QueuedKind kind = QueuedKind::Enrollment;
    storage::OpId opId{};
    std::optional<base::Partition> partition;
    Lane lane;
    std::chrono::milliseconds queuedAt{0};
    std::uint32_t attempts = 0;
    std::string parkedBecause; ///< empty: not parked
    std::string_view bytes;    ///< of the statement or of the record it was made from

    /// Over everything but the bytes, and the node.
    [[nodiscard]] std::uint64_t headSum(const storage::NodeId& node) const;
    [[nodiscard]] std::uint64_t bytesSum() const;
    [[nodiscard]] QueueEntry entry() const;
};

/// For "SELECT …": what readRow() expects, from column 0.
inline constexpr std::string_view kRowColumns = "id, kind, op_id, partition, keyspace_lane, face_lane, queued_at, "
                                                "attempts, parked, head_sum, bytes_sum, bytes";
inline constexpr std::string_view kInsertRow =
    "INSERT INTO entries (id, kind, op_id, partition, keyspace_lane, face_lane, queued_at, attempts, parked, head_sum,"
    " bytes_sum, bytes) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

struct ReadRow {
    QueueRow row;
    bool headGood = false;  ///< key, partition and the rest of the row are as they were written
    bool bytesGood = false; ///< so are the bytes
    [[nodiscard]] bool good() const { return headGood && bytesGood; }
};
/// `node`: of the row's target.
[[nodiscard]] ReadRow readRow(const storage::SqliteStatement& statement, const storage::NodeId& node);
[[nodiscard]] base::Status insertRow(storage::SqliteStatement& statement, const QueueRow& row,
                                     const storage::NodeId& node);

} // namespace fremis::coordinator
