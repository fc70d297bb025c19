#include "shared/storage/sqlite/sqlite_reader.h"

#include "shared/hashing/partition.h"
#include "shared/storage/row_codec.h"
#include "shared/storage/scan_tally.h"
#include "shared/storage/shown_keyspaces.h"

namespace fremis::storage {
namespace {

std::chrono::milliseconds timeOf(std::uint64_t stamp) {
    return base::Version{stamp, 0}.time();
}

bool isWanted(const hashing::PartitionSet& partitions, std::int64_t partition) {
    return partition >= 0 && partition < base::kPartitionCount &&
           partitions.contains(static_cast<base::Partition>(partition));
}

/// What StoredRow is made of, in this order.
constexpr const char* kRowColumns = "SELECT keyspace_id, partition, face_id, variation, stamp, writer, created_at, "
                                    "space_id, norm, checksum, embedding FROM enrollments";

StoredRow storedRow(const SqliteStatement& row, std::string_view incarnation, const SqliteMeta& meta) {
    return {incarnation,
            row.text(2),
            fromColumn(row.integer(3)),
            static_cast<int>(row.integer(1)),
            versionAt(row, 4),
            meta.space && row.integer(7) == meta.spaceId ? std::string_view(meta.space->name) : std::string_view(),
            row.blob(10),
            row.real(8),
            row.integer(6),
            row.integer(9)};
}

RowDecoder decoderFor(const SqliteMeta& meta) {
    return RowDecoder(meta.space ? meta.space->dimension : 0);
}

} // namespace

base::Result<std::optional<FaceRecord>> SqliteReader::face(const Incarnation& keyspace, const base::FaceId& face) {
    auto statement =
        m_connection.prepare("SELECT r.variation, r.stamp, r.writer, s.name, r.norm, r.created_at FROM enrollments r"
                             " LEFT JOIN embedding_spaces s ON s.id = r.space_id"
                             " WHERE r.keyspace_id = ? AND r.partition = ? AND r.face_id = ? ORDER BY r.variation");
    if (!statement)
        return tl::unexpected(statement.error());
    FaceRecord record{face, hashing::partitionOf(keyspace.name, face.text()), {}, {}};
    statement->bind(1, keyspace.id).bind(2, std::int64_t{record.partition}).bind(3, face.text());
    base::Result<bool> row;
    while ((row = statement->next()) && *row) {
        VariationRecord variation{base::Variation(fromColumn(statement->integer(0))), versionAt(*statement, 1),
                                  std::string(statement->text(3)), statement->real(4),
                                  std::chrono::milliseconds(statement->integer(5))};
        record.updatedAt = std::max(record.updatedAt, variation.version.time());
        record.variations.push_back(std::move(variation));
    }
    if (!row)
        return tl::unexpected(row.error());
    if (record.variations.empty())
        return std::nullopt;
    return record;
}

base::Result<FacePage> SqliteReader::list(const Incarnation& keyspace, const std::optional<FacePosition>& after,
                                          const hashing::PartitionSet& partitions, std::size_t limit) {
    auto statement =
        m_connection.prepare("SELECT partition, face_id, count(*), max(stamp) FROM enrollments WHERE keyspace_id = ?"
                             " AND (partition, face_id) > (?, ?) AND partition <= ? GROUP BY partition, face_id"
                             " ORDER BY partition, face_id LIMIT ?");
    if (!statement)
        return tl::unexpected(statement.error());
    FacePage page;
    for (const auto& [first, last] : partitions.ranges()) {
        if (after && after->partition > last)
            continue;
        const bool inside = after && after->partition >= first;
        statement->bind(1, keyspace.id).bind(2, std::int64_t{inside ? after->partition : first});
        statement->bind(3, inside ? std::string_view(after->face) : std::string_view()).bind(4, std::int64_t{last});
        statement->bind(
            5, static_cast<std::int64_t>(limit + 1 - page.faces.size())); // one more tells whether there is more
        base::Result<bool> row;
        while ((row = statement->next()) && *row)
            page.faces.push_back({base::FaceId::trusted(std::string(statement->text(1))),
                                  static_cast<base::Partition>(statement->integer(0)),
                                  static_cast<std::uint64_t>(statement->integer(2)),
                                  timeOf(fromColumn(statement->integer(3)))});
        if (!row)
            return tl::unexpected(row.error());
        if (page.faces.size() > limit)
            break;
    }
    page.more = page.faces.size() > limit;
    if (page.more)
        page.faces.pop_back();
    return page;
}

base::Result<std::vector<KeyspaceCounts>> SqliteReader::counts(const KeyspaceRegistry& keyspaces,
                                                               const hashing::PartitionSet& partitions) {
    CountSum sum(keyspaces);
    auto status = m_connection.query(
        "SELECT keyspace_id, partition, sum(n), count(*) FROM (SELECT keyspace_id, partition, count(*) AS n"
        " FROM enrollments GROUP BY keyspace_id, partition, face_id) GROUP BY keyspace_id, partition",
        [&](const SqliteStatement& row) {
            if (isWanted(partitions, row.integer(1)))
                sum.add(row.integer(0), static_cast<std::uint64_t>(row.integer(2)),
                        static_cast<std::uint64_t>(row.integer(3)));
            return true;
        });
    if (!status)
        return tl::unexpected(status.error());
    return sum.take();
}

base::Result<std::uint64_t> SqliteReader::countRows(const KeyspaceRegistry& keyspaces,
                                                    const hashing::PartitionSet& partitions) {
    const ShownKeyspaces shown(keyspaces);
    std::uint64_t rows = 0;
    auto status =
        m_connection.query("SELECT keyspace_id, partition, count(*) FROM enrollments GROUP BY keyspace_id, partition",
                           [&](const SqliteStatement& row) {
                               if (isWanted(partitions, row.integer(1)) && shown.find(row.integer(0)))
                                   rows += static_cast<std::uint64_t>(row.integer(2));
                               return true;
                           });
    if (!status)
        return tl::unexpected(status.error());
    return rows;
}

base::Result<ScanReport> SqliteReader::scan(const SqliteMeta& meta, const hashing::PartitionSet& partitions,
                                            const EnrollmentStore::RowVisitor& visitor, ScanProgress* progress) {
    const ShownKeyspaces shown(meta.keyspaces);
    auto decoder = decoderFor(meta);
    ScanTally tally(visitor, progress);
    const auto visit = [&](const SqliteStatement& row) {
        const auto* keyspace = shown.find(row.integer(0));
        const auto partition = row.integer(1);
        // A partition or keyspace that is none is a damaged row: it must be counted, not passed over as another's.
        const bool damaged =
            partition < 0 || partition >= base::kPartitionCount || !meta.keyspaces.find(row.integer(0));
        if (!damaged && (!keyspace || !isWanted(partitions, partition)))
            return true;
        return tally.take(damaged ? std::nullopt : decoder.decode(storedRow(row, keyspace->incarnation, meta)));
    };
    auto status = m_connection.query(kRowColumns, visit);
    if (!status)
        return tl::unexpected(status.error());
    return tally.finish();
}

base::Result<ScanReport> SqliteReader::walk(const SqliteMeta& meta, base::Partition partition,
                                            const std::optional<RowPosition>& after,
                                            const EnrollmentStore::RowVisitor& visitor) {
    auto statement = m_connection.prepare(std::string(kRowColumns) +
                                          " WHERE keyspace_id = ? AND partition = ? AND (face_id, variation) > (?, ?)"
                                          " ORDER BY face_id, variation");
    if (!statement)
        return tl::unexpected(statement.error());
    auto keyspaces = meta.keyspaces.records();
    std::ranges::sort(keyspaces, {}, &KeyspaceRecord::incarnation);
    auto decoder = decoderFor(meta);
    bool wanted = true;
    const EnrollmentStore::RowVisitor noteEnd = [&](const EnrollmentView& row) { return wanted = visitor(row); };
    ScanTally tally(noteEnd, nullptr);
    for (const auto& keyspace : keyspaces) {
        if (!wanted || (after && keyspace.incarnation < after->incarnation))
            continue;
        const bool inside = after && keyspace.incarnation == after->incarnation;
        statement->bind(1, meta.keyspaces.idOf(keyspace.incarnation)).bind(2, std::int64_t{partition});
        statement->bind(3, inside ? std::string_view(after->face) : std::string_view());
        statement->bind(4, toColumn(inside ? after->variation : 0)); // no face id is empty
        base::Result<bool> row;
        while ((row = statement->next()) && *row)
            if (!tally.take(decoder.decode(storedRow(*statement, keyspace.incarnation, meta)))) {
                statement->reset();
                break;
            }
        if (!row)
            return tl::unexpected(row.error());
    }
    return tally.finish();
}

base::Result<std::optional<Enrollment>> SqliteReader::row(const SqliteMeta& meta, const Incarnation& keyspace,
                                                          const std::string& face, base::Partition partition,
                                                          std::uint64_t variation) {
    auto statement = m_connection.prepare(std::string(kRowColumns) +
                                          " WHERE keyspace_id = ? AND partition = ? AND face_id = ? AND variation = ?");
    if (!statement)
        return tl::unexpected(statement.error());
    statement->bind(1, keyspace.id).bind(2, std::int64_t{partition}).bind(3, face).bind(4, toColumn(variation));
    const auto found = statement->next();
    if (!found)
        return tl::unexpected(found.error());
    return *found ? decoderFor(meta).copy(storedRow(*statement, keyspace.text, meta)) : std::nullopt;
}

base::Status SqliteReader::scanTombstones(const KeyspaceRegistry& keyspaces, const hashing::PartitionSet& partitions,
                                          const EnrollmentStore::TombstoneVisitor& visitor) {
    const ShownKeyspaces shown(keyspaces);
    // One partition is found by the tables' keys; many are filtered from all.
    const auto filter = partitions.count() == 1
                            ? " WHERE keyspace_id IN (SELECT id FROM keyspaces WHERE dead = 0) AND partition = " +
                                  std::to_string(partitions.ranges().front().first)
                            : std::string();
    return m_connection.query(
        "SELECT keyspace_id, partition, face_id, NULL, stamp, writer FROM face_tombstones" + filter +
            " UNION ALL SELECT keyspace_id, partition, face_id, variation, stamp, writer FROM variation_tombstones" +
            filter,
        [&](const SqliteStatement& row) {
            const auto* keyspace = shown.find(row.integer(0));
            if (!keyspace || !isWanted(partitions, row.integer(1)))
                return true;
            TombstoneView view{keyspace->incarnation,
                               row.text(2),
                               {},
                               static_cast<base::Partition>(row.integer(1)),
                               versionAt(row, 4)};
            if (!row.isNull(3))
                view.variation = base::Variation(fromColumn(row.integer(3)));
            return visitor(view);
        });
}

base::Result<std::optional<std::string>> SqliteReader::setting(const std::string& key) {
    auto statement = m_connection.prepare("SELECT value FROM settings WHERE key = ?");
    if (!statement)
        return tl::unexpected(statement.error());
    auto row = statement->bind(1, key).next();
    if (!row)
        return tl::unexpected(row.error());
    if (!*row)
        return std::nullopt;
    return std::string(statement->text(0));
}

} // namespace fremis::storage
