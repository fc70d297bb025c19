#pragma once

#include "shared/routing/live_rules.h"
#include "shared/routing/partition_map.h"
#include "shared/routing/wording.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fremis::routing {

enum class PlanMode {
    Contiguous, ///< one range per node, at the best position
    Multi,      ///< several ranges per node, fewest moves
};
enum class Objective {
    Moves,   ///< balanced counts with the fewest moves
    Balance, ///< the largest fractional shares get the extra partition
    Vectors, ///< balanced vector counts
    Ranges,  ///< balanced counts in the fewest ranges
};
enum class Spread {
    Enforce, ///< replicas go to distinct zones and hosts wherever possible, even at the price of moves
    Keep,    ///< no new sharing of a host or zone, but no move only to mend an old one
};

/// What is to become of one node. A node of the map that is not named stays as it is.
struct NodeWish {
    Address address;
    std::optional<std::string> name;
    std::optional<Weight> weight;
    std::optional<std::string> zone;
};

/// What copying costs: for bytes, waves and times.
struct CopyRates {
    int movesPerNode = 4; ///< moves a node takes part in at one time
    std::uint64_t bytesPerVector = 2300; ///< 512 floats and what travels with them
    double vectorsPerSecond = 200; ///< of one move
};

struct PlanRequest {
    PartitionMap current;
    std::vector<NodeWish> add;     ///< nodes that are not in the map
    std::vector<NodeWish> change;  ///< new weights, names or zones of nodes in the map
    std::vector<Address> remove;   ///< leave the map
    std::vector<Address> drain;    ///< keep nothing, like remove; the plan says "drained"
    std::optional<int> replication; ///< default: what the map says, else the owners most partitions have
    std::map<int, std::vector<Address>> pins; ///< partition -> nodes that must own it
    std::map<Address, std::string> zones;
    std::optional<PartitionVectors> vectors; ///< of each partition, counted once
    PlanMode mode = PlanMode::Multi;
    Objective objective = Objective::Moves;
    Spread spread = Spread::Enforce;
    std::optional<int> maxMoves;  ///< Multi only: the most pressing moves, at most so many
    CopyRates rates;
};

struct PlanMove {
    enum class Kind {
        Move, ///< copied to `to`, then erased at `from`
        Copy, ///< one more replica; `from` keeps its own
        Drop, ///< one replica less; no data travels, `to` is empty
    };
    int partition = 0;
    Kind kind = Kind::Move;
    Address from;
    std::optional<Address> to;
    std::uint64_t vectors = 0;
    std::uint64_t bytes = 0;
    int wave = 0; ///< 1-based
    Wording reason;
};

struct PlanNode {
    enum class Role { Stays, Joins, Leaves, Drained };
    Address address;
    std::optional<std::string> name;
    Weight weight;
    std::string zone; ///< empty = not known
    Role role = Role::Stays;
    PartitionSet before;
    PartitionSet after;
    PartitionSet pinned;
    int target = 0;              ///< partitions the shares give it
    double exactShare = 0;       ///< 256 R w / sum of w, at most 256; for display
    std::uint64_t vectorsBefore = 0;
    std::uint64_t vectorsAfter = 0;
    int movesIn = 0;
    int movesOut = 0;
    [[nodiscard]] const std::string& label() const { return name ? *name : address.text(); }
};

struct PlanFigures {
    int moved = 0;      ///< copies that travel (Move and Copy)
    int lowerBound = 0; ///< no plan with these targets travels less
    int ranges = 0;     ///< over all nodes, after
    double maxOverMeanBefore = 0; ///< partitions per weight, over nodes that hold some
    double maxOverMeanAfter = 0;
    double vectorMaxOverMeanBefore = 0; ///< 0 without vector counts
    double vectorMaxOverMeanAfter = 0;
    std::uint64_t vectorsMoved = 0;
    std::uint64_t bytesMoved = 0;
    int waves = 0;
    double seconds = 0; ///< at the request's rate, 0 without vector counts
    int otherModeMoved = -1; ///< what the other mode would move; -1 = it has no plan
};

/// Ordered moves from one map to another.
struct Plan {
    std::string command; ///< "add", "remove", ...; for the outputs' headings
    PlanMode mode = PlanMode::Multi;
    Objective objective = Objective::Moves;
    int replication = 1;
    std::optional<int> fileReplication; ///< the `replication` key of the new config
    std::vector<PlanNode> nodes; ///< kept nodes in map order, then new ones in order of the wish
    std::vector<PlanMove> moves; ///< by wave, then partition
    PlanFigures figures;
    std::string proof;     ///< "64 of at least 64"
    Wording otherMode; ///< one line: what the other choice costs
    std::vector<Wording> warnings;
    std::string epochBefore;
    std::string epochAfter;
    ClusterConfig before; ///< the original assignment
    ClusterConfig after;
    std::optional<PartitionVectors> vectors; ///< as given
    CopyRates rates;
};

/// Computes a plan. Deterministic: same request, same plan, on every machine. 256 partitions and 32 nodes take under 100 ms.
/// Fails with Reason::InvalidConfig (nothing left to hold the data, unknown node, pins that cannot be kept, R > nodes).
[[nodiscard]] base::Result<Plan> makePlan(const PlanRequest& request);

/// The plan between two given maps.
[[nodiscard]] base::Result<Plan> planBetween(const PartitionMap& before, const PartitionMap& after,
                                             const std::optional<PartitionVectors>& vectors = {}, const CopyRates& rates = {});

/// The way back: the plan from `plan.after` to `plan.before`.
[[nodiscard]] base::Result<Plan> reversePlan(const Plan& plan);

/// Shares of a cluster that begins empty: boundaries floor(256 W_i / W). With R > 1, R rows of nodes side by side.
[[nodiscard]] base::Result<ClusterConfig> evenConfig(const std::vector<NodeWish>& nodes, int replication = 1);

} // namespace fremis::routing
