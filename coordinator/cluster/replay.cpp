#include "coordinator/cluster/replay.h"

#include "shared/base/log.h"

#include <algorithm>

namespace fremis::coordinator {

using namespace std::chrono_literals;
namespace internal = wire::internal;

namespace {

constexpr std::size_t kBatch = 256;
constexpr auto kApplyTime = 5'000ms;
/// A replica spends at most three tenths of its time on what it missed.
constexpr int kRestPerTenthOfWork = 23;
constexpr auto kPaceLook = 100ms; ///< how often is asked whether searches have recovered
constexpr std::chrono::milliseconds kFirstDelay = 100ms;
constexpr std::chrono::milliseconds kLongestDelay = 5s;

/// What a call that brought no outcomes failed of.
std::string whyNot(const CallResult& result) {
    if (!result)
        return result.error().why;
    return result->status == 200 ? "its answer makes no sense" : "answered " + std::to_string(result->status);
}

} // namespace

Replay::Replay(Cluster& cluster, Watchdog& watchdog, WriteQueue& queue)
    : m_cluster(cluster), m_environment(cluster.environment()), m_watchdog(watchdog), m_queue(queue) {
    m_watchdog.onReachable = [this](const std::shared_ptr<Peer>& peer) { reachable(peer); };
    m_watchdog.hasQueued = [this](const storage::NodeId& node) {
        const auto found = m_waiting.find(node);
        return found != m_waiting.end() && found->second > 0;
    };
    m_watchdog.hasQueuedDeletes = [this](const storage::NodeId& node) { return m_withDeletes.contains(node); };
    m_watchdog.pendingNodes = [this] { return pendingNodes(); };
    m_watchdog.knowsPending = [this] { return !m_beginning; };
}

void Replay::begin(std::function<void()> ready) {
    m_beginning = true;
    m_queue.stats([this, ready = std::move(ready)](base::Result<QueueStats> stats) {
        m_beginning = false;
        if (stats)
            for (const auto& [node, target] : stats->targets) {
                m_waiting[node] = target.ops - target.parked;
                if (target.deletes + target.keyspaceOps > 0)
                    m_withDeletes.insert(node);
            }
        ready();
    });
}

std::vector<storage::NodeId> Replay::pendingNodes() const {
    std::vector<storage::NodeId> nodes;
    for (const auto& [node, waiting] : m_waiting)
        if (waiting > 0)
            nodes.push_back(node);
    return nodes;
}

void Replay::reachable(const std::shared_ptr<Peer>& peer) {
    if (!peer->node || !peer->hasInternalPlane())
        return;
    const auto node = *peer->node;
    auto& target = m_targets[node];
    if (target.running || target.paused || m_environment.steady() < target.notBefore)
        return;
    target.running = true;
    target.after = 0;
    batchWhenAllowed(peer, node);
}

void Replay::nextBatch(const std::shared_ptr<Peer>& peer, const storage::NodeId& node) {
    m_queue.next(node, m_targets[node].after, kBatch,
                 [this, peer, node, missed = peer->missedWrites](base::Result<std::vector<QueueEntry>> entries) {
                     if (!entries)
                         return failed(node, entries.error().message);
                     if (entries->empty()) {
                         stop(node);
                         const bool hadSome = m_waiting.erase(node) + m_withDeletes.erase(node) > 0;
                         m_watchdog.noteDrained(peer, missed);
                         return hadSome ? m_watchdog.lookNow(peer) : void();
                     }
                     m_waiting[node] = entries->size();
                     send(peer, node, std::move(*entries));
                 });
}

void Replay::send(const std::shared_ptr<Peer>& peer, const storage::NodeId& node, std::vector<QueueEntry> entries) {
    auto& target = m_targets[node];
    if (!peer->takesWrites() || !peer->hasInternalPlane() || target.paused)
        return stop(node);
    ++target.attempts;
    internal::ApplyRequest request;
    request.epoch = m_cluster.view()->map.epoch();
    for (const auto& entry : entries)
        request.operations.push_back(entry.bytes);
    m_cluster.call(peer,
                   {.target = std::string(internal::kApplyPath),
                    .plane = Call::Plane::Internal,
                    .body = internal::toJson(request),
                    .deadline = m_environment.steady() + kApplyTime},
                   [this, peer, node, entries = std::move(entries), begin = m_environment.steady()](CallResult result) {
                       take(peer, node, entries, result,
                            std::chrono::duration_cast<std::chrono::milliseconds>(m_environment.steady() - begin));
                   });
}

void Replay::take(const std::shared_ptr<Peer>& peer, const storage::NodeId& node,
                  const std::vector<QueueEntry>& entries, const CallResult& result, std::chrono::milliseconds took) {
    const auto reply =
        result && result->status == 200 ? internal::readApply(result->body) : tl::unexpected(base::Error());
    if (!reply || reply->outcomes.size() != entries.size())
        return failed(node, whyNot(result));
    std::vector<Sequence> confirmed;
    std::string waits; // for what
    bool withoutKeyspace = false;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const auto& outcome = reply->outcomes[i];
        // What belongs to an ended keyspace, or is older than collected tombstones, is done with.
        if (internal::isConfirmed(outcome.effect) || outcome.effect == internal::ApplyEffect::StaleIncarnation ||
            outcome.effect == internal::ApplyEffect::BehindHorizon) {
            confirmed.push_back(entries[i].sequence);
        } else if (internal::isRefusedForEver(outcome.effect)) {
            base::log(base::LogLevel::Error, "operation_parked",
                      {{"node", peer->address.text()}, {"reason", internal::tokenOf(outcome.effect)}});
            m_queue.park(node, entries[i].sequence, std::string(internal::tokenOf(outcome.effect)),
                         [](base::Status) {});
        } else {
            waits = internal::tokenOf(outcome.effect); // keyspace_unknown, version_ahead, not_owner: it may end
            withoutKeyspace = withoutKeyspace || outcome.effect == internal::ApplyEffect::KeyspaceUnknown;
        }
    }
    if (withoutKeyspace)
        onMissingKeyspace();
    const auto rest = took * kRestPerTenthOfWork / 10;
    m_queue.confirm(node, std::move(confirmed), [this, peer, node, waits, rest](base::Status status) {
        if (!status || !waits.empty())
            return failed(node, status ? waits : status.error().message);
        auto& target = m_targets[node];
        target.lastError.clear();
        target.delay = 0ms;
        m_environment.after(rest, [this, peer, node] { batchWhenAllowed(peer, node); });
    });
}

