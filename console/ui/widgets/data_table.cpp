#include "console/ui/widgets/data_table.h"

#include "console/models/row_model.h"
#include "console/models/table_export.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMenu>
#include <QPainter>
#include <QRegularExpression>
#include <QTimer>

namespace fremis::console::ui {
namespace {

constexpr int kWidest = 320;

} // namespace

bool TableProxy::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    const QVariant a = left.data(ValueRole);
    const QVariant b = right.data(ValueRole);
    if (a.isValid() != b.isValid()) // unknown last, whatever the order
        return (sortOrder() == Qt::AscendingOrder) == a.isValid();
    if (a.isValid() && a.userType() != QMetaType::QString) {
        if (const QPartialOrdering order = QVariant::compare(a, b); order != QPartialOrdering::Unordered)
            return order == QPartialOrdering::Less;
    }
    return QString::localeAwareCompare(left.data().toString(), right.data().toString()) < 0;
}

QVariant TableProxy::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role == Qt::TextAlignmentRole && orientation == Qt::Horizontal && rowCount() > 0)
        return index(0, section).data(Qt::TextAlignmentRole);
    return QSortFilterProxyModel::headerData(section, orientation, role);
}

DataTable::DataTable(const Theme& theme, QAbstractItemModel& model, const QString& name, QWidget* parent)
    : QTableView(parent), m_proxy(new TableProxy(this)), m_delegate(new TableDelegate(theme, this)),
      m_later(new QTimer(this)) {
    setObjectName(name);
    m_proxy->setSourceModel(&model);
    m_proxy->setFilterKeyColumn(-1);
    m_proxy->setFilterCaseSensitivity(Qt::CaseInsensitive);
    setModel(m_proxy);
    setItemDelegate(m_delegate);
    setTabKeyNavigation(false);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setShowGrid(false);
    setFrameShape(QFrame::NoFrame);
    setWordWrap(false);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setSortingEnabled(true);
    sortByColumn(-1, Qt::AscendingOrder);
    verticalHeader()->hide();
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setStretchLastSection(true);
    horizontalHeader()->setSectionsMovable(true);
    horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    horizontalHeader()->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(horizontalHeader(), &QHeaderView::customContextMenuRequested, this, &DataTable::showColumnMenu);
    connect(this, &QTableView::activated, this,
            [this](const QModelIndex& index) { Q_EMIT keyActivated(index.data(KeyRole).toString()); });
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, this,
            [this] { Q_EMIT selectedKeysChanged(selectedKeys()); });
    m_later->setSingleShot(true);
    m_later->setInterval(0);
    connect(m_later, &QTimer::timeout, this, &DataTable::growColumns);
    connect(m_proxy, &QAbstractItemModel::rowsInserted, m_later, qOverload<>(&QTimer::start));
    connect(m_proxy, &QAbstractItemModel::headerDataChanged, m_later, qOverload<>(&QTimer::start));
    m_later->start();
    connect(m_proxy, &QAbstractItemModel::dataChanged, m_later, qOverload<>(&QTimer::start));
    connect(horizontalHeader(), &QHeaderView::sectionResized, this, [this](int column) {
        if (!m_growing && column != lastColumn()) // that one is stretched with the window
            m_sizedByHand.insert(column);
    });
    connect(&theme, &Theme::changed, viewport(), qOverload<>(&QWidget::update));
    applyRowHeight();
}

void DataTable::applyRowHeight() {
    verticalHeader()->setMinimumSectionSize(fontMetrics().height() + 8);
    verticalHeader()->setDefaultSectionSize(std::max(space::kRowHeight, fontMetrics().height() + 12));
}

void DataTable::setFilter(const QString& text) {
    if (text.size() > 2 && text.startsWith(QLatin1Char('/')) && text.endsWith(QLatin1Char('/'))) {
        const QRegularExpression pattern(text.mid(1, text.size() - 2), QRegularExpression::CaseInsensitiveOption);
        if (pattern.isValid()) { // else it is looked for as it stands
            m_proxy->setFilterRegularExpression(pattern);
            return;
        }
    }
    m_proxy->setFilterFixedString(text);
}

void DataTable::setDimmed(bool dimmed) {
    m_delegate->setDimmed(dimmed);
    viewport()->update();
}

void DataTable::setBarColumns(const QList<QByteArray>& keys) {
    QList<int> columns;
    for (const QByteArray& key : keys)
        columns.append(columnOf(key));
    m_delegate->setBarColumns(columns);
}

