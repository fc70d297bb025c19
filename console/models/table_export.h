#pragma once

#include <QAbstractItemModel>
#include <QByteArray>
#include <QList>

namespace fremis::console {

/// What a table shows as CSV: rows in the model's order (so filter and sort of a proxy count), the given columns in the
/// given order (empty: all). Raw values by ValueRole; texts where a value is none. Column keys make the header.
[[nodiscard]] QByteArray tableCsv(const QAbstractItemModel& model, const QStringList& comments = {},
                                  const QList<int>& columns = {});

} // namespace fremis::console
