#pragma once

#include "console/client/call.h"
#include "console/models/row_model.h"

#include <QAbstractTableModel>

#include <deque>

namespace fremis::console::ui {

/// The console's own requests, newest last, at most kMost. Columns by key: time, method, url, status, took, bytes,
/// error.
class CallModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    static constexpr std::size_t kMost = 2000;

    using QAbstractTableModel::QAbstractTableModel;
    void add(const CallRecord& record);
    void set(const std::vector<CallRecord>& records); ///< in place of those so far
    void clear();
    void retranslate();

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

private:
    std::deque<CallRecord> m_calls;
};

} // namespace fremis::console::ui
