#include "coordinator/cluster/resync.h"

#include "shared/base/log.h"

#include <algorithm>
#include <utility>

namespace fremis::coordinator {

using namespace std::chrono_literals;
using base::LogLevel;
using base::Result;
namespace internal = wire::internal;

namespace {

constexpr auto kComparisonTime = 10'000ms;
constexpr std::chrono::milliseconds kFirstRetry = 1s;
constexpr std::chrono::milliseconds kLongestRetry = 30s;

} // namespace

Resync::Resync(Cluster& cluster, Watchdog& watchdog, WriteQueue& queue, Repair& repair)
    : m_cluster(cluster), m_environment(cluster.environment()), m_watchdog(watchdog), m_queue(queue), m_repair(repair) {
    m_watchdog.needsResync = [this](const storage::NodeId& node) { return isMarked(node); };
    m_watchdog.onBehind = [this](const storage::NodeId& node) { mark(node); };
    m_watchdog.onResync = [this](const std::shared_ptr<Peer>& peer) { run(peer); };
    m_queue.onMarked = [this](const std::vector<storage::NodeId>& nodes) {
        for (const auto& node : nodes)
            noteMarked(node);
    };
    // What such a node misses is pending too.
    m_watchdog.pendingNodes = [this, queued = std::move(m_watchdog.pendingNodes)] {
        auto nodes = queued();
        nodes.insert(nodes.end(), m_marked.begin(), m_marked.end());
        return nodes;
    };
}

void Resync::begin() {
    const auto& opening = m_queue.opening();
    if (!opening.queueLost)
        return;
    base::log(LogLevel::Error, "queue_lost", {{"why", opening.why}, {"targets_unknown", opening.targetsUnknown}});
    if (!opening.targetsUnknown)
        return; // the queue has marked them
    for (const auto& peer : m_cluster.view()->peers)
        if (peer->node)
            mark(*peer->node);
}

void Resync::mark(const storage::NodeId& node) {
    base::log(LogLevel::Warning, "full_resync_needed", {{"node_id", internal::textOf(node)}});
    m_marked.insert(node);
    m_marking.insert(node);
    m_queue.call<void>([node](QueueStore& store) { return store.markForResync(node); },
                       [this, node](const base::Status&) { m_marking.erase(m_marking.find(node)); });
}

/// A sample that was taken before comes before, so it cannot take this back.
void Resync::noteMarked(const storage::NodeId& node) {
    if (m_marked.insert(node).second)
        base::log(LogLevel::Warning, "full_resync_needed", {{"node_id", internal::textOf(node)}});
}

void Resync::note(const QueueStats& stats, const std::vector<Damage>& damage) {
    std::set<storage::NodeId> marked(m_marking.begin(), m_marking.end());
    for (const auto& [node, target] : stats.targets) {
        if (target.resync == ResyncMark::None)
            continue;
        marked.insert(node);
        if (!m_marked.contains(node))
            base::log(LogLevel::Warning, "full_resync_needed", {{"node_id", internal::textOf(node)}});
    }
    m_marked = std::move(marked);
    for (const auto& one : damage)
        mend(one);
}

/// A worker that is on the map and can be reached is being filled, or waits for its next attempt.
void Resync::run(const std::shared_ptr<Peer>& peer) {
    const Task task{peer, *peer->node};
    auto& attempt = m_attempts[task.node];
    if (attempt.running || m_environment.steady() < attempt.notBefore || !peer->hasInternalPlane())
        return;
    attempt.running = true;
    base::log(LogLevel::Info, "resync_begins", {{"node", peer->address.text()}});
    // From here on its queue takes writes again, so none falls between the comparison and the end of the mark.
    m_queue.call<void>(
        [node = task.node](QueueStore& store) { return store.beginResync(node); },
        [this, task](const base::Status& begun) { begun ? fillKeyspaces(task) : failed(task, begun.error().message); });
}

/// An active worker, else one that is loaded.
std::shared_ptr<Peer> Resync::sourceFor(const Peer& peer) const {
    std::shared_ptr<Peer> source;
    for (const auto& other : m_cluster.view()->peers) {
        if (other.get() == &peer || !other->hasInternalPlane() || !other->takesWrites() ||
            other->state == PeerState::Loading)
            continue;
        if (!source || other->state == PeerState::Active)
            source = other;
    }
    return source;
}

/// Also workers without replicas of their partitions share the keyspaces with all others.
void Resync::fillKeyspaces(const Task& task) {
    const auto source = sourceFor(*task.peer);
    if (!source)
        return m_cluster.view()->peers.size() == 1 ? comparePartitions(task) : failed(task, "no other worker answers");
    m_cluster.call(source,
                   {.target = std::string(internal::kKeyspaceRecordsPath),
                    .plane = Call::Plane::Internal,
                    .body = "{}",
                    .deadline = m_environment.steady() + kComparisonTime},
                   [this, task](const CallResult& result) {
                       auto reply = result && result->status == 200 ? internal::readKeyspaceRecords(result->body)
                                                                    : tl::unexpected(base::Error());
                       if (!reply)
                           return failed(task, "no worker told its keyspaces");
                       applyKeyspaces(task, std::make_shared<const Records>(std::move(reply->records)), 0);
                   });
}

void Resync::applyKeyspaces(const Task& task, std::shared_ptr<const Records> records, std::size_t from) {
    if (from >= records->size())
        return comparePartitions(task);
    const auto until = std::min(records->size(), from + internal::kMaxRecords);
    const auto at = [&](std::size_t place) { return records->begin() + static_cast<std::ptrdiff_t>(place); };
    const internal::ApplyRequest request{m_cluster.view()->map.epoch(), Records(at(from), at(until)), true};
    m_cluster.call(task.peer,
                   {.target = std::string(internal::kApplyPath),
                    .plane = Call::Plane::Internal,
                    .body = internal::toJson(request),
                    .deadline = m_environment.steady() + kComparisonTime},
                   [this, task, records, until](const CallResult& result) {
                       result && result->status == 200 ? applyKeyspaces(task, records, until)
                                                       : failed(task, "it does not take keyspaces");
                   });
}

void Resync::comparePartitions(const Task& task) {
    m_repair.fill(task.peer, task.peer->assigned, [this, task](bool equal) {
        equal ? end(task) : failed(task, "it could not be compared with another replica");
    });
}

void Resync::end(const Task& task) {
    if (task.peer->node != task.node)
        return failed(task, "another worker has taken its address");
    m_queue.call<bool>([node = task.node](QueueStore& store) { return store.endResync(node); },
                       [this, task](const Result<bool>& ended) {
                           if (!ended || !*ended)
                               return failed(task, ended ? "it was marked again" : ended.error().message);
                           base::log(LogLevel::Info, "resync_ends", {{"node", task.peer->address.text()}});
                           m_marked.erase(task.node);
                           m_attempts.erase(task.node);
                           m_watchdog.lookNow(task.peer);
                       });
}

void Resync::failed(const Task& task, std::string_view why) {
    base::log(LogLevel::Warning, "resync_failed", {{"node", task.peer->address.text()}, {"why", why}});
    auto& attempt = m_attempts[task.node];
    attempt.running = false;
    attempt.delay = std::clamp(attempt.delay * 2, kFirstRetry, kLongestRetry);
    attempt.notBefore = m_environment.steady() + attempt.delay;
}

/// What a damaged record left is made good by its partition's comparison; when it does not tell its partition, by a
/// full resync.
void Resync::mend(const Damage& damage) {
    if (std::find(m_mending.begin(), m_mending.end(), damage) != m_mending.end())
        return;
    const auto& peers = m_cluster.view()->peers;
    const auto peer =
        std::find_if(peers.begin(), peers.end(), [&](const auto& one) { return one->node == damage.target; });
    if (peer == peers.end())
        return;
    m_mending.push_back(damage);
    const auto forget = [this, damage](const base::Status&) { std::erase(m_mending, damage); };
    if (!damage.partition)
        return m_queue.call<void>(
            [damage](QueueStore& store) {
                return store.markForResync(damage.target).and_then([&] { return store.settleDamage(damage); });
            },
            forget);
    hashing::PartitionSet partition;
    partition.insert(*damage.partition);
    m_repair.fill(*peer, partition, [this, damage, forget](bool equal) {
        if (!equal)
            return forget({});
        m_queue.call<void>([damage](QueueStore& store) { return store.settleDamage(damage); }, forget);
    });
}

} // namespace fremis::coordinator
