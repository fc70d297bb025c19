#include "console/models/row_model.h"

#include <QLocale>
#include <QSet>

#include <algorithm>

namespace fremis::console {

using namespace Qt::StringLiterals;

RowModel::RowModel(QList<Column> columns, QObject* parent)
    : QAbstractTableModel(parent), m_columns(std::move(columns)) {}

int RowModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int RowModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
}

QVariant RowModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const auto& row = m_rows[static_cast<std::size_t>(index.row())];
    const auto& cell = row.cells[static_cast<std::size_t>(index.column())];
    switch (role) {
    case Qt::DisplayRole:
        return cell.text;
    case Qt::ToolTipRole:
        return cell.hint.isEmpty() ? QVariant() : QVariant(cell.hint);
    case Qt::TextAlignmentRole:
        return m_columns[index.column()].isNumber ? QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter)
                                                  : QVariant::fromValue(Qt::AlignLeft | Qt::AlignVCenter);
    case Qt::AccessibleTextRole:
        return m_columns[index.column()].title + u": "_s + cell.text;
    case ValueRole:
        return cell.value;
    case KeyRole:
        return row.key;
    case ToneRole:
        return static_cast<int>(cell.tone);
    case StaleRole:
        return row.isStale;
    default:
        return {};
    }
}

QVariant RowModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= m_columns.size())
        return {};
    if (role == Qt::DisplayRole)
        return m_columns[section].title;
    return role == ValueRole ? QVariant(m_columns[section].key) : QVariant();
}

int RowModel::columnOf(const QByteArray& key) const {
    for (int column = 0; column < m_columns.size(); ++column)
        if (m_columns[column].key == key)
            return column;
    return -1;
}

int RowModel::rowOf(const QString& key) const {
    const auto found = std::find_if(m_rows.begin(), m_rows.end(), [&key](const Row& row) { return row.key == key; });
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

QString RowModel::keyAt(int row) const {
    return row >= 0 && row < rowCount() ? m_rows[static_cast<std::size_t>(row)].key : QString();
}

void RowModel::removeMissing(const std::vector<Row>& wanted) {
    QSet<QString> keys;
    for (const auto& row : wanted)
        keys.insert(row.key);
    for (int row = rowCount() - 1; row >= 0; --row) {
        if (keys.contains(keyAt(row)))
            continue;
        beginRemoveRows({}, row, row);
        m_rows.erase(m_rows.begin() + row);
        endRemoveRows();
    }
}

void RowModel::updateRow(int row, Row&& wanted) {
    auto& present = m_rows[static_cast<std::size_t>(row)];
    if (present == wanted)
        return;
    int first = columnCount();
    int last = -1;
    for (int column = 0; column < columnCount(); ++column) {
        const auto at = static_cast<std::size_t>(column);
        if (present.isStale == wanted.isStale && present.cells[at] == wanted.cells[at])
            continue;
        first = std::min(first, column);
        last = column;
    }
    present = std::move(wanted);
    if (last >= 0)
        Q_EMIT dataChanged(index(row, first), index(row, last));
}

void RowModel::setRows(std::vector<Row> rows) {
    removeMissing(rows);
    for (int row = 0; row < static_cast<int>(rows.size()); ++row) {
        auto& wanted = rows[static_cast<std::size_t>(row)];
        Q_ASSERT(wanted.cells.size() == static_cast<std::size_t>(m_columns.size()));
        const auto present = rowOf(wanted.key);
        Q_ASSERT(present < 0 || present >= row); // keys are unique
        if (present < 0) {
            beginInsertRows({}, row, row);
            m_rows.insert(m_rows.begin() + row, std::move(wanted));
            endInsertRows();
            continue;
        }
        if (present > row) {
            beginMoveRows({}, present, present, {}, row);
            std::rotate(m_rows.begin() + row, m_rows.begin() + present, m_rows.begin() + present + 1);
            endMoveRows();
        }
        updateRow(row, std::move(wanted));
    }
}

void RowModel::setTitles(QList<Column> columns) {
    Q_ASSERT(columns.size() == m_columns.size());
    m_columns = std::move(columns);
    if (!m_columns.isEmpty())
        Q_EMIT headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
}

Cell unknownCell(const QString& reason) {
    return {u"-"_s, {}, Tone::Unknown, reason};
}

Cell countCell(qint64 count) {
    return {QLocale().toString(count), count, Tone::Plain, {}};
}

} // namespace fremis::console
