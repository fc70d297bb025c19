#pragma once

#include "shared/storage/sqlite/sqlite_schema.h"

namespace fremis::storage {

/// Reads what a batch needs and writes what it changed, inside the caller's transaction. Thread: that of the
/// connection.
class SqliteBatchIo {
public:
    [[nodiscard]] static base::Result<SqliteBatchIo> create(SqliteConnection& connection);

    [[nodiscard]] base::Result<BatchInput> read(std::span<const Operation> operations, const SqliteMeta& meta);
    /// `outcomes` of the batch: counts of rows that went with a keyspace are filled in.
    [[nodiscard]] base::Status write(const Batch& batch, const Batch::Changes& changes,
                                     std::span<const Operation> operations, std::vector<Outcome>& outcomes,
                                     const SqliteMeta& meta, std::chrono::milliseconds now);

private:
    explicit SqliteBatchIo(SqliteConnection& connection) : m_connection(&connection) {}
    [[nodiscard]] base::Status readFace(const FaceKey& key, FaceState& state);
    [[nodiscard]] base::Status readAnswer(const OpId& id, const KeyspaceRegistry& keyspaces,
                                          std::map<OpId, Outcome>& answers);
    [[nodiscard]] base::Status writeFaces(const Batch::Changes& changes, std::int64_t spaceId);
    [[nodiscard]] base::Status writeRow(const FaceKey& key, const Enrollment& row, std::int64_t spaceId);
    [[nodiscard]] base::Status countDead(std::int64_t keyspace, Outcome& outcome);
    [[nodiscard]] base::Status writeAnswer(const OpId& id, const Outcome& outcome, const KeyspaceRegistry& keyspaces,
                                           std::chrono::milliseconds now);

    SqliteConnection* m_connection;
    SqliteStatement m_rows, m_faceTombstone, m_variationTombstones, m_answer;
    SqliteStatement m_removeRow, m_insertRow, m_putFaceTombstone, m_putVariationTombstone, m_removeVariationTombstone,
        m_putAnswer;
    SqliteStatement m_countDead, m_putLast;
};

} // namespace fremis::storage
