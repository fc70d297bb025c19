#include "shared/storage/postgres/pg_batch.h"

#include "shared/storage/postgres/pg_array.h"
#include "shared/storage/row_codec.h"

namespace fremis::storage {
namespace {

void readFaces(pqxx::transaction_base& transaction, const std::set<FaceKey>& keys,
               std::map<FaceKey, FaceState>& faces) {
    if (keys.empty())
        return;
    PgFaceKeys columns;
    std::vector<FaceState*> states;
    for (const auto& key : keys) {
        columns.add(key);
        states.push_back(&faces[key]);
    }
    enum Kind { FaceTombstone, VariationTombstone, Row };
    for (const auto& row : transaction.exec_prepared("faces", columns.keyspaces.text(), columns.partitions.text(),
                                                     columns.faces.text())) {
        auto& state = *states.at(row[0].as<std::size_t>() - 1);
        const auto version = versionAt(row, 3);
        switch (row[1].as<int>()) {
        case FaceTombstone:
            state.tombstone = version;
            break;
        case VariationTombstone:
            state.variationTombstones[fromColumn(row[2].as<std::int64_t>())] = version;
            break;
        case Row:
            state.rows[fromColumn(row[2].as<std::int64_t>())] = {version, nullptr};
            break;
        }
    }
}

void readAnswers(pqxx::transaction_base& transaction, const std::vector<OpId>& ids, const KeyspaceRegistry& keyspaces,
                 std::map<OpId, Outcome>& answers) {
    if (ids.empty())
        return;
    PgArray hex;
    for (const auto& id : ids)
        hex.addHex(id);
    for (const auto& row : transaction.exec_prepared("answers", hex.text())) {
        Outcome answer;
        answer.incarnation = keyspaces.textOf(row[1].as<std::int64_t>());
        if (!row[2].is_null())
            answer.newIncarnation = keyspaces.textOf(row[2].as<std::int64_t>());
        answer.face = row[3].as<std::string>();
        answer.variation = fromColumn(row[4].as<std::int64_t>());
        answer.version = versionAt(row, 5);
        answer.created = row[7].as<bool>();
        answer.rowsRemoved = row[8].as<std::uint64_t>();
        answer.facesRemoved = row[9].as<std::uint64_t>();
        answers[ids.at(row[0].as<std::size_t>() - 1)] = std::move(answer);
    }
}

void insertRows(pqxx::transaction_base& transaction, const Batch::Changes& changes, int spaceId) {
    if (changes.rows.empty())
        return;
    PgFaceKeys keys;
    PgArray variations, stamps, writers, times, checksums, norms;
    const auto size = bytesOf(changes.rows.front().second->embedding).size();
    std::string embeddings; // all of one length, one after the other: one binary parameter instead of an array in
                            // hexadecimal text
    embeddings.reserve(size * changes.rows.size());
    for (const auto& [key, row] : changes.rows) {
        keys.add(*key);
        variations.add(toColumn(row->variation.value()));
        stamps.add(toColumn(row->version.stamp));
        writers.add(toColumn(row->version.writer));
        times.add(std::int64_t{row->createdAt.count()});
        checksums.add(checksumOf(*row));
        norms.add(row->norm);
        const auto bytes = bytesOf(row->embedding);
        embeddings.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
    transaction.exec_prepared("insert_rows", keys.keyspaces.text(), keys.partitions.text(), keys.faces.text(),
                              variations.text(), stamps.text(), writers.text(), times.text(), checksums.text(),
                              norms.text(), spaceId, pqxx::binarystring(embeddings.data(), embeddings.size()),
                              static_cast<int>(size));
}

void removeByVariation(pqxx::transaction_base& transaction, const char* statement,
                       const std::vector<Batch::VariationKey>& removed) {
    if (removed.empty())
        return;
    PgFaceKeys keys;
    PgArray variations;
    for (const auto& [key, variation] : removed) {
        keys.add(*key);
        variations.add(toColumn(variation));
    }
    transaction.exec_prepared(statement, keys.keyspaces.text(), keys.partitions.text(), keys.faces.text(),
                              variations.text());
}

void putTombstones(pqxx::transaction_base& transaction, const Batch::Changes& changes) {
    if (!changes.faceTombstones.empty()) {
        PgFaceKeys keys;
        PgArray stamps, writers;
        for (const auto& [key, version] : changes.faceTombstones) {
            keys.add(*key);
            stamps.add(toColumn(version.stamp));
            writers.add(toColumn(version.writer));
        }
        transaction.exec_prepared("put_face_tombstones", keys.keyspaces.text(), keys.partitions.text(),
                                  keys.faces.text(), stamps.text(), writers.text());
    }
    if (changes.variationTombstones.empty())
        return;
    PgFaceKeys keys;
    PgArray variations, stamps, writers;
    for (const auto& [key, version] : changes.variationTombstones) {
        keys.add(*key.face);
        variations.add(toColumn(key.variation));
        stamps.add(toColumn(version.stamp));
        writers.add(toColumn(version.writer));
    }
    transaction.exec_prepared("put_variation_tombstones", keys.keyspaces.text(), keys.partitions.text(),
                              keys.faces.text(), variations.text(), stamps.text(), writers.text());
}

void putAnswers(pqxx::transaction_base& transaction, const Batch& batch, std::span<const Operation> operations,
                const std::vector<Outcome>& outcomes, std::chrono::milliseconds now) {
    if (batch.newAnswers().empty())
        return;
    PgArray ids, keyspaces, next, faces, variations, stamps, writers, created, rows, facesRemoved;
    for (const auto index : batch.newAnswers()) {
        const auto& outcome = outcomes[index];
        ids.addHex(opIdOf(operations[index]));
        keyspaces.add(batch.keyspaces().idOf(outcome.incarnation));
        outcome.newIncarnation.empty() ? next.addNull() : next.add(batch.keyspaces().idOf(outcome.newIncarnation));
        faces.add(std::string_view(outcome.face));
        variations.add(toColumn(outcome.variation));
        stamps.add(toColumn(outcome.version.stamp));
        writers.add(toColumn(outcome.version.writer));
        created.add(outcome.created);
        rows.add(outcome.rowsRemoved);
        facesRemoved.add(outcome.facesRemoved);
    }
    transaction.exec_prepared("put_answers", ids.text(), keyspaces.text(), next.text(), faces.text(), variations.text(),
                              stamps.text(), writers.text(), created.text(), rows.text(), facesRemoved.text(),
                              std::int64_t{now.count()});
}

} // namespace

void preparePgBatch(pqxx::connection& connection) {
    // The number of the key (n) comes back instead of the key.
    connection.prepare(
        "faces",
        "WITH k AS (SELECT * FROM unnest($1::bigint[], $2::smallint[], $3::text[]) WITH ORDINALITY"
        " AS k (keyspace_id, partition, face_id, n))"
        " SELECT n, 0, 0::bigint, stamp, writer FROM k JOIN face_tombstones USING (keyspace_id, partition, face_id)"
        " UNION ALL SELECT n, 1, variation, stamp, writer FROM k JOIN variation_tombstones"
        " USING (keyspace_id, partition, face_id)"
        " UNION ALL SELECT n, 2, variation, stamp, writer FROM k JOIN enrollments USING (keyspace_id, partition, "
        "face_id)");
    connection.prepare(
        "answers", "SELECT n, keyspace_id, next_keyspace_id, face_id, variation, stamp, writer, created, rows_removed,"
                   " faces_removed FROM unnest($1::text[]) WITH ORDINALITY AS k (hex, n) JOIN op_answers"
                   " ON op_id = decode(hex, 'hex')");
    // The guard by version decides nothing that the batch has not decided: it is for a worker that lost its lease
    // without knowing.
    connection.prepare("insert_rows",
                       "INSERT INTO enrollments AS e (keyspace_id, partition, face_id, variation, stamp, writer, "
                       "created_at, checksum, norm,"
                       " space_id, embedding) SELECT keyspace_id, partition, face_id, variation, stamp, writer, "
                       "created_at, checksum, norm, $10,"
                       " substr($11::bytea, (n::int - 1) * $12 + 1, $12) FROM unnest($1::bigint[], $2::smallint[], "
                       "$3::text[], $4::bigint[],"
                       " $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[], $9::float8[]) WITH ORDINALITY AS k "
                       "(keyspace_id, partition,"
                       " face_id, variation, stamp, writer, created_at, checksum, norm, n)"
                       " ON CONFLICT (keyspace_id, partition, face_id, variation) DO UPDATE SET stamp = "
                       "excluded.stamp, writer = excluded.writer,"
                       " created_at = excluded.created_at, checksum = excluded.checksum, norm = excluded.norm, "
                       "space_id = excluded.space_id,"
                       " embedding = excluded.embedding WHERE (e.stamp, e.writer) < (excluded.stamp, excluded.writer)");
    for (const auto& [name, table] :
         {std::pair("remove_rows", "enrollments"), std::pair("remove_variation_tombstones", "variation_tombstones")})
        connection.prepare(
            name, std::string("DELETE FROM ") + table +
                      " AS e USING unnest($1::bigint[], $2::smallint[], $3::text[], $4::bigint[])"
                      " AS k (keyspace_id, partition, face_id, variation) WHERE e.keyspace_id = k.keyspace_id"
                      " AND e.partition = k.partition AND e.face_id = k.face_id AND e.variation = k.variation");
    connection.prepare("put_face_tombstones", "INSERT INTO face_tombstones AS t (keyspace_id, partition, face_id, "
                                              "stamp, writer) SELECT * FROM unnest($1::bigint[],"
                                              " $2::smallint[], $3::text[], $4::bigint[], $5::bigint[]) ON CONFLICT "
                                              "(keyspace_id, partition, face_id) DO UPDATE SET"
                                              " stamp = excluded.stamp, writer = excluded.writer WHERE (t.stamp, "
                                              "t.writer) < (excluded.stamp, excluded.writer)");
    connection.prepare("put_variation_tombstones",
                       "INSERT INTO variation_tombstones AS t (keyspace_id, partition, face_id, variation, stamp, "
                       "writer) SELECT * FROM"
                       " unnest($1::bigint[], $2::smallint[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[])"
                       " ON CONFLICT (keyspace_id, partition, face_id, variation) DO UPDATE SET stamp = "
                       "excluded.stamp, writer = excluded.writer"
                       " WHERE (t.stamp, t.writer) < (excluded.stamp, excluded.writer)");
    connection.prepare(
        "put_answers",
        std::string() +
            "INSERT INTO op_answers (op_id, recorded_at, keyspace_id, next_keyspace_id, face_id, variation, stamp,"
            " writer, created, rows_removed, faces_removed) SELECT decode(hex, 'hex'), $11, k, n, f, v, s, w, c, r, fr"
            " FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::bigint[], $6::bigint[],"
            " $7::bigint[], $8::boolean[], $9::bigint[], $10::bigint[]) AS a (hex, k, n, f, v, s, w, c, r, fr)"
            " ON CONFLICT (op_id) DO UPDATE SET recorded_at = excluded.recorded_at, keyspace_id = excluded.keyspace_id,"
            " next_keyspace_id = excluded.next_keyspace_id, face_id = excluded.face_id, variation = excluded.variation,"
            " stamp = excluded.stamp, writer = excluded.writer, created = excluded.created, rows_removed = "
            "excluded.rows_removed, faces_removed = excluded.faces_removed"
            // The first answer stands, but for one that found nothing.
            " WHERE op_answers.stamp = '" +
            std::to_string(toColumn(0)) + "'::bigint");
    connection.prepare(
        "claim_write",
        "UPDATE nodes SET commit_token = $3, last_stamp = CASE WHEN (last_stamp, last_writer) < ($4::bigint, "
        "$5::bigint)"
        " THEN $4 ELSE last_stamp END, last_writer = CASE WHEN (last_stamp, last_writer) < ($4, $5) THEN $5"
        " ELSE last_writer END WHERE node_id = $1 AND holder = $2 RETURNING"
        " (SELECT registry_version FROM store_state)");
}

BatchInput readPgBatch(pqxx::transaction_base& transaction, std::span<const Operation> operations, const PgMeta& meta) {
    BatchInput input;
    input.keyspaces = meta.keyspaces;
    input.horizons = meta.horizons;
    input.space = meta.space;
    readFaces(transaction, faceKeysOf(operations, meta.keyspaces), input.faces);
    readAnswers(transaction, opIdsOf(operations), meta.keyspaces, input.answers);
    return input;
}

void writePgBatch(pqxx::transaction_base& transaction, const Batch& batch, const Batch::Changes& changes,
                  std::span<const Operation> operations, std::vector<Outcome>& outcomes, const PgMeta& meta,
                  std::chrono::milliseconds now) {
    removeByVariation(transaction, "remove_rows", changes.removedRows);
    insertRows(transaction, changes, meta.spaceId);
    removeByVariation(transaction, "remove_variation_tombstones", changes.removedVariationTombstones);
    putTombstones(transaction, changes);
    if (!batch.keyspaces().changes().empty()) {
        writePgKeyspaces(transaction, batch.keyspaces());
        bumpPgRegistry(transaction);
    }
    for (const auto& [keyspace, operation] : batch.deaths()) {
        const auto counts =
            transaction.exec_params1("SELECT coalesce(sum(n), 0), count(*) FROM (SELECT count(*) AS n FROM enrollments"
                                     " WHERE keyspace_id = $1 GROUP BY partition, face_id) AS faces",
                                     keyspace);
        outcomes[operation].rowsRemoved += counts[0].as<std::uint64_t>();
        outcomes[operation].facesRemoved += counts[1].as<std::uint64_t>();
    }
    putAnswers(transaction, batch, operations, outcomes, now);
}

std::optional<std::int64_t> claimPgWrite(pqxx::transaction_base& transaction, const PgLease& lease,
                                         base::Version greatest, const OpId& token) {
    const auto rows = transaction.exec_prepared("claim_write", binary(lease.node), binary(lease.holder), binary(token),
                                                toColumn(greatest.stamp), toColumn(greatest.writer));
    if (rows.empty())
        return std::nullopt;
    return rows[0][0].as<std::int64_t>();
}

std::optional<bool> wasPgCommitted(pqxx::connection& connection, const PgLease& lease, const OpId& token) {
    pqxx::work transaction(connection);
    // The lost session may still be about to commit on the server. It holds this row until it has ended, one way or the
    // other.
    const auto rows =
        transaction.exec_params("SELECT commit_token = $3 FROM nodes WHERE node_id = $1 AND holder = $2 FOR UPDATE",
                                binary(lease.node), binary(lease.holder), binary(token));
    if (rows.empty())
        return std::nullopt;
    return rows[0][0].as<bool>();
}

} // namespace fremis::storage
