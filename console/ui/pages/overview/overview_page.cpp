#include "console/ui/pages/overview/overview_page.h"

#include "console/client/trend.h"
#include "console/models/words.h"
#include "console/ui/pages/overview/verdict_card.h"
#include "console/ui/views/mini_map.h"
#include "console/ui/widgets/data_table.h"
#include "console/ui/widgets/format.h"
#include "console/ui/widgets/panel_card.h"
#include "console/ui/widgets/property_list.h"
#include "console/ui/widgets/save_file.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QSettings>
#include <QVBoxLayout>

namespace fremis::console::ui {
namespace {

constexpr int kTop = 5;

PanelCard* card(const Theme& theme, QWidget* content, bool padded) {
    auto* made = new PanelCard(theme);
    made->setPadded(padded);
    made->setContent(content);
    return made;
}

QWidget* atTop(QWidget* widget) {
    auto* holder = new QWidget;
    auto* layout = new QVBoxLayout(holder);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(widget);
    layout->addStretch();
    return holder;
}

} // namespace

OverviewPage::OverviewPage(const PageContext& context, QWidget* parent)
    : Page(context, QStringLiteral("overview"), parent), m_events(context.events),
      m_verdict(new VerdictCard(context.theme)), m_map(new MiniMap(context.theme)),
      m_table(new DataTable(context.theme, m_nodes, QStringLiteral("overview.nodes"))),
      m_eventTable(new DataTable(context.theme, m_events, QStringLiteral("overview.events"))),
      m_heaviest(new PropertyList(context.theme)), m_limits(new PropertyList(context.theme)),
      m_mapCard(card(context.theme, atTop(m_map), true)), m_nodesCard(card(context.theme, m_table, false)),
      m_heaviestCard(card(context.theme, atTop(m_heaviest), true)),
      m_limitsCard(card(context.theme, atTop(m_limits), true)), m_eventsCard(card(context.theme, m_eventTable, false)) {
    m_map->setObjectName(QStringLiteral("overview.map"));
    m_table->hideColumns({"address", "ranges", "share", "full_in", "gpu", "loaded", "poll_p50", "poll_p95", "version",
                          "uptime", "clock_skew"});
    m_table->setBarColumns({"ram"});
    m_table->setWidest("state", 100);
    m_events.setCompact(true);
    m_eventTable->hideColumns({"subject"});
    m_eventTable->setWidest("time", 160);
    m_eventTable->setWidest("severity", 34);
    auto* content = new QWidget(this);
    auto* grid = new QGridLayout(content);
    grid->setContentsMargins(space::kLarge, space::kSmall, space::kMedium, space::kMedium);
    grid->setSpacing(space::kMedium);
    grid->addWidget(m_verdict, 0, 0, 1, 4);
    grid->addWidget(m_mapCard, 1, 0);
    grid->addWidget(m_nodesCard, 1, 1, 1, 3);
    auto* lists = new QHBoxLayout; // sentences need more room than numbers
    lists->setSpacing(space::kMedium);
    lists->addWidget(m_heaviestCard, 4);
    lists->addWidget(m_limitsCard, 4);
    lists->addWidget(m_eventsCard, 7);
    grid->addLayout(lists, 2, 0, 1, 4);
    grid->setRowStretch(1, 5);
    grid->setRowStretch(2, 4);
    for (int column = 1; column < 4; ++column)
        grid->setColumnStretch(column, 1);
    setContent(content);
    connectParts();
    m_table->restoreLayout(QSettings().value(QStringLiteral("overview/nodes")).toByteArray());
}

void OverviewPage::connectParts() {
    const auto openMap = [this](const PartitionSet& partitions) {
        context().selection.selectPartitions(partitions);
        context().open(QStringLiteral("map"));
    };
    connect(m_verdict, &VerdictCard::showOnMap, this, [this, openMap] { openMap(m_finding->partitions); });
    connect(m_verdict, &VerdictCard::openNode, this, [this] {
        context().selection.selectNodes(m_finding->nodes);
        context().open(QStringLiteral("nodes"));
    });
    connect(m_map, &MiniMap::clicked, this, [openMap](int partition) {
        PartitionSet one;
        one.insert(Partition(partition));
        openMap(one);
    });
    connect(m_table, &DataTable::selectedKeysChanged, this, [this](const QStringList& keys) {
        if (m_table->hasFocus() && !keys.isEmpty())
            context().selection.selectNodes(keys);
    });
    connect(m_table, &DataTable::keyActivated, this, [this](const QString& key) {
        context().selection.selectNodes({key});
        context().open(QStringLiteral("nodes"));
    });
    connect(&m_events, &QAbstractItemModel::rowsInserted, m_eventTable,
            [this] { QMetaObject::invokeMethod(m_eventTable, &QTableView::scrollToBottom, Qt::QueuedConnection); });
}

QString OverviewPage::verdict() const {
    return m_verdict->text();
}

void OverviewPage::showSnapshot(const Snapshot& snapshot) {
    m_finding = verdictOf(snapshot, now());
    m_verdict->set(*m_finding);
    m_map->setSnapshot(this->snapshot());
    m_nodes.setSnapshot(this->snapshot(), fullInDays(snapshot, context().history));
    m_heaviest->set(heaviestPartitions(snapshot));
    auto limits = nearestLimits(snapshot);
    const auto slowest = slowestNode(snapshot);
    limits.insert(limits.end(), slowest.begin(), slowest.end());
    m_limits->set(limits);
}

std::vector<Property> OverviewPage::heaviestPartitions(const Snapshot& snapshot) const {
    std::vector<std::pair<quint64, int>> loads;
    for (int p = 0; p < base::kPartitionCount; ++p)
        if (const auto vectors = snapshot.partitions[std::size_t(p)].vectors)
            loads.emplace_back(*vectors, p);
    if (loads.empty())
        return {{{}, tr("No worker has told its vectors.")}};
    std::partial_sort(loads.begin(), loads.begin() + std::min<long>(kTop, long(loads.size())), loads.end(),
                      std::greater());
    std::vector<Property> lines;
    for (std::size_t i = 0; i < std::min<std::size_t>(kTop, loads.size()); ++i) {
        const auto& owners = snapshot.partitions[std::size_t(loads[i].second)].owners;
        lines.push_back({tr("Partition %1").arg(loads[i].second), numberText(qint64(loads[i].first)), std::nullopt,
                         owners.empty() ? -1 : owners.front()});
    }
    return lines;
}

std::vector<Property> OverviewPage::nearestLimits(const Snapshot& snapshot) const {
    std::vector<std::pair<double, int>> used;
    for (std::size_t node = 0; node < snapshot.nodes.size(); ++node)
        if (const auto& resources = snapshot.nodes[node].resources; resources && resources->ramPercent)
            used.emplace_back(*resources->ramPercent, int(node));
    if (used.empty())
        return {{{}, tr("No worker has told its memory.")}};
    std::sort(used.begin(), used.end(), std::greater());
    std::vector<Property> lines;
    const AlertThresholds limits = context().profile().thresholds;
    for (std::size_t i = 0; i < std::min<std::size_t>(kTop, used.size()); ++i) {
        std::optional<Severity> severity;
        if (used[i].first >= limits.ramCritical)
            severity = Severity::Critical;
        else if (used[i].first >= limits.ramWarning)
            severity = Severity::Warning;
        const NodeView& node = snapshot.nodes[std::size_t(used[i].second)];
        QString text = percentText(used[i].first);
        if (const auto days = daysUntilFull(context().history, node.address, snapshot.takenAt))
            text = tr("%1, full in %2").arg(text, daysText(*days));
        lines.push_back({node.label(), text, severity, used[i].second});
    }
    return lines;
}

std::vector<Property> OverviewPage::slowestNode(const Snapshot& snapshot) const {
    Property heading{tr("Slowest to answer the coordinator"), {}};
    heading.isHeading = true;
    int slowest = -1;
    for (std::size_t at = 0; at < snapshot.nodes.size(); ++at) {
        const auto& told = snapshot.nodes[at].told;
        if (told && told->latencyP50 &&
            (slowest < 0 || *told->latencyP50 > *snapshot.nodes[std::size_t(slowest)].told->latencyP50))
            slowest = int(at);
    }
    if (slowest < 0)
        return {heading, {{}, tr("The coordinator has told no times.")}};
    const NodeView& node = snapshot.nodes[std::size_t(slowest)];
    return {heading,
            {node.label(),
             tr("p50 %1, p99 %2").arg(latencyText(node.told->latencyP50), latencyText(node.told->latencyP99)),
             std::nullopt, slowest}};
}

void OverviewPage::showSelection(const Selection& selection) {
    m_map->setHighlighted(selection.partitions);
    if (!selection.nodes.isEmpty())
        m_table->selectKey(selection.nodes.front());
}

void OverviewPage::showStale(bool stale) {
    m_table->setDimmed(stale);
}

void OverviewPage::highlight(const PartitionSet& partitions) {
    m_map->setHighlighted(partitions);
}

void OverviewPage::exportCsv() {
    saveBytes(context(), this, tr("Export nodes"), QStringLiteral("nodes.csv"),
              m_table->csv(tr("Nodes of %1").arg(context().profile().name)));
}

void OverviewPage::saveLayout(QSettings& settings) const {
    settings.setValue(QStringLiteral("overview/nodes"), m_table->layoutJson());
}

void OverviewPage::retranslate() {
    setTitle(tr("Overview"));
    m_mapCard->setTitle(tr("Key space"));
    m_nodesCard->setTitle(tr("Nodes"));
    m_heaviestCard->setTitle(tr("Heaviest partitions, in vectors"));
    m_limitsCard->setTitle(tr("Nearest to their memory limit"));
    m_eventsCard->setTitle(tr("Recent events"));
    m_table->setAccessibleName(tr("Nodes"));
    m_eventTable->setAccessibleName(tr("Recent events"));
    m_eventTable->setEmptyText(tr("Nothing has happened since the console was opened."));
    m_table->setEmptyText(tr("The configuration names no node yet."));
    m_map->setAccessibleName(tr("Small picture of the partition map"));
    m_verdict->retranslate();
    m_nodes.retranslate();
    m_events.retranslate();
}

} // namespace fremis::console::ui
