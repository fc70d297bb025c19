#include "shared/routing/partition_map.h"

#include <algorithm>
#include <array>

namespace fremis::routing {

struct PartitionMap::State {
    std::vector<MapNode> nodes;
    std::array<std::vector<std::uint16_t>, base::kPartitionCount> owners;
    PartitionSet covered;
    std::optional<int> replication;
    std::optional<bool> allowPartialSearch;
    std::string epoch;
};

namespace {

MapNode& nodeFor(std::vector<MapNode>& nodes, const Address& address) {
    const auto found = std::find_if(nodes.begin(), nodes.end(), [&](const MapNode& n) { return n.address == address; });
    if (found != nodes.end())
        return *found;
    return nodes.emplace_back(MapNode{address, {}, {}, {}});
}

// Addresses that own `partition` in `map` but not in `other`.
std::vector<Address> ownersOnlyIn(const PartitionMap& map, const PartitionMap& other, base::Partition partition) {
    std::vector<Address> only;
    for (const auto owner : map.owners(partition)) {
        const Address& address = map.nodes()[owner].address;
        const auto there = other.nodeAt(address);
        if (!there || !other.nodes()[*there].partitions[partition])
            only.push_back(address);
    }
    return only;
}

} // namespace

PartitionMap::PartitionMap() : PartitionMap(ClusterConfig{}) {}

PartitionMap::PartitionMap(const ClusterConfig& config) {
    auto state = std::make_shared<State>();
    for (const NodeEntry& entry : config.entries) {
        MapNode& node = nodeFor(state->nodes, entry.address);
        node.partitions |= setOf(entry.range);
        if (entry.name)
            node.name = entry.name;
        if (entry.weight)
            node.weight = *entry.weight;
    }
    for (std::size_t n = 0; n < state->nodes.size(); ++n) {
        for (std::size_t p = 0; p < state->owners.size(); ++p)
            if (state->nodes[n].partitions[p])
                state->owners[p].push_back(static_cast<std::uint16_t>(n));
        state->covered |= state->nodes[n].partitions;
    }
    state->replication = config.replication;
    state->allowPartialSearch = config.allowPartialSearch;
    state->epoch = epochOf(config);
    m_state = std::move(state);
}

std::span<const MapNode> PartitionMap::nodes() const { return m_state->nodes; }

std::span<const std::uint16_t> PartitionMap::owners(base::Partition partition) const { return m_state->owners[partition]; }

std::optional<std::size_t> PartitionMap::nodeAt(const Address& address) const {
    for (std::size_t n = 0; n < m_state->nodes.size(); ++n)
        if (m_state->nodes[n].address == address)
            return n;
    return std::nullopt;
}

std::optional<std::size_t> PartitionMap::findNode(std::string_view nameOrAddress) const {
    for (std::size_t n = 0; n < m_state->nodes.size(); ++n)
        if (m_state->nodes[n].name == nameOrAddress)
            return n;
    const auto address = Address::parse(nameOrAddress);
    return address ? nodeAt(*address) : std::nullopt;
}

const PartitionSet& PartitionMap::covered() const { return m_state->covered; }
const std::optional<int>& PartitionMap::replication() const { return m_state->replication; }
const std::optional<bool>& PartitionMap::allowPartialSearch() const { return m_state->allowPartialSearch; }
const std::string& PartitionMap::epoch() const { return m_state->epoch; }

int PartitionMap::expectedOwners(base::Partition partition) const {
    return m_state->replication.value_or(static_cast<int>(owners(partition).size()));
}

std::vector<OwnerChange> changesBetween(const PartitionMap& before, const PartitionMap& after) {
    std::vector<OwnerChange> changes;
    for (int p = 0; p < base::kPartitionCount; ++p) {
        const auto partition = static_cast<base::Partition>(p);
        OwnerChange change{partition, ownersOnlyIn(before, after, partition), ownersOnlyIn(after, before, partition)};
        if (!change.leaves.empty() || !change.joins.empty())
            changes.push_back(std::move(change));
    }
    return changes;
}

} // namespace fremis::routing
