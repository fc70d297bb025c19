#include "console/ui/pages/nodes/nodes_page.h"

#include "console/client/trend.h"
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
#include <QMenu>
#include <QScrollArea>
#include <QSettings>
#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace fremis::console::ui {
namespace {

const QString kRename = QStringLiteral("nodes.rename");
const QString kMaintenance = QStringLiteral("nodes.maintenance");
const QString kPrepare = QStringLiteral("nodes.prepare");
const QString kCompare = QStringLiteral("nodes.compare");

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
      m_config(new PropertyList(context.theme)),
      m_requests(new DataTable(context.theme, m_calls, QStringLiteral("nodes.requests"))),
      m_compareTable(new DataTable(context.theme, m_comparison, QStringLiteral("nodes.compare.table"))),
      m_menu(new QToolButton), m_curl(new QAction(this)), m_onMap(new QAction(this)) {
    m_shares->setObjectName(QStringLiteral("nodes.shares"));
    m_filter->setObjectName(QStringLiteral("nodes.filter"));
    m_filter->setMaximumWidth(220);
    m_filter->setTarget(m_table);
    m_table->setBarColumns({"ram", "gpu", "loaded"});
    m_table->hideColumns({"address", "share", "full_in", "loaded", "poll_p95", "version", "uptime", "clock_skew"});
    addActions();
    tools().addStretch();
    tools().addWidget(m_filter);
    tools().addWidget(m_menu);
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
        const QStringList known = this->context().selection.current().nodes;
        if (!keys.isEmpty() && QSet<QString>(keys.begin(), keys.end()) != QSet<QString>(known.begin(), known.end()))
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
    m_filter->setText(QSettings().value(QStringLiteral("nodes/filter")).toString());
}

void NodesPage::addActions() {
    ActionRegistry& actions = context().actions;
    const auto add = [&actions](const QString& id, const char* text, const char* hint, const char* iconName,
                                std::function<void()> run, bool checkable = false) {
        return actions.add({id, text, hint, QLatin1String(iconName), {}, Menu::Cluster, Effect::Looks, checkable},
                           std::move(run));
    };
    QAction* renaming =
        add(kRename, QT_TRANSLATE_NOOP("Actions", "Re&name the node..."),
            QT_TRANSLATE_NOOP("Actions", "A name for this console; the cluster is not told"), "", [this] { rename(); });
    QAction* maintenance = add(
        kMaintenance, QT_TRANSLATE_NOOP("Actions", "Node under &maintenance"),
        QT_TRANSLATE_NOOP("Actions", "Its notices are muted; searches and writes go on as before"), "",
        [this] { toggleMaintenance(); }, true);
    QAction* prepare =
        add(kPrepare, QT_TRANSLATE_NOOP("Actions", "&Empty the node..."),
            QT_TRANSLATE_NOOP("Actions", "Opens a plan that prepares the node for maintenance"), "planner", [this] {
                if (const NodeView* node = chosen())
                    context().planWithout(node->address);
            });
    QAction* compare = add(kCompare, QT_TRANSLATE_NOOP("Actions", "C&ompare two nodes"), nullptr, "diff", [this] {
        context().open(QStringLiteral("nodes"));
        m_tabs->setCurrentIndex(Compare);
    });
    auto* menu = new QMenu(m_menu);
    for (QAction* action : {renaming, maintenance, prepare, compare, m_curl, m_onMap}) {
        m_table->addAction(action);
        menu->addAction(action);
    }
    m_menu->setObjectName(QStringLiteral("nodes.menu"));
    m_menu->setMenu(menu);
    m_menu->setPopupMode(QToolButton::InstantPopup);
    m_menu->setAutoRaise(true);
    m_menu->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_menu->setIcon(icon(QStringLiteral("more")));
}

void NodesPage::buildTabs() {
    m_tabs->setObjectName(QStringLiteral("nodes.tabs"));
    m_tabs->setDocumentMode(true);
    for (PropertyList* list : {m_stop, m_partitions, m_resources})
        m_tabs->addTab(scrolled(list), QString());
    m_tabs->addTab(m_requests, QString());
    m_tabs->addTab(scrolled(m_config), QString());
    m_tabs->addTab(m_compareTable, QString());
    m_requests->hideColumns({"method"});
    connect(m_tabs, &QTabWidget::currentChanged, this, &NodesPage::refreshDetails);
}

void NodesPage::rename() {
    const NodeView* node = chosen();
    if (!node)
        return;
    context().dialogs.askText(this, tr("Rename the node"), tr("Name in this console; its address takes the name away"),
                              node->label(), [this, address = node->address](const QString& text) {
                                  const QString name = text.trimmed();
                                  if (name.isEmpty())
                                      return;
                                  context().changeProfile([&](Profile& profile) {
                                      if (name == address)
                                          profile.aliases.remove(address);
                                      else
                                          profile.aliases.insert(address, name);
                                  });
                              });
}

void NodesPage::toggleMaintenance() {
    const NodeView* node = chosen();
    if (!node)
        return;
    const bool begins = !node->inMaintenance;
    const QString label = node->label();
    context().changeProfile([begins, address = node->address](Profile& profile) {
        profile.maintenance.removeAll(address);
        if (begins)
            profile.maintenance.append(address);
    });
    context().notify(Severity::Info,
                     begins ? tr("%1 is under maintenance: its notices are muted, its routing is unchanged.").arg(label)
                            : tr("%1 is no longer under maintenance.").arg(label),
                     {});
}

void NodesPage::refreshActions() {
    const NodeView* node = chosen();
    for (const QString& id : {kRename, kMaintenance, kPrepare})
        context().actions.setAvailable(id, node != nullptr, tr("Choose a node first."));
    context().actions.find(kMaintenance)->setChecked(node && node->inMaintenance);
    context().actions.setAvailable(kCompare, context().selection.current().nodes.size() >= 2,
                                   tr("Choose two nodes first."));
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
    m_model.setSnapshot(this->snapshot(), fullInDays(snapshot, context().history));
    m_shares->setSnapshot(snapshot);
    refreshDetails();
}

void NodesPage::showSelection(const Selection& selection) {
    if (!selection.nodes.isEmpty()) {
        m_node = selection.nodes.front();
        const QStringList shown = m_table->selectedKeys();
        if (QSet<QString>(shown.begin(), shown.end()) != QSet<QString>(selection.nodes.begin(), selection.nodes.end()))
            m_table->selectKeys(selection.nodes);
        m_table->scrollToKey(m_node);
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
    refreshActions();
    showComparison();
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
    showResources(*node);
    showConfig(*node);
    if (m_tabs->currentIndex() == Requests)
        m_calls.set(context().callsTo(node->address));
}

void NodesPage::showComparison() {
    const QStringList nodes = context().selection.current().nodes;
    m_comparison.set(m_model, nodes.value(0), nodes.value(1));
}

void NodesPage::showResources(const NodeView& node) {
    std::vector<Property> resources;
    if (!node.resources) {
        resources.push_back({{}, tr("This worker has not told its resources.")});
    } else {
        const Resources& r = *node.resources;
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
}

void NodesPage::showConfig(const NodeView& node) {
    std::vector<Property> config{{tr("Address in the configuration"), node.address},
                                 {tr("Reached at"), node.url.toDisplayString()},
                                 {tr("Weight"), decimalText(node.weight, 2)},
                                 {tr("Configured ranges"), rangesText(node.assigned)},
                                 {tr("Own word"), node.reported ? rangesText(*node.reported) : unknownText()}};
    if (node.reported && !(*node.reported == node.assigned))
        config.push_back(
            {tr("Drift"), tr("The worker and the configuration name different partitions."), Severity::Warning});
    if (!node.lastError.isEmpty())
        config.push_back({tr("Last error"), node.lastError});
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
    settings.setValue(QStringLiteral("nodes/filter"), m_filter->text());
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
    m_tabs->setTabText(Requests, tr("Requests"));
    m_tabs->setTabText(ConfigTab, tr("Configuration"));
    m_tabs->setTabText(Compare, tr("Compare"));
    m_requests->setAccessibleName(tr("The last requests to the node"));
    m_requests->setEmptyText(tr("This console has not asked the node yet."));
    m_compareTable->setAccessibleName(tr("Two nodes side by side"));
    m_compareTable->setEmptyText(tr("Choose two nodes in the table, with Ctrl and a click."));
    m_menu->setText(tr("Node"));
    m_menu->setAccessibleName(tr("What can be done with the chosen node"));
    m_comparison.retranslate();
    m_calls.retranslate();
    for (int tab = 0; tab < m_tabs->count(); ++tab)
        m_tabs->widget(tab)->setAccessibleName(m_tabs->tabText(tab));
    m_curl->setText(tr("Copy curl"));
    m_onMap->setText(tr("Show on map"));
    m_model.retranslate();
}

} // namespace fremis::console::ui
