#include "shared/hashing/multi_probe.h"

#include "shared/hashing/history.h"

#include <algorithm>

namespace fremis::hashing {

namespace {

std::vector<PointTable::Point> onePointEach(const NodeSet& nodes, const KeyHash& hash) {
    std::vector<PointTable::Point> points;
    points.reserve(nodes.size());
    for (NodeIndex i = 0; i < nodes.size(); ++i)
        points.push_back({hash.of(nodes[i].id + "#0"), i});
    return points;
}

} // namespace

base::Result<PlacementPtr> MultiProbe::create(NodeSet nodes, const SchemeOptions& options) {
    if (options.probes < 1 || options.probes > 1024)
        return base::fail(base::Reason::InvalidParams, "multi-probe has 1 to 1024 probes");
    auto set = withEqualWeights(std::move(nodes), Scheme::MultiProbe);
    if (!set)
        return tl::unexpected(std::move(set.error()));
    return PlacementPtr(new MultiProbe(std::move(*set), options));
}

MultiProbe::MultiProbe(NodeSet set, const SchemeOptions& options)
    : SetPlacement(std::move(set), options), m_points(onePointEach(nodes(), *options.hash)) {}

NodeIndex MultiProbe::ownerOf(std::uint64_t hash) const noexcept {
    if (nodes().empty())
        return kNoNode;
    std::uint64_t shortest = 0;
    NodeIndex owner = kNoNode;
    for (std::uint64_t i = 0; i < options().probes; ++i) {
        const std::uint64_t from = probe(hash, i);
        std::size_t at = m_points.successor(from);
        at = at == m_points.size() ? 0 : at;
        const std::uint64_t way = m_points.position(at) - from; // wraps with the circle
        if (owner == kNoNode || way < shortest || (way == shortest && m_points.node(at) < owner)) {
            shortest = way;
            owner = m_points.node(at);
        }
    }
    return owner;
}

void MultiProbe::preference(std::uint64_t hash, std::size_t wanted, std::vector<NodeIndex>& out) const {
    struct Entry {
        std::uint64_t way;
        NodeIndex node;
        auto operator<=>(const Entry&) const = default;
    };
    std::vector<Entry> entries;
    for (std::size_t p = 0; p < m_points.size(); ++p) {
        std::uint64_t shortest = ~std::uint64_t{0};
        for (std::uint64_t i = 0; i < options().probes; ++i)
            shortest = std::min(shortest, m_points.position(p) - probe(hash, i));
        entries.push_back({shortest, m_points.node(p)});
    }
    const auto end = entries.begin() + static_cast<std::ptrdiff_t>(std::min(wanted, entries.size()));
    std::partial_sort(entries.begin(), end, entries.end());
    for (auto at = entries.begin(); at != end; ++at)
        out.push_back(at->node);
}

} // namespace fremis::hashing
