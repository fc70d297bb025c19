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
            return base::fail(base::Reason::NotReady, "a bulk read is under way; the erased bytes leave the disk after it");
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
    const std::lock_guard write(m_writeMutex);
    const auto key = std::to_string(id);
    int removed = 0;
    base::Status status = m_writer.execute("BEGIN IMMEDIATE");
    for (const std::string table : {"enrollments", "face_tombstones", "variation_tombstones"}) {
        const std::string primary = table == "enrollments" ? "row_number"
            : table == "face_tombstones"                   ? "partition, face_id"
                                                           : "partition, face_id, variation";
        if (status)
            status = m_writer.execute("DELETE FROM " + table + " WHERE keyspace_id = " + key + " AND (" + primary + ") IN (SELECT " + primary
                                      + " FROM " + table + " WHERE keyspace_id = " + key + " LIMIT " + std::to_string(kRowsOfStep) + ")");
        removed += status ? m_writer.changes() : 0;
    }
    if (status)
        status = m_writer.execute("COMMIT");
    if (!status) {
        if (isSyncFailure(status.error()))
            m_fatal.raise(status.error().detail);
        (void)m_writer.execute("ROLLBACK");
        return tl::unexpected(status.error());
    }
    const std::lock_guard lock(m_mutex);
    m_cutDue = m_cutDue || removed > 0;
    if (removed == 0)
        std::erase(m_dying, id);
    return !m_dying.empty();
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
    const auto before = std::to_string((m_clock.sinceEpoch() - kAnswersKept).count());
    int removed = 1;
    while (removed > 0) {
        const std::lock_guard write(m_writeMutex);
        if (m_fatal.isRaised())
            return {};
        auto status = m_writer.execute("DELETE FROM op_answers WHERE op_id IN (SELECT op_id FROM op_answers WHERE recorded_at < " + before
                                       + " LIMIT " + std::to_string(kRowsOfStep) + ")");
        if (!status && isSyncFailure(status.error()))
            m_fatal.raise(status.error().detail);
        if (!status)
            return status;
        removed = m_writer.changes();
    }
    return {};
}

void SqliteHousekeeper::report(const base::Error& error) {
    base::log(base::LogLevel::Warning, "store_housekeeping_failed", {{"reason", error.message}, {"detail", error.detail}});
}

} // namespace fremis::storage
