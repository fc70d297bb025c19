#pragma once

#include <cstdint>
#include <vector>

namespace fremis::routing {

/// Cheapest largest flow through a network with non-negative integer costs: primal-dual method, shortest paths by Dijkstra
/// with potentials, then all augmenting paths of that length at once (R. Ahuja, T. Magnanti, J. Orlin, Network Flows, 9.8).
/// Deterministic: edges are looked at in the order they were added.
class MinCostFlow {
public:
    [[nodiscard]] int addVertex();
    /// Returns the edge's number, for flowOn().
    int addEdge(int from, int to, int capacity, std::int64_t cost);

    /// Sends as much as fits from source to sink at the least cost; returns how much.
    int run(int source, int sink);
    [[nodiscard]] int flowOn(int edge) const { return m_arcs[static_cast<std::size_t>(edge) ^ 1U].left; }

private:
    struct Arc { // arcs 2e and 2e+1 are an edge and its way back
        int to;
        int left;
        std::int64_t cost;
    };

    bool findDistances(int source, int sink);
    int push(int vertex, int sink, int limit);
    [[nodiscard]] bool isTight(int from, const Arc& arc) const;

    std::vector<Arc> m_arcs;
    std::vector<std::vector<int>> m_out; // arcs by vertex
    std::vector<std::int64_t> m_potential;
    std::vector<std::int64_t> m_distance;
    std::vector<std::size_t> m_next; // next arc to try
    std::vector<bool> m_onPath;
};

} // namespace fremis::routing
