#include "shared/storage/sqlite/sqlite_housekeeper.h"

#include "shared/base/log.h"
#include "shared/storage/answers.h"

namespace fremis::storage {
namespace {

using namespace std::chrono_literals;

/// How long erased bytes may stay in the WAL. Not zero: a stream of deletions shares one checkpoint.
constexpr auto kPause = 1s;
/// Rows of one step: a write that waits behind it waits some 10 ms.
constexpr int kRowsOfStep = 500;

} // namespace

void SqliteHousekeeper::start() {
    m_thread = std::thread([this] { work(); });
}

void SqliteHousekeeper::stop() {
    {
        const std::lock_guard lock(m_mutex);
        m_stopping = true;
    }
    m_wake.notify_all();
    if (m_thread.joinable())
        m_thread.join();
}

void SqliteHousekeeper::eraseKeyspaces(const std::vector<std::int64_t>& ids) {
    const std::lock_guard lock(m_mutex);
    m_dying.insert(m_dying.end(), ids.begin(), ids.end());
}

void SqliteHousekeeper::noteErasure() {
    const std::lock_guard lock(m_mutex);
    m_cutDue = true;
}

void SqliteHousekeeper::work() {
    auto nextForgetting = std::chrono::steady_clock::now();
    std::unique_lock lock(m_mutex);
    while (!m_wake.wait_for(lock, kPause, [this] { return m_stopping; })) {
        lock.unlock();
        base::Result<bool> more = true;
        while (more && *more && !m_fatal.isRaised()) {
            more = eraseSome();
            std::this_thread::yield(); // std::mutex is not fair; let writers in
            const std::lock_guard again(m_mutex);
            if (m_stopping)
                break;
        }
        if (!more)
            report(more.error());
        if (auto cut = cutWal(); !cut)
            report(cut.error());
        if (const auto now = std::chrono::steady_clock::now(); now >= nextForgetting) {
            nextForgetting = now + kForgetEvery;
            if (auto forgot = forgetAnswers(); !forgot)
                report(forgot.error());
        }
        lock.lock();
    }
}

base::Status SqliteHousekeeper::finish() {
    base::Result<bool> more = true;
    while (more && *more)
        more = eraseSome();
    if (!more)
        return tl::unexpected(more.error());
    if (auto forgot = forgetAnswers(); !forgot)
        return forgot;
    noteErasure();
    const auto end = std::chrono::steady_clock::now() + 5s;
    while (true) {
        auto cut = cutWal();
        if (!cut)
            return tl::unexpected(cut.error());
        if (*cut)
            return {};
        if (std::chrono::steady_clock::now() > end)
            return base::fail(base::Reason::NotReady,
                              "a bulk read is under way; the erased bytes leave the disk after it");
        std::this_thread::sleep_for(20ms);
    }
}

base::Result<bool> SqliteHousekeeper::eraseSome() {
    std::int64_t id = 0;
    {
        const std::lock_guard lock(m_mutex);
        if (m_dying.empty())
            return false;
        id = m_dying.back();
    }
    int removed = 0;
    const auto ofKeyspace = " WHERE keyspace_id = " + std::to_string(id);
    for (const auto& [table, key] : {std::pair<std::string, std::string>("enrollments", "row_number"),
                                     {"face_tombstones", "partition, face_id"},
                                     {"variation_tombstones", "partition, face_id, variation"}}) {
        const auto some = removeSome("DELETE FROM " + table + ofKeyspace + " AND (" + key + ") IN (SELECT " + key +
                                     " FROM " + table + ofKeyspace + " LIMIT " + std::to_string(kRowsOfStep) + ")");
        if (!some)
            return tl::unexpected(some.error());
        removed += *some;
    }
    const std::lock_guard lock(m_mutex);
    if (removed == 0)
        std::erase(m_dying, id);
    return !m_dying.empty();
}

base::Result<std::uint64_t> SqliteHousekeeper::erasePartitions(const hashing::PartitionSet& partitions) {
    std::uint64_t erased = 0;
    for (const auto& [first, last] : partitions.ranges()) {
        base::Result<int> some = 1;
        while (some && *some > 0) {
            some = removeSome(
                "DELETE FROM enrollments WHERE row_number IN (SELECT row_number FROM enrollments WHERE keyspace_id IN"
                " (SELECT id FROM keyspaces) AND partition BETWEEN " +
                std::to_string(first) + " AND " + std::to_string(last) + " LIMIT " + std::to_string(kRowsOfStep) + ")");
            erased += static_cast<std::uint64_t>(some.value_or(0));
        }
        if (!some)
            return tl::unexpected(some.error());
    }
    return erased;
}

base::Result<int> SqliteHousekeeper::removeSome(const std::string& sql) {
    int removed = 0;
    {
        const std::lock_guard write(m_writeMutex);
        if (m_fatal.isRaised())
            return m_fatal.refusal();
        const FatalFlag::Watch watch(m_fatal);
        if (auto status = m_writer.execute(sql); !status) { // one statement is one transaction
            if (isSyncFailure(status.error()))
                m_fatal.raise(status.error().detail);
            return tl::unexpected(status.error());
        }
        removed = m_writer.changes();
    }
    if (removed > 0)
        noteErasure();
    return removed;
}

base::Result<bool> SqliteHousekeeper::cutWal() {
    {
        const std::lock_guard lock(m_mutex);
        if (!m_cutDue)
            return true;
        m_cutDue = false; // before the checkpoint: what is erased after it is due again
    }
    base::Result<bool> cut = false;
    if (!m_fatal.isRaised()) {
        const std::lock_guard write(m_writeMutex);
        cut = m_writer.checkpointTruncate();
    }
    if (!cut && isSyncFailure(cut.error()))
        m_fatal.raise(cut.error().detail);
    if (!cut || !*cut)
        noteErasure();
    return cut;
}

base::Status SqliteHousekeeper::forgetAnswers() {
    const auto statement = "DELETE FROM op_answers WHERE op_id IN (SELECT op_id FROM op_answers WHERE recorded_at < " +
                           std::to_string((m_clock.sinceEpoch() - kAnswersKept).count()) + " LIMIT " +
                           std::to_string(kRowsOfStep) + ")";
    base::Result<int> removed = 1;
    while (removed && *removed > 0)
        removed = removeSome(statement);
    return removed ? base::Status() : tl::unexpected(removed.error());
}

void SqliteHousekeeper::report(const base::Error& error) {
    base::log(base::LogLevel::Warning, "store_housekeeping_failed",
              {{"reason", error.message}, {"detail", error.detail}});
}

} // namespace fremis::storage
