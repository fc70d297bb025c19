#include "console/ui/pages/map/map_page.h"

#include "console/client/csv.h"
#include "console/ui/pages/config/draft_desk.h"
#include "console/ui/pages/map/finder.h"
#include "console/ui/pages/map/legend.h"
#include "console/ui/shell/icons.h"
#include "console/ui/shell/verdict.h"
#include "console/ui/views/partition_map_view.h"
#include "console/ui/widgets/filter_line.h"
#include "console/ui/widgets/save_file.h"
#include "console/ui/widgets/segmented.h"
#include "shared/routing/range.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>
#include <QSettings>
#include <QToolButton>
#include <QVBoxLayout>

namespace fremis::console::ui {

MapPage::MapPage(const PageContext& context, QWidget* parent)
    : Page(context, QStringLiteral("map"), parent), m_view(new PartitionMapView(context.theme, m_model)),
      m_legend(new Legend(context.theme)), m_finder(new Finder(context.theme)), m_lens(new Segmented(context.theme)),
      m_filter(new FilterLine), m_find(new QToolButton), m_more(new QToolButton) {
    auto* content = new QWidget(this);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_finder->hide();
    layout->addWidget(m_finder);
    layout->addWidget(m_view, 1);
    m_legend->setContentsMargins(space::kSmall, space::kTiny, space::kSmall, space::kTiny);
    layout->addWidget(m_legend);
    buildTools();
    connectParts();
    setContent(content);
    QSettings settings;
    setLens(Lens(std::clamp(settings.value(QStringLiteral("map/lens"), 0).toInt(), 0, 3)));
    m_logarithmic->setChecked(settings.value(QStringLiteral("map/logarithmic")).toBool());
    m_hexadecimal->setChecked(settings.value(QStringLiteral("map/hexadecimal")).toBool());
    m_view->setZoom(settings.value(QStringLiteral("map/zoom"), 0).toInt());
}

void MapPage::buildTools() {
    m_lens->setObjectName(QStringLiteral("map.lens"));
    for (const auto* id : {"owner", "load", "health", "queue"})
        m_lens->addChoice(QLatin1String(id));
    m_filter->setObjectName(QStringLiteral("map.filter"));
    m_filter->setMaximumWidth(190);
    static_cast<FilterLine*>(m_filter)->setTarget(m_view);
    m_find->setObjectName(QStringLiteral("map.find"));
    m_find->setCheckable(true);
    m_find->setAutoRaise(true);
    m_find->setIcon(icon(QStringLiteral("try")));
    m_find->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_more->setObjectName(QStringLiteral("map.more"));
    m_more->setAutoRaise(true);
    m_more->setIcon(icon(QStringLiteral("more")));
    m_more->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(m_more);
    m_logarithmic = menu->addAction(QString());
    m_hexadecimal = menu->addAction(QString());
    for (QAction* action : {m_logarithmic, m_hexadecimal})
        action->setCheckable(true);
    menu->addSeparator();
    menu->addAction(context().actions.find(QStringLiteral("file.export-csv")));
    menu->addAction(context().actions.find(QStringLiteral("file.export-png")));
    m_more->setMenu(menu);
    tools().addSpacing(space::kMedium);
    tools().addWidget(m_lens);
    tools().addStretch();
    tools().addWidget(m_filter);
    tools().addWidget(m_find);
    tools().addWidget(m_more);
}

void MapPage::connectParts() {
    connect(m_lens, &Segmented::chosen, this, [this](int lens) { setLens(Lens(lens)); });
    connect(m_view, &PartitionMapView::lensAsked, this, &MapPage::setLens);
    connect(m_view, &PartitionMapView::selectionEdited, this,
            [this](const PartitionSet& partitions) { context().selection.selectPartitions(partitions); });
    connect(m_view, &PartitionMapView::inspectAsked, this, [this] {
        QAction* inspector = context().actions.find(QStringLiteral("view.inspector"));
        if (!inspector->isChecked())
            inspector->trigger();
    });
    connect(m_view, &PartitionMapView::menuAsked, this, &MapPage::showMenu);
    connect(m_filter, &QLineEdit::textEdited, this, &MapPage::applyFilter);
    connect(m_filter, &QLineEdit::returnPressed, this, [this] { m_view->setFocus(); });
    connect(m_find, &QToolButton::toggled, this, [this](bool open) { open ? m_finder->begin() : m_finder->hide(); });
    connect(m_finder, &Finder::found, this, [this](int partition) {
        PartitionSet one;
        one.insert(Partition(partition));
        context().selection.selectPartitions(one);
    });
    connect(m_legend, &Legend::hovered, m_view, &PartitionMapView::setHighlighted);
    connect(m_legend, &Legend::chosen, this,
            [this](const PartitionSet& partitions) { context().selection.selectPartitions(partitions); });
    connect(m_logarithmic, &QAction::toggled, this, [this](bool on) {
        m_view->setLogarithmic(on);
        refreshLegend();
    });
    connect(m_hexadecimal, &QAction::toggled, m_view, &PartitionMapView::setHexadecimal);
    connect(&context().theme, &Theme::changed, this, &MapPage::refreshLegend);
}

void MapPage::setLens(Lens lens) {
    m_lens->setCurrent(int(lens));
    m_view->setLens(lens);
    refreshLegend();
}

void MapPage::refreshLegend() {
    m_legend->set(m_model.snapshot(), m_view->lens(), m_view->delegate());
}

void MapPage::showSnapshot(const Snapshot&) {
    m_model.setSnapshot(snapshot());
    m_view->refreshScale();
    refreshLegend();
}

void MapPage::showSelection(const Selection& selection) {
    PartitionSet partitions = selection.partitions;
    if (partitions.empty() && snapshot())
        for (const QString& address : selection.nodes)
            if (const NodeView* node = snapshot()->find(address))
                partitions = partitions | node->assigned;
    m_view->setSelected(partitions);
    const auto typed = routing::parsePartitionList(m_filter->text().toStdString());
    if (typed && PartitionSet(*typed) == partitions)
        return; // as the operator wrote it
    m_filter->setText(partitions.empty() ? QString() : rangesText(partitions));
    m_filter->setCursorPosition(0);
}

void MapPage::showStale(bool stale) {
    m_view->setDimmed(stale);
}

void MapPage::highlight(const PartitionSet& partitions) {
    m_view->setHighlighted(partitions);
}

void MapPage::applyFilter() {
    const QString text = m_filter->text().trimmed();
    if (text.isEmpty()) {
        context().selection.selectPartitions({});
        return;
    }
    const auto parsed = routing::parsePartitionList(text.toStdString());
    setInk(*m_filter, parsed ? context().theme.colors().text : context().theme.colors().critical);
    if (parsed)
        context().selection.selectPartitions(PartitionSet(*parsed));
}

void MapPage::focusFilter() {
    m_filter->setFocus(Qt::ShortcutFocusReason);
    m_filter->selectAll();
}

void MapPage::showMenu(const QPoint& at) {
    const PartitionSet chosen = m_view->selected();
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("Copy numbers"), this, [this] { copyNumbers(); })->setEnabled(!chosen.empty());
    menu->addAction(tr("Copy as config ranges"), this, [this] { copyConfigRanges(); })->setEnabled(!chosen.empty());
    menu->addSeparator();
    menu->addAction(tr("Show nodes"), this, [this, chosen] {
        QStringList nodes;
        if (snapshot())
            for (const NodeView& node : snapshot()->nodes)
                if (node.assigned.overlaps(chosen))
                    nodes.append(node.address);
        context().selection.selectNodes(nodes);
        context().open(QStringLiteral("nodes"));
    });
    menu->addAction(tr("Find a face..."), this, [this] { m_find->setChecked(true); });
    addOwnerMenus(*menu, chosen);
    menu->addSeparator();
    menu->addAction(tr("Show queue"), this, [this] { context().open(QStringLiteral("queue")); });
    menu->addAction(tr("Next problem"), this, [this] { m_view->goToProblem(true); });
    menu->popup(at);
}