void Replay::batchWhenAllowed(const std::shared_ptr<Peer>& peer, const storage::NodeId& node) {
    auto& target = m_targets[node];
    target.resting = !m_pace.allows(m_environment.steady());
    noteReplaying();
    if (target.resting)
        m_environment.after(kPaceLook, [this, peer, node] { batchWhenAllowed(peer, node); });
    else
        nextBatch(peer, node);
}

void Replay::noteReplaying() {
    const bool any = std::any_of(m_targets.begin(), m_targets.end(),
                                 [](const auto& entry) { return entry.second.running && !entry.second.resting; });
    m_pace.setReplaying(m_environment.steady(), any);
}

/// The next answered probe begins again.
void Replay::stop(const storage::NodeId& node, std::string why) {
    auto& target = m_targets[node];
    target.running = false;
    target.lastError = std::move(why);
    noteReplaying();
}

/// It times out, or answers that it cannot: a while later, and later each time.
void Replay::failed(const storage::NodeId& node, std::string why) {
    auto& target = m_targets[node];
    target.delay = std::clamp(target.delay * 2, kFirstDelay, kLongestDelay);
    const auto jitter =
        std::chrono::milliseconds(m_environment.random() % (std::uint64_t(target.delay.count()) / 4 + 1));
    target.notBefore = m_environment.steady() + target.delay + jitter;
    stop(node, std::move(why));
}

Replay::Progress Replay::progress(const storage::NodeId& node) const {
    const auto found = m_targets.find(node);
    return found == m_targets.end() ? Progress() : Progress(found->second);
}

void Replay::setPaused(const storage::NodeId& node, bool paused) {
    m_targets[node].paused = paused;
}

void Replay::noteReturned(const std::shared_ptr<Peer>& peer, std::uint64_t operations, bool deletes) {
    if (operations == 0)
        return;
    m_waiting[*peer->node] += operations;
    m_watchdog.noteMissedWrite(peer, deletes);
}

void Replay::forget(const storage::NodeId& node) {
    m_waiting.erase(node);
    m_withDeletes.erase(node);
}

void Replay::tryNow(const std::shared_ptr<Peer>& peer) {
    m_targets[*peer->node].notBefore = {};
    m_watchdog.lookNow(peer);
    if (peer->takesWrites())
        reachable(peer);
}

} // namespace fremis::coordinator
