// SqliteQueue: resync marks, erasing, statistics and the handling of failures.

#include "coordinator/cluster/sqlite_queue_inline.h"
#include "shared/base/log.h"

namespace fremis::coordinator {
namespace {

constexpr std::uint64_t kPageBytes = 16384;
constexpr std::uint64_t kCheckpointBytes = 16 * 1024 * 1024; ///< of WAL
constexpr std::int64_t kErasedAtOnce = 512;
// The file is rewritten when it has shrunk to almost nothing, so that this costs almost nothing.
constexpr std::int64_t kShrinkFreePages = (64 << 20) / static_cast<std::int64_t>(kPageBytes);
constexpr std::int64_t kShrinkUsedPages = (8 << 20) / static_cast<std::int64_t>(kPageBytes);

} // namespace

base::Status SqliteQueue::markForResync(const storage::NodeId& node) {
    if (m_fatal.isRaised())
        return m_fatal.refusal();
    auto target = targetOf(node);
    if (!target)
        return tl::unexpected(target.error());
    return mark(**target);
}

base::Status SqliteQueue::beginResync(const storage::NodeId& node) {
    if (m_fatal.isRaised())
        return m_fatal.refusal();
    auto* target = find(node);
    if (!target || markOf(*target) != ResyncMark::Marked)
        return {};
    // First what is dropped goes into the database; without the mark its records would come back at the next start.
    target->unsaved = true;
    if (auto saved = transaction(0, [] { return base::Status(); }); !saved)
        return saved;
    return marked(m_marks.mark(target->row.number, ResyncMark::Running));
}

base::Result<bool> SqliteQueue::endResync(const storage::NodeId& node) {
    if (m_fatal.isRaised())
        return m_fatal.refusal();
    auto* target = find(node);
    if (!target || markOf(*target) == ResyncMark::None)
        return true;
    if (markOf(*target) == ResyncMark::Marked)
        return false;
    if (auto done = marked(m_marks.mark(target->row.number, ResyncMark::None)); !done)
        return tl::unexpected(done.error());
    return true;
}

base::Status SqliteQueue::forget(const storage::NodeId& node) {
    if (m_fatal.isRaised())
        return m_fatal.refusal();
    auto* target = find(node);
    if (!target)
        return {};
    auto before = target->row;
    target->row.droppedThrough = m_last;
    target->row.forgotten = true;
    target->unsaved = true;
    auto status = transaction(0, [] { return base::Status(); });
    if (status)
        drop(*target);
    else
        target->row = before;
    return status;
}

base::Result<bool> SqliteQueue::tidy() {
    if (m_fatal.isRaised())
        return m_fatal.refusal();
    for (auto& [node, target] : m_targets)
        if (target.erasing || target.row.forgotten)
            return eraseDropped(target);
    auto shrunk = shrink();
    if (!shrunk || *shrunk || !m_walDirty)
        return shrunk;
    const storage::FatalFlag::Watch watch(m_fatal);
    if (auto done = m_connection.checkpointTruncate(); !done)
        return tl::unexpected(noted(done.error()));
    m_walDirty = false;
    m_walBytes = 0;
    return false;
}

/// Some of the dropped records of a target, and at the end the target itself when it is forgotten.
base::Result<bool> SqliteQueue::eraseDropped(Target& target) {
    std::int64_t erased = 0;
    const auto number = static_cast<std::int64_t>(target.row.number);
    const bool forgotten = target.row.forgotten;
    auto status = transaction(0, [&]() -> base::Status {
        auto statement = m_connection.prepare("DELETE FROM entries WHERE id IN (SELECT id FROM entries"
                                              " WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?)");
        if (!statement)
            return tl::unexpected(statement.error());
        statement->bind(1, QueueKey{target.row.number, 0}.column());
        statement->bind(2, QueueKey{target.row.number, target.row.droppedThrough}.column()).bind(3, kErasedAtOnce);
        if (auto done = statement->run(); !done)
            return done;
        erased = m_connection.changes();
        if (!forgotten || erased == kErasedAtOnce)
            return {};
        return m_connection.execute("DELETE FROM targets WHERE number = " + std::to_string(number));
    });
    if (!status)
        return tl::unexpected(status.error());
    m_walDirty = true;
    target.erasing = erased == kErasedAtOnce;
    if (!forgotten || target.erasing)
        return true;
    if (auto cleared = marked(m_marks.clear(target.row.number)); !cleared)
        return tl::unexpected(cleared.error());
    const auto node = target.row.node; // the reference dies with the entry
    m_targets.erase(node);
    return true;
}

base::Result<bool> SqliteQueue::shrink() {
    const auto free = m_connection.integer("PRAGMA freelist_count");
    const auto pages = m_connection.integer("PRAGMA page_count");
    if (!free || !pages)
        return tl::unexpected(noted((!free ? free : pages).error()));
    if (*free < kShrinkFreePages || *pages - *free > kShrinkUsedPages)
        return false;
    const storage::FatalFlag::Watch watch(m_fatal);
    if (auto done = m_connection.execute("VACUUM"); !done)
        return tl::unexpected(noted(done.error()));
    m_walDirty = true;
    return true;
}

base::Result<QueueStats> SqliteQueue::stats() {
    if (m_fatal.isRaised())
        return m_fatal.refusal();
    QueueStats stats;
    stats.limitBytes = m_limitBytes;
    stats.damaged = m_damagedRecords;
    for (const auto& [node, target] : m_targets) {
        if (target.row.forgotten)
            continue;
        auto one = target.stats;
        one.parked = target.parked.size();
        one.resync = markOf(target);
        if (auto status = scan(target, 0,
                               [&](const ReadRow& read) {
                                   one.oldestAt = read.row.queuedAt;
                                   return false;
                               });
            !status)
            return tl::unexpected(status.error());
        stats.ops += one.ops;
        stats.bytes += one.bytes;
        stats.targets[node] = one;
    }
    return stats;
}

base::Status SqliteQueue::settleDamage(const Damage& damage) {
    if (m_fatal.isRaised())
        return m_fatal.refusal();
    auto status = transaction(0, [&]() -> base::Status {
        auto statement = m_connection.prepare("DELETE FROM damage WHERE node = ? AND partition IS ?");
        if (!statement)
            return tl::unexpected(statement.error());
        statement->bind(1, std::as_bytes(std::span(damage.target)));
        damage.partition ? statement->bind(2, std::int64_t{*damage.partition}) : statement->bindNull(2);
        return statement->run();
    });
    if (status)
        std::erase(m_damage, damage);
    return status;
}

/// Inside a transaction.
base::Status SqliteQueue::saveTargets() {
    for (const auto& [node, target] : m_targets)
        if (target.unsaved)
            if (auto put = putTarget(m_connection, target.row); !put)
                return put;
    return {};
}

/// Starts the WAL anew when it has grown. The commit before is durable whatever comes of this, but after a failed sync
/// nothing may be acknowledged any more.
void SqliteQueue::checkpointWhenDue(std::uint64_t bytes) {
    m_walBytes += bytes + bytes / 8 + 3 * kPageBytes;
    if (m_walBytes < kCheckpointBytes)
        return;
    m_walBytes = 0;
    if (auto done = m_connection.execute("PRAGMA wal_checkpoint(PASSIVE)"); !done)
        (void)noted(done.error());
}

/// To be asked at once, before another call to the database: looks whether its failure is final.
base::Error SqliteQueue::noted(base::Error error) {
    error = blame(m_connection, std::move(error));
    if (!storage::isSyncFailure(error) && error.reason != base::Reason::CorruptData)
        return error;
    base::log(base::LogLevel::Error, "write_queue_failed", {{"why", error.detail}});
    m_fatal.raise(error.detail);
    return error;
}

base::Status SqliteQueue::marked(base::Status status) {
    if (!status && m_marks.syncFailed())
        m_fatal.raise(status.error().message + ": " + status.error().detail);
    return status;
}

} // namespace fremis::coordinator
