#pragma once

#include "console/ui/shell/theme.h"

#include <QHash>
#include <QSet>
#include <QSortFilterProxyModel>
#include <QStyledItemDelegate>
#include <QTableView>

class QTimer;

namespace fremis::console::ui {

/// Sorts by the raw value, unknown last in either order; filters over all columns.
class TableProxy final : public QSortFilterProxyModel {
    Q_OBJECT

public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

    /// Titles stand over their values: right over numbers.
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

protected:
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;
};

/// Tone as icon and colour, bars for percentages, ids in full as tool tips.
class TableDelegate final : public QStyledItemDelegate {
    Q_OBJECT

public:
    TableDelegate(const Theme& theme, QObject* parent);
    void setDimmed(bool dimmed) { m_dimmed = dimmed; }
    /// Columns (by source column) whose value 0..100 is also drawn as a bar.
    void setBarColumns(const QList<int>& columns) { m_bars = columns; }

protected:
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
    bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                   const QModelIndex& index) override;

private:
    const Theme& m_theme;
    bool m_dimmed = false;
    QList<int> m_bars;
};

/// The table of the console: rows by key, sort and filter that survive refreshes, Tab leaves it. Thread: GUI.
class DataTable : public QTableView {
    Q_OBJECT

public:
    /// `model` outlives it; `name` becomes its object name.
    DataTable(const Theme& theme, QAbstractItemModel& model, const QString& name, QWidget* parent = nullptr);

    /// Text in any column; between slashes a regular expression.
    void setFilter(const QString& text);
    void setDimmed(bool dimmed);
    void setBarColumns(const QList<QByteArray>& keys);
    /// Hidden at first; the header's menu shows them.
    void hideColumns(const QList<QByteArray>& keys);
    /// What stands in the middle while there are no rows.
    void setEmptyText(const QString& text);
    /// A column is never wider by itself; its text is shortened.
    void setWidest(const QByteArray& key, int width);
    [[nodiscard]] QString currentKey() const;
    [[nodiscard]] QStringList selectedKeys() const;
    void selectKey(const QString& key);
    void selectKeys(const QStringList& keys);
    void scrollToKey(const QString& key);
    /// What is on screen, in that order: C locale, first line a comment with the time, cells that look like formulas
    /// quoted.
    [[nodiscard]] QByteArray csv(const QString& comment) const;
    [[nodiscard]] TableProxy& proxy() { return *m_proxy; }
    /// Visible columns, widths, order and sort by column key.
    [[nodiscard]] QByteArray layoutJson() const;
    void restoreLayout(const QByteArray& json);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override; ///< a few rows

Q_SIGNALS:
    void keyActivated(const QString& key);
    void selectedKeysChanged(const QStringList& keys);

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    [[nodiscard]] QByteArray columnKey(int column) const;
    [[nodiscard]] int columnOf(const QByteArray& key) const;
    void showColumnMenu(const QPoint& at);
    void copySelection() const;
    void applyRowHeight();
    void growColumns();
    [[nodiscard]] int lastColumn() const;

    TableProxy* m_proxy;
    TableDelegate* m_delegate;
    QTimer* m_later; ///< columns grow once what happened is over
    QSet<int> m_sizedByHand;
    QHash<int, int> m_widest;
    QString m_emptyText;
    bool m_growing = false;
    bool m_grown = false;
};

} // namespace fremis::console::ui
