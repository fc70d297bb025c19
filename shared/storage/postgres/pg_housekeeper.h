#pragma once

#include "shared/base/clock.h"
#include "shared/storage/fatal_flag.h"
#include "shared/storage/postgres/pg_schema.h"

#include <condition_variable>
#include <thread>

namespace fremis::storage {

/// What a PostgreSQL store does beside its calls, in a thread of its own on a connection of its own: connects, migrates
/// and takes the lease when asked to, renews the lease, removes the rows of dead keyspaces, forgets old answers.
/// Thread: any.
class PgHousekeeper {
public:
    PgHousekeeper(const PostgresOptions& options, PgLease lease, PgBackoff& backoff, FatalFlag& fatal,
                  const base::Clock& clock);
    ~PgHousekeeper();

    /// Returns once the database is prepared and the lease held; at once when that has been done before. Errors as
    /// EnrollmentStore's.
    [[nodiscard]] base::Status ensureReady();
    [[nodiscard]] std::uint64_t generation() const { return m_generation.load(); }
    /// A keyspace has died: its rows are to go.
    void noteDeath();
    /// Rows were deleted: vacuum() has something to do.
    void noteErasure() { m_erased.store(true); }
    /// Removes the rows of these partitions, in steps. Returns how many went.
    [[nodiscard]] base::Result<std::uint64_t> erasePartitions(const hashing::PartitionSet& partitions);
    /// Removes everything that is dead and runs VACUUM.
    [[nodiscard]] base::Status finish();

private:
    void work();
    [[nodiscard]] base::Status renew();
    [[nodiscard]] base::Status eraseDead();
    /// Removes the rows t of `table` whose keyspace k and themselves meet `condition`, in steps; ends early when
    /// stopping.
    [[nodiscard]] base::Result<std::uint64_t> eraseWhere(const std::string& table, const std::string& condition);
    [[nodiscard]] base::Status forgetAnswers();

    const PgLease m_lease;
    FatalFlag& m_fatal;
    const base::Clock& m_clock;
    std::mutex m_sessionMutex; ///< guards m_session
    PgSession m_session;
    std::atomic<bool> m_ready{false};
    std::atomic<std::uint64_t> m_generation{0};
    std::atomic<bool> m_erased{false};
    std::mutex m_mutex; ///< guards what follows
    std::condition_variable m_wake;
    bool m_deathsDue = true; ///< an earlier process may have left some
    bool m_stopping = false;
    std::thread m_thread;
};

} // namespace fremis::storage
