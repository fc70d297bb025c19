#include "console/client/snapshot_builder.h"

#include "shared/routing/config_file.h"

#include <QCoreApplication>

#include <algorithm>

namespace fremis::console {

using namespace Qt::StringLiterals;

namespace {

/// So many failed polls in a row are an outage, one alone is not.
constexpr int kFailuresOfOutage = 2;

/// Whose texts they are, for translators.
struct SnapshotWords {
    Q_DECLARE_TR_FUNCTIONS(fremis::console::SnapshotBuilder)
};

NodeState stateOfWord(const QString& word) {
    static const QHash<QString, NodeState> states{{u"ACTIVE"_s, NodeState::Ok},
                                                  {u"LOADING"_s, NodeState::Loading},
                                                  {u"CATCHING_UP"_s, NodeState::CatchingUp},
                                                  {u"RESYNC"_s, NodeState::CatchingUp},
                                                  {u"SUSPECT"_s, NodeState::Degraded},
                                                  {u"DRAINING"_s, NodeState::Draining},
                                                  {u"DOWN"_s, NodeState::Down}};
    return states.value(word, NodeState::Unknown);
}

struct Verdict {
    NodeState state = NodeState::Unknown;
    QString reason;
    bool viaCoordinator = false;
};

QString reasonOf(const ToldNode& told) {
    return told.lastError.isEmpty() ? QString() : SnapshotWords::tr("The coordinator says: %1").arg(told.lastError);
}

/// A worker that answers here says what it is; it serves searches only when the coordinator thinks so too.
Verdict bothSay(NodeState own, const ToldNode& told) {
    const auto theirs = stateOfWord(told.state);
    if (own != NodeState::Ok || theirs == NodeState::Ok || theirs == NodeState::Unknown)
        return {own, own == NodeState::Ok ? QString() : reasonOf(told), false};
    if (theirs == NodeState::CatchingUp || theirs == NodeState::Draining)
        return {theirs, reasonOf(told), false};
    return {NodeState::Degraded,
            SnapshotWords::tr("It says ACTIVE, the coordinator says %1. %2").arg(told.state, told.lastError).trimmed(),
            false};
}

class Builder {
public:
    Builder(const Observations& seen, const Profile& profile, Instant now, const SnapshotPtr& before)
        : m_seen(seen), m_profile(profile), m_now(now), m_limit(staleAfter(profile.interval)), m_before(before),
          m_made(std::make_shared<Snapshot>()) {}

    SnapshotPtr make() {
        m_made->number = m_before ? m_before->number + 1 : 1;
        m_made->takenAt = m_now;
        m_made->interval = m_profile.interval;
        m_made->config = m_seen.config;
        m_made->queue = m_seen.queue;
        m_made->keyspaces = m_seen.keyspaces;
        m_made->limits = m_seen.limits;
        m_made->notOffered = m_seen.notOffered;
        addCoordinators();
        addNodes();
        for (auto& node : m_made->nodes)
            fill(node);
        for (int number = 0; number < base::kPartitionCount; ++number)
            classify(static_cast<Partition>(number));
        count();
        findDrifts();
        return m_made;
    }

private:
    void addCoordinators() {
        for (const auto& seen : m_seen.coordinators) {
            CoordinatorView view;
            view.url = seen.url;
            view.health = seen.health;
            view.status = seen.status;
            view.lastError = seen.lastError;
            view.took = seen.took;
            view.answers = seen.failedPolls == 0 && (isFresh(seen.health) || isFresh(seen.status));
            if (view.answers && !m_made->coordinator) {
                m_made->coordinator = static_cast<int>(m_made->coordinators.size());
                m_made->status = seen.status;
            }
            m_made->coordinators.push_back(std::move(view));
        }
    }

    /// The config's nodes in its order, then those that only the coordinator or the polls know.
    void addNodes() {
        if (m_seen.config)
            for (const auto& node : (**m_seen.config).map.nodes()) {
                auto& view = addNode(QString::fromStdString(node.address.text()));
                view.name = node.name ? QString::fromStdString(*node.name) : QString();
                view.weight = node.weight.hundredths() / 100.0;
                view.assigned = PartitionSet(node.partitions);
            }
        const bool configKnown = m_seen.config.isKnown();
        if (m_seen.told)
            for (const auto& told : m_seen.told->nodes) {
                if (m_made->nodeAt(told.address))
                    continue;
                auto& view = addNode(told.address);
                view.name = told.name;
                view.weight = told.weight;
                view.isConfigured = !configKnown;
                view.assigned = configKnown ? PartitionSet() : told.partitions;
            }
        for (const auto& [address, seen] : m_seen.nodes)
            if (!m_made->nodeAt(address))
                addNode(address).isConfigured = m_profile.nodeSource == NodeSource::Manual;
    }

    NodeView& addNode(const QString& address) {
        auto& view = m_made->nodes.emplace_back();
        view.address = address;
        view.url = m_profile.urlOf(address);
        return view;
    }