void DataTable::hideColumns(const QList<QByteArray>& keys) {
    for (const QByteArray& key : keys)
        if (const int column = columnOf(key); column >= 0)
            setColumnHidden(column, true);
}

void DataTable::setEmptyText(const QString& text) {
    m_emptyText = text;
    viewport()->update();
}

void DataTable::setWidest(const QByteArray& key, int width) {
    m_widest.insert(columnOf(key), width);
}

void DataTable::paintEvent(QPaintEvent* event) {
    QTableView::paintEvent(event);
    if (m_proxy->rowCount() > 0)
        return;
    const bool filtered = m_proxy->sourceModel()->rowCount() > 0;
    QPainter painter(viewport());
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(viewport()->rect().adjusted(8, 8, -8, -8), Qt::AlignCenter | Qt::TextWordWrap,
                     filtered ? tr("Nothing matches the filter.") : m_emptyText);
}

QString DataTable::currentKey() const {
    return currentIndex().data(KeyRole).toString();
}

QStringList DataTable::selectedKeys() const {
    QStringList keys;
    for (const QModelIndex& index : selectionModel()->selectedRows())
        keys.append(index.data(KeyRole).toString());
    return keys;
}

void DataTable::selectKey(const QString& key) {
    for (int row = 0; row < m_proxy->rowCount(); ++row) {
        if (m_proxy->index(row, 0).data(KeyRole).toString() != key)
            continue;
        if (!selectionModel()->isRowSelected(row))
            selectRow(row);
        scrollTo(m_proxy->index(row, 0));
        return;
    }
}

void DataTable::scrollToKey(const QString& key) {
    for (int row = 0; row < m_proxy->rowCount(); ++row)
        if (const QModelIndex index = m_proxy->index(row, 0); index.data(KeyRole).toString() == key)
            scrollTo(index);
}

