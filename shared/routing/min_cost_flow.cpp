#include "shared/routing/min_cost_flow.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

namespace fremis::routing {

namespace {

constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max() / 4;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

} // namespace

int MinCostFlow::addVertex() {
    m_out.emplace_back();
    return static_cast<int>(m_out.size()) - 1;
}

int MinCostFlow::addEdge(int from, int to, int capacity, std::int64_t cost) {
    const int edge = static_cast<int>(m_arcs.size());
    m_arcs.push_back({to, capacity, cost});
    m_arcs.push_back({from, 0, -cost});
    m_out[at(from)].push_back(edge);
    m_out[at(to)].push_back(edge + 1);
    return edge;
}

bool MinCostFlow::findDistances(int source, int sink) {
    m_distance.assign(m_out.size(), kFar);
    using Entry = std::pair<std::int64_t, int>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    m_distance[at(source)] = 0;
    queue.emplace(0, source);
    while (!queue.empty()) {
        const auto [distance, vertex] = queue.top();
        queue.pop();
        if (distance > m_distance[at(vertex)])
            continue;
        for (const int a : m_out[at(vertex)]) {
            const Arc& arc = m_arcs[at(a)];
            const std::int64_t next = distance + arc.cost + m_potential[at(vertex)] - m_potential[at(arc.to)];
            if (arc.left > 0 && next < m_distance[at(arc.to)]) {
                m_distance[at(arc.to)] = next;
                queue.emplace(next, arc.to);
            }
        }
    }
    if (m_distance[at(sink)] == kFar)
        return false;
    // Vertices farther than the sink take its distance: their arcs keep a cost of at least 0 all the same.
    for (std::size_t v = 0; v < m_potential.size(); ++v)
        m_potential[v] += std::min(m_distance[v], m_distance[at(sink)]);
    return true;
}

bool MinCostFlow::isTight(int from, const Arc& arc) const {
    return arc.left > 0 && arc.cost + m_potential[at(from)] == m_potential[at(arc.to)];
}

// Depth first along tight arcs. Paths are short: source, partition, zone, host, node, sink, and back and forth for detours.
int MinCostFlow::push(int vertex, int sink, int limit) {
    if (vertex == sink)
        return limit;
    m_onPath[at(vertex)] = true;
    int sent = 0;
    for (std::size_t& i = m_next[at(vertex)]; i < m_out[at(vertex)].size(); ++i) {
        const int a = m_out[at(vertex)][i];
        if (m_onPath[at(m_arcs[at(a)].to)] || !isTight(vertex, m_arcs[at(a)]))
            continue;
        const int got = push(m_arcs[at(a)].to, sink, std::min(limit - sent, m_arcs[at(a)].left));
        m_arcs[at(a)].left -= got;
        m_arcs[at(a) ^ 1U].left += got;
        sent += got;
        if (sent == limit)
            break;
    }
    m_onPath[at(vertex)] = false;
    return sent;
}

int MinCostFlow::run(int source, int sink) {
    m_potential.assign(m_out.size(), 0);
    m_onPath.assign(m_out.size(), false);
    int flow = 0;
    while (findDistances(source, sink)) {
        for (;;) {
            m_next.assign(m_out.size(), 0);
            const int sent = push(source, sink, std::numeric_limits<int>::max());
            if (sent == 0)
                break;
            flow += sent;
        }
    }
    return flow;
}

} // namespace fremis::routing