void MapPage::addOwnerMenus(QMenu& menu, const PartitionSet& chosen) {
    const DraftDesk& desk = context().desk;
    QMenu* assignTo = menu.addMenu(tr("Assign to (draft)"));
    QMenu* moveTo = menu.addMenu(tr("Prepare a move to"));
    const auto map = desk.isOpen() ? desk.draft().map() : std::nullopt;
    const bool usable = map && !chosen.empty() && snapshot() && !snapshot()->isRecorded;
    assignTo->setEnabled(usable);
    moveTo->setEnabled(usable);
    if (!usable)
        return;
    for (const routing::MapNode& node : map->nodes()) {
        const QString label = QString::fromStdString(node.label());
        assignTo->addAction(label, this, [this, chosen, address = node.address] { assign(chosen, address); });
        moveTo->addAction(label, this, [this, chosen, address = QString::fromStdString(node.address.text())] {
            context().prepareMove(chosen, address);
        });
    }
}

void MapPage::assign(const PartitionSet& partitions, const routing::Address& node) {
    const auto map = context().desk.draft().map();
    if (!map)
        return;
    const QString label = tr("Assign %1 to %2").arg(rangesText(partitions), QString::fromStdString(node.text()));
    const auto done = context().desk.assign(assignedTo(*map, partitions, node), label);
    if (!done)
        return context().notify(Severity::Critical, QString::fromStdString(done.error().message), {});
    context().notify(Severity::Info, tr("%1: in the draft. Nothing is written yet.").arg(label), {});
    context().open(QStringLiteral("config"));
}

