#include "shared/storage/postgres/pg_reader.h"

#include "shared/hashing/partition.h"
#include "shared/storage/row_codec.h"
#include "shared/storage/shown_keyspaces.h"

namespace fremis::storage {

std::optional<FaceRecord> readPgFace(pqxx::transaction_base& transaction, const Incarnation& keyspace,
                                     const base::FaceId& face) {
    FaceRecord record{face, hashing::partitionOf(keyspace.name, face.text()), {}, {}};
    for (const auto& row : transaction.exec_params(
             "SELECT r.variation, r.stamp, r.writer, coalesce(s.name, ''), r.norm, r.created_at"
             " FROM enrollments r LEFT JOIN embedding_spaces s ON s.id = r.space_id"
             " WHERE r.keyspace_id = $1 AND r.partition = $2 AND r.face_id = $3 ORDER BY r.variation",
             keyspace.id, int{record.partition}, face.text())) {
        VariationRecord variation{base::Variation(fromColumn(row[0].as<std::int64_t>())), versionAt(row, 1),
                                  row[3].as<std::string>(), row[4].as<double>(),
                                  std::chrono::milliseconds(row[5].as<std::int64_t>())};
        record.updatedAt = std::max(record.updatedAt, variation.version.time());
        record.variations.push_back(std::move(variation));
    }
    if (record.variations.empty())
        return std::nullopt;
    return record;
}

std::optional<Enrollment> readPgRow(pqxx::transaction_base& transaction, const PgMeta& meta, const FaceKey& key,
                                    std::uint64_t variation) {
    const auto rows =
        transaction.exec_params("SELECT stamp, writer, space_id, norm, created_at, checksum, embedding FROM enrollments"
                                " WHERE keyspace_id = $1 AND partition = $2 AND face_id = $3 AND variation = $4",
                                key.keyspace, int{key.partition}, key.face, toColumn(variation));
    if (rows.empty() || !meta.space)
        return std::nullopt;
    const auto row = rows[0];
    const auto incarnation = meta.keyspaces.textOf(key.keyspace);
    const bool ours = row[2].as<int>() == meta.spaceId;
    const pqxx::binarystring embedding(row[6]);
    return RowDecoder(meta.space->dimension)
        .copy({incarnation, key.face, variation, key.partition, versionAt(row, 0),
               ours ? std::string_view(meta.space->name) : std::string_view(),
               std::as_bytes(std::span(embedding.data(), embedding.size())), row[3].as<double>(),
               row[4].as<std::int64_t>(), row[5].as<std::int64_t>()});
}

FacePage listPgFaces(pqxx::transaction_base& transaction, const Incarnation& keyspace,
                     const std::optional<FacePosition>& after, const hashing::PartitionSet& partitions,
                     std::size_t limit) {
    FacePage page;
    for (const auto& [first, last] : partitions.ranges()) {
        if (after && after->partition > last)
            continue;
        const bool inside = after && after->partition >= first;
        const auto rows = transaction.exec_params(
            "SELECT partition, face_id, count(*), max(stamp) FROM enrollments WHERE keyspace_id = $1 AND (partition, "
            "face_id) > ($2::smallint, $3)"
            " AND partition <= $4 GROUP BY partition, face_id ORDER BY partition, face_id LIMIT $5",
            keyspace.id, int{inside ? after->partition : first}, inside ? after->face : std::string(), int{last},
            static_cast<std::int64_t>(limit + 1 - page.faces.size())); // one more tells whether there is more
        for (const auto& row : rows)
            page.faces.push_back({base::FaceId::trusted(row[1].as<std::string>()),
                                  static_cast<base::Partition>(row[0].as<int>()), row[2].as<std::uint64_t>(),
                                  base::Version{fromColumn(row[3].as<std::int64_t>()), 0}.time()});
        if (page.faces.size() > limit)
            break;
    }
    page.more = page.faces.size() > limit;
    if (page.more)
        page.faces.pop_back();
    return page;
}

std::vector<KeyspaceCounts> countPgFaces(pqxx::transaction_base& transaction, const KeyspaceRegistry& keyspaces,
                                         const hashing::PartitionSet& partitions) {
    CountSum sum(keyspaces);
    for (const auto& row : transaction.exec(
             "SELECT keyspace_id, sum(n), count(*) FROM (SELECT keyspace_id, count(*) AS n FROM enrollments" +
             pgPartitionFilter(partitions) +
             " GROUP BY keyspace_id, partition, face_id) AS faces GROUP BY keyspace_id"))
        sum.add(row[0].as<std::int64_t>(), row[1].as<std::uint64_t>(), row[2].as<std::uint64_t>());
    return sum.take();
}

std::uint64_t countPgRows(pqxx::transaction_base& transaction, const KeyspaceRegistry& keyspaces,
                          const hashing::PartitionSet& partitions) {
    const ShownKeyspaces shown(keyspaces);
    std::uint64_t rows = 0;
    for (const auto& row : transaction.exec("SELECT keyspace_id, count(*) FROM enrollments" +
                                            pgPartitionFilter(partitions) + " GROUP BY keyspace_id"))
        if (shown.find(row[0].as<std::int64_t>()))
            rows += row[1].as<std::uint64_t>();
    return rows;
}

void scanPgTombstones(pqxx::transaction_base& transaction, const KeyspaceRegistry& keyspaces,
                      const hashing::PartitionSet& partitions, const EnrollmentStore::TombstoneVisitor& visitor) {
    const ShownKeyspaces shown(keyspaces);
    const auto filter = pgPartitionFilter(partitions);
    // By cursor: tombstones may be many, and a result is kept in memory as a whole.
    transaction.exec0(
        "DECLARE tombstones NO SCROLL CURSOR FOR SELECT keyspace_id, partition, face_id, NULL::bigint, stamp, writer"
        " FROM face_tombstones" +
        filter +
        " UNION ALL SELECT keyspace_id, partition, face_id, variation, stamp, writer"
        " FROM variation_tombstones" +
        filter);
    while (true) {
        const auto rows = transaction.exec("FETCH 10000 FROM tombstones");
        if (rows.empty())
            return;
        for (const auto& row : rows) {
            const auto* keyspace = shown.find(row[0].as<std::int64_t>());
            if (!keyspace)
                continue;
            TombstoneView view{keyspace->incarnation,
                               {row[2].c_str(), row[2].size()},
                               {},
                               static_cast<base::Partition>(row[1].as<int>()),
                               versionAt(row, 4)};
            if (!row[3].is_null())
                view.variation = base::Variation(fromColumn(row[3].as<std::int64_t>()));
            if (!visitor(view))
                return;
        }
    }
}

std::string pgPartitionFilter(const hashing::PartitionSet& partitions) {
    if (partitions.isAll())
        return {};
    std::string filter;
    for (const auto& [first, last] : partitions.ranges())
        filter += (filter.empty() ? " WHERE (" : " OR ") + ("partition BETWEEN " + std::to_string(first)) + " AND " +
                  std::to_string(last);
    return filter.empty() ? " WHERE false" : filter + ")";
}

} // namespace fremis::storage
