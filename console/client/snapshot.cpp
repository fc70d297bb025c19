#include "console/client/snapshot.h"

#include <QCoreApplication>

#include <algorithm>

namespace fremis::console {

using namespace Qt::StringLiterals;

QString wordOf(NodeState state) {
    switch (state) {
    case NodeState::Ok:
        return QCoreApplication::translate("NodeState", "ok");
    case NodeState::Loading:
        return QCoreApplication::translate("NodeState", "loading index");
    case NodeState::CatchingUp:
        return QCoreApplication::translate("NodeState", "catching up");
    case NodeState::Degraded:
        return QCoreApplication::translate("NodeState", "degraded");
    case NodeState::Draining:
        return QCoreApplication::translate("NodeState", "draining");
    case NodeState::Down:
        return QCoreApplication::translate("NodeState", "down");
    case NodeState::Unknown:
        break;
    }
    return QCoreApplication::translate("NodeState", "unknown");
}

QString wordOf(PartitionClass partition) {
    switch (partition) {
    case PartitionClass::Ok:
        return QCoreApplication::translate("PartitionClass", "ok");
    case PartitionClass::Thin:
        return QCoreApplication::translate("PartitionClass", "thin");
    case PartitionClass::AtRisk:
        return QCoreApplication::translate("PartitionClass", "at risk");
    case PartitionClass::Gap:
        return QCoreApplication::translate("PartitionClass", "gap");
    case PartitionClass::Over:
        return QCoreApplication::translate("PartitionClass", "over-assigned");
    case PartitionClass::Unknown:
        break;
    }
    return QCoreApplication::translate("PartitionClass", "unknown");
}

std::optional<quint64> NodeView::vectorsOf(Partition partition) const {
    return load ? (**load).partitions[partition] : std::nullopt;
}

std::optional<quint64> NodeView::vectors() const {
    return load ? std::optional((**load).total) : std::nullopt;
}

QString NodeView::version() const {
    if (health && !health->version.isEmpty())
        return health->version;
    return told ? told->version : QString();
}

std::optional<qint64> NodeView::queueEtaSeconds() const {
    if (!queue || queue->ops == 0 || !queueRate || *queueRate <= 0)
        return std::nullopt;
    return static_cast<qint64>(static_cast<double>(queue->ops) / *queueRate);
}

std::optional<quint64> PartitionView::disagreement() const {
    return vectors && fewest ? std::optional(*vectors - *fewest) : std::nullopt;
}

int Counts::bad() const {
    return of(PartitionClass::AtRisk) + of(PartitionClass::Gap) + of(PartitionClass::Thin);
}

std::optional<int> Snapshot::nodeAt(const QString& address) const {
    const auto found =
        std::find_if(nodes.begin(), nodes.end(), [&address](const NodeView& node) { return node.address == address; });
    return found == nodes.end() ? std::nullopt : std::optional(static_cast<int>(found - nodes.begin()));
}

const NodeView* Snapshot::find(const QString& address) const {
    const auto at = nodeAt(address);
    return at ? &nodes[static_cast<std::size_t>(*at)] : nullptr;
}

PartitionSet Snapshot::all(PartitionClass partition) const {
    PartitionSet set;
    for (std::size_t at = 0; at < partitions.size(); ++at)
        if (partitions[at].health == partition)
            set.insert(static_cast<Partition>(at));
    return set;
}

QUrl Snapshot::coordinatorUrl() const {
    return coordinator ? coordinators[static_cast<std::size_t>(*coordinator)].url : QUrl();
}

bool Snapshot::sameAs(const Snapshot& other) const {
    const auto sameConfig = [](const auto& a, const auto& b) {
        return a.isKnown() == b.isKnown() && (!a || **a == **b);
    };
    return generation == other.generation && isPaused == other.isPaused && coordinators == other.coordinators &&
           coordinator == other.coordinator && sameConfig(config, other.config) && nodes == other.nodes &&
           partitions == other.partitions && counts == other.counts && drifts == other.drifts &&
           keyspaces.value == other.keyspaces.value && limits.value == other.limits.value &&
           notOffered == other.notOffered;
}

Milliseconds staleAfter(Milliseconds interval) {
    return std::max(3 * interval, Milliseconds(3000));
}

} // namespace fremis::console
