#include "console/models/table_export.h"

#include "console/client/csv.h"
#include "console/models/row_model.h"

#include <numeric>

namespace fremis::console {

namespace {

QString nameOf(const QAbstractItemModel& model, int column) {
    const auto key = model.headerData(column, Qt::Horizontal, ValueRole).toByteArray();
    return key.isEmpty() ? model.headerData(column, Qt::Horizontal).toString() : QString::fromUtf8(key);
}

/// Unknown stays empty: the dash on the screen is no value.
QVariant fieldAt(const QModelIndex& index) {
    const auto value = index.data(ValueRole);
    if (value.isValid())
        return value;
    const bool isUnknown = index.data(ToneRole).toInt() == static_cast<int>(Tone::Unknown);
    const auto text = index.data().toString();
    return isUnknown || text == u"-" ? QVariant() : QVariant(text);
}

} // namespace

QByteArray tableCsv(const QAbstractItemModel& model, const QStringList& comments, const QList<int>& columns) {
    auto shown = columns;
    if (shown.isEmpty()) {
        shown.resize(model.columnCount());
        std::iota(shown.begin(), shown.end(), 0);
    }
    QStringList header;
    for (const int column : shown)
        header.append(nameOf(model, column));
    QList<QVariantList> rows;
    for (int row = 0; row < model.rowCount(); ++row) {
        QVariantList fields;
        for (const int column : shown)
            fields.append(fieldAt(model.index(row, column)));
        rows.append(std::move(fields));
    }
    return csvText(comments, header, rows);
}

} // namespace fremis::console
