#pragma once

#include "coordinator/cluster/environment.h"
#include "coordinator/cluster/peer.h"
#include "coordinator/cluster/transport.h"
#include "shared/base/error.h"
#include "shared/routing/partition_map.h"

#include <memory>
#include <vector>

namespace fremis::coordinator {

/// A failure with more members for the error body, ready JSON without braces; may be empty.
struct Refusal {
    base::Error error;
    std::string members;
};
template<class T> using Answer = tl::expected<T, Refusal>;
/// How a use case answers: called once, in the environment's thread.
template<class T> using Done = std::function<void(Answer<T>)>;

/// What a use case knows of the request it serves.
struct RequestContext {
    std::string requestId;
    std::chrono::steady_clock::time_point deadline{};
};

/// One map and its workers, for one request from start to end. Node numbers are the map's.
struct View {
    routing::PartitionMap map;
    std::vector<std::shared_ptr<Peer>> peers; ///< by node number

    /// By this map. Peer::assigned is of the present one, which may be another before the request ends.
    [[nodiscard]] hashing::PartitionSet assigned(std::size_t node) const {
        return hashing::PartitionSet(map.nodes()[node].partitions);
    }
    /// What a node may be asked about: what this map gives it, as far as the worker owns it and is known to hold it.
    [[nodiscard]] hashing::PartitionSet served(std::size_t node) const {
        const auto& peer = *peers[node];
        return peer.facts ? (assigned(node) & peer.facts->partitions) - peer.unproven : hashing::PartitionSet();
    }
};

/// The workers of the present map, and calls to them. Thread: the environment's.
class Cluster {
public:
    Cluster(Environment& environment, Transport& transport) : m_environment(environment), m_transport(transport) {}

    /// Peers whose addresses stay keep what is known of them.
    void useMap(routing::PartitionMap map);
    [[nodiscard]] std::shared_ptr<const View> view() const { return m_view; }
    [[nodiscard]] Environment& environment() { return m_environment; }

    /// May a read be sent to it now? Suspect and catching-up peers only when no other replica is active (see
    /// choose()).
    [[nodiscard]] static bool answersReads(const Peer& peer);

    /// One call to a peer, with bounds on what may be in flight to it: a slow worker cannot hold up the others. A peer
    /// at its bound, or one whose internal port is wanted and not known now, fails at once as NotSent. Latency and
    /// failures are noted in the peer.
    Transport::CallId call(const std::shared_ptr<Peer>& peer, Call call, std::function<void(CallResult)> done);
    void cancel(Transport::CallId call) { m_transport.cancel(call); }

    /// Called when a call found nobody listening, or somebody else: the watchdog looks at once.
    std::function<void(const std::shared_ptr<Peer>&)> onGone;

private:
    static constexpr std::size_t kMaxInFlight = 256;
    void failUnsent(std::string why, std::function<void(CallResult)> done);

    Environment& m_environment;
    Transport& m_transport;
    std::shared_ptr<const View> m_view = std::make_shared<View>();
};

[[nodiscard]] std::vector<std::size_t> allNodes(const View& view);
/// Those of `nodes` that may answer reads: active ones first (those that fail their
/// searches last), then suspect, then catching-up ones, each at random.
[[nodiscard]] std::vector<std::size_t> inReadingOrder(const View& view, std::vector<std::size_t> nodes,
                                                      Environment& environment);

/// Picks a worker for each of `wanted` from those that may answer, in few calls and at random among replicas: the
/// answer is node number → its partitions. Active peers come first; for partitions without one a suspect or
/// catching-up one. `excluded`: node numbers not to ask. What nobody can answer is left out.
struct Share {
    std::size_t node;
    hashing::PartitionSet partitions;
};
[[nodiscard]] std::vector<Share> choose(const View& view, const hashing::PartitionSet& wanted,
                                        const std::vector<bool>& excluded, Environment& environment);

/// The refusal for what a worker answered with a status that is not 200, and for a call that failed.
[[nodiscard]] Refusal refusalOf(const Response& response);
/// True when the same request may well succeed at another replica: the worker is not ready, overloaded or failing.
[[nodiscard]] bool mayFailOver(const Response& response);
/// The word for `failed_nodes[].reason`.
[[nodiscard]] std::string reasonOf(const CallFailure& failure);
[[nodiscard]] std::string reasonOf(const Peer& peer);

/// `"partition":3,"nodes":["a:1","b:2"]`
[[nodiscard]] std::string unavailableMembers(const View& view, base::Partition partition);
[[nodiscard]] Refusal partitionUnavailable(const View& view, base::Partition partition);

} // namespace fremis::coordinator
