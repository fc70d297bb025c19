#pragma once

#include "shared/storage/postgres/pg_schema.h"

namespace fremis::storage {

// The queries of a PostgreSQL store that change nothing; they throw what libpqxx throws.

[[nodiscard]] std::optional<FaceRecord> readPgFace(pqxx::transaction_base& transaction, const Incarnation& keyspace,
                                                   const base::FaceId& face);
/// None: not there, or it cannot be used.
[[nodiscard]] std::optional<Enrollment> readPgRow(pqxx::transaction_base& transaction, const PgMeta& meta,
                                                  const FaceKey& key, std::uint64_t variation);
[[nodiscard]] FacePage listPgFaces(pqxx::transaction_base& transaction, const Incarnation& keyspace,
                                   const std::optional<FacePosition>& after, const hashing::PartitionSet& partitions,
                                   std::size_t limit);
[[nodiscard]] std::vector<KeyspaceCounts> countPgFaces(pqxx::transaction_base& transaction,
                                                       const KeyspaceRegistry& keyspaces,
                                                       const hashing::PartitionSet& partitions);
[[nodiscard]] std::uint64_t countPgRows(pqxx::transaction_base& transaction, const KeyspaceRegistry& keyspaces,
                                        const hashing::PartitionSet& partitions);
void scanPgTombstones(pqxx::transaction_base& transaction, const KeyspaceRegistry& keyspaces,
                      const hashing::PartitionSet& partitions, const EnrollmentStore::TombstoneVisitor& visitor);

/// " WHERE partition BETWEEN …" for a set, empty for all partitions. Made of numbers only.
[[nodiscard]] std::string pgPartitionFilter(const hashing::PartitionSet& partitions);

} // namespace fremis::storage
