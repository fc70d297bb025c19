#include "console/models/partition_map_model.h"

#include <QLocale>

#include <algorithm>

namespace fremis::console {

using namespace Qt::StringLiterals;

PartitionMapModel::PartitionMapModel(QObject* parent) : QAbstractTableModel(parent) {}

int PartitionMapModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kSide;
}

int PartitionMapModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kSide;
}

QVariant PartitionMapModel::data(const QModelIndex& index, int role) const {
    const auto partition = partitionAt(index);
    if (!partition || !checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const auto& cell = m_cells[*partition];
    const auto optional = [](const std::optional<quint64>& value) { return value ? QVariant(*value) : QVariant(); };
    switch (role) {
    case Qt::DisplayRole:
        return QString::number(*partition, m_hexadecimal ? 16 : 10).toUpper();
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole:
        return sentenceFor(*partition);
    case PartitionRole:
        return int{*partition};
    case FillOwnerRole:
        return cell.owners.value(0);
    case FillOwnerIndexRole:
        return cell.ownerIndexes.value(0, -1);
    case OwnersRole:
        return cell.owners;
    case OwnerIndexesRole:
        return QVariant::fromValue(cell.ownerIndexes);
    case ClassRole:
        return static_cast<int>(cell.view.health);
    case ClassWordRole:
        return wordOf(cell.view.health);
    case HealthyRole:
        return cell.view.healthy;
    case ExpectedRole:
        return cell.view.expected;
    case VectorsRole:
        return optional(cell.view.vectors);
    case DisagreementRole:
        return optional(cell.view.disagreement());
    case QueuedRole:
        return optional(cell.view.queued);
    case StaleRole:
        return cell.isStale;
    case PlannedOwnersRole:
        return cell.planned;
    case IsPlannedRole:
        return cell.isPlanned;
    default:
        return {};
    }
}

QVariant PartitionMapModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role != Qt::DisplayRole || section < 0 || section >= kSide)
        return {};
    const int base = m_hexadecimal ? 16 : 10;
    if (orientation == Qt::Horizontal)
        return u'+' + QString::number(section, base).toUpper();
    return QString::number(section * kSide, base).toUpper();
}

QHash<int, QByteArray> PartitionMapModel::roleNames() const {
    auto names = QAbstractTableModel::roleNames();
    names.insert({{PartitionRole, "partition"},
                  {FillOwnerRole, "fillOwner"},
                  {FillOwnerIndexRole, "fillOwnerIndex"},
                  {OwnersRole, "owners"},
                  {OwnerIndexesRole, "ownerIndexes"},
                  {ClassRole, "class"},
                  {ClassWordRole, "classWord"},
                  {HealthyRole, "healthy"},
                  {ExpectedRole, "expected"},
                  {VectorsRole, "vectors"},
                  {DisagreementRole, "disagreement"},
                  {QueuedRole, "queued"},
                  {StaleRole, "stale"},
                  {PlannedOwnersRole, "plannedOwners"},
                  {IsPlannedRole, "isPlanned"}});
    return names;
}

QModelIndex PartitionMapModel::indexOf(Partition partition) const {
    return index(partition / kSide, partition % kSide);
}

std::optional<Partition> PartitionMapModel::partitionAt(const QModelIndex& index) {
    if (!index.isValid() || index.row() >= kSide || index.column() >= kSide)
        return std::nullopt;
    return static_cast<Partition>(index.row() * kSide + index.column());
}

PartitionMapModel::CellState PartitionMapModel::cellOf(Partition partition) const {
    CellState cell;
    if (m_snapshot) {
        cell.view = m_snapshot->partitions[partition];
        for (const int owner : cell.view.owners) {
            const auto& node = m_snapshot->nodes[static_cast<std::size_t>(owner)];
            cell.owners.append(node.address);
            cell.ownerIndexes.append(owner);
            cell.ownerStates.push_back(node.state);
            cell.ownerLabels.append(node.label());
            cell.isStale = cell.isStale || node.isStale;
        }
    }
    if (m_planned) {
        for (const auto owner : m_planned->owners(partition))
            cell.planned.append(QString::fromStdString(m_planned->nodes()[owner].address.text()));
        auto before = cell.owners;
        auto after = cell.planned;
        before.sort();
        after.sort();
        cell.isPlanned = before != after;
    }
    return cell;
}

void PartitionMapModel::refresh() {
    int top = kSide;
    int left = kSide;
    int bottom = -1;
    int right = -1;
    for (int number = 0; number < base::kPartitionCount; ++number) {
        const auto partition = static_cast<Partition>(number);
        auto cell = cellOf(partition);
        if (cell == m_cells[partition])
            continue;
        m_cells[partition] = std::move(cell);
        top = std::min(top, number / kSide);
        bottom = number / kSide;
        left = std::min(left, number % kSide);
        right = std::max(right, number % kSide);
    }
    if (bottom >= 0)
        Q_EMIT dataChanged(index(top, left), index(bottom, right));
}

void PartitionMapModel::setSnapshot(const SnapshotPtr& snapshot) {
    m_snapshot = snapshot;
    refresh();
}

void PartitionMapModel::setPlanned(const std::optional<routing::PartitionMap>& after) {
    m_planned = after;
    refresh();
}

void PartitionMapModel::setHexadecimal(bool hexadecimal) {
    if (m_hexadecimal == hexadecimal)
        return;
    m_hexadecimal = hexadecimal;
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, kSide - 1);
    Q_EMIT headerDataChanged(Qt::Vertical, 0, kSide - 1);
    Q_EMIT dataChanged(index(0, 0), index(kSide - 1, kSide - 1), {Qt::DisplayRole});
}

void PartitionMapModel::retranslate() {
    Q_EMIT dataChanged(index(0, 0), index(kSide - 1, kSide - 1),
                       {Qt::ToolTipRole, Qt::AccessibleTextRole, ClassWordRole});
}

QString PartitionMapModel::sentenceFor(Partition partition) const {
    const auto& cell = m_cells[partition];
    const QLocale locale;
    QStringList parts{tr("Partition %1").arg(partition), wordOf(cell.view.health)};
    if (cell.owners.isEmpty() && cell.view.health == PartitionClass::Gap)
        parts.append(tr("no owner"));
    for (qsizetype at = 0; at < cell.owners.size(); ++at)
        parts.append(
            tr("owner %1 %2").arg(cell.ownerLabels[at], wordOf(cell.ownerStates[static_cast<std::size_t>(at)])));
    if (!cell.owners.isEmpty())
        parts.append(tr("%1 of %2 healthy").arg(cell.view.healthy).arg(cell.view.expected));
    parts.append(cell.view.vectors ? tr("%1 vectors").arg(locale.toString(*cell.view.vectors)) : tr("vectors unknown"));
    if (cell.view.queued.value_or(0) > 0)
        parts.append(tr("%1 queued").arg(locale.toString(*cell.view.queued)));
    if (cell.isPlanned)
        parts.append(tr("after the plan: %1").arg(cell.planned.join(u", "_s)));
    return parts.join(u", "_s);
}

std::optional<Partition> PartitionMapModel::nextProblem(Partition from, bool forward) const {
    for (int step = 1; step <= base::kPartitionCount; ++step) {
        const auto partition = static_cast<Partition>((from + (forward ? step : -step)) & 0xff);
        const auto health = m_cells[partition].view.health;
        if (health == PartitionClass::AtRisk || health == PartitionClass::Gap || health == PartitionClass::Thin)
            return partition;
    }
    return std::nullopt;
}

} // namespace fremis::console
