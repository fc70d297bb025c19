#include "shared/storage/postgres/pg_scan.h"

#include "shared/storage/postgres/pg_reader.h"
#include "shared/storage/row_codec.h"
#include "shared/storage/scan_tally.h"
#include "shared/storage/shown_keyspaces.h"

namespace fremis::storage {
namespace {

/// Columns of pgScanQuery(), in its order.
enum Column {
    Keyspace,
    Partition,
    Face,
    Variation,
    Stamp,
    Writer,
    CreatedAt,
    SpaceId,
    Norm,
    Checksum,
    Embedding,
    Columns
};

StoredRow storedRow(PgCopyParser::Row row, const KeyspaceRecord& keyspace, const PgMeta& meta) {
    const bool ours = meta.space && pgInteger(row[SpaceId]) == meta.spaceId;
    return {keyspace.incarnation,
            pgText(row[Face]),
            fromColumn(pgInteger(row[Variation])),
            static_cast<int>(pgInteger(row[Partition])),
            {fromColumn(pgInteger(row[Stamp])), fromColumn(pgInteger(row[Writer]))},
            ours ? std::string_view(meta.space->name) : std::string_view(),
            row[Embedding],
            pgDouble(row[Norm]),
            pgInteger(row[CreatedAt]),
            pgInteger(row[Checksum])};
}

} // namespace

std::string pgScanQuery(const hashing::PartitionSet& partitions) {
    return "COPY (SELECT keyspace_id, partition, face_id, variation, stamp, writer, created_at, space_id, norm, "
           "checksum,"
           " embedding FROM enrollments" +
           pgPartitionFilter(partitions) + ") TO STDOUT (FORMAT BINARY)";
}

std::string pgWalkQuery(base::Partition partition) {
    return "COPY (SELECT keyspace_id, partition, face_id, variation, stamp, writer, e.created_at, space_id, norm, "
           "checksum, embedding FROM enrollments AS e JOIN keyspaces AS k ON k.id = keyspace_id WHERE partition = " +
           std::to_string(partition) +
           " AND NOT dead ORDER BY incarnation, face_id, variation) TO STDOUT (FORMAT BINARY)";
}

base::Result<ScanReport> scanPgRows(PgCopy& copy, const PgMeta& meta, const EnrollmentStore::RowVisitor& visitor,
                                    ScanProgress* progress) {
    const ShownKeyspaces keyspaces(meta.keyspaces);
    RowDecoder decoder(meta.space ? meta.space->dimension : 0);
    ScanTally tally(visitor, progress);
    auto status = copy.read(Columns, [&](PgCopyParser::Row row) {
        if (const auto* keyspace = keyspaces.find(pgInteger(row[Keyspace])))
            return tally.take(decoder.decode(storedRow(row, *keyspace, meta)));
        // Dead, or hidden by a newer incarnation; a keyspace that is none is damage.
        return meta.keyspaces.find(pgInteger(row[Keyspace])) != nullptr || tally.take(std::nullopt);
    });
    if (!status)
        return tl::unexpected(status.error());
    return tally.finish();
}

} // namespace fremis::storage
