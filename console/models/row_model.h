#pragma once

#include <QAbstractTableModel>
#include <QByteArray>
#include <QList>
#include <QString>
#include <QVariant>

#include <vector>

namespace fremis::console {

/// How a value is to be read; pages give it a colour, an icon and a word.
enum class Tone { Plain, Ok, Info, Warning, Critical, Unknown };

/// What every table of the console answers beside Qt's own roles.
enum TableRole {
    ValueRole = Qt::UserRole, ///< raw value, for sorting and export; invalid = unknown
    KeyRole,                  ///< the row's id: an address, a name
    ToneRole,                 ///< Tone as int
    StaleRole,                ///< bool: too old to count
    FirstModelRole = Qt::UserRole + 32,
};

struct Column {
    QByteArray key; ///< stable, for saved layouts and CSV
    QString title;  ///< translated
    bool isNumber = false;
};

struct Cell {
    QString text;   ///< what is shown; "-" for unknown
    QVariant value; ///< ValueRole
    Tone tone = Tone::Plain;
    QString hint; ///< tool tip; empty: none
    bool operator==(const Cell&) const = default;
};

struct Row {
    QString key;
    std::vector<Cell> cells; ///< one for each column
    bool isStale = false;
    bool operator==(const Row&) const = default;
};

/// A table whose rows have ids. New contents become removals, moves, insertions and dataChanged: selection and scroll
/// position stay; it is never reset. Thread: GUI.
class RowModel : public QAbstractTableModel {
    Q_OBJECT
public:
    explicit RowModel(QList<Column> columns, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    /// Horizontal: title; ValueRole gives the column's key.
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

    [[nodiscard]] const QList<Column>& columns() const { return m_columns; }
    [[nodiscard]] int columnOf(const QByteArray& key) const; ///< -1: no such column
    [[nodiscard]] int rowOf(const QString& key) const;       ///< -1: no such row
    [[nodiscard]] QString keyAt(int row) const;
    /// Both are in range.
    [[nodiscard]] const Cell& cell(int row, int column) const {
        return m_rows[static_cast<std::size_t>(row)].cells[static_cast<std::size_t>(column)];
    }

protected:
    /// Keys are unique; each row has a cell for each column.
    void setRows(std::vector<Row> rows);
    /// After a change of language.
    void setTitles(QList<Column> columns);
    [[nodiscard]] const std::vector<Row>& rows() const { return m_rows; }

private:
    void removeMissing(const std::vector<Row>& wanted);
    void updateRow(int row, Row&& wanted);

    QList<Column> m_columns;
    std::vector<Row> m_rows;
};

/// "-" with the reason: unknown is never shown as a number.
[[nodiscard]] Cell unknownCell(const QString& reason = {});
/// A count with the locale's separators.
[[nodiscard]] Cell countCell(qint64 count);

} // namespace fremis::console
