#include "console/ui/pages/queue/queue_page.h"

#include "console/client/lagging.h"
#include "console/ui/shell/verdict.h"
#include "console/ui/views/time_series_view.h"
#include "console/ui/widgets/data_table.h"
#include "console/ui/widgets/filter_line.h"
#include "console/ui/widgets/format.h"
#include "console/ui/widgets/info_banner.h"
#include "console/ui/widgets/property_list.h"
#include "console/ui/widgets/save_file.h"

#include <QHBoxLayout>
#include <QSettings>
#include <QToolButton>
#include <QVBoxLayout>

namespace fremis::console::ui {
namespace {

const QString kEndpoint = QStringLiteral("/v1/cluster/queue");
constexpr std::chrono::minutes kShown{15};
/// Two replicas are not asked at one moment: only what stays is a loss.
constexpr std::chrono::seconds kSettled{30};
constexpr qsizetype kParkedShown = 5;

QString parkedText(const ParkedWrite& write) {
    const QString error = write.error.isEmpty() ? unknownText() : write.error;
    return write.partition ? QueuePage::tr("%1, partition %2: %3").arg(write.kind).arg(*write.partition).arg(error)
                           : QStringLiteral("%1: %2").arg(write.kind, error);
}

} // namespace

QueuePage::QueuePage(const PageContext& context, QWidget* parent)
    : Page(context, QStringLiteral("queue"), parent),
      m_table(new DataTable(context.theme, m_model, QStringLiteral("queue.table"))), m_filter(new FilterLine),
      m_chart(new TimeSeriesView(context.theme)), m_sums(new PropertyList(context.theme)),
      m_details(new PropertyList(context.theme)), m_lagging(new InfoBanner(context.theme)) {
    m_lagging->setObjectName(QStringLiteral("queue.lagging"));
    m_lagging->hide();
    m_filter->setObjectName(QStringLiteral("queue.filter"));
    m_filter->setMaximumWidth(220);
    m_filter->setTarget(m_table);
    m_chart->setObjectName(QStringLiteral("queue.chart"));
    m_table->hideColumns({"keyspace_ops", "resync"});
    addActions();
    tools().addStretch();
    tools().addWidget(m_filter);
    for (const auto* id : {"queue.retry", "queue.pause", "queue.resume", "queue.discard"}) {
        auto* button = new QToolButton;
        button->setObjectName(QLatin1String(id) + QStringLiteral(".button"));
        button->setDefaultAction(context.actions.find(QLatin1String(id)));
        button->setAutoRaise(true);
        tools().addWidget(button);
    }
    auto* content = new QWidget(this);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, space::kTiny, 0, 0);
    layout->setSpacing(space::kSmall);
    layout->addWidget(m_lagging);
    auto* top = new QHBoxLayout;
    top->setContentsMargins(space::kLarge, 0, space::kMedium, 0);
    top->setSpacing(space::kLarge);
    auto* left = new QVBoxLayout;
    left->addWidget(m_sums);
    left->addStretch();
    top->addLayout(left);
    top->addWidget(m_chart, 1);
    m_chart->setFixedHeight(withText(font(), 190));
    layout->addLayout(top);
    layout->addWidget(m_table, 1);
    auto* bottom = new QHBoxLayout;
    bottom->setContentsMargins(space::kLarge, space::kTiny, space::kMedium, space::kMedium);
    bottom->addWidget(m_details);
    layout->addLayout(bottom);
    setContent(content);
    connect(m_filter, &QLineEdit::textChanged, m_table, &DataTable::setFilter);
    connect(m_table, &DataTable::selectedKeysChanged, this, [this](const QStringList& keys) {
        if (!keys.isEmpty() && keys != this->context().selection.current().nodes)
            this->context().selection.selectNodes(keys);
    });
    m_table->restoreLayout(QSettings().value(QStringLiteral("queue/table")).toByteArray());
    m_filter->setText(QSettings().value(QStringLiteral("queue/filter")).toString());
}

std::optional<Page::Placeholder> QueuePage::placeholder(const Snapshot& snapshot) const {
    if (snapshot.notOffered.contains(kEndpoint))
        return Placeholder{StateStack::State::NotOffered,
                           tr("This coordinator does not report its queue (%1).").arg(kEndpoint),
                           {},
                           {}};
    if (!snapshot.queue)
        return Placeholder{StateStack::State::Loading, tr("Waiting for the queue..."), {}, {}};
    return std::nullopt;
}

void QueuePage::showSnapshot(const Snapshot& snapshot) {
    m_model.setSnapshot(this->snapshot());
    showSums(snapshot);
    showDetails();
    showLagging(snapshot);
    showChart(snapshot);
}

