#include "shared/storage/sqlite/sqlite_batch.h"

#include "shared/storage/row_codec.h"

namespace fremis::storage {
namespace {

SqliteStatement& bindKey(SqliteStatement& statement, const FaceKey& key) {
    return statement.bind(1, key.keyspace).bind(2, std::int64_t{key.partition}).bind(3, key.face);
}

} // namespace

base::Result<SqliteBatchIo> SqliteBatchIo::create(SqliteConnection& connection) {
    SqliteBatchIo io(connection);
    const struct {
        SqliteStatement& statement;
        std::string_view sql;
    } statements[] = {
        {io.m_rows,
         "SELECT variation, stamp, writer FROM enrollments WHERE keyspace_id = ? AND partition = ? AND face_id = ?"},
        {io.m_faceTombstone,
         "SELECT stamp, writer FROM face_tombstones WHERE keyspace_id = ? AND partition = ? AND face_id = ?"},
        {io.m_variationTombstones, "SELECT variation, stamp, writer FROM variation_tombstones WHERE keyspace_id = ? "
                                   "AND partition = ? AND face_id = ?"},
        {io.m_answer,
         "SELECT keyspace_id, next_keyspace_id, face_id, variation, stamp, writer, created, rows_removed, faces_removed"
         " FROM op_answers WHERE op_id = ?"},
        {io.m_removeRow,
         "DELETE FROM enrollments WHERE keyspace_id = ? AND partition = ? AND face_id = ? AND variation = ?"},
        {io.m_insertRow,
         "INSERT OR REPLACE INTO enrollments (keyspace_id, partition, face_id, variation, stamp, writer, created_at,"
         " space_id, norm, checksum, embedding) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"},
        {io.m_putFaceTombstone, "INSERT OR REPLACE INTO face_tombstones (keyspace_id, partition, face_id, stamp, "
                                "writer) VALUES (?, ?, ?, ?, ?)"},
        {io.m_putVariationTombstone,
         "INSERT OR REPLACE INTO variation_tombstones (keyspace_id, partition, face_id, variation, stamp,"
         " writer) VALUES (?, ?, ?, ?, ?, ?)"},
        {io.m_removeVariationTombstone,
         "DELETE FROM variation_tombstones WHERE keyspace_id = ? AND partition = ? AND face_id = ? AND variation = ?"},
        {io.m_putAnswer, "INSERT OR REPLACE INTO op_answers (op_id, recorded_at, keyspace_id, next_keyspace_id, "
                         "face_id, variation, stamp,"
                         " writer, created, rows_removed, faces_removed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"},
        {io.m_countDead,
         "SELECT coalesce(sum(n), 0), count(*) FROM (SELECT count(*) AS n FROM enrollments WHERE keyspace_id = ?"
         " GROUP BY partition, face_id)"},
        {io.m_putLast, "UPDATE store_state SET last_stamp = ?, last_writer = ?"},
    };
    for (const auto& [statement, sql] : statements) {
        auto prepared = connection.prepare(sql);
        if (!prepared)
            return tl::unexpected(prepared.error());
        statement = std::move(*prepared);
    }
    return io;
}

base::Result<BatchInput> SqliteBatchIo::read(std::span<const Operation> operations, const SqliteMeta& meta) {
    BatchInput input;
    input.keyspaces = meta.keyspaces;
    input.horizons = meta.horizons;
    input.space = meta.space;
    for (const auto& key : faceKeysOf(operations, meta.keyspaces))
        if (auto read = readFace(key, input.faces[key]); !read)
            return tl::unexpected(read.error());
    for (const auto& id : opIdsOf(operations))
        if (auto read = readAnswer(id, meta.keyspaces, input.answers); !read)
            return tl::unexpected(read.error());
    return input;
}

base::Status SqliteBatchIo::readFace(const FaceKey& key, FaceState& state) {
    bindKey(m_faceTombstone, key);
    auto row = m_faceTombstone.next();
    if (!row)
        return tl::unexpected(row.error());
    if (*row) {
        state.tombstone = versionAt(m_faceTombstone, 0);
        m_faceTombstone.reset();
    }
    bindKey(m_variationTombstones, key);
    while ((row = m_variationTombstones.next()) && *row)
        state.variationTombstones[fromColumn(m_variationTombstones.integer(0))] = versionAt(m_variationTombstones, 1);
    if (!row)
        return tl::unexpected(row.error());
    bindKey(m_rows, key);
    while ((row = m_rows.next()) && *row)
        state.rows[fromColumn(m_rows.integer(0))] = {versionAt(m_rows, 1), nullptr};
    if (!row)
        return tl::unexpected(row.error());
    return {};
}

base::Status SqliteBatchIo::readAnswer(const OpId& id, const KeyspaceRegistry& keyspaces,
                                       std::map<OpId, Outcome>& answers) {
    m_answer.bind(1, std::as_bytes(std::span(id)));
    auto row = m_answer.next();
    if (!row)
        return tl::unexpected(row.error());
    if (!*row)
        return {};
    Outcome answer;
    answer.incarnation = keyspaces.textOf(m_answer.integer(0));
    if (!m_answer.isNull(1))
        answer.newIncarnation = keyspaces.textOf(m_answer.integer(1));
    answer.face = m_answer.text(2);
    answer.variation = fromColumn(m_answer.integer(3));
    answer.version = versionAt(m_answer, 4);
    answer.created = m_answer.integer(6) != 0;
    answer.rowsRemoved = static_cast<std::uint64_t>(m_answer.integer(7));
    answer.facesRemoved = static_cast<std::uint64_t>(m_answer.integer(8));
    answers[id] = std::move(answer);
    m_answer.reset();
    return {};
}

base::Status SqliteBatchIo::write(const Batch& batch, const Batch::Changes& changes,
                                  std::span<const Operation> operations, std::vector<Outcome>& outcomes,
                                  const SqliteMeta& meta, std::chrono::milliseconds now) {
    if (auto done = writeFaces(changes, meta.spaceId); !done)
        return done;
    if (!batch.keyspaces().changes().empty())
        if (auto done = writeKeyspaces(*m_connection, batch.keyspaces()); !done)
            return done;
    for (const auto& [keyspace, operation] : batch.deaths())
        if (auto done = countDead(keyspace, outcomes[operation]); !done)
            return done;
    for (const auto operation : batch.newAnswers())
        if (auto done = writeAnswer(opIdOf(operations[operation]), outcomes[operation], batch.keyspaces(), now); !done)
            return done;
    if (batch.greatest() <= meta.last)
        return {};
    m_putLast.bind(1, toColumn(batch.greatest().stamp)).bind(2, toColumn(batch.greatest().writer));
    return m_putLast.run();
}

base::Status SqliteBatchIo::writeFaces(const Batch::Changes& changes, std::int64_t spaceId) {
    for (const auto& [key, variation] : changes.removedRows)
        if (auto done = bindKey(m_removeRow, *key).bind(4, toColumn(variation)).run(); !done)
            return done;
    for (const auto& [key, row] : changes.rows)
        if (auto done = writeRow(*key, *row, spaceId); !done)
            return done;
    for (const auto& [key, variation] : changes.removedVariationTombstones)
        if (auto done = bindKey(m_removeVariationTombstone, *key).bind(4, toColumn(variation)).run(); !done)
            return done;
    for (const auto& [key, version] : changes.faceTombstones)
        if (auto done = bindKey(m_putFaceTombstone, *key)
                            .bind(4, toColumn(version.stamp))
                            .bind(5, toColumn(version.writer))
                            .run();
            !done)
            return done;
    for (const auto& [key, version] : changes.variationTombstones) {
        bindKey(m_putVariationTombstone, *key.face).bind(4, toColumn(key.variation));
        m_putVariationTombstone.bind(5, toColumn(version.stamp)).bind(6, toColumn(version.writer));
        if (auto done = m_putVariationTombstone.run(); !done)
            return done;
    }
    return {};
}

base::Status SqliteBatchIo::writeRow(const FaceKey& key, const Enrollment& row, std::int64_t spaceId) {
    bindKey(m_insertRow, key).bind(4, toColumn(row.variation.value()));
    m_insertRow.bind(5, toColumn(row.version.stamp))
        .bind(6, toColumn(row.version.writer))
        .bind(7, row.createdAt.count());
    m_insertRow.bind(8, spaceId).bind(9, row.norm).bind(10, checksumOf(row)).bind(11, bytesOf(row.embedding));
    return m_insertRow.run();
}

base::Status SqliteBatchIo::countDead(std::int64_t keyspace, Outcome& outcome) {
    auto row = m_countDead.bind(1, keyspace).next();
    if (!row)
        return tl::unexpected(row.error());
    outcome.rowsRemoved += static_cast<std::uint64_t>(m_countDead.integer(0));
    outcome.facesRemoved += static_cast<std::uint64_t>(m_countDead.integer(1));
    m_countDead.reset();
    return {};
}

base::Status SqliteBatchIo::writeAnswer(const OpId& id, const Outcome& outcome, const KeyspaceRegistry& keyspaces,
                                        std::chrono::milliseconds now) {
    m_putAnswer.bind(1, std::as_bytes(std::span(id))).bind(2, now.count()).bind(3, keyspaces.idOf(outcome.incarnation));
    outcome.newIncarnation.empty() ? m_putAnswer.bindNull(4)
                                   : m_putAnswer.bind(4, keyspaces.idOf(outcome.newIncarnation));
    m_putAnswer.bind(5, outcome.face).bind(6, toColumn(outcome.variation));
    m_putAnswer.bind(7, toColumn(outcome.version.stamp)).bind(8, toColumn(outcome.version.writer));
    m_putAnswer.bind(9, std::int64_t{outcome.created}).bind(10, static_cast<std::int64_t>(outcome.rowsRemoved));
    m_putAnswer.bind(11, static_cast<std::int64_t>(outcome.facesRemoved));
    return m_putAnswer.run();
}

} // namespace fremis::storage