void DataTable::selectKeys(const QStringList& keys) {
    QItemSelection rows;
    for (int row = 0; row < m_proxy->rowCount(); ++row)
        if (const QModelIndex index = m_proxy->index(row, 0); keys.contains(index.data(KeyRole).toString()))
            rows.select(index, index);
    if (!rows.isEmpty())
        selectionModel()->select(rows, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
}

QByteArray DataTable::csv(const QString& comment) const {
    QList<int> columns;
    for (int visual = 0; visual < horizontalHeader()->count(); ++visual)
        if (const int column = horizontalHeader()->logicalIndex(visual); !isColumnHidden(column))
            columns.append(column);
    return tableCsv(*m_proxy, {comment}, columns);
}

QByteArray DataTable::columnKey(int column) const {
    const QVariant key = m_proxy->headerData(column, Qt::Horizontal, ValueRole);
    return key.isValid() ? key.toByteArray() : m_proxy->headerData(column, Qt::Horizontal).toString().toUtf8();
}

int DataTable::columnOf(const QByteArray& key) const {
    for (int column = 0; column < m_proxy->columnCount(); ++column)
        if (columnKey(column) == key)
            return column;
    return -1;
}

QByteArray DataTable::layoutJson() const {
    QJsonArray columns;
    for (int visual = 0; visual < horizontalHeader()->count(); ++visual) {
        const int column = horizontalHeader()->logicalIndex(visual);
        columns.append(
            QJsonObject{{QStringLiteral("key"), QString::fromUtf8(columnKey(column))},
                        {QStringLiteral("visible"), !isColumnHidden(column)},
                        {QStringLiteral("width"), m_sizedByHand.contains(column) ? columnWidth(column) : 0}});
    }
    const int sorted = m_proxy->sortColumn();
    QJsonObject root{{QStringLiteral("version"), 1}, {QStringLiteral("columns"), columns}};
    if (sorted >= 0) {
        root.insert(QStringLiteral("sort"), QString::fromUtf8(columnKey(sorted)));
        root.insert(QStringLiteral("descending"), m_proxy->sortOrder() == Qt::DescendingOrder);
    }
    return QJsonDocument(root).toJson(QJsonDocument::Compact);
}

void DataTable::restoreLayout(const QByteArray& json) {
    const QJsonObject root = QJsonDocument::fromJson(json).object();
    if (root.value(QStringLiteral("version")).toInt() != 1)
        return;
    int visual = 0;
    for (const QJsonValue& entry : root.value(QStringLiteral("columns")).toArray()) {
        const int column = columnOf(entry[QStringLiteral("key")].toString().toUtf8());
        if (column < 0)
            continue;
        horizontalHeader()->moveSection(horizontalHeader()->visualIndex(column), visual++);
        setColumnHidden(column, !entry[QStringLiteral("visible")].toBool(true));
        if (const int width = entry[QStringLiteral("width")].toInt(); width > 0)
            setColumnWidth(column, width);
    }
    const int sorted = columnOf(root.value(QStringLiteral("sort")).toString().toUtf8());
    if (sorted >= 0)
        sortByColumn(sorted,
                     root.value(QStringLiteral("descending")).toBool() ? Qt::DescendingOrder : Qt::AscendingOrder);
}

/// The column on the right end, which takes what room is left.
int DataTable::lastColumn() const {
    for (int visual = horizontalHeader()->count() - 1; visual >= 0; --visual)
        if (const int column = horizontalHeader()->logicalIndex(visual); !isColumnHidden(column))
            return column;
    return -1;
}

void DataTable::growColumns() {
    if (!isVisible()) // its texts are laid out to be measured: not for nobody, as with the log of a closed panel
        return;
    const bool isEmpty = m_proxy->rowCount() == 0; // then titles alone count, for now
    m_growing = true;
    for (int column = 0; column < m_proxy->columnCount(); ++column) {
        if (m_sizedByHand.contains(column) || isColumnHidden(column))
            continue;
        const QString title = m_proxy->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        const int head = horizontalHeader()->fontMetrics().horizontalAdvance(title) + 2 * space::kSmall;
        // The last one takes the room that is left, and shortens its texts rather than scroll.
        const int content = column == lastColumn() ? 0 : sizeHintForColumn(column);
        const int limit = withText(font(), m_widest.value(column, kWidest));
        const int wanted = std::min(limit, std::max(content, head) + space::kTiny);
        if (!m_grown || wanted > columnWidth(column)) // never narrower: columns must not jump at each poll
            setColumnWidth(column, wanted);
    }
    m_growing = false;
    m_grown = !isEmpty;
}

QSize DataTable::minimumSizeHint() const {
    const int rows = std::clamp(m_proxy->rowCount(), 1, 3);
    return {QTableView::minimumSizeHint().width(),
            horizontalHeader()->sizeHint().height() + rows * verticalHeader()->defaultSectionSize() + 2};
}

QSize DataTable::sizeHint() const {
    return {QTableView::sizeHint().width(),
            horizontalHeader()->sizeHint().height() +
                verticalHeader()->defaultSectionSize() * std::min(8, m_proxy->rowCount() + 1)};
}

void DataTable::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) {
        copySelection();
        return;
    }
    QTableView::keyPressEvent(event);
}

void DataTable::copySelection() const {
    QStringList lines;
    for (const QModelIndex& row : selectionModel()->selectedRows()) {
        QStringList cells;
        for (int visual = 0; visual < horizontalHeader()->count(); ++visual)
            if (const int column = horizontalHeader()->logicalIndex(visual); !isColumnHidden(column))
                cells.append(row.siblingAtColumn(column).data().toString());
        lines.append(cells.join(QLatin1Char('\t')));
    }
    QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

void DataTable::contextMenuEvent(QContextMenuEvent* event) {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addActions(actions());
    menu->addAction(tr("Copy rows"), this, [this] { copySelection(); })->setEnabled(selectionModel()->hasSelection());
    menu->popup(event->globalPos());
}

void DataTable::showColumnMenu(const QPoint& at) {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (int column = 0; column < m_proxy->columnCount(); ++column) {
        QAction* action = menu->addAction(m_proxy->headerData(column, Qt::Horizontal).toString());
        action->setCheckable(true);
        action->setChecked(!isColumnHidden(column));
        connect(action, &QAction::toggled, this, [this, column](bool shown) { setColumnHidden(column, !shown); });
    }
    menu->popup(horizontalHeader()->mapToGlobal(at));
}

void DataTable::showEvent(QShowEvent* event) {
    m_later->start();
    QTableView::showEvent(event);
}

void DataTable::changeEvent(QEvent* event) {
    if (event->type() == QEvent::FontChange)
        applyRowHeight();
    QTableView::changeEvent(event);
}

} // namespace fremis::console::ui
