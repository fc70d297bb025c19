#include "shared/routing/assignment.h"

#include "shared/routing/block_moves.h"
#include "shared/routing/min_cost_flow.h"

#include <algorithm>
#include <map>

namespace fremis::routing {

namespace {

// Prices of an assignment's faults. Each level outweighs the sum of all below it over every copy; four levels of at most
// 256 x kMaxPlannedReplication copies stay under 2^49, far from overflow.
struct Prices {
    explicit Prices(const AssignTask& task) : move(std::int64_t{task.partitions} * task.replication + 1) {}
    std::int64_t unpreferred = 1; // other than the choice of blocks
    std::int64_t move;
    std::int64_t oneHost = move * move;
    std::int64_t oneZone = oneHost * move;
    std::int64_t unpinned = oneZone * move;
};

std::size_t at(int i) { return static_cast<std::size_t>(i); }

bool isHeldAt(const Seat& seat, int partition) { return seat.held[at(partition)]; }

class FlowAssigner {
public:
    FlowAssigner(const AssignTask& task, const Assignment& preferred) : m_task(task), m_preferred(preferred), m_prices(task) {}

    std::optional<Assignment> run() {
        buildNodes();
        for (int p = 0; p < m_task.partitions; ++p)
            addPartition(p);
        if (m_network.run(m_source, m_sink) != m_task.partitions * m_task.replication)
            return std::nullopt;
        Assignment assignment(m_task.seats.size());
        for (const Edge& edge : m_edges)
            if (m_network.flowOn(edge.number) > 0)
                assignment[edge.seat].set(at(edge.partition));
        for (std::size_t n = 0; n < m_task.seats.size(); ++n)
            if ((m_task.seats[n].pinned & ~assignment[n]).any())
                return std::nullopt;
        return assignment;
    }

private:
    struct Edge {
        int number;
        int partition;
        std::size_t seat;
    };

    void buildNodes() {
        m_source = m_network.addVertex();
        m_sink = m_network.addVertex();
        for (const Seat& seat : m_task.seats) {
            m_nodes.push_back(m_network.addVertex());
            m_network.addEdge(m_nodes.back(), m_sink, seat.target, 0);
            ++m_hostSizes[seat.host];
            ++m_zoneSizes[seat.zone];
        }
    }

    // partition -> zone -> host -> node, where zones and hosts of one node are left out. A zone or host takes a first copy
    // for nothing and more for a price.
    void addPartition(int p) {
        const int vertex = m_network.addVertex();
        m_network.addEdge(m_source, vertex, m_task.replication, 0);
        std::map<int, int> zones;
        std::map<int, int> hosts;
        for (std::size_t n = 0; n < m_task.seats.size(); ++n) {
            const Seat& seat = m_task.seats[n];
            int from = vertex;
            if (m_task.spreadZones && m_zoneSizes[seat.zone] > 1)
                from = throughGroup(zones, seat.zone, from, p, m_prices.oneZone, &Seat::zone);
            if (m_task.spreadHosts && m_hostSizes[seat.host] > 1)
                from = throughGroup(hosts, seat.host, from, p, m_prices.oneHost, &Seat::host);
            m_edges.push_back({m_network.addEdge(from, m_nodes[n], 1, costOf(p, n)), p, n});
        }
    }

    int throughGroup(std::map<int, int>& groups, int group, int from, int p, std::int64_t price, int Seat::*member) {
        const auto [it, isNew] = groups.try_emplace(group, 0);
        if (!isNew)
            return it->second;
        it->second = m_network.addVertex();
        int free = 1;
        if (!m_task.mendSpread)
            free = std::max(1, static_cast<int>(std::count_if(m_task.seats.begin(), m_task.seats.end(), [&](const Seat& seat) {
                       return seat.*member == group && isHeldAt(seat, p);
                   })));
        m_network.addEdge(from, it->second, free, 0);
        if (m_task.replication > free)
            m_network.addEdge(from, it->second, m_task.replication - free, price);
        return it->second;
    }

    // Every copy takes exactly one of these edges, so a constant on top changes nothing and keeps costs above 0.
    [[nodiscard]] std::int64_t costOf(int p, std::size_t n) const {
        const Seat& seat = m_task.seats[n];
        std::int64_t cost = m_preferred[n][at(p)] ? 0 : m_prices.unpreferred;
        cost += isHeldAt(seat, p) ? 0 : m_prices.move;
        cost += seat.pinned[at(p)] ? 0 : m_prices.unpinned;
        return cost;
    }

    const AssignTask& m_task;
    const Assignment& m_preferred;
    Prices m_prices;
    MinCostFlow m_network;
    int m_source = 0;
    int m_sink = 0;
    std::vector<int> m_nodes;
    std::map<int, int> m_hostSizes;
    std::map<int, int> m_zoneSizes;
    std::vector<Edge> m_edges;
};

int sharingsOf(const AssignTask& task, const Assignment& assignment, int Seat::*member) {
    int count = 0;
    for (int p = 0; p < task.partitions; ++p) {
        std::map<int, int> groups;
        for (std::size_t n = 0; n < assignment.size(); ++n)
            if (assignment[n][at(p)] && ++groups[task.seats[n].*member] > 1)
                ++count;
    }
    return count;
}

// Complete, with every pin, nothing shared and the least moves: no need to look further.
bool isBestPossible(const AssignTask& task, const Assignment& assignment) {
    for (std::size_t n = 0; n < assignment.size(); ++n)
        if (static_cast<int>(assignment[n].count()) != task.seats[n].target || (task.seats[n].pinned & ~assignment[n]).any())
            return false;
    for (int p = 0; p < task.partitions; ++p)
        if (std::count_if(assignment.begin(), assignment.end(), [p](const PartitionSet& s) { return s[at(p)]; }) != task.replication)
            return false;
    const auto [zones, hosts] = sharings(task, assignment);
    return copiesMoved(task, assignment) == lowerBound(task) && (!task.spreadZones || zones == 0) &&
           (!task.spreadHosts || hosts == 0);
}

} // namespace

int copiesMoved(const AssignTask& task, const Assignment& assignment) {
    std::size_t moved = 0;
    for (std::size_t n = 0; n < assignment.size(); ++n)
        moved += (assignment[n] & ~task.seats[n].held).count();
    return static_cast<int>(moved);
}

int lowerBound(const AssignTask& task) {
    int gains = 0;
    std::vector<int> copies(at(task.partitions), 0);
    for (const Seat& seat : task.seats) {
        gains += std::max(0, seat.target - static_cast<int>(seat.held.count()));
        for (std::size_t p = 0; p < copies.size(); ++p)
            copies[p] += seat.held[p] ? 1 : 0;
    }
    int missing = 0; // copies that no seat holds have to be made whatever the targets are
    for (const int held : copies)
        missing += std::max(0, task.replication - held);
    return std::max(gains, missing);
}

std::pair<int, int> sharings(const AssignTask& task, const Assignment& assignment) {
    return {sharingsOf(task, assignment, &Seat::zone), sharingsOf(task, assignment, &Seat::host)};
}

std::optional<Assignment> assignMulti(const AssignTask& task) {
    Assignment blocks = moveBlocks(task);
    if (isBestPossible(task, blocks))
        return blocks;
    return FlowAssigner(task, blocks).run();
}

} // namespace fremis::routing
