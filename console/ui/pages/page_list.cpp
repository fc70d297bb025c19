#include "console/ui/pages/page_list.h"

#include "console/ui/pages/config/config_page.h"
#include "console/ui/pages/keyspaces/keyspaces_page.h"
#include "console/ui/pages/map/map_page.h"
#include "console/ui/pages/metrics/metrics_page.h"
#include "console/ui/pages/nodes/nodes_page.h"
#include "console/ui/pages/overview/overview_page.h"
#include "console/ui/pages/planner/planner_page.h"
#include "console/ui/pages/queue/queue_page.h"
#include "console/ui/pages/try/try_page.h"

#include <QCoreApplication>

namespace fremis::console::ui {
namespace {

template<class P> Page* make(const PageContext& context, QWidget* parent) {
    return new P(context, parent);
}

RailBadge mapBadge(const Snapshot& snapshot) {
    const int lost = snapshot.counts.of(PartitionClass::AtRisk) + snapshot.counts.of(PartitionClass::Gap);
    if (lost > 0)
        return {lost, Severity::Critical};
    return {snapshot.counts.of(PartitionClass::Thin), Severity::Warning};
}

RailBadge nodesBadge(const Snapshot& snapshot) {
    if (snapshot.counts.nodesDown > 0)
        return {snapshot.counts.nodesDown, Severity::Critical};
    return {snapshot.counts.nodes - snapshot.counts.nodesOk, Severity::Warning};
}

RailBadge queueBadge(const Snapshot& snapshot) {
    return {qint64(snapshot.counts.queued.value_or(0)), Severity::Warning};
}

} // namespace

std::vector<PageEntry> allPages() {
    const auto key = [](const char* text) { return QKeySequence(QLatin1String(text)); };
    return {
        {QStringLiteral("overview"),
         QT_TRANSLATE_NOOP("Actions", "Overview"),
         QStringLiteral("overview"),
         key("Ctrl+1"),
         make<OverviewPage>,
         {}},
        {QStringLiteral("map"), QT_TRANSLATE_NOOP("Actions", "Map"), QStringLiteral("map"), key("Ctrl+2"),
         make<MapPage>, mapBadge},
        {QStringLiteral("nodes"), QT_TRANSLATE_NOOP("Actions", "Nodes"), QStringLiteral("nodes"), key("Ctrl+3"),
         make<NodesPage>, nodesBadge},
        {QStringLiteral("metrics"),
         QT_TRANSLATE_NOOP("Actions", "Metrics"),
         QStringLiteral("metrics"),
         key("Ctrl+4"),
         make<MetricsPage>,
         {}},
        {QStringLiteral("queue"), QT_TRANSLATE_NOOP("Actions", "Write queue"), QStringLiteral("queue"), key("Ctrl+5"),
         make<QueuePage>, queueBadge},
        {QStringLiteral("config"),
         QT_TRANSLATE_NOOP("Actions", "Configuration"),
         QStringLiteral("config"),
         key("Ctrl+6"),
         make<ConfigPage>,
         {}},
        {QStringLiteral("planner"),
         QT_TRANSLATE_NOOP("Actions", "Planner"),
         QStringLiteral("planner"),
         key("Ctrl+7"),
         make<PlannerPage>,
         {}},
        {QStringLiteral("keyspaces"),
         QT_TRANSLATE_NOOP("Actions", "Keyspaces"),
         QStringLiteral("keyspaces"),
         key("Ctrl+8"),
         make<KeyspacesPage>,
         {}},
        {QStringLiteral("try"),
         QT_TRANSLATE_NOOP("Actions", "Try it"),
         QStringLiteral("try"),
         key("Ctrl+9"),
         make<TryPage>,
         {}},
    };
}

QString titleOf(const PageEntry& page) {
    return QCoreApplication::translate("Actions", page.title);
}

} // namespace fremis::console::ui
