#include "console/ui/views/partition_map_view.h"

#include <QContextMenuEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QScrollBar>

#include <cmath>

namespace fremis::console::ui {
namespace {

constexpr int kSide = PartitionMapModel::kSide;
constexpr int kLargestZoom = 4;
constexpr double kLargestStretch = 2.2; ///< of the default cell, when there is room

} // namespace

QItemSelection linearSelection(const PartitionMapModel& model, int from, int to) {
    if (from > to)
        std::swap(from, to);
    QItemSelection selection;
    for (int row = from / kSide; row <= to / kSide; ++row) {
        const int first = std::max(from, row * kSide) % kSide;
        const int last = std::min(to, row * kSide + kSide - 1) % kSide;
        selection.select(model.index(row, first), model.index(row, last));
    }
    return selection;
}

PartitionMapView::PartitionMapView(const Theme& theme, PartitionMapModel& model, QWidget* parent)
    : QTableView(parent), m_theme(theme), m_model(model), m_delegate(new PartitionDelegate(theme, this)) {
    setObjectName(QStringLiteral("map.view"));
    setModel(&model);
    setItemDelegate(m_delegate);
    setTabKeyNavigation(false);
    setShowGrid(false);
    setFrameShape(QFrame::NoFrame);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setCornerButtonEnabled(false);
    setMouseTracking(true);
    for (QHeaderView* header : {horizontalHeader(), verticalHeader()}) {
        header->setSectionResizeMode(QHeaderView::Fixed);
        header->setSectionsClickable(false);
        header->setHighlightSections(false);
        header->setMinimumSectionSize(12);
        header->setDefaultAlignment(Qt::AlignCenter);
    }
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        if (!m_applying)
            Q_EMIT selectionEdited(selected());
    });
    connect(&theme, &Theme::changed, viewport(), qOverload<>(&QWidget::update));
    connect(&model, &QAbstractItemModel::dataChanged, this, &PartitionMapView::refreshScale);
    setCurrentIndex({});
}

void PartitionMapView::setLens(Lens lens) {
    m_delegate->setLens(lens);
    viewport()->update();
}

void PartitionMapView::setHighlighted(const PartitionSet& partitions) {
    m_delegate->setHighlighted(partitions);
    viewport()->update();
}

void PartitionMapView::setHexadecimal(bool hexadecimal) {
    m_delegate->setHexadecimal(hexadecimal);
    m_model.setHexadecimal(hexadecimal);
    viewport()->update();
}

void PartitionMapView::setLogarithmic(bool logarithmic) {
    m_logarithmic = logarithmic;
    refreshScale();
}

void PartitionMapView::setDimmed(bool dimmed) {
    m_delegate->setDimmed(dimmed);
    viewport()->update();
}

void PartitionMapView::refreshScale() {
    quint64 vectors = 0;
    quint64 queued = 0;
    if (const SnapshotPtr& snapshot = m_model.snapshot())
        for (const PartitionView& partition : snapshot->partitions) {
            vectors = std::max(vectors, partition.vectors.value_or(0));
            queued = std::max(queued, partition.queued.value_or(0));
        }
    m_delegate->setScale(vectors, queued, m_logarithmic);
    viewport()->update();
}

void PartitionMapView::setZoom(int steps) {
    m_zoom = std::clamp(steps, -kLargestZoom, kLargestZoom);
    applyCellSize();
}

int PartitionMapView::smallestHeight() const {
    return std::max(kSmallestCell.height(), fontMetrics().height() + 2);
}

void PartitionMapView::applyCellSize() {
    QSizeF size = kCell;
    if (m_zoom == 0) {
        const double width = (this->width() - verticalHeader()->sizeHint().width() - 2) / double(kSide);
        const double height = (this->height() - horizontalHeader()->sizeHint().height() - 2) / double(kSide);
        size.setWidth(std::clamp(std::floor(width), double(kSmallestCell.width()), kCell.width() * kLargestStretch));
        const double least = smallestHeight();
        size.setHeight(std::clamp(std::floor(height), least, std::max(least, kCell.height() * kLargestStretch)));
        size.setWidth(std::min(size.width(), size.height() * 1.9));
    } else {
        size *= std::pow(8.0 / 7, m_zoom);
        size = size.expandedTo(QSizeF(kSmallestCell.width(), smallestHeight()));
    }
    horizontalHeader()->setFont(fittingFont(font(), size.width() - 4, QStringLiteral("+15")));
    horizontalHeader()->setDefaultSectionSize(int(size.width()));
    verticalHeader()->setDefaultSectionSize(int(size.height()));
}

PartitionSet PartitionMapView::selected() const {
    PartitionSet set;
    for (const QModelIndex& index : selectionModel()->selectedIndexes())
        if (const auto partition = PartitionMapModel::partitionAt(index))
            set.insert(*partition);
    return set;
}

void PartitionMapView::setSelected(const PartitionSet& partitions) {
    if (partitions == selected())
        return;
    QItemSelection selection;
    for (const auto& range : partitions.ranges())
        selection.merge(linearSelection(m_model, range.first, range.last), QItemSelectionModel::Select);
    m_applying = true;
    selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
    if (!partitions.empty() && !(currentIndex().isValid() && selectionModel()->isSelected(currentIndex())))
        selectionModel()->setCurrentIndex(m_model.indexOf(partitions.ranges().front().first),
                                          QItemSelectionModel::NoUpdate);
    m_applying = false;
}

void PartitionMapView::goTo(Partition partition) {
    const QModelIndex index = m_model.indexOf(partition);
    selectionModel()->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect);
    scrollTo(index);
}

