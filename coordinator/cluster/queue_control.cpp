#include "coordinator/cluster/queue_control.h"

#include "shared/base/log.h"
#include "shared/wire/internal.h"

#include <algorithm>

namespace fremis::coordinator {

using namespace std::chrono_literals;
using base::Reason;
using base::Result;
using Kind = wire::QueueAction::Kind;

namespace {

constexpr auto kSampleInterval = 1'000ms;

/// In the queue's thread.
Result<QueueControl::ParkedPage> pageOf(QueueStore& store, const storage::NodeId& node, Sequence after,
                                        std::size_t limit) {
    auto entries = store.parked(node, after, limit + 1);
    if (!entries)
        return tl::unexpected(entries.error());
    QueueControl::ParkedPage page{std::move(*entries), std::nullopt};
    if (page.entries.size() > limit) {
        page.entries.pop_back();
        page.next = page.entries.back().sequence;
    }
    return page;
}

/// In the queue's thread: the places of the node's parked operations with these ids, without ids of all.
Result<std::vector<Sequence>> parkedWith(QueueStore& store, const storage::NodeId& node,
                                         const std::optional<std::vector<storage::OpId>>& ids) {
    const auto entries = store.parked(node, 0, QueueStore::kMaxParked);
    if (!entries)
        return tl::unexpected(entries.error());
    std::vector<Sequence> sequences;
    for (const auto& entry : *entries)
        if (!ids || std::find(ids->begin(), ids->end(), entry.opId) != ids->end())
            sequences.push_back(entry.sequence);
    return sequences;
}

} // namespace

void QueueControl::begin() {
    sample([this] { m_environment.after(kSampleInterval, [this] { begin(); }); });
}

void QueueControl::sample(std::function<void()> then) {
    struct Sample {
        QueueStats stats;
        std::vector<Damage> damage;
    };
    m_queue.call<Sample>(
        [](QueueStore& store) {
            return store.stats().map([&](QueueStats stats) { return Sample{std::move(stats), store.damage()}; });
        },
        [this, then = std::move(then)](const Result<Sample>& taken) {
            if (taken) {
                m_rates.add(m_environment.steady(), taken->stats);
                onSample(taken->stats, taken->damage);
            }
            then();
        });
}

void QueueControl::followMap() {
    m_queue.stats([this](const Result<QueueStats>& stats) {
        if (!stats)
            return;
        const auto view = m_cluster.view();
        const bool allKnown = std::all_of(view->peers.begin(), view->peers.end(),
                                          [](const auto& peer) { return peer->node.has_value(); });
        for (const auto& [node, target] : stats->targets) {
            const auto peer = std::find_if(view->peers.begin(), view->peers.end(),
                                           [&id = node](const auto& one) { return one->node == id; });
            if (peer == view->peers.end() && !allKnown)
                continue; // it may be one that is not yet known at its new address
            const auto lost = peer == view->peers.end() ? hashing::PartitionSet::all()
                                                        : hashing::PartitionSet::all() - (*peer)->assigned;
            const bool ends = peer == view->peers.end();
            if (ends || (target.ops > 0 && !lost.empty()))
                handOver(view, node, lost, ends, *stats);
        }
    });
}

/// One move for each set of owners, then it is told who got something.
void QueueControl::handOver(const std::shared_ptr<const View>& view, const storage::NodeId& from,
                            const hashing::PartitionSet& partitions, bool ends, const QueueStats& before) {
    std::map<std::vector<std::uint16_t>, hashing::PartitionSet> groups;
    for (int number = 0; number < base::kPartitionCount; ++number) {
        const auto partition = static_cast<base::Partition>(number);
        const auto owners = view->map.owners(partition);
        if (partitions.contains(partition))
            groups[{owners.begin(), owners.end()}].insert(partition);
    }
    struct Moves {
        std::size_t waiting = 0;
        bool failed = false;
    };
    const auto moves = std::make_shared<Moves>(Moves{groups.size(), false});
    for (const auto& [owners, group] : groups) {
        std::vector<storage::NodeId> to;
        for (const auto owner : owners)
            if (view->peers[owner]->node)
                to.push_back(*view->peers[owner]->node);
        m_queue.move(from, group, to, [this, view, from, ends, before, moves](const base::Status& moved) {
            moves->failed = moves->failed || !moved;
            if (--moves->waiting > 0)
                return;
            if (moves->failed)
                return base::log(base::LogLevel::Error, "queue_not_handed_over",
                                 {{"node_id", wire::internal::textOf(from)}});
            if (ends) { // should it come back, it is compared with its replicas first
                m_replay.forget(from);
                m_queue.call<void>([from](QueueStore& store) { return store.forget(from); },
                                   [](const base::Status&) {});
            }
            noteReceived(view, before);
        });
    }
}

void QueueControl::noteReceived(const std::shared_ptr<const View>& view, const QueueStats& before) {
    m_queue.stats([this, view, before](const Result<QueueStats>& after) {
        for (const auto& peer : view->peers) {
            if (!after || !peer->node)
                continue;
            const auto then = before.targets.find(*peer->node);
            const auto now = after->targets.find(*peer->node);
            if (now == after->targets.end())
                continue;
            const auto had = then == before.targets.end() ? TargetStats() : then->second;
            if (now->second.queuedInTotal > had.queuedInTotal)
                m_replay.noteReturned(peer, now->second.queuedInTotal - had.queuedInTotal,
                                      now->second.deletes > had.deletes);
        }
    });
}

void QueueControl::overview(WriteQueue::Done<Overview> done) {
    m_queue.call<Overview>(
        [](QueueStore& store) -> Result<Overview> {
            auto stats = store.stats();
            if (!stats)
                return tl::unexpected(stats.error());
            Overview overview{std::move(*stats), {}};
            for (const auto& [node, target] : overview.stats.targets) {
                if (target.parked == 0)
                    continue;
                auto page = pageOf(store, node, 0, kShownParked);
                if (!page)
                    return tl::unexpected(page.error());
                overview.parked.emplace(node, std::move(*page));
            }
            return overview;
        },
        std::move(done));
}

void QueueControl::act(wire::QueueAction action, WriteQueue::Done<Outcome> done) {
    const auto view = m_cluster.view();
    const auto number = view->map.findNode(action.node);
    if (!number)
        return done(base::fail(Reason::NotFound, "the map has no worker of that address"));
    const auto& peer = view->peers[*number];
    if (!peer->node) // never reached, so nothing could be queued for it
        return report(peer, action, 0, std::move(done));
    if (action.kind != Kind::List)
        base::log(base::LogLevel::Info, "queue_action",
                  {{"node", peer->address.text()}, {"action", wire::nameOf(action.kind)}});
    const Finish finish = [this, peer, action, done = std::move(done)](const Result<std::uint64_t>& changed) {
        if (!changed)
            return done(tl::unexpected(changed.error()));
        report(peer, action, *changed, done);
    };
    switch (action.kind) {
    case Kind::Retry:
        return retry(peer, action, finish);
    case Kind::Pause:
    case Kind::Resume: {
        const bool pause = action.kind == Kind::Pause;
        const bool changed = m_replay.progress(*peer->node).paused != pause;
        m_replay.setPaused(*peer->node, pause);
        if (!pause)
            m_replay.tryNow(peer);
        return finish(changed ? 1 : 0);
    }
    case Kind::Discard:
        return discard(peer, action.force, finish);
    case Kind::Drop:
        return drop(peer, action, finish);
    case Kind::List:
        return finish(0);
    }
}

void QueueControl::retry(const std::shared_ptr<Peer>& peer, const wire::QueueAction& action, Finish finish) {
    m_queue.call<std::uint64_t>(
        [node = *peer->node, ids = action.opIds](QueueStore& store) -> Result<std::uint64_t> {
            const auto sequences = parkedWith(store, node, ids);
            if (!sequences)
                return tl::unexpected(sequences.error());
            return store.retryParked(node, *sequences);
        },
        [this, peer, finish = std::move(finish)](const Result<std::uint64_t>& returned) {
            if (returned)
                m_replay.noteReturned(peer, *returned, true); // deletes may be among them
            m_replay.tryNow(peer);
            finish(returned);
        });
}

/// The replicated partitions of a worker that no other active worker could fill it with.
hashing::PartitionSet QueueControl::withoutOtherReplica(const Peer& peer) const {
    const auto view = m_cluster.view();
    hashing::PartitionSet alone;
    for (int number = 0; number < base::kPartitionCount; ++number) {
        const auto partition = static_cast<base::Partition>(number);
        const auto owners = view->map.owners(partition);
        if (owners.size() > 1 && peer.assigned.contains(partition) &&
            std::none_of(owners.begin(), owners.end(), [&](auto owner) {
                return view->peers[owner].get() != &peer && view->peers[owner]->state == PeerState::Active;
            }))
            alone.insert(partition);
    }
    return alone;
}

/// What is dropped is not lost: the mark makes the worker take everything from the other replicas.
void QueueControl::discard(const std::shared_ptr<Peer>& peer, bool force, Finish finish) {
    if (const auto alone = withoutOtherReplica(*peer); !force && !alone.empty())
        return finish(base::fail(Reason::DataNotMoved, "the partitions " + alone.text() +
                                                           " have no other active replica; start one first, or force"));
    m_watchdog.noteMissedWrite(peer, true);
    m_queue.call<std::uint64_t>(
        [node = *peer->node](QueueStore& store) -> Result<std::uint64_t> {
            const auto stats = store.stats();
            if (!stats)
                return tl::unexpected(stats.error());
            const auto found = stats->targets.find(node);
            const auto dropped = found == stats->targets.end() ? 0 : found->second.ops;
            return store.markForResync(node).map([dropped] { return dropped; });
        },
        [this, peer, finish = std::move(finish)](const Result<std::uint64_t>& dropped) {
            sample([this, peer, finish, dropped] {
                m_watchdog.lookNow(peer);
                finish(dropped);
            });
        });
}

void QueueControl::drop(const std::shared_ptr<Peer>& peer, const wire::QueueAction& action, Finish finish) {
    m_queue.call<std::vector<Damage>>(
        [node = *peer->node, ids = action.opIds](QueueStore& store) -> Result<std::vector<Damage>> {
            const auto sequences = parkedWith(store, node, ids);
            if (!sequences)
                return tl::unexpected(sequences.error());
            return store.dropParked(node, *sequences);
        },
        [this, peer, finish = std::move(finish)](const Result<std::vector<Damage>>& dropped) {
            if (!dropped)
                return finish(tl::unexpected(dropped.error()));
            hashing::PartitionSet partitions;
            for (const auto& one : *dropped)
                if (one.partition)
                    partitions.insert(*one.partition);
                else
                    partitions = partitions | peer->assigned;
            if (!partitions.empty())
                m_repair.start(partitions);
            finish(dropped->size());
        });
}

void QueueControl::report(const std::shared_ptr<Peer>& peer, const wire::QueueAction& action, std::uint64_t changed,
                          WriteQueue::Done<Outcome> done) {
    if (!peer->node)
        return done(Outcome{changed, {}, {}, peer});
    const bool lists = action.kind == Kind::List;
    const auto limit = lists ? static_cast<std::size_t>(action.limit) : kShownParked;
    m_queue.call<Outcome>(
        [node = *peer->node, peer, changed, limit,
         after = lists ? action.cursor : 0](QueueStore& store) -> Result<Outcome> {
            const auto stats = store.stats();
            if (!stats)
                return tl::unexpected(stats.error());
            auto page = pageOf(store, node, after, limit);
            if (!page)
                return tl::unexpected(page.error());
            const auto found = stats->targets.find(node);
            return Outcome{changed, found == stats->targets.end() ? TargetStats() : found->second, std::move(*page),
                           peer};
        },
        std::move(done));
}

} // namespace fremis::coordinator
