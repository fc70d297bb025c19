#include "coordinator/cluster/sqlite_queue.h"

#include "coordinator/cluster/sqlite_queue_inline.h"

#include <deque>

namespace fremis::coordinator {
namespace {

/// What a record takes of the limit beside its bytes.
constexpr std::uint64_t kRowOverhead = 128;
constexpr std::size_t kMaxReasonBytes = 200;
constexpr std::uint64_t kMoveBytes = 4 * 1024 * 1024; ///< of one commit

std::uint64_t chargeOf(const TargetStats& stats) {
    return stats.bytes + stats.ops * kRowOverhead;
}

std::uint64_t chargeOf(std::string_view bytes) {
    return bytes.size() + kRowOverhead;
}

tl::unexpected<base::Error> noSuchRecord() {
    return base::fail(base::Reason::NotFound, "the queue has no such record");
}

std::uint64_t& countOf(TargetStats& stats, QueuedKind kind) {
    return kind == QueuedKind::Enrollment ? stats.enrollments
           : kind == QueuedKind::Delete   ? stats.deletes
                                          : stats.keyspaceOps;
}

} // namespace

SqliteQueue::SqliteQueue(std::shared_ptr<QueueDisk> disk, std::uint64_t limitBytes, ResyncMarks::Content marks,
                         QueueDatabase database, QueueOpening opening)
    : m_disk(std::move(disk)), m_marks(*m_disk, std::move(marks)), m_connection(std::move(database.connection)),
      m_limitBytes(limitBytes), m_opening(std::move(opening)), m_last(database.last) {
    for (auto& row : database.targets)
        m_targets[row.node] = {std::move(row), false, true, {}, {}};
}

base::Result<std::vector<Placed>> SqliteQueue::append(std::span<const QueueRecord> records,
                                                      std::chrono::milliseconds now) {
    if (m_fatal.isRaised())
        return m_fatal.refusal();
    std::map<storage::NodeId, std::uint64_t> charges;
    for (const auto& record : records) {
        if (auto valid = checkRecord(record); !valid)
            return tl::unexpected(valid.error());
        charges[record.target] += chargeOf(record.bytes);
    }
    std::map<storage::NodeId, Target*> targets;
    for (const auto& [node, charge] : charges) {
        auto target = targetOf(node);
        if (!target)
            return tl::unexpected(target.error());
        targets[node] = *target;
    }
    if (auto room = makeRoom(std::move(charges)); !room)
        return tl::unexpected(room.error());
    std::vector<Placed> placed;
    std::vector<Incoming> incoming;
    std::uint64_t bytes = 0;
    for (const auto& record : records) {
        auto& target = *targets[record.target];
        const bool queues = markOf(target) != ResyncMark::Marked;
        placed.push_back(queues ? Placed::Queued : Placed::MarkedForResync);
        if (!queues)
            continue;
        bytes += record.bytes.size();
        incoming.push_back(
            {&target, {{}, record.kind, record.opId, record.partition, Lane::of(record), now, 0, {}, record.bytes}});
    }
    if (incoming.empty())
        return placed;
    if (auto done = transaction(bytes, [&] { return insert(incoming); }); !done)
        return tl::unexpected(done.error());
    noteInserted(incoming);
    return placed;
}

base::Status SqliteQueue::checkRecord(const QueueRecord& record) const {
    const auto kind = static_cast<int>(record.kind);
    if (record.bytes.empty() || record.bytes.size() > kMaxRecordBytes || kind < 1 || kind > 3 ||
        record.target == storage::NodeId{})
        return base::fail(base::Reason::Internal, "a record for the write queue is not valid");
    return {};
}

SqliteQueue::Target* SqliteQueue::find(const storage::NodeId& node) {
    const auto found = m_targets.find(node);
    return found == m_targets.end() || found->second.row.forgotten ? nullptr : &found->second;
}

/// Makes the target known, durably in the marks, when it is new.
base::Result<SqliteQueue::Target*> SqliteQueue::targetOf(const storage::NodeId& node) {
    auto& slots = m_marks.slots();
    if (const auto found = m_targets.find(node); found != m_targets.end()) {
        found->second.unsaved = found->second.unsaved || found->second.row.forgotten;
        found->second.row.forgotten = false;
        return &found->second;
    }
    const auto free = std::find(slots.begin(), slots.end(), std::nullopt);
    if (free == slots.end())
        return base::fail(base::Reason::Overloaded, "the write queue knows too many nodes");
    const auto number = static_cast<std::size_t>(free - slots.begin());
    if (auto put = marked(m_marks.put(number, {node, ResyncMark::None})); !put)
        return tl::unexpected(put.error());
    // Records of a former node with this number are gone for the new one.
    return &(m_targets[node] = {{number, node, m_last, false}, true, false, {}, {}});
}

/// Marks and empties the largest queues until `incoming` fits. `spared` is not marked.
base::Status SqliteQueue::makeRoom(std::map<storage::NodeId, std::uint64_t> incoming, const storage::NodeId* spared) {
    while (true) {
        std::uint64_t total = 0;
        std::uint64_t most = 0;
        Target* largest = nullptr;
        for (auto& [node, target] : m_targets) {
            const auto found = incoming.find(node);
            const bool queues = markOf(target) != ResyncMark::Marked;
            const auto held = chargeOf(target.stats) + (queues && found != incoming.end() ? found->second : 0);
            total += held;
            if (held <= most || !queues || (spared && node == *spared))
                continue;
            most = held;
            largest = &target;
        }
        if (total <= m_limitBytes || !largest)
            return {};
        if (auto done = mark(*largest); !done)
            return done;
    }
}

base::Status SqliteQueue::mark(Target& target) {
    const storage::FatalFlag::Watch watch(m_fatal);
    auto status = marked(m_marks.mark(target.row.number, ResyncMark::Marked));
    if (status) {
        drop(target);
        m_newlyMarked.push_back(target.row.node);
    }
    return status;
}

/// No need for the database, which may be full: a marked target's records count as dropped at the next start too.
void SqliteQueue::drop(Target& target) {
    target.row.droppedThrough = m_last;
    target.unsaved = true;
    target.erasing = true;
    target.parked = {};
    target.stats.leftInTotal += target.stats.ops;
    clearCounts(target.stats);
}

void SqliteQueue::clearCounts(TargetStats& stats) {
    stats.ops = stats.enrollments = stats.deletes = stats.keyspaceOps = stats.bytes = 0;
}

void SqliteQueue::count(TargetStats& stats, QueuedKind kind, std::size_t bytes) {
    ++stats.ops;
    ++countOf(stats, kind);
    stats.bytes += bytes;
}

/// Inside a transaction. Gives the records their keys.
base::Status SqliteQueue::insert(std::vector<Incoming>& incoming) {
    auto statement = m_connection.prepare(kInsertRow);
    if (!statement)
        return tl::unexpected(statement.error());
    auto sequence = m_last;
    for (auto& record : incoming) {
        record.row.key = {record.target->row.number, ++sequence};
        if (auto done = insertRow(*statement, record.row, record.target->row.node); !done)
            return done;
    }
    return saveLast(sequence);
}

base::Status SqliteQueue::saveLast(Sequence last) {
    return m_connection.execute("UPDATE queue_state SET last_sequence = " + std::to_string(last));
}

/// After the commit.
void SqliteQueue::noteInserted(const std::vector<Incoming>& incoming) {
    m_last += incoming.size();
    m_marks.noteSequence(m_last);
    for (const auto& [target, row] : incoming) {
        count(target->stats, row.kind, row.bytes.size());
        ++target->stats.queuedInTotal;
    }
}

base::Result<std::vector<QueueEntry>> SqliteQueue::next(const storage::NodeId& node, Sequence after, std::size_t limit,
                                                        std::size_t maxBytes) {
    if (m_fatal.isRaised())
        return m_fatal.refusal();
    std::vector<QueueEntry> entries;
    auto* target = find(node);
    if (!target || limit == 0)
        return entries;
    std::size_t bytes = 0;
    bool damaged = false;
    auto status = scan(*target, after, [&](const ReadRow& read) {
        damaged = damaged || !read.good();
        if (!read.good() || target->parked.holdsUp(read.row.key.sequence, read.row.lane))
            return true;
        bytes += read.row.bytes.size();
        if (!entries.empty() && bytes > maxBytes)
            return false;
        entries.push_back(read.row.entry());
        return entries.size() < limit;
    });
    if (status && damaged)
        status = checkTarget(*target);
    if (!status)
        return tl::unexpected(status.error());
    return entries;
}

base::Status SqliteQueue::forEach(QueuedKind kind,
                                  const std::function<bool(const storage::NodeId&, const QueueEntry&)>& visitor) {
    if (m_fatal.isRaised())
        return m_fatal.refusal();
    bool goesOn = true;
    for (auto& [node, target] : m_targets) {
        bool damaged = false;
        auto status = scan(target, 0, [&, &id = node](const ReadRow& read) {
            damaged = damaged || !read.good();
            if (read.good() && read.row.kind == kind)
                goesOn = visitor(id, read.row.entry());
            return goesOn;
        });
        if (status && damaged)
            status = checkTarget(target);
        if (!status || !goesOn)
            return status;
    }
    return {};
}

base::Status SqliteQueue::confirm(const storage::NodeId& node, std::span<const Sequence> sequences) {
    if (m_fatal.isRaised())
        return m_fatal.refusal();
    auto* target = find(node);
    if (!target || sequences.empty())
        return {};
    return removeNow(*target, sequences);
}

base::Status SqliteQueue::removeNow(Target& target, std::span<const Sequence> sequences) {
    base::Result<std::vector<Gone>> gone;
    auto status = transaction(0, [&]() -> base::Status {
        gone = remove(target, sequences);
        return gone.map([](const auto&) {});
    });
    if (status)
        noteGone(target, *gone);
    return status;
}

/// Inside a transaction.
base::Result<std::vector<SqliteQueue::Gone>> SqliteQueue::remove(const Target& target,
                                                                 std::span<const Sequence> sequences) {
    auto statement = m_connection.prepare("DELETE FROM entries WHERE id = ? RETURNING kind, length(bytes)");
    if (!statement)
        return tl::unexpected(statement.error());
    std::vector<Gone> gone;
    for (const auto sequence : sequences) {
        if (sequence <= target.row.droppedThrough || sequence > QueueKey::kMaxSequence)
            continue;
        auto row = statement->bind(1, QueueKey{target.row.number, sequence}.column()).next();
        if (!row)
            return tl::unexpected(row.error());
        if (*row)
            gone.push_back({sequence, static_cast<QueuedKind>(statement->integer(0)),
                            static_cast<std::uint64_t>(statement->integer(1))});
        statement->reset();
    }
    return gone;
}

/// After the commit.
void SqliteQueue::noteGone(Target& target, std::span<const Gone> gone) {
    for (const auto& record : gone) {
        --target.stats.ops;
        --countOf(target.stats, record.kind);
        target.stats.bytes -= record.bytes;
        ++target.stats.leftInTotal;
        target.parked.remove(record.sequence);
    }
    m_walDirty = m_walDirty || !gone.empty();
}

base::Status SqliteQueue::park(const storage::NodeId& node, Sequence sequence, std::string_view reason) {
    auto* target = find(node);
    if (target && !target->parked.contains(sequence) && target->parked.size() >= kMaxParked)
        return base::fail(base::Reason::Overloaded, "too many records of the node are parked");
    std::string bytes;
    auto row = load(target, sequence, bytes);
    if (!row)
        return tl::unexpected(row.error());
    return setParked(*target, std::span(&*row, 1), reason.empty() ? "refused" : reason.substr(0, kMaxReasonBytes));
}

base::Result<std::size_t> SqliteQueue::retryParked(const storage::NodeId& node, std::span<const Sequence> sequences) {
    if (m_fatal.isRaised())
        return m_fatal.refusal();
    auto* target = find(node);
    if (!target)
        return 0;
    auto rows = loadParked(*target, sequences);
    if (!rows)
        return tl::unexpected(rows.error());
    return setParked(*target, *rows, {}).map([&] { return rows->size(); });
}

/// Empty `reason`: not parked any more.
base::Status SqliteQueue::setParked(Target& target, std::span<QueueRow> rows, std::string_view reason) {
    if (rows.empty())
        return {};
    auto status = transaction(0, [&]() -> base::Status {
        auto statement = m_connection.prepare("UPDATE entries SET parked = ?, attempts = ?, head_sum = ? WHERE id = ?");
        if (!statement)
            return tl::unexpected(statement.error());
        for (auto& row : rows) {
            row.parkedBecause = reason;
            row.attempts += reason.empty() ? 0 : 1;
            statement->bind(1, row.parkedBecause).bind(2, std::int64_t{row.attempts});
            statement->bind(3, static_cast<std::int64_t>(row.headSum(target.row.node)));
            if (auto done = statement->bind(4, row.key.column()).run(); !done)
                return done;
        }
        return {};
    });
    if (!status)
        return status;
    for (const auto& row : rows) {
        target.parked.remove(row.key.sequence);
        if (!reason.empty())
            target.parked.add(row.key.sequence, row.lane);
    }
    return {};
}

/// Those of `sequences` that are parked, without their bytes.
base::Result<std::vector<QueueRow>> SqliteQueue::loadParked(Target& target, std::span<const Sequence> sequences) {
    std::vector<QueueRow> rows;
    for (const auto sequence : sequences) {
        std::string bytes;
        if (!target.parked.contains(sequence))
            continue;
        auto row = load(&target, sequence, bytes);
        if (!row && row.error().reason != base::Reason::NotFound)
            return tl::unexpected(row.error());
        if (!row)
            continue; // set aside by now, as it was damaged
        row->bytes = {};
        rows.push_back(std::move(*row));
    }
    return rows;
}

/// One record, its bytes in `bytes`.
base::Result<QueueRow> SqliteQueue::load(Target* target, Sequence sequence, std::string& bytes) {
    if (m_fatal.isRaised())
        return m_fatal.refusal();
    std::optional<ReadRow> found;
    if (target && sequence > 0) {
        auto status = scan(*target, sequence - 1, [&](const ReadRow& read) {
            if (read.row.key.sequence != sequence)
                return false;
            found = read;
            bytes = read.row.bytes;
            return false;
        });
        if (status && found && !found->good())
            status = checkTarget(*target);
        if (!status)
            return tl::unexpected(status.error());
    }
    if (!found || !found->good())
        return noSuchRecord();
    found->row.bytes = bytes;
    return found->row;
}

base::Result<std::vector<QueueEntry>> SqliteQueue::parked(const storage::NodeId& node, Sequence after,
                                                          std::size_t limit) {
    if (m_fatal.isRaised())
        return m_fatal.refusal();
    std::vector<QueueEntry> entries;
    auto* target = find(node);
    if (!target)
        return entries;
    std::vector<Sequence> sequences;
    for (auto at = target->parked.all().upper_bound(after);
         at != target->parked.all().end() && sequences.size() < limit; ++at)
        sequences.push_back(at->first);
    const auto rows = loadParked(*target, sequences);
    if (!rows)
        return tl::unexpected(rows.error());
    for (const auto& row : *rows)
        entries.push_back(row.entry());
    return entries;
}

base::Result<std::vector<Damage>> SqliteQueue::dropParked(const storage::NodeId& node,
                                                          std::span<const Sequence> sequences) {
    if (m_fatal.isRaised())
        return m_fatal.refusal();
    std::vector<Damage> damage;
    auto* target = find(node);
    if (!target)
        return damage;
    const auto rows = loadParked(*target, sequences);
    if (!rows)
        return tl::unexpected(rows.error());
    std::vector<Sequence> gone;
    for (const auto& row : *rows) {
        gone.push_back(row.key.sequence);
        damage.push_back({node, row.partition});
    }
    if (auto removed = gone.empty() ? base::Status() : removeNow(*target, gone); !removed)
        return tl::unexpected(removed.error());
    return damage;
}

base::Result<std::optional<Sequence>> SqliteQueue::move(const storage::NodeId& node,
                                                        const hashing::PartitionSet& partitions,
                                                        std::span<const storage::NodeId> to, Sequence after,
                                                        std::size_t limit) {
    if (m_fatal.isRaised())
        return m_fatal.refusal();
    auto* from = find(node);
    if (!from)
        return std::nullopt;
    std::vector<QueueRow> rows;
    std::deque<std::string> owners;
    std::vector<Sequence> sequences;
    std::optional<Sequence> goOn;
    std::uint64_t charge = 0;
    bool damaged = false;
    auto status = scan(*from, after, [&](const ReadRow& read) {
        if (rows.size() >= limit || charge > kMoveBytes) {
            goOn = read.row.key.sequence - 1;
            return false;
        }
        damaged = damaged || !read.good();
        if (!read.good() || !read.row.partition || !partitions.contains(*read.row.partition))
            return true;
        rows.push_back(read.row);
        rows.back().bytes = owners.emplace_back(read.row.bytes);
        rows.back().parkedBecause.clear();
        sequences.push_back(read.row.key.sequence);
        charge += chargeOf(read.row.bytes);
        return true;
    });
    if (status && damaged)
        status = checkTarget(*from);
    if (status && !rows.empty())
        status = moveRows(*from, rows, sequences, to, charge);
    if (!status)
        return tl::unexpected(status.error());
    return goOn;
}

base::Status SqliteQueue::moveRows(Target& from, const std::vector<QueueRow>& rows, std::span<const Sequence> sequences,
                                   std::span<const storage::NodeId> to, std::uint64_t charge) {
    std::map<storage::NodeId, std::uint64_t> charges;
    std::vector<Target*> targets;
    for (const auto& owner : to) {
        if (owner == from.row.node || charges.contains(owner))
            continue;
        auto target = targetOf(owner);
        if (!target)
            return tl::unexpected(target.error());
        targets.push_back(*target);
        charges[owner] = charge;
    }
    if (auto room = makeRoom(std::move(charges), &from.row.node); !room)
        return room;
    std::vector<Incoming> incoming;
    for (const auto& row : rows)
        for (auto* target : targets)
            if (markOf(*target) != ResyncMark::Marked)
                incoming.push_back({target, row});
    base::Result<std::vector<Gone>> gone;
    auto status = transaction(charge * targets.size(), [&]() -> base::Status {
        if (auto done = insert(incoming); !done)
            return done;
        gone = remove(from, sequences);
        return gone.map([](const auto&) {});
    });
    if (!status)
        return status;
    noteInserted(incoming);
    noteGone(from, *gone);
    return {};
}

} // namespace fremis::coordinator
