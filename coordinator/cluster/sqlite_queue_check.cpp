// SqliteQueue: reading and checking all that is in the database when it is opened, and setting damage aside.

#include "coordinator/cluster/sqlite_queue_inline.h"
#include "shared/base/log.h"

#include <cstring>
#include <limits>

namespace fremis::coordinator {
namespace {

/// Damaged records found before they are set aside, so that memory does not grow with the damage.
constexpr std::size_t kFoundAtOnce = 10'000;

void addTo(std::vector<Damage>& list, const Damage& damage) {
    if (std::find(list.begin(), list.end(), damage) == list.end())
        list.push_back(damage);
}

} // namespace

base::Status SqliteQueue::load() {
    loadTargets();
    auto status = loadDamage();
    if (status)
        status = checkAll();
    // Or the next start would find it behind the marks again.
    if (status && m_opening.queueLost)
        status = transaction(0, [this] { return saveLast(m_last); });
    return status;
}

/// The marks know every target; those that the database knows have been taken over already.
void SqliteQueue::loadTargets() {
    for (std::size_t number = 0; number < ResyncMarks::kSlots; ++number) {
        const auto& slot = m_marks.slots()[number];
        if (!slot)
            continue;
        auto [at, isNew] = m_targets.try_emplace(slot->node);
        auto& target = at->second;
        if (isNew)
            target.row = {number, slot->node, m_last, false};
        if (slot->mark == ResyncMark::Marked)
            drop(target);
    }
}

base::Status SqliteQueue::loadDamage() {
    auto status = m_connection.query("SELECT node, partition FROM damage", [this](const storage::SqliteStatement& row) {
        Damage damage;
        if (const auto node = row.blob(0); node.size() == damage.target.size())
            std::memcpy(damage.target.data(), node.data(), node.size());
        if (!row.isNull(1))
            damage.partition = static_cast<base::Partition>(row.integer(1));
        addTo(m_damage, damage);
        return true;
    });
    return status ? status : base::Status(tl::unexpected(noted(status.error())));
}

base::Status SqliteQueue::checkAll() {
    auto status = findStrays();
    for (auto& [node, target] : m_targets)
        if (status)
            status = checkTarget(target);
    return status;
}

/// Records of targets that do not exist: damaged keys.
base::Status SqliteQueue::findStrays() {
    Found found;
    auto statement = m_connection.prepare("SELECT id FROM entries WHERE id >= ? ORDER BY id LIMIT 1");
    if (!statement)
        return tl::unexpected(noted(statement.error()));
    std::int64_t from = std::numeric_limits<std::int64_t>::min();
    while (true) {
        auto row = statement->bind(1, from).next();
        if (!row)
            return tl::unexpected(noted(row.error()));
        if (!*row)
            break;
        const auto key = statement->integer(0);
        statement->reset();
        const auto number = QueueKey::of(key).target;
        if (number < ResyncMarks::kSlots && m_marks.slots()[number]) {
            from = QueueKey{number + 1, 0}.column();
            continue;
        }
        found.keys.push_back(key);
        if (key == std::numeric_limits<std::int64_t>::max())
            break;
        from = key + 1;
        if (found.keys.size() == kFoundAtOnce)
            break; // the rest comes at the next start; those of the first are enough to have everything repaired
    }
    for (const auto& [node, target] : m_targets)
        if (!found.keys.empty())
            addTo(found.damage, {node, std::nullopt});
    return found.keys.empty() ? base::Status() : setAside(found);
}

/// Counts what the target has and sets aside what is damaged.
base::Status SqliteQueue::checkTarget(Target& target) {
    while (true) {
        Found found;
        if (auto status = findDamage(target, found); !status)
            return status;
        if (found.keys.empty())
            return {};
        if (auto status = setAside(found); !status)
            return status;
    }
}

base::Status SqliteQueue::findDamage(Target& target, Found& found) {
    auto& stats = target.stats;
    clearCounts(stats);
    target.parked = {};
    const QueueKey first{target.row.number, 0};
    const QueueKey last{target.row.number, QueueKey::kMaxSequence};
    return scanKeys(target.row.node, first.column(), last.column(), [&](const ReadRow& read) {
        const auto& row = read.row;
        const bool dropped = row.key.sequence <= target.row.droppedThrough;
        if (!read.headGood || (!dropped && !read.bytesGood)) {
            found.keys.push_back(row.key.column());
            // Whose it was, and even that it was dropped, is known only from a good head.
            for (const auto& [node, other] : m_targets)
                if (!read.headGood || &other == &target)
                    addTo(found.damage, {node, read.headGood ? row.partition : std::nullopt});
        } else if (!dropped) {
            count(stats, row.kind, row.bytes.size());
            if (!row.parkedBecause.empty())
                target.parked.add(row.key.sequence, row.lane);
        }
        return found.keys.size() < kFoundAtOnce;
    });
}

base::Status SqliteQueue::setAside(const Found& found) {
    auto status = transaction(0, [&]() -> base::Status {
        auto remove = m_connection.prepare("DELETE FROM entries WHERE id = ?");
        auto insert = m_connection.prepare("INSERT INTO damage (node, partition) VALUES (?, ?)");
        if (!remove || !insert)
            return tl::unexpected((!remove ? remove : insert).error());
        for (const auto key : found.keys)
            if (auto done = remove->bind(1, key).run(); !done)
                return done;
        for (const auto& damage : found.damage) {
            if (std::find(m_damage.begin(), m_damage.end(), damage) != m_damage.end())
                continue;
            insert->bind(1, std::as_bytes(std::span(damage.target)));
            damage.partition ? insert->bind(2, std::int64_t{*damage.partition}) : insert->bindNull(2);
            if (auto done = insert->run(); !done)
                return done;
        }
        return {};
    });
    if (!status)
        return status;
    for (const auto& damage : found.damage)
        addTo(m_damage, damage);
    m_damagedRecords += found.keys.size();
    m_walDirty = true;
    base::log(base::LogLevel::Error, "write_queue_records_damaged", {{"records", found.keys.size()}});
    return {};
}

} // namespace fremis::coordinator
