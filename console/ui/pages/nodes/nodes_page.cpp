#include "console/ui/pages/nodes/nodes_page.h"

#include "console/ui/pages/safe_to_stop.h"
#include "console/ui/shell/icons.h"
#include "console/ui/shell/verdict.h"
#include "console/ui/views/share_bars.h"
#include "console/ui/widgets/data_table.h"
#include "console/ui/widgets/filter_line.h"
#include "console/ui/widgets/format.h"
#include "console/ui/widgets/property_list.h"
#include "console/ui/widgets/save_file.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QScrollArea>
#include <QSettings>
#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>

namespace fremis::console::ui {
namespace {

QScrollArea* scrolled(QWidget* content) {
    auto* area = new QScrollArea;
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    auto* holder = new QWidget;
    holder->setAutoFillBackground(true);
    holder->setBackgroundRole(QPalette::Base);
    auto* layout = new QVBoxLayout(holder);
    layout->setContentsMargins(space::kLarge, space::kMedium, space::kMedium, space::kMedium);
    layout->addWidget(content);
    layout->addStretch();
    area->setWidget(holder);
    return area;
}

} // namespace

NodesPage::NodesPage(const PageContext& context, QWidget* parent)
    : Page(context, QStringLiteral("nodes"), parent),
      m_table(new DataTable(context.theme, m_model, QStringLiteral("nodes.table"))), m_filter(new FilterLine),
      m_shares(new ShareBars(context.theme)), m_tabs(new QTabWidget), m_stop(new PropertyList(context.theme)),
      m_resources(new PropertyList(context.theme)), m_partitions(new PropertyList(context.theme)),
      m_config(new PropertyList(context.theme)), m_curl(new QAction(this)), m_onMap(new QAction(this)) {
    m_shares->setObjectName(QStringLiteral("nodes.shares"));
    m_filter->setObjectName(QStringLiteral("nodes.filter"));
    m_filter->setMaximumWidth(220);
    m_filter->setTarget(m_table);
    m_table->setBarColumns({"ram", "gpu", "loaded"});
    m_table->hideColumns({"address", "share", "poll_p95", "version", "uptime"});
    m_table->addActions({m_curl, m_onMap});
    tools().addStretch();
    tools().addWidget(m_filter);
    buildTabs();
    auto* splitter = new QSplitter(Qt::Vertical, this);
    auto* top = new QWidget;
    auto* layout = new QVBoxLayout(top);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(space::kSmall);
    auto* shares = new QHBoxLayout;
    shares->setContentsMargins(space::kLarge, space::kTiny, space::kMedium, 0);
    shares->addWidget(m_shares);
    layout->addLayout(shares);
    layout->addWidget(m_table, 1);
    splitter->addWidget(top);
    splitter->addWidget(m_tabs);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setChildrenCollapsible(false);
    setContent(splitter);
    connect(m_filter, &QLineEdit::textChanged, m_table, &DataTable::setFilter);
    connect(m_table, &DataTable::selectedKeysChanged, this, [this](const QStringList& keys) {
        if (!keys.isEmpty() && keys != this->context().selection.current().nodes)
            this->context().selection.selectNodes(keys);
    });
    connect(m_shares, &ShareBars::nodeClicked, this, [this](int node) {
        if (snapshot() && node < int(snapshot()->nodes.size()))
            this->context().selection.selectNodes({snapshot()->nodes[std::size_t(node)].address});
    });
    connect(m_curl, &QAction::triggered, this, &NodesPage::copyCurl);
    connect(m_onMap, &QAction::triggered, this, [this] {
        if (const NodeView* node = chosen())
            this->context().selection.selectPartitions(node->assigned);
        this->context().open(QStringLiteral("map"));
    });
    m_table->restoreLayout(QSettings().value(QStringLiteral("nodes/table")).toByteArray());
}

void NodesPage::buildTabs() {
    m_tabs->setObjectName(QStringLiteral("nodes.tabs"));
    m_tabs->setDocumentMode(true);
    for (PropertyList* list : {m_stop, m_partitions, m_resources, m_config})
        m_tabs->addTab(scrolled(list), QString());
}

const NodeView* NodesPage::chosen() const {
    if (!snapshot())
        return nullptr;
    if (const NodeView* node = snapshot()->find(m_node))
        return node;
    return snapshot()->nodes.empty() ? nullptr : &snapshot()->nodes.front();
}

std::optional<Page::Placeholder> NodesPage::placeholder(const Snapshot& snapshot) const {
    if (!snapshot.nodes.empty())
        return std::nullopt;
    return Placeholder{
        StateStack::State::Empty, tr("The configuration names no node yet."), tr("Open configuration"), {}};
}

void NodesPage::showSnapshot(const Snapshot& snapshot) {
    m_model.setSnapshot(this->snapshot());
    m_shares->setSnapshot(snapshot);
    refreshDetails();
}

void NodesPage::showSelection(const Selection& selection) {
    if (!selection.nodes.isEmpty()) {
        m_node = selection.nodes.front();
        m_table->selectKey(m_node);
    }
    refreshDetails();
}

QString NodesPage::stopVerdict() const {
    QStringList text;
    for (const Property& property : m_stop->properties())
        text.append(property.value);
    return text.join(QLatin1Char('\n'));
}

void NodesPage::refreshDetails() {
    const NodeView* node = chosen();
    if (!node)
        return;
    const StopVerdict verdict = safeToStop(*snapshot(), *node);
    std::vector<Property> stop;
    stop.push_back({{},
                    verdict.isSafe ? tr("Yes, %1 can be stopped: another healthy owner holds each of its partitions, "
                                        "and no write waits for it.")
                                         .arg(node->label())
                                   : tr("No, %1 must not be stopped now:").arg(node->label()),
                    verdict.isSafe ? Severity::Ok : Severity::Critical});
    for (const QString& sentence : verdict.missing)
        stop.push_back({{}, QStringLiteral("•  ") + sentence});
    m_stop->set(stop);

    std::vector<Property> partitions{
        {tr("Ranges"), rangesText(node->assigned)},
        {tr("Partitions"), numberText(node->assigned.count())},
        {tr("Vectors"), node->vectors() ? numberText(qint64(*node->vectors())) : unknownText()}};
    for (int c = 0; c < kPartitionClasses; ++c)
        if (const PartitionSet set = snapshot()->all(PartitionClass(c)) & node->assigned; !set.empty())
            partitions.push_back({wordOf(PartitionClass(c)),
                                  QStringLiteral("%1 (%2)").arg(set.count()).arg(rangesText(set)),
                                  severityOf(PartitionClass(c))});
    m_partitions->set(partitions);

    std::vector<Property> resources;
    if (!node->resources) {
        resources.push_back({{}, tr("This worker has not told its resources.")});
    } else {
        const Resources& r = *node->resources;
        const auto bytes = [](const std::optional<quint64>& n) { return n ? bytesText(qint64(*n)) : unknownText(); };
        resources.push_back({tr("Processor"), percentText(r.cpuPercent)});
        resources.push_back(
            {tr("Memory"),
             tr("%1 (%2 of %3)").arg(percentText(r.ramPercent), bytes(r.ramUsedBytes), bytes(r.ramTotalBytes))});
        resources.push_back({tr("Of which the worker"), bytes(r.processBytes)});
        resources.push_back({tr("Disk used"), percentText(r.diskPercent)});
        resources.push_back({tr("Disk free"), bytes(r.diskFreeBytes)});
        resources.push_back({tr("Data"), bytes(r.dataBytes)});
        for (const Resources::Gpu& gpu : r.gpus)
            resources.push_back(
                {gpu.name,
                 tr("%1 busy, memory %2").arg(percentText(gpu.utilPercent), percentText(gpu.memoryPercent()))});
    }
    m_resources->set(resources);

    std::vector<Property> config{{tr("Address in the configuration"), node->address},
                                 {tr("Reached at"), node->url.toDisplayString()},
                                 {tr("Weight"), decimalText(node->weight, 2)},
                                 {tr("Configured ranges"), rangesText(node->assigned)},
                                 {tr("Own word"), node->reported ? rangesText(*node->reported) : unknownText()}};
    if (node->reported && !(*node->reported == node->assigned))
        config.push_back(
            {tr("Drift"), tr("The worker and the configuration name different partitions."), Severity::Warning});
    if (!node->lastError.isEmpty())
        config.push_back({tr("Last error"), node->lastError});
    m_config->set(config);
}

void NodesPage::copyCurl() const {
    if (const NodeView* node = chosen())
        QGuiApplication::clipboard()->setText(
            QStringLiteral("curl -s '%1/v1/healthcheck'").arg(node->url.toString(QUrl::RemovePath)));
}

void NodesPage::showStale(bool stale) {
    m_table->setDimmed(stale);
}

void NodesPage::focusFilter() {
    m_filter->setFocus(Qt::ShortcutFocusReason);
    m_filter->selectAll();
}

void NodesPage::exportCsv() {
    saveBytes(context(), this, tr("Export nodes"), QStringLiteral("nodes.csv"),
              m_table->csv(tr("Nodes of %1").arg(context().profile().name)));
}

void NodesPage::saveLayout(QSettings& settings) const {
    settings.setValue(QStringLiteral("nodes/table"), m_table->layoutJson());
}

void NodesPage::retranslate() {
    setTitle(tr("Nodes"));
    m_filter->setPlaceholderText(tr("Filter nodes"));
    m_filter->setAccessibleName(tr("Filter nodes"));
    m_table->setAccessibleName(tr("Nodes"));
    m_table->setEmptyText(tr("The configuration names no node yet."));
    m_tabs->setAccessibleName(tr("Details of the chosen node"));
    m_tabs->tabBar()->setAccessibleName(m_tabs->accessibleName());
    m_tabs->setTabText(0, tr("Safe to stop?"));
    m_tabs->setTabText(1, tr("Partitions"));
    m_tabs->setTabText(2, tr("Resources"));
    m_tabs->setTabText(3, tr("Configuration"));
    for (int tab = 0; tab < m_tabs->count(); ++tab)
        m_tabs->widget(tab)->setAccessibleName(m_tabs->tabText(tab));
    m_curl->setText(tr("Copy curl"));
    m_onMap->setText(tr("Show on map"));
    m_model.retranslate();
}

} // namespace fremis::console::ui