void QueuePage::showSums(const Snapshot& snapshot) {
    std::vector<Property> sums;
    if (snapshot.queue) {
        const ClusterQueue& queue = *snapshot.queue;
        sums.push_back({tr("Writes waiting"), numberText(qint64(queue.totalOps)),
                        queue.totalOps > 0 ? std::optional(Severity::Warning) : std::optional(Severity::Ok)});
        sums.push_back({tr("On disk"), bytesText(qint64(queue.totalBytes))});
        if (queue.limitBytes)
            sums.push_back({tr("Limit"), bytesText(qint64(*queue.limitBytes))});
        const auto oldest = snapshot.counts.oldestQueuedSeconds;
        sums.push_back({tr("Oldest"), oldest ? durationText(std::chrono::seconds(*oldest)) : unknownText()});
        const auto behind = std::count_if(queue.nodes.begin(), queue.nodes.end(),
                                          [](const QueueDepth& depth) { return depth.ops > 0; });
        sums.push_back({tr("Nodes behind"), numberText(qint64(behind))});
    }
    m_sums->set(sums);
}

void QueuePage::showDetails() {
    const NodeView* node = snapshot() ? snapshot()->find(m_node) : nullptr;
    if (!node || !node->queue) {
        m_details->set({{{}, tr("Choose a node to see what waits for it.")}});
        return;
    }
    const QueueDepth& depth = *node->queue;
    std::vector<Property> lines{{tr("Node"), node->label()}, {tr("State"), wordOf(depth.state)}};
    if (depth.paused.value_or(false))
        lines.push_back({{}, tr("Paused by an operator: writes are kept, not sent."), Severity::Info});
    if (depth.parkedOps > 0)
        lines.push_back(
            {tr("Parked"),
             tr("%n write(s) that the worker refused; they stay until it is repaired.", "", int(depth.parkedOps)),
             Severity::Warning});
    for (const ParkedWrite& write : depth.parked.first(std::min(kParkedShown, depth.parked.size())))
        lines.push_back({{}, QStringLiteral("•  ") + parkedText(write)});
    if (depth.needsFullResync)
        lines.push_back(
            {{}, tr("Writes expired or were lost: verify this node by a full resync."), Severity::Critical});
    if (const auto eta = node->queueEtaSeconds())
        lines.push_back({tr("Empty in about"), durationText(std::chrono::seconds(*eta))});
    if (!depth.lastError.isEmpty())
        lines.push_back({tr("Last error"), depth.lastError});
    m_details->set(lines);
}

void QueuePage::showLagging(const Snapshot& snapshot) {
    std::map<QString, Instant> since;
    QStringList told;
    PartitionSet partitions;
    for (const LaggingReplica& replica : laggingReplicas(snapshot)) {
        const auto before = m_laggingSince.find(replica.address);
        const Instant begun = before == m_laggingSince.end() ? snapshot.takenAt : before->second;
        since.emplace(replica.address, begun);
        if (snapshot.takenAt - begun < kSettled)
            continue;
        told.append(tr("%1 lacks %2", "node, vectors")
                        .arg(snapshot.find(replica.address)->label(),
                             tr("%Ln vector(s)", "", int(std::min<quint64>(replica.missing, INT_MAX)))));
        partitions = partitions | replica.partitions;
    }
    m_laggingSince = std::move(since);
    if (told.isEmpty())
        m_lagging->hide();
    else
        m_lagging->show(Severity::Warning,
                        tr("Writes expired or were lost: %1 of partitions %2, though none waits. Compare the replicas.")
                            .arg(told.join(QStringLiteral(", ")), rangesText(partitions)));
}

void QueuePage::showChart(const Snapshot& snapshot) {
    std::vector<TimeSeriesView::Series> series;
    const Instant to = snapshot.takenAt;
    for (std::size_t node = 0; node < snapshot.nodes.size(); ++node)
        series.push_back({snapshot.nodes[node].label(),
                          int(node),
                          context().history.series(snapshot.nodes[node].address, Metric::Queue, to - kShown, to),
                          {}});
    m_chart->setData(series, to - kShown, to);
}

void QueuePage::showSelection(const Selection& selection) {
    if (!selection.nodes.isEmpty()) {
        m_node = selection.nodes.front();
        m_table->selectKey(m_node);
    }
    showDetails();
    refreshActions();
}

void QueuePage::showStale(bool stale) {
    m_table->setDimmed(stale);
}

void QueuePage::focusFilter() {
    m_filter->setFocus(Qt::ShortcutFocusReason);
    m_filter->selectAll();
}

void QueuePage::exportCsv() {
    saveBytes(context(), this, tr("Export the queue"), QStringLiteral("queue.csv"),
              m_table->csv(tr("Write queue of %1; bytes, seconds, writes per second").arg(context().profile().name)));
}

void QueuePage::saveLayout(QSettings& settings) const {
    settings.setValue(QStringLiteral("queue/table"), m_table->layoutJson());
    settings.setValue(QStringLiteral("queue/filter"), m_filter->text());
}

void QueuePage::retranslate() {
    setTitle(tr("Write queue"));
    m_filter->setPlaceholderText(tr("Filter nodes"));
    m_filter->setAccessibleName(tr("Filter nodes"));
    m_table->setAccessibleName(tr("Writes that wait, by node"));
    m_table->setEmptyText(tr("No writes wait for anybody."));
    m_chart->setTitle(tr("Writes waiting, last 15 minutes"));
    m_model.retranslate();
}

} // namespace fremis::console::ui
