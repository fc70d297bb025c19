#include "shared/routing/plan_parts.h"

#include <algorithm>
#include <map>
#include <set>

namespace fremis::routing {

using base::fail;
using base::Reason;
using base::Result;
using base::Status;

namespace {

// Where most partitions have as many owners, that is what the cluster wants.
int usualOwners(const PartitionMap& map) {
    std::map<std::size_t, int> counts;
    for (int p = 0; p < base::kPartitionCount; ++p)
        ++counts[map.owners(static_cast<base::Partition>(p)).size()];
    const auto most = std::max_element(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    return static_cast<int>(most->first);
}

class TaskBuilder {
public:
    explicit TaskBuilder(const PlanRequest& request) : m_request(request) {}

    Result<PlanTask> build() {
        m_task.assign.replication =
            m_request.replication.value_or(m_request.current.replication().value_or(usualOwners(m_request.current)));
        for (const auto step : {&TaskBuilder::takeMap, &TaskBuilder::takeChanges, &TaskBuilder::takeNewNodes, &TaskBuilder::takePins,
                                &TaskBuilder::makeSeats})
            if (auto status = (this->*step)(); !status)
                return tl::unexpected(status.error());
        return std::move(m_task);
    }

private:
    static bool names(const std::vector<Address>& list, const Address& address) {
        return std::find(list.begin(), list.end(), address) != list.end();
    }

    PlanNode* nodeAt(const Address& address) {
        const auto node = std::find_if(m_task.nodes.begin(), m_task.nodes.end(), [&](const PlanNode& n) { return n.address == address; });
        return node == m_task.nodes.end() ? nullptr : &*node;
    }

    [[nodiscard]] std::string zoneOf(const Address& address, const std::optional<std::string>& wish) const {
        const auto zone = m_request.zones.find(address);
        return wish ? *wish : (zone == m_request.zones.end() ? std::string{} : zone->second);
    }

    Status takeMap() {
        if (!m_request.current.isComplete() && !m_request.current.nodes().empty())
            return fail(Reason::InvalidConfig, "partitions " + rangesText(~m_request.current.covered()) +
                                                   " belong to nobody; mend the config before planning");
        for (const MapNode& node : m_request.current.nodes()) {
            PlanNode& made = m_task.nodes.emplace_back();
            made.address = node.address;
            made.name = node.name;
            made.weight = node.weight;
            made.before = node.partitions;
            made.zone = zoneOf(node.address, std::nullopt);
            if (names(m_request.remove, node.address))
                made.role = PlanNode::Role::Leaves;
            if (names(m_request.drain, node.address))
                made.role = PlanNode::Role::Drained;
        }
        for (const auto* list : {&m_request.remove, &m_request.drain})
            for (const Address& address : *list)
                if (nodeAt(address) == nullptr)
                    return fail(Reason::InvalidConfig, address.text() + " is not in the map");
        return {};
    }

    Status takeChanges() {
        for (const NodeWish& wish : m_request.change) {
            PlanNode* node = nodeAt(wish.address);
            if (node == nullptr)
                return fail(Reason::InvalidConfig, wish.address.text() + " is not in the map");
            if (wish.name)
                node->name = wish.name;
            node->weight = wish.weight.value_or(node->weight);
            node->zone = wish.zone.value_or(node->zone);
        }
        return {};
    }

    Status takeNewNodes() {
        for (const NodeWish& wish : m_request.add) {
            if (nodeAt(wish.address) != nullptr)
                return fail(Reason::InvalidConfig, wish.address.text() + " is in the map already");
            PlanNode& made = m_task.nodes.emplace_back();
            made.address = wish.address;
            made.name = wish.name;
            made.weight = wish.weight.value_or(Weight());
            made.zone = zoneOf(wish.address, wish.zone);
            made.role = PlanNode::Role::Joins;
        }
        std::set<std::string> used;
        for (const PlanNode& node : m_task.nodes)
            if (node.name && !used.insert(*node.name).second)
                return fail(Reason::InvalidConfig, "two nodes are named " + *node.name);
        return {};
    }

    Status takePins() {
        for (const auto& [partition, addresses] : m_request.pins) {
            if (partition < 0 || partition >= base::kPartitionCount)
                return fail(Reason::InvalidConfig, "partition " + std::to_string(partition) + " cannot be pinned: there is none");
            if (addresses.size() > static_cast<std::size_t>(m_task.assign.replication))
                return fail(Reason::InvalidConfig, "partition " + std::to_string(partition) + " is pinned to " +
                                                       std::to_string(addresses.size()) + " nodes, replication is " +
                                                       std::to_string(m_task.assign.replication));
            for (const Address& address : addresses) {
                PlanNode* node = nodeAt(address);
                if (node == nullptr || node->role == PlanNode::Role::Leaves || node->role == PlanNode::Role::Drained)
                    return fail(Reason::InvalidConfig, "partition " + std::to_string(partition) + " is pinned to " + address.text() +
                                                           (node == nullptr ? ", which is not in the map" : ", which leaves"));
                node->pinned.set(static_cast<std::size_t>(partition));
            }
        }
        return {};
    }

    Status makeSeats() {
        const int replication = m_task.assign.replication;
        for (std::size_t n = 0; n < m_task.nodes.size(); ++n)
            if (m_task.nodes[n].role == PlanNode::Role::Stays || m_task.nodes[n].role == PlanNode::Role::Joins)
                m_task.nodeOfSeat.push_back(n);
        const std::size_t seats = m_task.nodeOfSeat.size();
        if (seats == 0)
            return fail(Reason::InvalidConfig, "no node would be left to hold the data");
        if (seats > static_cast<std::size_t>(kMaxAddresses))
            return fail(Reason::InvalidConfig, "more than 256 nodes");
        if (replication < 1 || replication > kMaxPlannedReplication)
            return fail(Reason::InvalidConfig, "replication must be 1..16 to be planned");
        if (static_cast<std::size_t>(replication) > seats)
            return fail(Reason::InvalidConfig, "replication " + std::to_string(replication) + " needs as many nodes; there would be " +
                                                   std::to_string(seats));
        std::sort(m_task.nodeOfSeat.begin(), m_task.nodeOfSeat.end(),
                  [this](std::size_t a, std::size_t b) { return m_task.nodes[a].address < m_task.nodes[b].address; });
        std::vector<int> weights;
        for (const std::size_t n : m_task.nodeOfSeat)
            weights.push_back(m_task.nodes[n].weight.hundredths());
        m_task.shares = exactShares(weights, base::kPartitionCount, replication);
        fillSeats();
        return {};
    }

    void fillSeats() {
        AssignTask& assign = m_task.assign;
        for (std::size_t s = 0; s < m_task.nodeOfSeat.size(); ++s) {
            PlanNode& node = m_task.nodes[m_task.nodeOfSeat[s]];
            node.exactShare = m_task.shares[s].value();
            assign.seats.push_back({node.before, node.pinned, 0, 0, 0});
            m_task.held.push_back(static_cast<int>(node.before.count()));
        }
        assign.mendSpread = m_request.spread == Spread::Enforce;
        numberHostsAndZones(m_task.nodes, m_task.nodeOfSeat, assign);
    }

    const PlanRequest& m_request;
    PlanTask m_task;
};

} // namespace

void numberHostsAndZones(std::span<const PlanNode> nodes, std::span<const std::size_t> nodeOfSeat, AssignTask& task) {
    std::map<std::string, int> hosts;
    std::map<std::string, int> zones;
    bool anyZone = false;
    for (std::size_t s = 0; s < nodeOfSeat.size(); ++s) {
        const PlanNode& node = nodes[nodeOfSeat[s]];
        const std::string host = node.address.isLocal() ? "localhost" : node.address.host();
        const std::string zone = node.zone.empty() ? "host " + host : "zone " + node.zone;
        anyZone = anyZone || !node.zone.empty();
        task.seats[s].host = hosts.try_emplace(host, static_cast<int>(hosts.size())).first->second;
        task.seats[s].zone = zones.try_emplace(zone, static_cast<int>(zones.size())).first->second;
    }
    task.spreadZones = anyZone;
}

Result<PlanTask> planTask(const PlanRequest& request) { return TaskBuilder(request).build(); }

} // namespace fremis::routing