void MapPage::copyNumbers() const {
    QGuiApplication::clipboard()->setText(rangesText(m_view->selected()));
}

void MapPage::copyConfigRanges() const {
    QStringList lines;
    for (const auto& range : m_view->selected().ranges())
        lines.append(QStringLiteral("    partition_start: %1\n    partition_end: %2").arg(range.first).arg(range.last));
    QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

QByteArray MapPage::csv() const {
    QList<QVariantList> rows;
    for (int p = 0; p < base::kPartitionCount; ++p) {
        const QModelIndex index = m_model.indexOf(Partition(p));
        rows.append({p, index.data(PartitionMapModel::ClassWordRole).toString(),
                     index.data(PartitionMapModel::OwnersRole).toStringList().join(QLatin1Char(' ')),
                     index.data(PartitionMapModel::HealthyRole), index.data(PartitionMapModel::ExpectedRole),
                     index.data(PartitionMapModel::VectorsRole), index.data(PartitionMapModel::QueuedRole)});
    }
    return csvText({tr("Partitions of %1; vectors and queued writes are counts").arg(context().profile().name)},
                   {QStringLiteral("partition"), QStringLiteral("state"), QStringLiteral("owners"),
                    QStringLiteral("healthy"), QStringLiteral("expected"), QStringLiteral("vectors"),
                    QStringLiteral("queued")},
                   rows);
}

void MapPage::exportCsv() {
    saveBytes(context(), this, tr("Export partitions"), QStringLiteral("partitions.csv"), csv());
}

QImage MapPage::picture() const {
    const QSize size(m_view->width(), m_view->height() + m_legend->height() + 28);
    QImage image(size * 2, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(2);
    image.fill(context().theme.colors().surface);
    QPainter painter(&image);
    painter.setPen(context().theme.colors().text);
    const QString time =
        snapshot() ? QDateTime::fromMSecsSinceEpoch(snapshot()->takenAt.count()).toString(Qt::ISODate) : QString();
    painter.drawText(QRect(space::kLarge, 0, size.width(), 28), Qt::AlignVCenter,
                     QStringLiteral("%1  %2").arg(context().profile().name, time));
    m_view->render(&painter, QPoint(0, 28));
    m_legend->render(&painter, QPoint(0, 28 + m_view->height()));
    return image;
}

void MapPage::exportPng() {
    savePicture(context(), this, tr("Export the map"), QStringLiteral("partition-map.png"), picture());
}

void MapPage::saveLayout(QSettings& settings) const {
    settings.setValue(QStringLiteral("map/lens"), int(m_view->lens()));
    settings.setValue(QStringLiteral("map/logarithmic"), m_logarithmic->isChecked());
    settings.setValue(QStringLiteral("map/hexadecimal"), m_hexadecimal->isChecked());
    settings.setValue(QStringLiteral("map/zoom"), m_view->zoom());
}

void MapPage::retranslate() {
    setTitle(tr("Partition map"));
    m_lens->setText(0, tr("Owner", "lens"), tr("Who owns each partition (1)"));
    m_lens->setText(1, tr("Load", "lens"), tr("Vectors of each partition (2)"));
    m_lens->setText(2, tr("Health", "lens"), tr("Healthy owners of each partition (3)"));
    m_lens->setText(3, tr("Queue", "lens"), tr("Writes that wait for owners of each partition (4)"));
    m_lens->setAccessibleName(tr("What the cells show"));
    m_filter->setPlaceholderText(tr("182-207, 5"));
    m_filter->setAccessibleName(tr("Selected partitions"));
    m_filter->setToolTip(tr("Selected partitions, like 182-207, 5"));
    m_find->setText(tr("Find a face"));
    m_find->setAccessibleName(m_find->text());
    m_more->setToolTip(tr("More"));
    m_more->setAccessibleName(tr("More for the map"));
    m_logarithmic->setText(tr("Logarithmic load"));
    m_hexadecimal->setText(tr("Hexadecimal numbers"));
    m_view->setAccessibleName(tr("Partition map, 16 rows of 16 partitions"));
    m_model.retranslate();
    refreshLegend();
}

} // namespace fremis::console::ui
