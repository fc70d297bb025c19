#pragma once

#include "shared/storage/postgres/pg_schema.h"

namespace fremis::storage {

// Reading what a batch needs and writing what it changed: a handful of statements for any number of operations, each
// with arrays as parameters. The functions throw what libpqxx throws.

/// Defines the statements below on a new connection.
void preparePgBatch(pqxx::connection& connection);

[[nodiscard]] BatchInput readPgBatch(pqxx::transaction_base& transaction, std::span<const Operation> operations,
                                     const PgMeta& meta);

/// `outcomes` of the batch: counts of rows that went with a keyspace are filled in.
void writePgBatch(pqxx::transaction_base& transaction, const Batch& batch, const Batch::Changes& changes,
                  std::span<const Operation> operations, std::vector<Outcome>& outcomes, const PgMeta& meta,
                  std::chrono::milliseconds now);

/// Marks the node's row with the transaction's token and the greatest version, and holds that row until the end of the
/// transaction. Returns the registry version; none when the lease is another's.
[[nodiscard]] std::optional<std::int64_t> claimPgWrite(pqxx::transaction_base& transaction, const PgLease& lease,
                                                       base::Version greatest, const OpId& token);
/// Waits until no transaction of this node is under way any more, then tells whether the one of `token` was committed.
/// none: another process writes as this node now, so it cannot be known.
[[nodiscard]] std::optional<bool> wasPgCommitted(pqxx::connection& connection, const PgLease& lease, const OpId& token);

} // namespace fremis::storage
