#include "coordinator/cluster/watchdog.h"

#include "shared/base/log.h"
#include "shared/hashing/partition.h"
#include "shared/wire/reply_readers.h"

#include <algorithm>
#include <utility>

namespace fremis::coordinator {

using namespace std::chrono_literals;
using base::LogLevel;

namespace {

constexpr auto kInterval = 500ms;
constexpr auto kProbeTime = 700ms;
constexpr auto kQueueLook = 20ms; ///< how often is asked whether the queue has been read
constexpr std::size_t kEnoughTold = 2;
constexpr int kMissesToDown = 3;
constexpr int kRefusalsToDown = 2;
constexpr auto kFirstHoldDown = 1'000ms;
constexpr auto kLongestHoldDown = 30'000ms;
constexpr auto kMostAhead = 60s; ///< of a version: workers refuse what is further ahead
constexpr auto kCalmTime = 60s;  ///< without a change of state a flapping peer is forgiven

hashing::PartitionSet setOf(std::span<const wire::PartitionRange> ranges) {
    hashing::PartitionSet set;
    for (const auto& range : ranges)
        set.insert({range.start, range.end});
    return set;
}

} // namespace

Watchdog::Watchdog(Cluster& cluster, wire::internal::Id id, bool signsCalls)
    : m_cluster(cluster), m_environment(cluster.environment()), m_id(id), m_signsCalls(signsCalls),
      m_startedAt(m_environment.steady()), m_coordinators(m_environment, id) {
    m_cluster.onGone = [this](const std::shared_ptr<Peer>& peer) { lookNow(peer); };
}

void Watchdog::followMap() {
    ++m_maps;
    std::map<routing::Address, std::shared_ptr<Watched>> before;
    before.swap(m_watched);
    for (const auto& peer : m_cluster.view()->peers) {
        auto found = before.extract(peer->address);
        auto watched = found ? found.mapped() : std::make_shared<Watched>();
        // What a reload adds may be missing there. What it took away stays in doubt: requests under way follow the map
        // before.
        if (found)
            peer->unproven = peer->unproven | (peer->assigned - watched->assigned);
        watched->assigned = peer->assigned;
        if (!found) {
            watched->peer = peer;
            peer->since = m_environment.sinceEpoch();
            schedule(watched, 0ms);
        }
        m_watched.emplace(peer->address, std::move(watched));
    }
    for (const auto& [address, gone] : before) {
        m_environment.cancel(gone->timer);
        m_cluster.cancel(gone->call);
    }
}

void Watchdog::lookNow(const std::shared_ptr<Peer>& peer) {
    const auto found = m_watched.find(peer->address);
    if (found != m_watched.end() && found->second->call == 0)
        schedule(found->second, 0ms);
}

void Watchdog::scheduleNext(const std::shared_ptr<Watched>& watched) {
    // From question to question, so that a worker that never answers is found as fast as the time of a call allows.
    const auto next = watched->askedAt + kInterval - m_environment.steady();
    schedule(watched, std::max(0ms, std::chrono::duration_cast<std::chrono::milliseconds>(next)));
}

void Watchdog::schedule(const std::shared_ptr<Watched>& watched, std::chrono::milliseconds delay) {
    m_environment.cancel(watched->timer);
    // A tenth of jitter, so that the probes of several coordinators do not meet.
    const auto jitter = std::chrono::milliseconds(m_environment.random() % (std::uint64_t(delay.count()) / 10 + 1));
    watched->timer = m_environment.after(delay + jitter, [this, weak = std::weak_ptr(watched)] {
        if (const auto alive = weak.lock()) {
            alive->timer = 0;
            probe(alive);
        }
    });
}

std::chrono::steady_clock::time_point Watchdog::probeDeadline() const {
    return m_environment.steady() + kProbeTime;
}

bool Watchdog::reachesInternalPlane(const Peer& peer) const {
    return peer.facts && peer.facts->internalPort && (m_signsCalls || peer.address.isLocal());
}

void Watchdog::probe(const std::shared_ptr<Watched>& watched) {
    if (watched->call != 0)
        return;
    watched->askedAt = m_environment.steady();
    reachesInternalPlane(*watched->peer) ? askInternal(watched) : askHealth(watched);
}

void Watchdog::askHealth(const std::shared_ptr<Watched>& watched) {
    // livez tells everything in every state.
    watched->call = m_cluster.call(
        watched->peer,
        {.method = "GET", .target = "/livez", .addressee = Call::Addressee::Whoever, .deadline = probeDeadline()},
        [this, weak = std::weak_ptr(watched)](CallResult result) {
            if (const auto alive = weak.lock())
                takeHealth(alive, result);
        });
}

wire::internal::ProbeRequest Watchdog::question() const {
    wire::internal::ProbeRequest request;
    request.coordinator = m_id;
    request.epoch = m_cluster.view()->map.epoch();
    request.clockMs = m_environment.sinceEpoch().count();
    request.lowWater = lowWater();
    request.seen = m_seen;
    request.pending = allPending();
    request.forget = m_coordinators.forgotten();
    request.partitionRule = hashing::kPartitionRule;
    if (!m_space.empty())
        request.space = m_space;
    return request;
}

Call Watchdog::internalProbe(const wire::internal::ProbeRequest& request) const {
    return {.target = std::string(wire::internal::kProbePath),
            .plane = Call::Plane::Internal,
            .addressee = Call::Addressee::Whoever,
            .body = wire::internal::toJson(request),
            .deadline = probeDeadline()};
}

/// Nodes with writes in the queue or on their way there.
std::vector<storage::NodeId> Watchdog::allPending() const {
    auto nodes = pendingNodes();
    for (const auto& [address, watched] : m_watched) {
        const auto& peer = *watched->peer;
        if (peer.node && peer.missedWrites != peer.drainedWrites &&
            std::find(nodes.begin(), nodes.end(), *peer.node) == nodes.end())
            nodes.push_back(*peer.node);
    }
    return nodes;
}

bool Watchdog::isAnnounced(const storage::NodeId& node) const {
    const auto& peers = m_cluster.view()->peers;
    const auto others = std::count_if(peers.begin(), peers.end(), [&](const auto& peer) {
        return peer->takesWrites() && peer->hasInternalPlane() && peer->node != node;
    });
    const auto told = m_toldOf.find(node);
    return told != m_toldOf.end() && told->second.size() >= std::min(kEnoughTold, static_cast<std::size_t>(others));
}

void Watchdog::announce(const std::vector<storage::NodeId>& nodes, std::function<void()> done) {
    const auto isDone = [this, nodes] {
        return std::all_of(nodes.begin(), nodes.end(), [this](const auto& node) { return isAnnounced(node); });
    };
    if (isDone())
        return done();
    struct Round {
        std::size_t waiting = 1; ///< calls, and this function itself
        std::function<void()> done;
    };
    const auto round = std::make_shared<Round>();
    round->done = std::move(done);
    const auto landed = [round, isDone] {
        --round->waiting;
        if (round->done && (round->waiting == 0 || isDone()))
            std::exchange(round->done, nullptr)();
    };
    const auto request = question();
    for (const auto& peer : m_cluster.view()->peers) {
        const bool isConcerned = peer->node && std::find(nodes.begin(), nodes.end(), *peer->node) != nodes.end();
        if (isConcerned || !peer->takesWrites() || !peer->hasInternalPlane())
            continue;
        ++round->waiting;
        m_cluster.call(peer, internalProbe(request),
                       [this, landed, pending = request.pending](const CallResult& result) {
                           const auto reply = result && result->status == 200 ? wire::internal::readProbe(result->body)
                                                                              : tl::unexpected(base::Error());
                           if (reply)
                               noteTold(reply->node, pending);
                           landed();
                       });
    }
    landed();
}

/// A worker says of others what it was told, not of itself: whoever asks it finds out.
void Watchdog::noteTold(const storage::NodeId& by, const std::vector<storage::NodeId>& pending) {
    const auto all = allPending();
    std::erase_if(m_toldOf,
                  [&](const auto& entry) { return std::find(all.begin(), all.end(), entry.first) == all.end(); });
    for (const auto& node : pending)
        if (node != by)
            m_toldOf[node].insert(by);
}

/// Probes all workers with an internal plane that are `wanted`.
template<class Wanted> void Watchdog::askAll(Wanted wanted, std::function<void()> then) {
    const auto waiting = std::make_shared<std::size_t>(1); // this function itself
    const auto told = [waiting, then = std::move(then)] {
        if (--*waiting == 0)
            then();
    };
    const auto request = question();
    for (const auto& peer : m_cluster.view()->peers) {
        if (!peer->hasInternalPlane() || !wanted(*peer))
            continue;
        ++*waiting;
        m_cluster.call(peer, internalProbe(request), [this, told](const CallResult& result) {
            if (const auto reply = result && result->status == 200 ? wire::internal::readProbe(result->body)
                                                                   : tl::unexpected(base::Error()))
                noteVersion(reply->seen);
            told();
        });
    }
    told();
}

void Watchdog::tellMap(std::function<void()> then) {
    askAll([](const Peer&) { return true; }, std::move(then));
}

void Watchdog::shareVersions(std::function<void()> then) {
    askAll([](const Peer& peer) { return peer.takesWrites(); }, std::move(then));
}

void Watchdog::noteVersion(base::Version version) {
    if (version.time() <= m_environment.sinceEpoch() + kMostAhead)
        m_seen = std::max(m_seen, version);
}

void Watchdog::askInternal(const std::shared_ptr<Watched>& watched) {
    if (!knowsPending())
        return schedule(watched, kQueueLook);
    const auto request = question();
    watched->told = {request.epoch, request.pending};
    watched->call =
        m_cluster.call(watched->peer, internalProbe(request), [this, weak = std::weak_ptr(watched)](CallResult result) {
            if (const auto alive = weak.lock())
                takeProbe(alive, result);
        });
}

void Watchdog::takeHealth(const std::shared_ptr<Watched>& watched, const CallResult& result) {
    watched->call = 0;
    auto& peer = *watched->peer;
    if (!result) {
        missed(watched, result.error());
        return scheduleNext(watched);
    }
    const auto health = wire::readHealth(result->body);
    if (result->status != 200 || !health || health->role != "worker") {
        refuse(*watched,
               result->status == 200 ? "no worker answers there" : "answered " + std::to_string(result->status));
        return scheduleNext(watched);
    }
    PeerFacts facts;
    facts.instance = health->instance.value_or("");
    facts.state = health->state;
    facts.loadedPercent = health->loadedPercent;
    facts.vectorsLoaded = health->vectorsLoaded;
    facts.space = health->space.value_or("");
    facts.version = health->version;
    facts.partitions = setOf(health->partitions);
    if (health->internalPort)
        facts.internalPort = static_cast<std::uint16_t>(*health->internalPort);
    learn(peer, facts);
    watched->portIsFresh = true;
    if (reachesInternalPlane(peer))
        return askInternal(watched);
    peer.internalPlane =
        facts.internalPort ? "no key pair is set and the node is not on loopback" : "the node offers none";
    answered(watched, std::move(facts));
    scheduleNext(watched);
}

void Watchdog::takeProbe(const std::shared_ptr<Watched>& watched, const CallResult& result) {
    watched->call = 0;
    auto& peer = *watched->peer;
    if (!result) {
        // A restarted worker listens on another internal port: its health tells.
        if (result.error().refused) {
            peer.facts->internalPort.reset();
            return askHealth(watched);
        }
        missed(watched, result.error());
        return scheduleNext(watched);
    }
    const auto reply = wire::internal::readProbe(result->body);
    if (result->status != 200 || !reply) {
        const auto why = refusalOf(*result).error;
        peer.internalPlane = result->status == 200 ? "the answer to a probe makes no sense"
                                                   : std::string(why.token()) + ": " + why.message;
        refuse(*watched, peer.internalPlane);
        peer.facts->internalPort.reset(); // ask its health the next time
        return scheduleNext(watched);
    }
    const bool portIsFresh = std::exchange(watched->portIsFresh, false);
    if (peer.node && *peer.node != reply->node && !portIsFresh) {
        // Another process may have taken the internal port of one that is gone: the client port tells who is here.
        peer.facts->internalPort.reset();
        return askHealth(watched);
    }
    peer.internalPlane = "ok";
    peer.toldEpoch = watched->told.epoch;
    noteTold(reply->node, watched->told.pending);
    PeerFacts facts;
    facts.instance = wire::internal::instanceOf(reply->node, reply->generation);
    facts.state = reply->state;
    facts.loadedPercent = reply->loadedPercent;
    facts.vectorsLoaded = reply->vectorsLoaded;
    facts.space = reply->space;
    facts.version = reply->version;
    facts.partitions = setOf(reply->partitions);
    facts.internalPort = peer.facts->internalPort;
    facts.clockAhead = std::chrono::milliseconds(reply->clockMs) - m_environment.sinceEpoch();
    for (const auto& heard : reply->heard)
        m_coordinators.hear(heard);
    for (const auto& [address, other] : m_watched)
        leaveActiveIfPending(*other->peer);
    const bool replaced = peer.node && *peer.node != reply->node;
    if (peer.node != reply->node) {
        // Another node than before: nothing that was found out about the old one holds.
        peer.node = reply->node;
        peer.lastVersion = {};
        peer.equal = false;
        onNode(watched->peer);
    }
    // An older disk, or an empty one: even as the only copy it may not answer for what it lacks.
    if (replaced || reply->lastVersion < peer.lastVersion)
        onBehind(*peer.node);
    peer.lastVersion = reply->lastVersion;
    noteVersion(std::max(reply->lastVersion, reply->seen));
    answered(watched, std::move(facts));
    scheduleNext(watched);
}

/// What waits at another coordinator is not known: it may be deletes. One that does not answer is not waited for.
void Watchdog::leaveActiveIfPending(Peer& peer) {
    const bool answersReads = peer.state == PeerState::Active || peer.state == PeerState::Suspect;
    if (!answersReads || !peer.node || !m_coordinators.havePending(*peer.node))
        return;
    peer.missesDeletes = true;
    setState(peer, PeerState::CatchingUp);
}

/// What was found out about another worker, or about an earlier life of this one, does not hold any more.
void Watchdog::learn(Peer& peer, PeerFacts facts) {
    const bool another = peer.facts && peer.facts->instance != facts.instance;
    peer.facts = std::move(facts);
    if (another && peer.state != PeerState::Down)
        setState(peer, PeerState::Loading);
}

bool Watchdog::hasMissedWrites(const Peer& peer) const {
    if (peer.missedWrites != peer.drainedWrites)
        return true;
    return peer.node && (hasQueued(*peer.node) || m_coordinators.havePending(*peer.node));
}

void Watchdog::answered(const std::shared_ptr<Watched>& watched, PeerFacts facts) {
    auto& peer = *watched->peer;
    watched->asked = true;
    learn(peer, std::move(facts));
    peer.missedProbes = 0;
    peer.refusals = 0;
    peer.lastOkAt = m_environment.sinceEpoch();
    if (m_space.empty())
        m_space = peer.facts->space;
    if (!m_space.empty() && peer.facts->space != m_space)
        return refuse(*watched, "space_mismatch");
    peer.lastError.clear();
    if (peer.state == PeerState::Unknown)
        setState(peer, PeerState::Loading); // never straight to Active
    if (peer.facts->state == "DOWN")
        return setState(peer, PeerState::Down);
    // One that answers first is not compared with itself alone.
    if (!peer.isLoaded() || (peer.state == PeerState::Loading && !roundDone()))
        return setState(peer, PeerState::Loading);
    if (peer.node && needsResync(*peer.node)) {
        enterResync(peer);
        return onResync(watched->peer);
    }
    if (hasMissedWrites(peer)) {
        // What waits at another coordinator is not known: it may be deletes.
        peer.missesDeletes = peer.missesDeletes ||
                             (peer.node && (hasQueuedDeletes(*peer.node) || m_coordinators.havePending(*peer.node)));
        setState(peer, PeerState::CatchingUp);
        onReachable(watched->peer);
        return;
    }
    peer.missesDeletes = false;
    proveNewPartitions(watched);
    if (peer.state == PeerState::Suspect && watched->peer->equal)
        return setState(peer, PeerState::Active);
    if ((peer.state == PeerState::Active && watched->peer->equal) || m_environment.steady() < watched->heldUntil)
        return;
    activate(watched);
}

/// By the states that lie between.
void Watchdog::enterResync(Peer& peer) {
    if (peer.state == PeerState::Down)
        setState(peer, PeerState::Loading);
    if (peer.state == PeerState::Active || peer.state == PeerState::Suspect)
        setState(peer, PeerState::CatchingUp);
    setState(peer, PeerState::Resync);
}

/// Loaded and without missed writes: the last question is whether it holds what the others hold.
void Watchdog::activate(const std::shared_ptr<Watched>& watched) {
    if (watched->peer->equal)
        return setState(*watched->peer, PeerState::Active);
    if (watched->comparing)
        return;
    setState(*watched->peer, PeerState::CatchingUp);
    watched->comparing = true;
    compare(watched->peer, [this, weak = std::weak_ptr(watched), outages = watched->outages](bool equal) {
        const auto alive = weak.lock();
        if (!alive)
            return;
        alive->comparing = false;
        alive->peer->equal = equal && alive->outages == outages;
        if (alive->peer->equal && alive->peer->state == PeerState::CatchingUp && !hasMissedWrites(*alive->peer))
            setState(*alive->peer, PeerState::Active);
    });
}

/// Not before every worker knows of the map: until then writes by the map before may arrive, which go to the older
/// owners alone.
void Watchdog::proveNewPartitions(const std::shared_ptr<Watched>& watched) {
    const auto wanted = (watched->peer->unproven & watched->peer->assigned) - watched->proving;
    if (wanted.empty() || !allKnowTheMap())
        return;
    watched->proving = watched->proving | wanted;
    for (int number = 0; number < base::kPartitionCount; ++number) {
        const auto partition = static_cast<base::Partition>(number);
        if (!wanted.contains(partition))
            continue;
        prove(watched->peer, partition, [this, weak = std::weak_ptr(watched), partition, maps = m_maps](bool equal) {
            const auto alive = weak.lock();
            if (!alive)
                return;
            alive->proving.erase(partition);
            // A reload meanwhile may have kept writes from it for a time.
            if (equal && maps == m_maps)
                alive->peer->unproven.erase(partition);
        });
    }
}

bool Watchdog::allKnowTheMap() const {
    const auto view = m_cluster.view();
    return std::all_of(view->peers.begin(), view->peers.end(), [&](const auto& peer) {
        return !peer->takesWrites() || !peer->hasInternalPlane() || peer->toldEpoch == view->map.epoch();
    });
}

void Watchdog::missed(const std::shared_ptr<Watched>& watched, const CallFailure& failure) {
    auto& peer = *watched->peer;
    watched->asked = true;
    peer.lastError = failure.why;
    ++peer.missedProbes;
    peer.refusals = failure.refused ? peer.refusals + 1 : 0;
    if (peer.state == PeerState::Down || peer.state == PeerState::Unknown)
        return;
    if (peer.missedProbes < kMissesToDown && peer.refusals < kRefusalsToDown) {
        if (peer.state == PeerState::Active)
            setState(peer, PeerState::Suspect);
        // Two refusals are certain, so the second question does not wait.
        if (failure.refused)
            m_environment.after(0ms, [this, weak = std::weak_ptr(watched)] {
                if (const auto alive = weak.lock())
                    lookNow(alive->peer);
            });
        return;
    }
    // A peer that comes and goes stays out longer each time.
    const auto now = m_environment.steady();
    const bool calm = now > watched->heldUntil + kCalmTime;
    watched->holdDown =
        calm ? 0ms : std::clamp<std::chrono::milliseconds>(watched->holdDown * 2, kFirstHoldDown, kLongestHoldDown);
    watched->heldUntil = now + watched->holdDown;
    setState(peer, PeerState::Down);
}

void Watchdog::refuse(Watched& watched, std::string why) {
    watched.asked = true;
    watched.peer->lastError = std::move(why);
    setState(*watched.peer, PeerState::Down);
}

void Watchdog::setState(Peer& peer, PeerState state) {
    if (peer.state == state)
        return;
    base::log(state == PeerState::Down || state == PeerState::Suspect ? LogLevel::Warning : LogLevel::Info,
              "node_state",
              {{"node", peer.address.text()},
               {"from", nameOf(peer.state)},
               {"to", nameOf(state)},
               {"error", peer.lastError}});
    peer.state = state;
    peer.since = m_environment.sinceEpoch();
    const auto found = m_watched.find(peer.address);
    if (found == m_watched.end() || found->second->peer.get() != &peer)
        return; // a reload has taken it off the map while a write was under way
    if (state == PeerState::Down || state == PeerState::Loading || state == PeerState::Resync) {
        peer.equal = false;
        ++found->second->outages;
    }
    onState(found->second->peer);
}

void Watchdog::noteMissedWrite(const std::shared_ptr<Peer>& peer, bool deletes) {
    peer->missesDeletes = peer->missesDeletes || deletes;
    ++peer->missedWrites;
    if (peer->state == PeerState::Active || peer->state == PeerState::Suspect)
        setState(*peer, PeerState::CatchingUp);
}

void Watchdog::noteDrained(const std::shared_ptr<Peer>& peer, std::uint64_t missedWrites) {
    // Asked again and again while another coordinator has writes for it: that is no news.
    const bool isNews = std::exchange(peer->drainedWrites, missedWrites) != missedWrites;
    if (isNews)
        lookNow(peer);
}

bool Watchdog::roundDone() const {
    return std::all_of(m_watched.begin(), m_watched.end(), [](const auto& entry) { return entry.second->asked; });
}

} // namespace fremis::coordinator
