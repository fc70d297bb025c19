#include "console/models/node_model.h"

#include "console/models/words.h"

#include <QLocale>

#include <cmath>

namespace fremis::console {

using namespace Qt::StringLiterals;

namespace {

/// Of all nodes; what a node's part is measured by.
struct Totals {
    quint64 vectors = 0;
    double weights = 0; ///< of the nodes that told their vectors
};

Totals totalsOf(const Snapshot& snapshot) {
    Totals totals;
    for (const auto& node : snapshot.nodes)
        if (const auto vectors = node.vectors()) {
            totals.vectors += *vectors;
            totals.weights += node.weight;
        }
    return totals;
}

Cell shareCell(const NodeView& node, const Totals& totals) {
    const auto vectors = node.vectors();
    if (!vectors || totals.vectors == 0)
        return unknownCell();
    const double share = 100.0 * static_cast<double>(*vectors) / static_cast<double>(totals.vectors);
    return {percentText(share), share, Tone::Plain, {}};
}

/// How far a node is from its fair part, in percent of that part.
Cell skewCell(const NodeView& node, const Totals& totals) {
    const auto vectors = node.vectors();
    if (!vectors || totals.vectors == 0 || totals.weights <= 0)
        return unknownCell();
    const double fair = static_cast<double>(totals.vectors) * node.weight / totals.weights;
    const double skew = 100.0 * (static_cast<double>(*vectors) - fair) / fair;
    const double shown = std::round(skew) + 0.0; // never "-0 %"
    return {(shown > 0 ? u"+"_s : QString()) + QLocale().toString(shown, 'f', 0) + u" %"_s,
            skew,
            skew > 25 ? Tone::Warning : Tone::Plain,
            {}};
}

Cell millisecondsCell(std::optional<Milliseconds> time) {
    if (!time)
        return unknownCell();
    return {
        NodeModel::tr("%1 ms").arg(QLocale().toString(qint64{time->count()})), qint64{time->count()}, Tone::Plain, {}};
}

Cell queueCell(const NodeView& node) {
    if (!node.queue)
        return unknownCell(NodeModel::tr("The coordinator has not told its queue."));
    auto cell = countCell(static_cast<qint64>(node.queue->ops));
    cell.tone = node.queue->ops > 0 ? Tone::Warning : Tone::Plain;
    return cell;
}

Cell gpuCell(const NodeView& node) {
    if (!node.resources)
        return unknownCell();
    if (node.resources->gpus.isEmpty())
        return {NodeModel::tr("none"), {}, Tone::Plain, {}};
    const auto& gpu = node.resources->gpus.first();
    auto cell = percentCell(gpu.memoryPercent(), 90, 101);
    cell.hint = gpu.name;
    return cell;
}

Cell loadedCell(const NodeView& node) {
    const auto loaded = node.health && node.health->loadedPercent ? node.health->loadedPercent
                        : node.told                               ? node.told->loadedPercent
                                                                  : std::nullopt;
    return loaded ? Cell{percentText(*loaded), *loaded, Tone::Plain, {}} : unknownCell();
}

Cell ramCell(const NodeView& node) {
    if (!node.resources)
        return unknownCell();
    auto cell = percentCell(node.resources->ramPercent, 85, 95);
    if (node.resources->ramUsedBytes && node.resources->ramTotalBytes)
        cell.hint = NodeModel::tr("%1 of %2")
                        .arg(bytesText(*node.resources->ramUsedBytes), bytesText(*node.resources->ramTotalBytes));
    return cell;
}

Cell uptimeCell(const NodeView& node) {
    if (!node.health || !node.health->uptimeSeconds)
        return unknownCell();
    return {durationText(*node.health->uptimeSeconds), *node.health->uptimeSeconds, Tone::Plain, {}};
}

Cell skewOfClockCell(const NodeView& node) {
    if (!node.clockSkew)
        return unknownCell();
    const double seconds = static_cast<double>(node.clockSkew->count()) / 1000.0;
    return {NodeModel::tr("%1 s").arg(QLocale().toString(seconds, 'f', 1)),
            seconds,
            std::abs(seconds) > 2 ? Tone::Warning : Tone::Plain,
            {}};
}

Cell ageCell(const NodeView& node, Instant now) {
    if (!node.lastAnswerAt)
        return unknownCell(node.viaCoordinator ? NodeModel::tr("Told by the coordinator.") : node.lastError);
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now - *node.lastAnswerAt).count();
    return {durationText(seconds), qint64{seconds}, Tone::Plain, node.lastError};
}

Cell vectorsCell(const NodeView& node) {
    const auto vectors = node.vectors();
    return vectors ? countCell(static_cast<qint64>(*vectors))
                   : unknownCell(NodeModel::tr("It has not told its vectors."));
}

} // namespace

