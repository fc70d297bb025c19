#pragma once

#include "shared/storage/enrollment_store.h"

namespace fremis::storage {

struct PostgresOptions {
    std::string host; ///< name, address or the directory of a Unix socket
    int port = 5432;
    std::string database;
    std::string user;
    std::string password; ///< empty: .pgpass, PGPASSFILE or none
    std::string sslMode = "prefer";
    std::array<std::uint8_t, 16>
        nodeId{};                     ///< this worker's, from loadOrCreateNodeId(); a restarted worker brings it again
    hashing::PartitionSet partitions; ///< leased: no other worker may write them
    std::chrono::milliseconds leaseTime{15000};
    std::chrono::milliseconds settleTime{
        8000};                          ///< how long a write cut off at COMMIT is looked after before OutcomeUnknown
    const base::Clock* clock = nullptr; ///< null: the system's
};

/// Never waits for the database: the first call of the store connects, migrates, and takes the lease; while PostgreSQL
/// is away calls answer NotReady at once between attempts that are 100 ms to 5 s apart. Fails only for options that can
/// never work.
[[nodiscard]] base::Result<std::unique_ptr<EnrollmentStore>> openPostgres(const PostgresOptions& options);

} // namespace fremis::storage
