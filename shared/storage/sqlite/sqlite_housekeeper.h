#pragma once

#include "shared/base/clock.h"
#include "shared/storage/fatal_flag.h"
#include "shared/storage/sqlite/connection.h"

#include <condition_variable>
#include <thread>

namespace fremis::storage {

/// What a SQLite store does between writes, in a thread of its own and in small steps: removes the rows of dead
/// keyspaces, forgets old answers, and brings erased bytes off the disk by a checkpoint that cuts the WAL to nothing.
/// Uses the writing connection, so that it stays the only one that writes and checkpoints. Thread: any.
class SqliteHousekeeper {
public:
    /// `writer` is used under `writeMutex` only. All arguments outlive this.
    SqliteHousekeeper(SqliteConnection& writer, std::mutex& writeMutex, FatalFlag& fatal, const base::Clock& clock)
        : m_writer(writer), m_writeMutex(writeMutex), m_fatal(fatal), m_clock(clock) {}
    ~SqliteHousekeeper() { stop(); }

    void start();
    void stop(); ///< idempotent
    /// Rows of these keyspaces are to go.
    void eraseKeyspaces(const std::vector<std::int64_t>& ids);
    /// Removes the rows of these partitions, in steps. Returns how many went.
    [[nodiscard]] base::Result<std::uint64_t> erasePartitions(const hashing::PartitionSet& partitions);
    /// Something was deleted: its bytes are still in the WAL.
    void noteErasure();
    /// Does all of it now. NotReady when a bulk read keeps the WAL alive for long.
    [[nodiscard]] base::Status finish();

private:
    void work();
    /// One step of the rows of dead keyspaces; true while there is more.
    [[nodiscard]] base::Result<bool> eraseSome();
    /// Runs `sql`, which removes some rows, in a transaction of its own. Returns how many went.
    [[nodiscard]] base::Result<int> removeSome(const std::string& sql);
    [[nodiscard]] base::Result<bool> cutWal();
    [[nodiscard]] base::Status forgetAnswers();
    void report(const base::Error& error);

    SqliteConnection& m_writer;
    std::mutex& m_writeMutex;
    FatalFlag& m_fatal;
    const base::Clock& m_clock;
    std::mutex m_mutex; ///< guards what follows; never held while m_writeMutex is being waited for
    std::condition_variable m_wake;
    std::vector<std::int64_t> m_dying;
    bool m_cutDue = false;
    bool m_stopping = false;
    std::thread m_thread;
};

} // namespace fremis::storage
