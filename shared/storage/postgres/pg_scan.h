#pragma once

#include "shared/storage/postgres/pg_copy.h"
#include "shared/storage/postgres/pg_schema.h"

namespace fremis::storage {

/// The COPY whose rows scanPgRows() reads.
[[nodiscard]] std::string pgScanQuery(const hashing::PartitionSet& partitions);

/// The same for one partition, in the order of RowPosition.
[[nodiscard]] std::string pgWalkQuery(base::Partition partition);

/// Reads the rows of a started COPY. `meta` is newer than the rows, so that the keyspace of each of them is in it.
[[nodiscard]] base::Result<ScanReport> scanPgRows(PgCopy& copy, const PgMeta& meta,
                                                  const EnrollmentStore::RowVisitor& visitor, ScanProgress* progress);

} // namespace fremis::storage