void PartitionMapView::goToProblem(bool forward) {
    const auto from = PartitionMapModel::partitionAt(currentIndex());
    if (const auto next = m_model.nextProblem(from.value_or(forward ? 255 : 0), forward))
        goTo(*next);
}

QSize PartitionMapView::sizeHint() const {
    return {kCell.width() * kSide + 44, kCell.height() * kSide + 26};
}

QSize PartitionMapView::minimumSizeHint() const {
    return {kSmallestCell.width() * kSide + verticalHeader()->sizeHint().width() + 2,
            smallestHeight() * kSide + horizontalHeader()->sizeHint().height() + 2};
}

// A rectangle begins where the button goes down, not at the cell that was current.
QItemSelectionModel::SelectionFlags PartitionMapView::selectionCommand(const QModelIndex& index,
                                                                       const QEvent* event) const {
    const bool isPress = event && event->type() == QEvent::MouseButtonPress;
    const bool isMove = event && event->type() == QEvent::MouseMove;
    if ((isPress || isMove) &&
        static_cast<const QMouseEvent*>(event)->modifiers().testFlags(Qt::ControlModifier | Qt::ShiftModifier))
        return isPress ? QItemSelectionModel::ClearAndSelect : QItemSelectionModel::SelectCurrent;
    return QTableView::selectionCommand(index, event);
}

void PartitionMapView::setSelection(const QRect& rect, QItemSelectionModel::SelectionFlags command) {
    const QModelIndex first = indexAt(rect.topLeft());
    const QModelIndex last = indexAt(rect.bottomRight());
    const auto modifiers = QGuiApplication::keyboardModifiers();
    if (!first.isValid() || !last.isValid() || modifiers.testFlags(Qt::ControlModifier | Qt::ShiftModifier)) {
        QTableView::setSelection(rect, command);
        return;
    }
    const int from = first.data(PartitionMapModel::PartitionRole).toInt();
    const int to = last.data(PartitionMapModel::PartitionRole).toInt();
    selectionModel()->select(linearSelection(m_model, from, to), command);
}

QModelIndex PartitionMapView::moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers) {
    const auto current = PartitionMapModel::partitionAt(currentIndex());
    if (!current)
        return m_model.indexOf(0);
    const int at = *current;
    const bool whole = modifiers & Qt::ControlModifier;
    int to = at;
    switch (action) {
    case MoveLeft:
    case MovePrevious:
        to = at - 1;
        break;
    case MoveRight:
    case MoveNext:
        to = at + 1;
        break;
    case MoveUp:
        to = at - kSide;
        break;
    case MoveDown:
        to = at + kSide;
        break;
    case MoveHome:
        to = whole ? 0 : at - at % kSide;
        break;
    case MoveEnd:
        to = whole ? 255 : at - at % kSide + kSide - 1;
        break;
    case MovePageUp:
        to = at % kSide;
        break;
    case MovePageDown:
        to = 240 + at % kSide;
        break;
    }
    return to < 0 || to > 255 ? currentIndex() : m_model.indexOf(Partition(to));
}

bool PartitionMapView::handleLetter(QKeyEvent* event) {
    if (!m_letterKeys || event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier))
        return false;
    switch (event->key()) {
    case Qt::Key_N:
        goToProblem(!(event->modifiers() & Qt::ShiftModifier));
        return true;
    case Qt::Key_1:
    case Qt::Key_2:
    case Qt::Key_3:
    case Qt::Key_4:
        Q_EMIT lensAsked(Lens(event->key() - Qt::Key_1));
        return true;
    case Qt::Key_Plus:
        setZoom(m_zoom + 1);
        return true;
    case Qt::Key_Minus:
        setZoom(m_zoom - 1);
        return true;
    case Qt::Key_0:
        setZoom(0);
        return true;
    default:
        return false;
    }
}

void PartitionMapView::keyPressEvent(QKeyEvent* event) {
    if (handleLetter(event))
        return;
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        Q_EMIT inspectAsked();
        return;
    }
    if (event->key() == Qt::Key_Escape && !selectionModel()->selection().isEmpty()) {
        clearSelection();
        return;
    }
    if (!event->text().isEmpty() && event->text().front().isPrint() && event->key() != Qt::Key_Space &&
        !(event->modifiers() & Qt::ControlModifier)) {
        event->ignore(); // no type-ahead: letters are keys here
        return;
    }
    QTableView::keyPressEvent(event);
}

void PartitionMapView::mouseDoubleClickEvent(QMouseEvent* event) {
    const auto clicked = PartitionMapModel::partitionAt(indexAt(event->position().toPoint()));
    if (!clicked)
        return;
    const auto owners = [this](int partition) {
        return m_model.indexOf(Partition(partition)).data(PartitionMapModel::OwnersRole).toStringList();
    };
    int first = *clicked;
    int last = *clicked;
    while (first > 0 && owners(first - 1) == owners(*clicked))
        --first;
    while (last < 255 && owners(last + 1) == owners(*clicked))
        ++last;
    selectionModel()->select(linearSelection(m_model, first, last), QItemSelectionModel::ClearAndSelect);
}

void PartitionMapView::contextMenuEvent(QContextMenuEvent* event) {
    QPoint at = event->globalPos();
    if (event->reason() == QContextMenuEvent::Keyboard)
        at = viewport()->mapToGlobal(visualRect(currentIndex()).center());
    Q_EMIT menuAsked(at);
}

void PartitionMapView::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    applyCellSize();
}

} // namespace fremis::console::ui