    void fill(NodeView& node) const {
        if (m_profile.aliases.contains(node.address))
            node.name = m_profile.aliases.value(node.address);
        node.inMaintenance = m_profile.maintenance.contains(node.address);
        if (const auto seen = m_seen.nodes.find(node.address); seen != m_seen.nodes.end())
            fillOwn(node, seen->second);
        fillTold(node);
        if (node.health && node.health->partitions)
            node.reported.set(*node.health->partitions, node.health.readAt);
        judge(node);
    }

    static void fillOwn(NodeView& node, const NodeObservation& seen) {
        node.health = seen.health;
        node.load = seen.load;
        node.resources = seen.resources;
        node.clockSkew = seen.clockSkew;
        node.lastAnswerAt = seen.lastAnswerAt;
        node.lastError = seen.lastError;
        node.failedPolls = seen.failedPolls;
        node.nextTryAt = seen.nextTryAt;
        if (seen.latencies.empty())
            return;
        std::vector<Milliseconds> sorted(seen.latencies.begin(), seen.latencies.end());
        std::sort(sorted.begin(), sorted.end());
        node.pollP50 = sorted[(sorted.size() - 1) / 2];
        node.pollP95 = sorted[(sorted.size() - 1) * 95 / 100];
    }

    void fillTold(NodeView& node) const {
        const auto isIt = [&node](const auto& one) { return one.address == node.address; };
        if (m_seen.told) {
            const auto& told = m_seen.told->nodes;
            if (const auto found = std::find_if(told.begin(), told.end(), isIt); found != told.end()) {
                node.told.set(*found, m_seen.told.readAt);
                if (found->lastOkAt) // it has told the coordinator which partitions are its own
                    node.reported.set(found->reportedPartitions, m_seen.told.readAt);
            }
        }
        if (m_seen.queue) {
            const auto& queues = m_seen.queue->nodes;
            if (const auto found = std::find_if(queues.begin(), queues.end(), isIt); found != queues.end())
                node.queue.set(*found, m_seen.queue.readAt);
        }
        if (node.queue && node.queue->outPerSecond && node.queue->inPerSecond)
            node.queueRate = *node.queue->outPerSecond - *node.queue->inPerSecond;
        else if (const auto rate = m_seen.queueRates.find(node.address); rate != m_seen.queueRates.end())
            node.queueRate = rate->second;
    }

    void judge(NodeView& node) const {
        const auto verdict = verdictOn(node);
        node.state = verdict.state;
        node.reason = verdict.reason;
        node.viaCoordinator = verdict.viaCoordinator;
        node.isStale = node.state == NodeState::Unknown;
        const auto* last = m_before ? m_before->find(node.address) : nullptr;
        if (last && last->state == node.state)
            node.since = last->since;
        else
            node.since = !last && node.told && node.told->since && stateOfWord(node.told->state) == node.state
                             ? *node.told->since
                             : m_now;
    }

    Verdict verdictOn(const NodeView& node) const {
        const bool ownFresh = isFresh(node.health) && node.failedPolls < kFailuresOfOutage;
        const bool toldFresh = isFresh(node.told);
        if (ownFresh) {
            // A program that says nothing but "here" (an older one) is taken at its word.
            const auto own = node.health->state.isEmpty() ? NodeState::Ok : stateOfWord(node.health->state);
            return toldFresh ? bothSay(own, *node.told) : Verdict{own, {}, false};
        }
        if (toldFresh && node.told->state != "UNKNOWN"_L1)
            return {stateOfWord(node.told->state), reasonOf(*node.told), true};
        if (node.failedPolls >= kFailuresOfOutage)
            return {NodeState::Down, node.lastError, false};
        return {NodeState::Unknown,
                node.lastError.isEmpty() ? SnapshotWords::tr("It has not answered yet.") : node.lastError, false};
    }

    template<class T> bool isFresh(const Known<T>& known) const { return known.isFresh(m_now, m_limit); }

    void classify(Partition number) const {
        auto& view = m_made->partitions[number];
        std::optional<quint64> queued;
        for (std::size_t at = 0; at < m_made->nodes.size(); ++at) {
            const auto& node = m_made->nodes[at];
            if (!node.assigned.contains(number))
                continue;
            view.owners.push_back(static_cast<int>(at));
            view.healthy += node.state == NodeState::Ok;
            view.unknownOwners += node.state == NodeState::Unknown;
            if (const auto vectors = node.vectorsOf(number)) {
                view.vectors = std::max(view.vectors.value_or(0), *vectors);
                view.fewest = std::min(view.fewest.value_or(*vectors), *vectors);
            }
            if (node.queue)
                queued = queued.value_or(0) + node.queue->ops;
        }
        view.queued = queued;
        const auto wanted = wantedReplicas();
        view.expected = wanted.value_or(static_cast<int>(view.owners.size()));
        view.health = classOf(view, wanted.has_value());
    }

