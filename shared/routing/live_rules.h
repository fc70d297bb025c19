#pragma once

#include "shared/routing/partition_map.h"
#include "shared/routing/problem.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fremis::routing {

/// Vectors per partition.
using PartitionVectors = std::array<std::uint64_t, base::kPartitionCount>;

/// What one node told about itself; absent means it did not say.
struct NodeFacts {
    bool answers = true;
    std::optional<PartitionSet> reportedPartitions;
    std::optional<PartitionVectors> vectors;
};

/// The state of a cluster as far as a config can be checked against it. The rules only read it; whoever has it may ask.
struct LiveFacts {
    std::map<Address, NodeFacts> nodes;
    std::optional<PartitionMap> running;          ///< the coordinator's map
    std::optional<std::string> textWhenRead;      ///< the file at the time the draft began
    std::optional<std::string> textNow;           ///< the file now
};

/// A partition that would leave a node with vectors for one that has none of it.
struct Orphan {
    base::Partition partition = 0;
    Address from;
    Address to;
    std::uint64_t vectors = 0; ///< held by `from`
    bool onlyCopy = false;     ///< no owner in the new map is known to hold vectors of it
};

/// Which orphans the operator or a verified copy answers for.
struct MoveProof {
    PartitionSet copied;   ///< copies verified by digest
    PartitionSet overridden; ///< "data already migrated", partition by partition
};

/// Orphans of a change of maps, by partition; nodes without vector counts are taken as holding nothing.
[[nodiscard]] std::vector<Orphan> orphansBetween(const PartitionMap& before, const PartitionMap& after,
                                                 const std::map<Address, NodeFacts>& nodes);

/// Refuses (Reason::DataNotMoved, naming the partitions) a change that orphans data without proof. With `onlyCopyLost` just
/// the orphans of which no other copy remains count.
[[nodiscard]] base::Status checkDataMoved(const std::vector<Orphan>& orphans, const MoveProof& proof, bool onlyCopyLost = false);

/// Rules V13 and V15 to V19: `draft` against the facts. Positions are 0: they concern the cluster, not a line.
[[nodiscard]] std::vector<Problem> checkLive(const PartitionMap& draft, const LiveFacts& facts);

} // namespace fremis::routing
