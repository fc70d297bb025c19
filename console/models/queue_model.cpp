#include "console/models/queue_model.h"

#include "console/models/words.h"

#include <QLocale>

namespace fremis::console {

using namespace Qt::StringLiterals;

namespace {

Cell rateCell(const NodeView& node) {
    if (!node.queueRate)
        return unknownCell();
    return {QueueModel::tr("%1 /s").arg(QLocale().toString(*node.queueRate, 'f', 1)), *node.queueRate, Tone::Plain, {}};
}

Cell etaCell(const NodeView& node) {
    const auto eta = node.queueEtaSeconds();
    if (!eta)
        return {u"-"_s, {}, Tone::Plain, node.queue->ops > 0 ? QueueModel::tr("It does not shrink.") : QString()};
    return {durationText(*eta), *eta, Tone::Plain, {}};
}

Cell oldestCell(const QueueDepth& queue) {
    if (!queue.oldestSeconds)
        return {u"-"_s, {}, Tone::Plain, {}};
    return {durationText(*queue.oldestSeconds),
            *queue.oldestSeconds,
            *queue.oldestSeconds > 600 ? Tone::Warning : Tone::Plain,
            {}};
}

Cell resyncCell(const QueueDepth& queue) {
    return queue.needsFullResync ? textCell(QueueModel::tr("needs a full resync"), Tone::Critical)
                                 : textCell(QueueModel::tr("no", "no resync needed"));
}

Row makeRow(const NodeView& node) {
    const auto& queue = *node.queue;
    auto parked = countCell(static_cast<qint64>(queue.parkedOps));
    parked.tone = queue.parkedOps > 0 ? Tone::Critical : Tone::Plain;
    Row row{node.address, {}, node.isStale};
    row.cells = {textCell(node.label()),
                 textCell(wordOf(queue.state), toneOf(queue.state)),
                 countCell(static_cast<qint64>(queue.ops)),
                 countCell(static_cast<qint64>(queue.enrollments)),
                 countCell(static_cast<qint64>(queue.deletes)),
                 countCell(static_cast<qint64>(queue.keyspaceOps)),
                 {bytesText(queue.bytes), queue.bytes, Tone::Plain, {}},
                 oldestCell(queue),
                 rateCell(node),
                 etaCell(node),
                 std::move(parked),
                 resyncCell(queue),
                 textCell(queue.lastError)};
    return row;
}

} // namespace

QueueModel::QueueModel(QObject* parent) : RowModel(makeColumns(), parent) {}

QList<Column> QueueModel::makeColumns() {
    return {{"node", tr("Node"), false},
            {"state", tr("State"), false},
            {"ops", tr("Writes"), true},
            {"enrollments", tr("Enrolments"), true},
            {"deletes", tr("Deletes"), true},
            {"keyspace_ops", tr("Keyspace changes"), true},
            {"bytes", tr("Size"), true},
            {"oldest", tr("Oldest"), true},
            {"rate", tr("Rate"), true},
            {"eta", tr("Empty in"), true},
            {"parked", tr("Parked"), true},
            {"resync", tr("Resync"), false},
            {"last_error", tr("Last error"), false}};
}

QVariant QueueModel::data(const QModelIndex& index, int role) const {
    if (role != QueueStateRole || !index.isValid() || !m_snapshot)
        return RowModel::data(index, role);
    const auto* node = m_snapshot->find(keyAt(index.row()));
    return node && node->queue ? QVariant(static_cast<int>(node->queue->state)) : QVariant();
}

void QueueModel::setSnapshot(const SnapshotPtr& snapshot) {
    m_snapshot = snapshot;
    std::vector<Row> rows;
    if (snapshot)
        for (const auto& node : snapshot->nodes)
            if (node.queue)
                rows.push_back(makeRow(node));
    setRows(std::move(rows));
}

void QueueModel::retranslate() {
    setTitles(makeColumns());
    setSnapshot(m_snapshot);
}

} // namespace fremis::console
