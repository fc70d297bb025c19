#include "console/client/snapshot_csv.h"

#include "console/client/csv.h"
#include "shared/base/clock.h"

namespace fremis::console {

using namespace Qt::StringLiterals;

namespace {

/// Not translated: programs read it.
QString tokenOf(PartitionClass partition) {
    static const QStringList tokens{u"ok"_s, u"thin"_s, u"at_risk"_s, u"gap"_s, u"over"_s, u"unknown"_s};
    return tokens[static_cast<qsizetype>(partition)];
}

QVariant fieldOf(const std::optional<quint64>& number) {
    return number ? QVariant(*number) : QVariant();
}

} // namespace

QByteArray partitionsCsv(const Snapshot& snapshot) {
    QList<QVariantList> rows;
    for (std::size_t number = 0; number < snapshot.partitions.size(); ++number) {
        const auto& partition = snapshot.partitions[number];
        QStringList owners;
        for (const int owner : partition.owners)
            owners.append(snapshot.nodes[static_cast<std::size_t>(owner)].address);
        rows.append({static_cast<int>(number), tokenOf(partition.health), owners.join(u' '), partition.healthy,
                     partition.expected, fieldOf(partition.vectors), fieldOf(partition.queued)});
    }
    const auto taken = QString::fromStdString(base::isoTime(snapshot.takenAt));
    return csvText({u"partitions at %1; vectors and queued: count"_s.arg(taken)},
                   {u"partition"_s, u"class"_s, u"owners"_s, u"healthy"_s, u"expected"_s, u"vectors"_s, u"queued"_s},
                   rows);
}

} // namespace fremis::console
