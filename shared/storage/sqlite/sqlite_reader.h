#pragma once

#include "shared/storage/sqlite/sqlite_schema.h"

namespace fremis::storage {

/// The queries of a SQLite store that change nothing. `keyspaces` names the incarnations; rows of dead or hidden ones
/// are not seen. Thread: that of the connection.
class SqliteReader {
public:
    explicit SqliteReader(SqliteConnection& connection) : m_connection(connection) {}

    [[nodiscard]] base::Result<std::optional<FaceRecord>> face(const Incarnation& keyspace, const base::FaceId& face);
    [[nodiscard]] base::Result<FacePage> list(const Incarnation& keyspace, const std::optional<FacePosition>& after,
                                              const hashing::PartitionSet& partitions, std::size_t limit);
    [[nodiscard]] base::Result<std::vector<KeyspaceCounts>> counts(const KeyspaceRegistry& keyspaces,
                                                                   const hashing::PartitionSet& partitions);
    [[nodiscard]] base::Result<std::uint64_t> countRows(const KeyspaceRegistry& keyspaces,
                                                        const hashing::PartitionSet& partitions);
    [[nodiscard]] base::Result<ScanReport> scan(const SqliteMeta& meta, const hashing::PartitionSet& partitions,
                                                const EnrollmentStore::RowVisitor& visitor, ScanProgress* progress);
    [[nodiscard]] base::Result<ScanReport> walk(const SqliteMeta& meta, base::Partition partition,
                                                const std::optional<RowPosition>& after,
                                                const EnrollmentStore::RowVisitor& visitor);
    [[nodiscard]] base::Result<std::optional<Enrollment>> row(const SqliteMeta& meta, const Incarnation& keyspace,
                                                              const std::string& face, base::Partition partition,
                                                              std::uint64_t variation);
    [[nodiscard]] base::Status scanTombstones(const KeyspaceRegistry& keyspaces,
                                              const hashing::PartitionSet& partitions,
                                              const EnrollmentStore::TombstoneVisitor& visitor);
    [[nodiscard]] base::Result<std::optional<std::string>> setting(const std::string& key);

private:
    SqliteConnection& m_connection;
};

} // namespace fremis::storage
