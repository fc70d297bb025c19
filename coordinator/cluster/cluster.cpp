#include "coordinator/cluster/cluster.h"

#include "shared/wire/internal.h"
#include "shared/wire/json_writer.h"
#include "shared/wire/reply_readers.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace fremis::coordinator {

using base::Reason;

void Cluster::useMap(routing::PartitionMap map) {
    std::map<routing::Address, std::shared_ptr<Peer>> known;
    for (const auto& peer : m_view->peers) {
        peer->assigned = {};
        known.emplace(peer->address, peer);
    }
    auto view = std::make_shared<View>();
    view->map = std::move(map);
    for (const auto& node : view->map.nodes()) {
        auto found = known.find(node.address);
        auto peer = found != known.end() ? found->second : std::make_shared<Peer>(node.address);
        for (const auto& range : node.ranges())
            peer->assigned.insert(
                {static_cast<base::Partition>(range.first), static_cast<base::Partition>(range.last)});
        view->peers.push_back(std::move(peer));
    }
    m_view = std::move(view);
}

bool Cluster::answersReads(const Peer& peer) {
    return peer.state == PeerState::Active || peer.state == PeerState::Suspect ||
           (peer.state == PeerState::CatchingUp && peer.equal && !peer.missesDeletes);
}

Transport::CallId Cluster::call(const std::shared_ptr<Peer>& peer, Call call, std::function<void(CallResult)> done) {
    if (peer->inFlight >= kMaxInFlight)
        return failUnsent("too many calls in flight", std::move(done)), 0;
    if (call.plane == Call::Plane::Internal && !peer->internalAuthority())
        return failUnsent("its internal port is not known now", std::move(done)), 0;
    // The token leaves with the call, ended or cancelled.
    ++peer->inFlight;
    const std::shared_ptr<void> token(nullptr, [peer](void*) { --peer->inFlight; });
    call.authority = call.plane == Call::Plane::Internal ? *peer->internalAuthority() : peer->address.text();
    if (call.addressee == Call::Addressee::Known && peer->facts && !peer->facts->instance.empty())
        call.headers.push_back({std::string(wire::internal::kInstanceHeader), peer->facts->instance});
    return m_transport.send(std::move(call), [this, peer, token, begin = m_environment.steady(),
                                              done = std::move(done)](CallResult result) {
        if (result)
            peer->calls.add(std::chrono::duration_cast<std::chrono::microseconds>(m_environment.steady() - begin));
        const bool gone = result ? result->status == 421 && refusalOf(*result).error.reason == Reason::OtherInstance
                                 : result.error().refused;
        if (gone && onGone)
            onGone(peer);
        done(std::move(result));
    });
}

void Cluster::failUnsent(std::string why, std::function<void(CallResult)> done) {
    m_environment.after(std::chrono::milliseconds(0), [why = std::move(why), done = std::move(done)] {
        done(tl::unexpected(CallFailure{CallFailure::Kind::NotSent, false, why}));
    });
}

std::vector<std::size_t> allNodes(const View& view) {
    std::vector<std::size_t> nodes(view.peers.size());
    std::iota(nodes.begin(), nodes.end(), std::size_t{0});
    return nodes;
}

std::vector<std::size_t> inReadingOrder(const View& view, std::vector<std::size_t> nodes, Environment& environment) {
    std::erase_if(nodes, [&](std::size_t node) { return !Cluster::answersReads(*view.peers[node]); });
    for (std::size_t i = nodes.size(); i > 1; --i)
        std::swap(nodes[i - 1], nodes[environment.random() % i]);
    const auto rank = [&, now = environment.steady()](std::size_t node) {
        const auto& peer = *view.peers[node];
        if (peer.state == PeerState::Active)
            return peer.reads.rests(now) ? 1 : 0;
        return peer.state == PeerState::Suspect ? 2 : 3;
    };
    std::stable_sort(nodes.begin(), nodes.end(), [&](auto a, auto b) { return rank(a) < rank(b); });
    return nodes;
}

std::vector<Share> choose(const View& view, const hashing::PartitionSet& wanted, const std::vector<bool>& excluded,
                          Environment& environment) {
    std::vector<Share> shares;
    auto left = wanted;
    for (const auto node : inReadingOrder(view, allNodes(view), environment)) {
        if (node < excluded.size() && excluded[node])
            continue;
        const auto mine = left & view.served(node);
        if (mine.empty())
            continue;
        shares.push_back({node, mine});
        left = left - mine;
    }
    return shares;
}

Refusal refusalOf(const Response& response) {
    const auto read = wire::readError(response.body);
    if (!read || !read->reason)
        return {{Reason::Overloaded, "a worker answered " + std::to_string(response.status), {}}, {}};
    return {{*read->reason, read->description, {}}, {}};
}

bool mayFailOver(const Response& response) {
    return response.status >= 500 || response.status == 429 || response.status == 421;
}

std::string reasonOf(const CallFailure& failure) {
    return failure.refused ? "refused" : failure.kind == CallFailure::Kind::NotSent ? "down" : "timeout";
}

std::string reasonOf(const Peer& peer) {
    switch (peer.state) {
    case PeerState::Loading:
        return "loading";
    case PeerState::CatchingUp:
    case PeerState::Resync:
        return "catching_up";
    default:
        return "down";
    }
}

std::string unavailableMembers(const View& view, base::Partition partition) {
    wire::JsonWriter json;
    json.beginObject().member("partition", int{partition}).key("nodes").beginArray();
    for (const auto node : view.map.owners(partition))
        json.value(view.peers[node]->address.text());
    json.endArray().endObject();
    const auto& text = json.text();
    return text.substr(1, text.size() - 2);
}

Refusal partitionUnavailable(const View& view, base::Partition partition) {
    return {{Reason::PartitionUnavailable, "no replica of partition " + std::to_string(partition) + " answers", {}},
            unavailableMembers(view, partition)};
}

} // namespace fremis::coordinator
