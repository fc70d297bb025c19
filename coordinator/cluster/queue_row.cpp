#include "coordinator/cluster/queue_row.h"

#include "coordinator/cluster/checksum.h"

#include <cstring>

namespace fremis::coordinator {
namespace {

/// Never 0, which means "no face".
std::int64_t laneOf(std::string_view text) {
    return static_cast<std::int64_t>(std::max<std::uint64_t>(1, hashing::xxh64(text)));
}

std::span<const std::byte> blobOf(std::string_view bytes) {
    return std::as_bytes(std::span(bytes));
}

} // namespace

Lane Lane::of(const QueueRecord& record) {
    return {laneOf(record.incarnation), record.face.empty() ? 0 : laneOf(record.face)};
}

std::uint64_t QueueRow::headSum(const storage::NodeId& node) const {
    return Checksum()
        .add(node)
        .add(static_cast<std::uint64_t>(key.column()))
        .add(static_cast<std::uint64_t>(kind))
        .add(opId)
        .add(partition ? std::uint64_t{*partition} : ~std::uint64_t{0})
        .add(static_cast<std::uint64_t>(lane.keyspace))
        .add(static_cast<std::uint64_t>(lane.face))
        .add(static_cast<std::uint64_t>(queuedAt.count()))
        .add(attempts)
        .add(parkedBecause)
        .value();
}

std::uint64_t QueueRow::bytesSum() const {
    return hashing::xxh64(bytes) ^ hashing::mix64(static_cast<std::uint64_t>(key.column()));
}

QueueEntry QueueRow::entry() const {
    return {key.sequence, kind, opId, partition, queuedAt, attempts, parkedBecause, std::string(bytes)};
}

ReadRow readRow(const storage::SqliteStatement& statement, const storage::NodeId& node) {
    ReadRow read;
    auto& row = read.row;
    row.key = QueueKey::of(statement.integer(0));
    row.kind = static_cast<QueuedKind>(statement.integer(1));
    if (const auto id = statement.blob(2); id.size() == row.opId.size())
        std::memcpy(row.opId.data(), id.data(), id.size());
    if (!statement.isNull(3))
        row.partition = static_cast<base::Partition>(statement.integer(3));
    row.lane = {statement.integer(4), statement.integer(5)};
    row.queuedAt = std::chrono::milliseconds(statement.integer(6));
    row.attempts = static_cast<std::uint32_t>(statement.integer(7));
    row.parkedBecause = statement.text(8);
    const auto bytes = statement.blob(11);
    row.bytes = {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    read.headGood = static_cast<std::uint64_t>(statement.integer(9)) == row.headSum(node);
    read.bytesGood = static_cast<std::uint64_t>(statement.integer(10)) == row.bytesSum();
    return read;
}

base::Status insertRow(storage::SqliteStatement& statement, const QueueRow& row, const storage::NodeId& node) {
    statement.bind(1, row.key.column()).bind(2, static_cast<std::int64_t>(row.kind));
    statement.bind(3, std::as_bytes(std::span(row.opId)));
    row.partition ? statement.bind(4, std::int64_t{*row.partition}) : statement.bindNull(4);
    statement.bind(5, row.lane.keyspace).bind(6, row.lane.face).bind(7, std::int64_t{row.queuedAt.count()});
    statement.bind(8, std::int64_t{row.attempts}).bind(9, row.parkedBecause);
    statement.bind(10, static_cast<std::int64_t>(row.headSum(node)));
    statement.bind(11, static_cast<std::int64_t>(row.bytesSum())).bind(12, blobOf(row.bytes));
    return statement.run();
}

} // namespace fremis::coordinator
