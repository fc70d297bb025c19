#pragma once

#include "shared/routing/cluster_config.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fremis::routing {

/// A node of a map; its number is its position in PartitionMap::nodes().
struct MapNode {
    Address address;
    std::optional<std::string> name;
    Weight weight;
    PartitionSet partitions;
    [[nodiscard]] std::vector<Range> ranges() const { return rangesOf(partitions); }
    /// Name if it has one, else the address as written.
    [[nodiscard]] const std::string& label() const { return name ? *name : address.text(); }
};

/// Who owns which partition. Immutable; a copy shares the data, so a request keeps one map from start to end by copying it.
/// Thread: any.
class PartitionMap {
public:
    PartitionMap(); ///< no nodes
    /// Nodes in order of first appearance. Accepts gaps (the caller has checked, or wants to show them).
    explicit PartitionMap(const ClusterConfig& config);

    [[nodiscard]] std::span<const MapNode> nodes() const;
    /// Numbers of the nodes that own a partition, ascending; empty for a gap.
    [[nodiscard]] std::span<const std::uint16_t> owners(base::Partition partition) const;
    [[nodiscard]] std::optional<std::size_t> nodeAt(const Address& address) const;
    /// By name, then by address in any spelling.
    [[nodiscard]] std::optional<std::size_t> findNode(std::string_view nameOrAddress) const;

    [[nodiscard]] const PartitionSet& covered() const;      ///< partitions with an owner
    [[nodiscard]] bool isComplete() const { return covered().all(); }
    [[nodiscard]] const std::optional<int>& replication() const; ///< as the file sets it
    [[nodiscard]] int expectedOwners(base::Partition partition) const; ///< replication(), else the configured owners
    [[nodiscard]] const std::optional<bool>& allowPartialSearch() const;
    [[nodiscard]] const std::string& epoch() const;

private:
    struct State;
    std::shared_ptr<const State> m_state;
};

/// What changes for one partition between two maps; addresses as normal keys are compared.
struct OwnerChange {
    base::Partition partition = 0;
    std::vector<Address> leaves; ///< owners only before
    std::vector<Address> joins;  ///< owners only after
};

/// Partitions whose owners differ, ascending.
[[nodiscard]] std::vector<OwnerChange> changesBetween(const PartitionMap& before, const PartitionMap& after);

} // namespace fremis::routing
