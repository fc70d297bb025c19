#include "console/ui/pages/safe_to_stop.h"

#include "console/ui/shell/verdict.h"

#include <QCoreApplication>

namespace fremis::console::ui {
namespace {

struct SafeToStop {
    Q_DECLARE_TR_FUNCTIONS(fremis::console::ui::SafeToStop)
};

enum class Reserve { Enough, None, Behind, Unknown };

/// What the other owners of a partition offer.
Reserve reserveOf(const Snapshot& snapshot, const NodeView& node, Partition partition) {
    const auto own = node.vectorsOf(partition);
    Reserve best = Reserve::None;
    for (const int owner : snapshot.partitions[partition].owners) {
        const NodeView& other = snapshot.nodes[std::size_t(owner)];
        if (other.address == node.address || other.state != NodeState::Ok || other.isStale)
            continue;
        const auto theirs = other.vectorsOf(partition);
        if (!own || !theirs)
            best = best == Reserve::Behind ? best : Reserve::Unknown;
        else if (*theirs == *own)
            return Reserve::Enough;
        else
            best = Reserve::Behind;
    }
    return best;
}

} // namespace

StopVerdict safeToStop(const Snapshot& snapshot, const NodeView& node) {
    StopVerdict verdict;
    PartitionSet alone, behind, unknown;
    for (int p = 0; p < base::kPartitionCount; ++p) {
        const auto partition = Partition(p);
        if (!node.assigned.contains(partition))
            continue;
        switch (reserveOf(snapshot, node, partition)) {
        case Reserve::Enough:
            continue;
        case Reserve::None:
            alone.insert(partition);
            break;
        case Reserve::Behind:
            behind.insert(partition);
            break;
        case Reserve::Unknown:
            unknown.insert(partition);
            break;
        }
    }
    if (!alone.empty())
        verdict.missing.append(SafeToStop::tr("No other healthy owner has %n partition(s): %1.", "", alone.count())
                                   .arg(rangesText(alone)));
    if (!behind.empty())
        verdict.missing.append(
            SafeToStop::tr("Other owners hold another number of vectors of %n partition(s): %1.", "", behind.count())
                .arg(rangesText(behind)));
    if (!unknown.empty())
        verdict.missing.append(SafeToStop::tr("The vectors of %n partition(s) are not known: %1.", "", unknown.count())
                                   .arg(rangesText(unknown)));
    if (!node.queue)
        verdict.missing.append(SafeToStop::tr("Whether writes wait for it is not known."));
    else if (node.queue->ops > 0)
        verdict.missing.append(SafeToStop::tr("%n write(s) wait for it.", "", int(node.queue->ops)));
    verdict.partitions = alone | behind | unknown;
    verdict.isSafe = verdict.missing.isEmpty();
    return verdict;
}

} // namespace fremis::console::ui
