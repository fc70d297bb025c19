#include "console/ui/pages/metrics/series_table_model.h"

#include "console/models/row_model.h"
#include "console/ui/widgets/format.h"

namespace fremis::console::ui {

void SeriesTableModel::set(const std::vector<TimeSeriesView::Series>& series) {
    QList<qint64> times;
    for (const auto& one : series)
        if (one.points.size() > times.size()) {
            times.clear();
            for (auto it = one.points.crbegin(); it != one.points.crend(); ++it)
                times.append(qint64(it->x()));
        }
    const bool sameShape = series.size() == m_series.size() && times.size() == m_times.size();
    if (!sameShape)
        beginResetModel();
    m_series = series;
    m_times = times;
    if (!sameShape)
        endResetModel();
    else if (!m_times.isEmpty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

std::optional<double> SeriesTableModel::value(int row, int column) const {
    return TimeSeriesView::valueAt(m_series[std::size_t(column - 1)].points, m_times[row]);
}

int SeriesTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(m_times.size());
}

int SeriesTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(m_series.size()) + 1;
}

QVariant SeriesTableModel::data(const QModelIndex& index, int role) const {
    if (role == Qt::TextAlignmentRole)
        return int((index.column() == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != ValueRole)
        return {};
    if (index.column() == 0)
        return role == ValueRole ? QVariant(m_times[index.row()])
                                 : QVariant(clockText(std::chrono::milliseconds(m_times[index.row()])));
    const auto number = value(index.row(), index.column());
    if (role == ValueRole)
        return number ? QVariant(*number) : QVariant();
    return number ? decimalText(*number, *number < 10 ? 2 : 0) : QString();
}

QVariant SeriesTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section > int(m_series.size()))
        return {};
    if (role == ValueRole)
        return section == 0 ? QByteArray("time_ms") : m_series[std::size_t(section - 1)].name.toUtf8();
    if (role != Qt::DisplayRole)
        return {};
    return section == 0 ? tr("Time") : m_series[std::size_t(section - 1)].name;
}

} // namespace fremis::console::ui
