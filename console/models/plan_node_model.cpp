#include "console/models/plan_node_model.h"

#include "console/models/words.h"

#include <algorithm>

namespace fremis::console {

namespace {

constexpr double kMemoryWarning = 85;
constexpr double kMemoryCritical = 95;

const routing::PlanNode* planned(const routing::Plan* plan, const routing::Address& address) {
    if (!plan)
        return nullptr;
    const auto found = std::find_if(plan->nodes.begin(), plan->nodes.end(),
                                    [&address](const routing::PlanNode& node) { return node.address == address; });
    return found == plan->nodes.end() ? nullptr : &*found;
}

Tone toneOfFate(NodeFate fate) {
    return fate == NodeFate::Joins ? Tone::Ok : fate == NodeFate::Stays ? Tone::Plain : Tone::Warning;
}

Cell number(std::uint64_t value) {
    return countCell(static_cast<qint64>(value));
}

} // namespace

std::optional<double> memoryAfter(const routing::PlanNode& node, const routing::Plan& plan, const NodeView& live) {
    if (!plan.vectors || !live.resources || !live.resources->ramTotalBytes || !live.resources->ramUsedBytes ||
        *live.resources->ramTotalBytes == 0)
        return std::nullopt;
    const double change = (static_cast<double>(node.vectorsAfter) - static_cast<double>(node.vectorsBefore)) *
                          static_cast<double>(plan.rates.bytesPerVector);
    const double used = std::max(0.0, static_cast<double>(*live.resources->ramUsedBytes) + change);
    return 100 * used / static_cast<double>(*live.resources->ramTotalBytes);
}

PlanNodeModel::PlanNodeModel(QObject* parent) : RowModel(makeColumns(), parent) {}

QList<Column> PlanNodeModel::makeColumns() {
    return {{"node", tr("Node"), false},
            {"fate", tr("Wish"), false},
            {"weight", tr("Weight"), true},
            {"before", tr("Before"), true},
            {"after", tr("After"), true},
            {"moves_in", tr("In"), true},
            {"moves_out", tr("Out"), true},
            {"vectors_before", tr("Vectors before"), true},
            {"vectors_after", tr("Vectors after"), true},
            {"ram_after", tr("RAM after"), true},
            {"ranges", tr("Ranges after"), false}};
}

bool PlanNodeModel::isWeight(const QModelIndex& index) const {
    return index.isValid() && columns()[index.column()].key == "weight";
}

Qt::ItemFlags PlanNodeModel::flags(const QModelIndex& index) const {
    return isWeight(index) ? RowModel::flags(index) | Qt::ItemIsEditable : RowModel::flags(index);
}

QVariant PlanNodeModel::data(const QModelIndex& index, int role) const {
    return RowModel::data(index, role == Qt::EditRole ? int(Qt::DisplayRole) : role);
}

bool PlanNodeModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::EditRole || !isWeight(index) || value.toString().trimmed() == index.data().toString())
        return false;
    Q_EMIT weightEdited(keyAt(index.row()), value.toString().trimmed());
    return true;
}

void PlanNodeModel::set(const PlanWishes& wishes, const routing::Plan* plan, const SnapshotPtr& live) {
    std::vector<Row> rows;
    for (const PlanWishes::Node& node : wishes.nodes()) {
        const auto* mapped = planned(plan, node.address);
        const NodeView* view = live ? live->find(node.key()) : nullptr;
        const bool withVectors = mapped && plan->vectors;
        const auto before = wishes.start().nodeAt(node.address);
        const auto count = before ? wishes.start().nodes()[*before].partitions.count() : 0;
        Row row{node.key(), {}, false};
        row.cells = {textCell(node.label(), Tone::Plain, node.key()),
                     textCell(wordOf(node.fate), toneOfFate(node.fate)),
                     textCell(QString::fromStdString(node.weight.text())),
                     number(count),
                     mapped ? number(mapped->after.count()) : unknownCell(),
                     mapped ? number(static_cast<std::uint64_t>(mapped->movesIn)) : unknownCell(),
                     mapped ? number(static_cast<std::uint64_t>(mapped->movesOut)) : unknownCell(),
                     withVectors ? number(mapped->vectorsBefore) : unknownCell(),
                     withVectors ? number(mapped->vectorsAfter) : unknownCell(),
                     percentCell(mapped && view ? memoryAfter(*mapped, *plan, *view) : std::nullopt, kMemoryWarning,
                                 kMemoryCritical),
                     textCell(mapped ? QString::fromStdString(routing::rangesText(mapped->after)) : QString())};
        row.cells[2].value = node.weight.hundredths() / 100.0;
        rows.push_back(std::move(row));
    }
    setRows(std::move(rows));
}

void PlanNodeModel::retranslate() {
    setTitles(makeColumns());
}

} // namespace fremis::console
