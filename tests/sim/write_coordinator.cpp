#include "tests/sim/write_coordinator.h"

#include <QtGlobal>

namespace fremis::sim {

using namespace std::chrono_literals;
using coordinator::Peer;
using coordinator::PeerState;

namespace {

std::unique_ptr<coordinator::QueueStore> openQueue(test::CrashDisk& disk) {
    auto store = coordinator::openSqliteQueue({disk.directory(), test::CrashDisk::vfs(), disk.files()});
    if (!store)
        qFatal("the queue cannot be opened: %s", store.error().detail.c_str());
    return std::move(*store);
}

wire::internal::Id idOf(std::size_t number) {
    wire::internal::Id id{};
    id.fill(static_cast<std::uint8_t>(0xC0 + number));
    return id;
}

} // namespace

/// One process. In the order of the coordinator's service.
struct WriteCoordinator::Life {
    Life(WriteCoordinator& coordinator)
        : owner(coordinator), environment(owner.m_world, owner.m_skew),
          link(owner.m_network, environment, owner.m_number), cluster(environment, link),
          watchdog(cluster, idOf(owner.m_number), true),
          queue(
              openQueue(owner.m_disk), environment, {},
              [this](std::function<void()> task) { environment.after(0ms, std::move(task)); }, [this] { wakeQueue(); }),
          replay(cluster, watchdog, queue), repair(cluster), resync(cluster, watchdog, queue, repair),
          queueControl(cluster, watchdog, queue, replay, repair), deleteHorizon(cluster, watchdog),
          faceIds(environment, [this] { return owner.m_number; }), search(cluster, {}),
          writes(cluster, watchdog, queue, faceIds, owner.m_acks) {
        connect(parts());
        watchdog.onNode = [this](const std::shared_ptr<Peer>& peer) {
            owner.m_knownNodes[peer->address.text()] = *peer->node;
        };
    }

    [[nodiscard]] coordinator::Parts parts() {
        return {cluster, watchdog, replay, repair, resync, queueControl, deleteHorizon, search, writes};
    }

    void useMap(const routing::PartitionMap& map) {
        cluster.useMap(map);
        for (const auto& peer : cluster.view()->peers)
            if (const auto known = owner.m_knownNodes.find(peer->address.text());
                !peer->node && known != owner.m_knownNodes.end())
                peer->node = known->second;
        watchdog.followMap();
    }

    /// The disk takes its time; what comes meanwhile shares the next commit.
    void wakeQueue() {
        if (std::exchange(queueIsAwake, true))
            return;
        environment.afterMicros(std::chrono::microseconds(owner.m_chance.between(200, 15'000)), [this] {
            queueIsAwake = false;
            if (queue.workOnce())
                wakeQueue();
        });
    }

    WriteCoordinator& owner;
    bool queueIsAwake = false;
    ProcessEnvironment environment;
    WriteLink link;
    coordinator::Cluster cluster;
    coordinator::Watchdog watchdog;
    coordinator::WriteQueue queue;
    coordinator::Replay replay;
    coordinator::Repair repair;
    coordinator::Resync resync;
    coordinator::QueueControl queueControl;
    coordinator::DeleteHorizon deleteHorizon;
    storage::FaceIdGenerator faceIds;
    coordinator::Search search;
    coordinator::Writes writes;
};

WriteCoordinator::WriteCoordinator(SimEnvironment& world, WriteNetwork& network, std::size_t number,
                                   std::chrono::milliseconds skew, coordinator::WriteAcks acks, std::uint64_t seed)
    : m_world(world), m_network(network), m_number(number), m_skew(skew), m_acks(acks), m_chance(seed) {}

WriteCoordinator::~WriteCoordinator() = default;

void WriteCoordinator::start() {
    m_life = std::make_unique<Life>(*this);
    m_life->useMap(m_map);
    begin(m_life->parts());
}

void WriteCoordinator::kill() {
    m_disk.kill();
    m_life.reset();
}

void WriteCoordinator::cutPower() {
    m_disk.cutPower([this] { return m_chance.next(); });
    m_life.reset();
}

void WriteCoordinator::useMap(const routing::PartitionMap& map) {
    m_map = map;
    if (m_life)
        m_life->useMap(map);
}

coordinator::Search& WriteCoordinator::search() {
    return m_life->search;
}

coordinator::Writes& WriteCoordinator::writes() {
    return m_life->writes;
}

const coordinator::Cluster& WriteCoordinator::cluster() const {
    return m_life->cluster;
}

std::uint64_t WriteCoordinator::queued() {
    std::uint64_t ops = 0;
    m_life->queue.call<coordinator::QueueStats>([](coordinator::QueueStore& store) { return store.stats(); },
                                                [&](const auto& stats) { ops = stats ? stats->ops : 1; });
    while (m_life->queue.workOnce()) {
    }
    m_world.runFor(0us);
    return ops;
}

bool WriteCoordinator::hasNewOwners() const {
    const auto view = m_life->cluster.view();
    return std::any_of(view->peers.begin(), view->peers.end(),
                       [](const auto& peer) { return peer->unproven.overlaps(peer->assigned); });
}

std::string WriteCoordinator::whyNotQuiet() {
    for (const auto& peer : m_life->cluster.view()->peers)
        if (peer->state != PeerState::Active)
            return "door " + std::to_string(m_number) + " takes " + peer->address.text() + " for " +
                   std::string(nameOf(peer->state)) + " (missed " + std::to_string(peer->missedWrites) + ", drained " +
                   std::to_string(peer->drainedWrites) + ")";
    const auto waiting = queued();
    return waiting == 0 ? std::string()
                        : "door " + std::to_string(m_number) + " has " + std::to_string(waiting) + " queued";
}

} // namespace fremis::sim
