#include "console/models/plan_model.h"

#include "console/models/routing_words.h"
#include "console/models/words.h"

#include <QMap>

namespace fremis::console {

using namespace Qt::StringLiterals;

namespace {

QString wordOfMove(routing::PlanMove::Kind kind) {
    switch (kind) {
    case routing::PlanMove::Kind::Move:
        return PlanModel::tr("move");
    case routing::PlanMove::Kind::Copy:
        return PlanModel::tr("copy");
    case routing::PlanMove::Kind::Drop:
        break;
    }
    return PlanModel::tr("drop");
}

Row makeRow(const routing::MoveGroup& group, const QString& key, bool vectorsKnown) {
    const auto partitions = QString::fromStdString(routing::rangesText(group.partitions));
    Row row{key, {}, false};
    row.cells = {countCell(group.wave),
                 textCell(wordOfMove(group.kind)),
                 textCell(partitions),
                 countCell(static_cast<qint64>(group.partitions.count())),
                 textCell(QString::fromStdString(group.from.text())),
                 textCell(group.to ? QString::fromStdString(group.to->text()) : QString()),
                 vectorsKnown ? countCell(static_cast<qint64>(group.vectors)) : unknownCell(),
                 vectorsKnown ? Cell{bytesText(group.bytes), quint64{group.bytes}, Tone::Plain, {}} : unknownCell(),
                 textCell(sentenceOf(group.reason))};
    return row;
}

} // namespace

PlanModel::PlanModel(QObject* parent) : RowModel(makeColumns(), parent) {}

QList<Column> PlanModel::makeColumns() {
    return {{"wave", tr("Wave"), true},       {"kind", tr("Kind"), false}, {"partitions", tr("Partitions"), false},
            {"count", tr("Count"), true},     {"from", tr("From"), false}, {"to", tr("To"), false},
            {"vectors", tr("Vectors"), true}, {"bytes", tr("Size"), true}, {"reason", tr("Reason"), false}};
}

QVariant PlanModel::data(const QModelIndex& index, int role) const {
    if (role != PartitionsRole || !index.isValid() || index.row() >= static_cast<int>(m_groups.size()))
        return RowModel::data(index, role);
    return QString::fromStdString(routing::rangesText(groupAt(index.row()).partitions));
}

void PlanModel::setPlan(const std::optional<routing::Plan>& plan) {
    m_plan = plan;
    m_groups = plan ? routing::groupMoves(*plan) : std::vector<routing::MoveGroup>();
    refresh();
}

void PlanModel::refresh() {
    std::vector<Row> rows;
    QMap<QString, int> seen;
    const bool vectorsKnown = m_plan && m_plan->vectors;
    for (const auto& group : m_groups) {
        const auto name = QString::fromStdString(std::to_string(group.wave) + ' ' + group.from.text() + ' ' +
                                                 (group.to ? group.to->text() : std::string()));
        rows.push_back(makeRow(group, name + u' ' + QString::number(seen[name]++), vectorsKnown));
    }
    setRows(std::move(rows));
}

const routing::MoveGroup& PlanModel::groupAt(int row) const {
    return m_groups[static_cast<std::size_t>(row)];
}

void PlanModel::retranslate() {
    setTitles(makeColumns());
    refresh();
}

} // namespace fremis::console
