#pragma once

#include "console/ui/views/time_series_view.h"

#include <QAbstractTableModel>

namespace fremis::console::ui {

/// The numbers of a chart: times down, newest first, one column for each line. A gap is an empty cell. Thread: GUI.
class SeriesTableModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    explicit SeriesTableModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}
    void set(const std::vector<TimeSeriesView::Series>& series);
    void retranslate() { Q_EMIT headerDataChanged(Qt::Horizontal, 0, 0); }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

private:
    [[nodiscard]] std::optional<double> value(int row, int column) const;

    std::vector<TimeSeriesView::Series> m_series;
    QList<qint64> m_times; ///< newest first
};

} // namespace fremis::console::ui
