#pragma once

#include "coordinator/cluster/read_health.h"
#include "shared/base/version.h"
#include "shared/hashing/partition_set.h"
#include "shared/routing/address.h"
#include "shared/storage/node_id.h"

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace fremis::coordinator {

/// What a worker is to this coordinator, from its probes. Only Active answers reads as a matter of course.
enum class PeerState {
    Unknown,    ///< never reached
    Loading,    ///< filling its index; writes are stored
    Resync,     ///< being compared with the other replicas
    CatchingUp, ///< loaded; missed writes are on their way
    Active,
    Suspect, ///< a probe went unanswered
    Down,
};
inline constexpr std::array kPeerStates{PeerState::Unknown,    PeerState::Loading, PeerState::Resync,
                                        PeerState::CatchingUp, PeerState::Active,  PeerState::Suspect,
                                        PeerState::Down};
[[nodiscard]] std::string_view nameOf(PeerState state);

/// The last latencies of the calls to a peer. Memory: fixed.
class LatencyWindow {
public:
    void add(std::chrono::microseconds latency);
    /// `percent`: 1..100. Nothing when there were none.
    [[nodiscard]] std::optional<std::chrono::microseconds> percentile(int percent) const;

private:
    std::array<std::chrono::microseconds, 128> m_latencies{};
    std::size_t m_count = 0;
};

/// What a worker told about itself.
struct PeerFacts {
    std::string instance; ///< wire::internal::instanceOf(); empty: not told
    std::string state;    ///< its own
    double loadedPercent = 0;
    std::uint64_t vectorsLoaded = 0;
    std::string space;
    std::string version;
    hashing::PartitionSet partitions;
    std::optional<std::uint16_t> internalPort;
    std::chrono::milliseconds clockAhead{0}; ///< its wall clock against ours
};

/// One worker at one address. Lives as long as a map names its address. Thread: the environment's.
struct Peer {
    explicit Peer(routing::Address where) : address(std::move(where)) {}

    const routing::Address address;
    PeerState state = PeerState::Unknown;
    std::chrono::milliseconds since{0}; ///< of the state, since 1970
    std::optional<std::chrono::milliseconds> lastOkAt;
    std::string lastError; ///< empty: none
    std::optional<PeerFacts> facts;
    std::optional<storage::NodeId> node;   ///< who was last seen here, maybe before this process
    base::Version lastVersion;             ///< the greatest that the node has told to hold
    std::string internalPlane = "unknown"; ///< "ok", or why it cannot be used
    hashing::PartitionSet assigned;        ///< by the present map
    hashing::PartitionSet unproven;        ///< given lately, so it may miss what the older owners hold
    std::string toldEpoch;                 ///< of the map that it was last told of
    LatencyWindow searches;                ///< of searches that brought an embedding
    LatencyWindow photoSearches;           ///< of those that brought a photo
    LatencyWindow calls;                   ///< of all calls
    ReadHealth reads;                      ///< how its searches end
    std::size_t inFlight = 0;
    int missedProbes = 0;
    int refusals = 0;
    bool equal = false;              ///< compared with its replicas since it was last out of reach
    bool missesDeletes = false;      ///< it may still show what was deleted: no reads, not even as the only copy
    std::uint64_t missedWrites = 0;  ///< operations that went to its queue, ever
    std::uint64_t drainedWrites = 0; ///< of those, how many had when its queue was last found empty

    /// Partitions that it may be asked about: the map's, as far as the worker owns them.
    [[nodiscard]] hashing::PartitionSet served() const {
        return facts ? (assigned & facts->partitions) - unproven : hashing::PartitionSet();
    }
    /// It has shown one that can be used. The port may be unknown all the same: a worker that restarts takes another.
    [[nodiscard]] bool hasInternalPlane() const { return internalPlane == "ok"; }
    /// By its own word.
    [[nodiscard]] bool isLoaded() const { return facts && (facts->state == "ACTIVE" || facts->state == "CATCHING_UP"); }
    /// Can be compared with its replicas.
    [[nodiscard]] bool isComparable() const {
        return hasInternalPlane() && takesWrites() && (state != PeerState::Loading || isLoaded());
    }
    /// Takes writes now: those that it misses are queued.
    [[nodiscard]] bool takesWrites() const {
        return state == PeerState::Active || state == PeerState::CatchingUp || state == PeerState::Loading ||
               state == PeerState::Resync;
    }
    /// "host:port" of its internal plane, while the port is known.
    [[nodiscard]] std::optional<std::string> internalAuthority() const;
};

} // namespace fremis::coordinator
