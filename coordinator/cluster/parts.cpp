#include "coordinator/cluster/parts.h"

namespace fremis::coordinator {

namespace {

constexpr std::chrono::minutes kRepairInterval{10};

/// Somebody can tell what belongs into the partition: an active owner of long standing. True as well when it has no
/// such owner by its map, so that nobody can be waited for.
bool hasSource(const View& view, base::Partition partition) {
    bool anyOfLongStanding = false;
    for (const auto node : view.map.owners(partition)) {
        const auto& peer = *view.peers[node];
        if (peer.unproven.contains(partition))
            continue;
        if (peer.state == PeerState::Active)
            return true;
        anyOfLongStanding = true;
    }
    return !anyOfLongStanding;
}

} // namespace

void connect(const Parts& parts) {
    auto& repair = parts.repair;
    parts.watchdog.compare = [&repair](const std::shared_ptr<Peer>& peer, std::function<void(bool)> done) {
        repair.shareKeyspaces();
        repair.compare(peer->assigned - peer->unproven, std::move(done));
    };
    parts.watchdog.prove = [&repair, &cluster = parts.cluster](const std::shared_ptr<Peer>& peer,
                                                               base::Partition partition,
                                                               std::function<void(bool)> done) {
        if (!hasSource(*cluster.view(), partition))
            return done(false);
        hashing::PartitionSet one;
        one.insert(partition);
        repair.fill(peer, one, [&cluster, partition, done = std::move(done)](bool equal) {
            done(equal && hasSource(*cluster.view(), partition));
        });
    };
    parts.writes.onDoubt = [&repair](const hashing::PartitionSet& partitions) { repair.doubt(partitions); };
    parts.replay.onMissingKeyspace = [&repair] { repair.shareKeyspaces(); };
    parts.repair.collectable = [&horizon = parts.deleteHorizon](const View& view, base::Partition partition) {
        return horizon.of(view, partition);
    };
    parts.queueControl.onSample = [&resync = parts.resync, &horizon = parts.deleteHorizon](
                                      const QueueStats& stats, const std::vector<Damage>& damage) {
        resync.note(stats, damage);
        horizon.note(stats);
    };
    parts.search.onAnswered = [&replay = parts.replay](std::chrono::microseconds took) { replay.noteSearch(took); };
}

void begin(const Parts& parts) {
    parts.replay.begin([] {});
    parts.resync.begin();
    parts.queueControl.begin();
    // What a process before this one had sent may still arrive, and nobody would spread it.
    parts.repair.doubt(hashing::PartitionSet::all());
    parts.repair.startEach(kRepairInterval);
}

} // namespace fremis::coordinator
