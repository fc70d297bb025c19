#include "console/ui/inspector/inspector.h"

#include "console/ui/shell/verdict.h"

#include <QEvent>
#include <QLabel>
#include <QVBoxLayout>

namespace fremis::console::ui {

Inspector::Inspector(const Theme& theme, const SelectionKeeper& selection, QWidget* parent)
    : QScrollArea(parent), m_theme(theme), m_selection(selection), m_heading(new QLabel),
      m_list(new PropertyList(theme)) {
    setObjectName(QStringLiteral("inspector"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setMinimumWidth(240);
    auto* content = new QWidget;
    content->setAutoFillBackground(true);
    content->setBackgroundRole(QPalette::Base);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(space::kLarge, space::kMedium, space::kMedium, space::kMedium);
    layout->setSpacing(space::kSmall);
    m_heading->setTextFormat(Qt::PlainText);
    m_heading->setWordWrap(true);
    m_heading->setObjectName(QStringLiteral("inspector.heading"));
    QFont font = m_heading->font();
    font.setPointSizeF(font.pointSizeF() * 1.15);
    font.setWeight(QFont::DemiBold);
    m_heading->setFont(font);
    layout->addWidget(m_heading);
    layout->addWidget(m_list);
    layout->addStretch();
    setWidget(content);
    connect(&selection, &SelectionKeeper::changed, this, &Inspector::refresh);
    refresh();
}

void Inspector::setSnapshot(const SnapshotPtr& snapshot, Instant now) {
    m_snapshot = snapshot;
    m_now = now;
    if (isVisible())
        refresh();
}

QString Inspector::heading() const {
    return m_heading->text();
}

void Inspector::refresh() {
    setAccessibleName(tr("Inspector"));
    const Selection& selection = m_selection.current();
    if (!m_snapshot) {
        m_heading->setText(tr("Inspector"));
        m_list->set({{{}, tr("Details appear here once a cluster is connected.")}});
    } else if (selection.partitions.count() == 1) {
        const auto partition = selection.partitions.ranges().front().first;
        m_heading->setText(tr("Partition %1").arg(partition));
        m_list->set(partitionProperties(*m_snapshot, partition, m_now));
    } else if (!selection.partitions.empty()) {
        m_heading->setText(tr("%n partition(s)", "", selection.partitions.count()));
        m_list->set(partitionsProperties(*m_snapshot, selection.partitions));
    } else if (const NodeView* node = selection.nodes.isEmpty() ? nullptr : m_snapshot->find(selection.nodes.front())) {
        m_heading->setText(node->label());
        m_list->set(nodeProperties(*m_snapshot, *node, m_now));
    } else {
        m_heading->setText(tr("Nothing selected"));
        m_list->set(
            {{{},
              tr("Select partitions on the map or a node to see who owns what, who answers and what is missing.")}});
    }
}

void Inspector::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        refresh();
    QScrollArea::changeEvent(event);
}

} // namespace fremis::console::ui
