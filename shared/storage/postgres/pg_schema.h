#pragma once

#include "shared/storage/batch.h"
#include "shared/storage/node_id.h"
#include "shared/storage/postgres/pg_session.h"

namespace fremis::storage {

// Functions of this header that do not return Result throw what libpqxx throws; PgSession::run() catches it.

/// What all workers of a database share and each keeps a copy of. `registryVersion` tells whether the copy is still
/// right.
struct PgMeta {
    std::int64_t registryVersion = -1;
    std::optional<EnrollmentStore::Space> space;
    int spaceId = 0;
    KeyspaceRegistry keyspaces;
    std::array<base::Version, base::kPartitionCount> horizons{};
};

/// Makes or migrates the schema (one worker at a time) and checks what cannot be mended. BadStore: a newer schema,
/// another partition rule, an encoding other than UTF8.
[[nodiscard]] base::Status preparePgDatabase(pqxx::connection& connection, std::chrono::milliseconds now);

[[nodiscard]] PgMeta loadPgMeta(pqxx::transaction_base& transaction);
/// A version in two columns, the stamp first.
[[nodiscard]] base::Version versionAt(const pqxx::row& row, int column);
/// Writes what apply() changed in the registry. The caller holds the exclusive registry lock and then calls
/// bumpPgRegistry().
void writePgKeyspaces(pqxx::transaction_base& transaction, const KeyspaceRegistry& keyspaces);
void bumpPgRegistry(pqxx::transaction_base& transaction);

/// Until the transaction ends: nobody else changes keyspaces, spaces or horizons (Shared), or writes at all
/// (Exclusive). A statement of its own, before anything is read: a statement sees what was committed before it began,
/// not before it got a lock. Also sees to it that COMMIT waits for the disk, whatever the server's default.
enum class PgLock { Shared, Exclusive };
void lockPgRegistry(pqxx::transaction_base& transaction, PgLock lock);

/// A worker's claim on partitions of a database.
struct PgLease {
    NodeId node{};
    OpId holder{}; ///< this process
    hashing::PartitionSet partitions;
    std::chrono::milliseconds time{0};
};
/// Takes the lease, from an earlier process of the same node at once, from another node when it has run out. BadStore
/// when another node holds an overlapping one. Returns the node's new generation.
[[nodiscard]] base::Result<std::uint64_t> acquirePgLease(pqxx::connection& connection, const PgLease& lease);
/// False: another process has it.
[[nodiscard]] bool renewPgLease(pqxx::connection& connection, const PgLease& lease);
void releasePgLease(pqxx::connection& connection, const PgLease& lease);

[[nodiscard]] pqxx::binarystring binary(std::span<const std::uint8_t> bytes);
/// "0101…", 256 digits, for a bit(256) column.
[[nodiscard]] std::string bitsOf(const hashing::PartitionSet& partitions);

} // namespace fremis::storage