NodeModel::NodeModel(QObject* parent) : RowModel(makeColumns(), parent) {}

QList<Column> NodeModel::makeColumns() {
    return {{"state", tr("State"), false},
            {"name", tr("Name"), false},
            {"address", tr("Address"), false},
            {"ranges", tr("Ranges"), false},
            {"partitions", tr("Partitions"), true},
            {"vectors", tr("Vectors"), true},
            {"share", tr("Share"), true},
            {"skew", tr("Skew"), true},
            {"ram", tr("RAM"), true},
            {"full_in", tr("Full in"), true},
            {"gpu", tr("GPU memory"), true},
            {"loaded", tr("Loaded"), true},
            {"queue", tr("Queue"), true},
            {"poll_p50", tr("Poll p50"), true},
            {"poll_p95", tr("Poll p95"), true},
            {"version", tr("Version"), false},
            {"uptime", tr("Uptime"), true},
            {"clock_skew", tr("Clock skew"), true},
            {"age", tr("Age"), true}};
}

Row NodeModel::rowOfNode(const NodeView& node) const {
    const auto totals = totalsOf(*m_snapshot);
    auto state = textCell(wordOf(node.state), toneOf(node.state), node.reason);
    if (node.viaCoordinator) // the word itself is short: it is never to be cut
        state.hint = (tr("(via coordinator)") + u' ' + state.hint).trimmed();
    auto name = textCell(node.inMaintenance ? node.label() + u' ' + tr("(maintenance)") : node.label());
    Row row{node.address, {}, node.isStale};
    row.cells = {std::move(state),
                 std::move(name),
                 textCell(node.address),
                 textCell(QString::fromStdString(node.assigned.text())),
                 countCell(node.assigned.count()),
                 vectorsCell(node),
                 shareCell(node, totals),
                 skewCell(node, totals),
                 ramCell(node),
                 fullCell(node),
                 gpuCell(node),
                 loadedCell(node),
                 queueCell(node),
                 millisecondsCell(node.pollP50),
                 millisecondsCell(node.pollP95),
                 node.version().isEmpty() ? unknownCell() : textCell(node.version()),
                 uptimeCell(node),
                 skewOfClockCell(node),
                 ageCell(node, m_snapshot->takenAt)};
    return row;
}

QVariant NodeModel::data(const QModelIndex& index, int role) const {
    if (role < FirstModelRole || !index.isValid() || !m_snapshot)
        return RowModel::data(index, role);
    const auto* node = m_snapshot->find(keyAt(index.row()));
    if (!node)
        return {};
    switch (role) {
    case StateRole:
        return static_cast<int>(node->state);
    case ReasonRole:
        return node->reason;
    case ViaCoordinatorRole:
        return node->viaCoordinator;
    default:
        return {};
    }
}

Cell NodeModel::fullCell(const NodeView& node) const {
    const auto days = m_fullInDays.constFind(node.address);
    if (days == m_fullInDays.cend())
        return {u"-"_s, {}, Tone::Plain, tr("Told once memory has grown steadily for an hour.")};
    return {daysText(*days), *days, *days < 7 ? Tone::Warning : Tone::Plain, {}};
}

void NodeModel::setSnapshot(const SnapshotPtr& snapshot, const QHash<QString, double>& fullInDays) {
    m_snapshot = snapshot;
    m_fullInDays = fullInDays;
    std::vector<Row> rows;
    if (snapshot)
        for (const auto& node : snapshot->nodes)
            rows.push_back(rowOfNode(node));
    setRows(std::move(rows));
}

void NodeModel::retranslate() {
    setTitles(makeColumns());
    setSnapshot(m_snapshot, QHash(m_fullInDays));
}

} // namespace fremis::console
