#include "console/ui/shell/verdict.h"

#include "console/ui/widgets/format.h"

#include <QCoreApplication>
#include <QMap>

namespace fremis::console::ui {
namespace {

struct Verdict {
    Q_DECLARE_TR_FUNCTIONS(fremis::console::ui::Verdict)
};

QString labelOf(const Snapshot& snapshot, int node) {
    return snapshot.nodes[std::size_t(node)].label();
}

/// Owners that are not healthy, of the given partitions.
QStringList brokenOwners(const Snapshot& snapshot, const PartitionSet& partitions) {
    QStringList labels;
    for (std::size_t node = 0; node < snapshot.nodes.size(); ++node)
        if (snapshot.nodes[node].state != NodeState::Ok && snapshot.nodes[node].assigned.overlaps(partitions))
            labels.append(labelOf(snapshot, int(node)));
    return labels;
}

QString sinceText(const NodeView& node) {
    if (node.since.count() <= 0)
        return Verdict::tr("%1 is %2").arg(node.label(), wordOf(node.state));
    return Verdict::tr("%1 is %2 since %3").arg(node.label(), wordOf(node.state), clockText(node.since));
}

QString riskText(const Snapshot& snapshot, const PartitionSet& partitions) {
    QString text =
        Verdict::tr("%n partition(s) (%1) cannot be searched", "", partitions.count()).arg(rangesText(partitions));
    const QStringList owners = brokenOwners(snapshot, partitions);
    if (owners.size() == 1) {
        for (const NodeView& node : snapshot.nodes)
            if (node.label() == owners.front())
                text += QStringLiteral(": ") + sinceText(node);
    } else if (!owners.isEmpty()) {
        text += QStringLiteral(": ") + Verdict::tr("no healthy owner among %1").arg(owners.join(QStringLiteral(", ")));
    }
    return text + QLatin1Char('.');
}

void addPartitions(std::vector<Finding>& findings, const Snapshot& snapshot) {
    if (const auto gap = snapshot.all(PartitionClass::Gap); !gap.empty())
        findings.push_back({Severity::Critical,
                            Verdict::tr("Partitions"),
                            Verdict::tr("%n partition(s) (%1) belong to nobody.", "", gap.count()).arg(rangesText(gap)),
                            gap,
                            {}});
    if (const auto risk = snapshot.all(PartitionClass::AtRisk); !risk.empty())
        findings.push_back({Severity::Critical, Verdict::tr("Partitions"), riskText(snapshot, risk), risk, {}});
    if (const auto thin = snapshot.all(PartitionClass::Thin); !thin.empty())
        findings.push_back(
            {Severity::Warning,
             Verdict::tr("Partitions"),
             Verdict::tr("%n partition(s) (%1) have fewer healthy owners than they should.", "", thin.count())
                 .arg(rangesText(thin)),
             thin,
             {}});
}

void addNodes(std::vector<Finding>& findings, const Snapshot& snapshot) {
    for (const NodeView& node : snapshot.nodes) {
        if (node.inMaintenance)
            continue;
        if (node.isStale) {
            findings.push_back({Severity::Unknown,
                                node.label(),
                                Verdict::tr("%1 has not been heard of: what it holds is unknown.").arg(node.label()),
                                node.assigned,
                                {node.address}});
        } else if (node.state != NodeState::Ok) {
            QString text = sinceText(node);
            if (!node.reason.isEmpty())
                text += QStringLiteral(": ") + node.reason;
            findings.push_back(
                {severityOf(node.state), node.label(), text + QLatin1Char('.'), node.assigned, {node.address}});
        }
        if (node.queue && node.queue->needsFullResync)
            findings.push_back(
                {Severity::Warning,
                 node.label(),
                 Verdict::tr("%1 needs a full resync: writes for it were lost or expired.").arg(node.label()),
                 node.assigned,
                 {node.address}});
        if (node.queue && node.queue->parkedOps > 0)
            findings.push_back(
                {Severity::Warning,
                 node.label(),
                 Verdict::tr("%n write(s) for %1 are parked.", "", int(node.queue->parkedOps)).arg(node.label()),
                 {},
                 {node.address}});
        if (!node.isConfigured)
            findings.push_back({Severity::Info,
                                node.label(),
                                Verdict::tr("%1 answers but is not in the configuration.").arg(node.label()),
                                {},
                                {node.address}});
    }
}

int rank(Severity severity) {
    switch (severity) {
    case Severity::Critical:
        return 0;
    case Severity::Unknown:
        return 1;
    case Severity::Warning:
        return 2;
    case Severity::Info:
        return 3;
    case Severity::Ok:
        break;
    }
    return 4;
}

Finding calmVerdict(const Snapshot& snapshot, Instant now) {
    const auto age = now - snapshot.takenAt;
    const int nodes = snapshot.counts.nodes;
    const int expected = snapshot.partitions.front().expected;
    const bool uniform = std::all_of(snapshot.partitions.begin(), snapshot.partitions.end(),
                                     [&](const PartitionView& p) { return p.expected == expected; });
    const QString owners = uniform ? Verdict::tr("All 256 partitions have %n healthy owner(s).", "", expected)
                                   : Verdict::tr("All 256 partitions have all their owners healthy.");
    return {
        Severity::Ok,
        {},
        owners + QLatin1Char(' ') +
            Verdict::tr("Checked %1 on %2 of %n node(s).", "", nodes).arg(ageText(age)).arg(snapshot.counts.nodesOk),
        {},
        {}};
}

} // namespace

QString rangesText(const PartitionSet& partitions) {
    return QString::fromStdString(partitions.text());
}

Severity severityOf(NodeState state) {
    switch (state) {
    case NodeState::Ok:
        return Severity::Ok;
    case NodeState::Loading:
    case NodeState::CatchingUp:
    case NodeState::Draining:
        return Severity::Info;
    case NodeState::Degraded:
        return Severity::Warning;
    case NodeState::Down:
        return Severity::Critical;
    case NodeState::Unknown:
        break;
    }
    return Severity::Unknown;
}

Severity severityOf(PartitionClass partition) {
    switch (partition) {
    case PartitionClass::Ok:
        return Severity::Ok;
    case PartitionClass::Thin:
        return Severity::Warning;
    case PartitionClass::AtRisk:
    case PartitionClass::Gap:
        return Severity::Critical;
    case PartitionClass::Over:
        return Severity::Info;
    case PartitionClass::Unknown:
        break;
    }
    return Severity::Unknown;
}

std::vector<Finding> findingsOf(const Snapshot& snapshot) {
    std::vector<Finding> findings;
    addPartitions(findings, snapshot);
    if (!snapshot.coordinator && !snapshot.coordinators.empty())
        findings.push_back(
            {Severity::Critical,
             snapshot.coordinators.front().url.authority(),
             Verdict::tr("The coordinator does not answer: %1").arg(snapshot.coordinators.front().lastError),
             {},
             {}});
    addNodes(findings, snapshot);
    for (const Drift& drift : snapshot.drifts)
        findings.push_back({Severity::Warning, drift.subject, drift.text, {}, {}});
    if (snapshot.config)
        for (const QString& warning : snapshot.config.value.value()->warnings)
            findings.push_back({Severity::Info, Verdict::tr("Configuration"), warning, {}, {}});
    std::stable_sort(findings.begin(), findings.end(),
                     [](const Finding& a, const Finding& b) { return rank(a.severity) < rank(b.severity); });
    return findings;
}

Finding verdictOf(const Snapshot& snapshot, Instant now) {
    if (snapshot.nodes.empty())
        return {Severity::Unknown, {}, Verdict::tr("Unknown: no node has been named yet."), {}, {}};
    Finding verdict;
    const auto findings = findingsOf(snapshot);
    if (snapshot.counts.nodesUnknown > 0 && (findings.empty() || findings.front().severity != Severity::Critical))
        verdict = {Severity::Unknown,
                   {},
                   Verdict::tr("Unknown: %1 of %n node(s) have not answered.", "", snapshot.counts.nodes)
                       .arg(snapshot.counts.nodesUnknown),
                   {},
                   {}};
    else if (findings.empty() || findings.front().severity == Severity::Info ||
             findings.front().severity == Severity::Ok)
        verdict = snapshot.all(PartitionClass::Unknown).empty()
                      ? calmVerdict(snapshot, now)
                      : Finding{Severity::Unknown,
                                {},
                                Verdict::tr("Unknown: the state of %n partition(s) is not known.", "",
                                            snapshot.counts.of(PartitionClass::Unknown)),
                                {},
                                {}};
    else
        verdict = findings.front();
    if (snapshot.counts.queued.value_or(0) > 0)
        verdict.text +=
            QLatin1Char(' ') + Verdict::tr("%1 writes are queued.").arg(numberText(qint64(*snapshot.counts.queued)));
    return verdict;
}

} // namespace fremis::console::ui
