#include "console/ui/inspector/inspector.h"
#include "console/ui/pages/safe_to_stop.h"
#include "console/ui/shell/verdict.h"
#include "console/ui/widgets/format.h"

#include <QCoreApplication>
#include <QMap>

namespace fremis::console::ui {
namespace {

struct Lines {
    Q_DECLARE_TR_FUNCTIONS(fremis::console::ui::Inspector)
};

QString countText(const std::optional<quint64>& count) {
    return count ? numberText(qint64(*count)) : unknownText();
}

QString capital(QString word) {
    if (!word.isEmpty())
        word[0] = word[0].toUpper();
    return word;
}

/// The line of the file that gives a node a partition, as the operator finds it in the text.
QString configLine(const Snapshot& snapshot, const NodeView& node, Partition partition) {
    if (!snapshot.config)
        return {};
    for (const auto& range : node.assigned.ranges())
        if (range.first <= partition && partition <= range.last)
            return QStringLiteral("%1: %2-%3").arg(node.address).arg(range.first).arg(range.last);
    return node.address;
}

QString lastAnswer(const NodeView& node, Instant now) {
    if (!node.lastAnswerAt)
        return Lines::tr("never answered");
    return ageText(std::max(Milliseconds(0), now - *node.lastAnswerAt));
}

QString agreement(const PartitionView& view) {
    if (view.owners.size() < 2)
        return Lines::tr("one owner, nothing to compare");
    const auto difference = view.disagreement();
    if (!difference)
        return unknownText();
    return *difference == 0 ? Lines::tr("all owners hold the same number")
                            : Lines::tr("differ by %1").arg(numberText(qint64(*difference)));
}

} // namespace

std::vector<Property> partitionProperties(const Snapshot& snapshot, Partition partition, Instant now) {
    const PartitionView& view = snapshot.partitions[partition];
    std::vector<Property> lines;
    lines.push_back({Lines::tr("State"), capital(wordOf(view.health)), severityOf(view.health)});
    lines.push_back({Lines::tr("Healthy owners"), Lines::tr("%1 of %2 expected").arg(view.healthy).arg(view.expected)});
    lines.push_back({Lines::tr("Vectors"), countText(view.vectors)});
    lines.push_back({Lines::tr("Replicas"), agreement(view),
                     view.disagreement().value_or(0) > 0 ? std::optional(Severity::Warning) : std::nullopt});
    lines.push_back({Lines::tr("Queue"), countText(view.queued),
                     view.queued.value_or(0) > 0 ? std::optional(Severity::Warning) : std::nullopt});
    Property owners{Lines::tr("Owners"), {}};
    owners.isHeading = true;
    lines.push_back(owners);
    if (view.owners.empty())
        lines.push_back({{},
                         Lines::tr("Nobody owns it: faces of this partition cannot be found or enrolled."),
                         Severity::Critical});
    for (const int owner : view.owners) {
        const NodeView& node = snapshot.nodes[std::size_t(owner)];
        lines.push_back({node.label(), capital(wordOf(node.state)), severityOf(node.state), owner});
        lines.push_back({Lines::tr("Vectors"), countText(node.vectorsOf(partition))});
        lines.push_back({Lines::tr("Last answer"), lastAnswer(node, now)});
        lines.push_back({Lines::tr("Configured by"), configLine(snapshot, node, partition)});
        if (!node.reason.isEmpty())
            lines.push_back({Lines::tr("Reason"), node.reason});
    }
    return lines;
}

std::vector<Property> partitionsProperties(const Snapshot& snapshot, const PartitionSet& partitions) {
    quint64 vectors = 0;
    bool complete = true;
    QMap<int, int> byOwner;
    std::array<int, kPartitionClasses> classes{};
    for (int p = 0; p < base::kPartitionCount; ++p) {
        if (!partitions.contains(Partition(p)))
            continue;
        const PartitionView& view = snapshot.partitions[std::size_t(p)];
        ++classes[std::size_t(view.health)];
        complete = complete && view.vectors;
        vectors += view.vectors.value_or(0);
        for (const int owner : view.owners)
            ++byOwner[owner];
    }
    std::vector<Property> lines;
    lines.push_back({Lines::tr("Ranges"), rangesText(partitions)});
    lines.push_back({Lines::tr("Vectors"), complete ? numberText(qint64(vectors))
                                                    : Lines::tr("at least %1").arg(numberText(qint64(vectors)))});
    for (int c = 0; c < kPartitionClasses; ++c)
        if (classes[std::size_t(c)] > 0)
            lines.push_back({capital(wordOf(PartitionClass(c))), numberText(classes[std::size_t(c)]),
                             severityOf(PartitionClass(c))});
    Property owners{Lines::tr("Owners"), {}};
    owners.isHeading = true;
    lines.push_back(owners);
    for (auto it = byOwner.cbegin(); it != byOwner.cend(); ++it) {
        const NodeView& node = snapshot.nodes[std::size_t(it.key())];
        lines.push_back({node.label(), Lines::tr("%n partition(s), %1", "", it.value()).arg(wordOf(node.state)),
                         node.state == NodeState::Ok ? std::nullopt : std::optional(severityOf(node.state)), it.key()});
    }
    return lines;
}

std::vector<Property> nodeProperties(const Snapshot& snapshot, const NodeView& node, Instant now) {
    std::vector<Property> lines;
    lines.push_back({Lines::tr("State"), capital(wordOf(node.state)), severityOf(node.state)});
    if (!node.reason.isEmpty())
        lines.push_back({Lines::tr("Reason"), node.reason});
    if (node.since.count() > 0)
        lines.push_back({Lines::tr("Since"), clockText(node.since)});
    lines.push_back({Lines::tr("Address"), node.address});
    lines.push_back(
        {Lines::tr("Partitions"), Lines::tr("%1 (%2)").arg(node.assigned.count()).arg(rangesText(node.assigned))});
    if (node.reported && !(*node.reported == node.assigned))
        lines.push_back({Lines::tr("Reports"), rangesText(*node.reported), Severity::Warning});
    lines.push_back({Lines::tr("Vectors"), countText(node.vectors())});
    if (node.resources) {
        lines.push_back({Lines::tr("Processor"), percentText(node.resources->cpuPercent)});
        lines.push_back({Lines::tr("Memory"), percentText(node.resources->ramPercent)});
        if (node.resources->processBytes)
            lines.push_back({Lines::tr("Of which the worker"), bytesText(qint64(*node.resources->processBytes))});
    }
    lines.push_back({Lines::tr("Queue"), node.queue ? numberText(qint64(node.queue->ops)) : unknownText()});
    lines.push_back({Lines::tr("Last answer"), lastAnswer(node, now)});
    if (node.viaCoordinator)
        lines.push_back({{}, Lines::tr("Seen through the coordinator only."), Severity::Info});
    if (!node.version().isEmpty())
        lines.push_back({Lines::tr("Version"), node.version()});
    Property heading{Lines::tr("Safe to stop?"), {}};
    heading.isHeading = true;
    lines.push_back(heading);
    const StopVerdict verdict = safeToStop(snapshot, node);
    if (verdict.isSafe)
        lines.push_back(
            {{}, Lines::tr("Yes: another healthy owner holds every partition, and no write waits."), Severity::Ok});
    for (const QString& sentence : verdict.missing)
        lines.push_back({{}, sentence, Severity::Warning});
    return lines;
}

} // namespace fremis::console::ui