    /// R of the file, else of the profile; nothing: each partition's own number of owners.
    std::optional<int> wantedReplicas() const {
        if (m_seen.config && (**m_seen.config).map.replication())
            return (**m_seen.config).map.replication();
        return m_profile.replication;
    }

    PartitionClass classOf(const PartitionView& view, bool replicasAreSet) const {
        if (!m_seen.config && !m_seen.told)
            return PartitionClass::Unknown;
        const int owners = static_cast<int>(view.owners.size());
        if (owners == 0)
            return PartitionClass::Gap;
        const bool enough = view.healthy >= view.expected;
        if (!enough && view.healthy + view.unknownOwners >= (view.healthy == 0 ? 1 : view.expected))
            return PartitionClass::Unknown;
        if (view.healthy == 0)
            return PartitionClass::AtRisk;
        if (!enough)
            return PartitionClass::Thin;
        return replicasAreSet && owners > view.expected ? PartitionClass::Over : PartitionClass::Ok;
    }

    void count() const {
        auto& counts = m_made->counts;
        for (const auto& partition : m_made->partitions)
            ++counts.partitions[static_cast<std::size_t>(partition.health)];
        for (const auto& node : m_made->nodes) {
            ++counts.nodes;
            counts.nodesOk += node.state == NodeState::Ok;
            counts.nodesDown += node.state == NodeState::Down;
            counts.nodesUnknown += node.state == NodeState::Unknown;
        }
        if (m_made->queue) {
            counts.queued = m_made->queue->totalOps;
            for (const auto& node : m_made->queue->nodes)
                if (node.oldestSeconds)
                    counts.oldestQueuedSeconds = std::max(counts.oldestQueuedSeconds.value_or(0), *node.oldestSeconds);
        } else if (m_made->status) {
            counts.queued = m_made->status->queueOps;
            counts.oldestQueuedSeconds = m_made->status->queueOldestSeconds;
        }
    }

    void addDrift(const QString& subject, const QString& text) const { m_made->drifts.push_back({subject, text}); }

    void findDrifts() const {
        for (const auto& node : m_made->nodes)
            if (node.isConfigured && node.reported && *node.reported != node.assigned)
                addDrift(node.address, SnapshotWords::tr("It reports the partitions %1, the config gives it %2.")
                                           .arg(QString::fromStdString(node.reported->text()),
                                                QString::fromStdString(node.assigned.text())));
        const CoordinatorView* first = nullptr;
        for (const auto& coordinator : m_made->coordinators) {
            if (!coordinator.answers || !coordinator.status)
                continue;
            const auto& epoch = coordinator.status->configEpoch;
            if (!first)
                first = &coordinator;
            else if (epoch != first->status->configEpoch)
                addDrift(coordinator.url.toString(),
                         SnapshotWords::tr("It runs the config %1, %2 runs %3.")
                             .arg(epoch, first->url.toString(), first->status->configEpoch));
        }
        if (first && m_seen.config && !(**m_seen.config).epoch.isEmpty() &&
            (**m_seen.config).epoch != first->status->configEpoch)
            addDrift(first->url.toString(), SnapshotWords::tr("It runs the config %1, the file is %2.")
                                                .arg(first->status->configEpoch, (**m_seen.config).epoch));
    }

    const Observations& m_seen;
    const Profile& m_profile;
    const Instant m_now;
    const Milliseconds m_limit;
    const SnapshotPtr& m_before;
    std::shared_ptr<Snapshot> m_made;
};

base::Result<std::shared_ptr<const ConfigView>> viewOfFile(const base::Result<routing::ConfigFile>& file,
                                                           ConfigView::Source source) {
    if (!file)
        return tl::unexpected(file.error());
    auto view = std::make_shared<ConfigView>();
    view->source = source;
    view->epoch = QString::fromStdString(file->epoch());
    view->text = QByteArray::fromStdString(file->text);
    view->map = file->map;
    for (const auto& problem : file->warnings)
        view->warnings.append(QString::fromStdString(problemLine("config.yml", problem)));
    return view;
}

} // namespace

SnapshotPtr makeSnapshot(const Observations& seen, const Profile& profile, Instant now, const SnapshotPtr& before) {
    return Builder(seen, profile, now, before).make();
}

base::Result<std::shared_ptr<const ConfigView>> configViewOf(const RunningConfig& running) {
    const auto file = routing::loadConfigText(running.yaml.toStdString(), "config.yml");
    if (!file)
        return tl::unexpected(file.error());
    auto view = std::make_shared<ConfigView>();
    view->source = ConfigView::Source::Coordinator;
    view->epoch = running.epoch;
    view->text = running.yaml;
    view->etag = running.etag;
    view->loadedAt = running.loadedAt;
    view->map = file->map;
    view->warnings = running.warnings;
    return view;
}

base::Result<std::shared_ptr<const ConfigView>> configViewOfFile(const QString& path) {
    return viewOfFile(routing::loadConfig(path.toStdString()), ConfigView::Source::File);
}

} // namespace fremis::console
