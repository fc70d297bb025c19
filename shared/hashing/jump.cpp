#include "shared/hashing/jump.h"

#include "shared/hashing/codec.h"
#include "shared/hashing/history.h"

#include <numeric>

namespace fremis::hashing {

base::Result<PlacementPtr> Jump::create(NodeSet nodes, const SchemeOptions& options) {
    auto set = withEqualWeights(std::move(nodes), Scheme::Jump);
    if (!set)
        return tl::unexpected(std::move(set.error()));
    std::vector<NodeIndex> buckets(set->size());
    std::iota(buckets.begin(), buckets.end(), NodeIndex{0});
    return PlacementPtr(new Jump(std::move(*set), options, std::move(buckets)));
}

base::Result<PlacementPtr> Jump::restore(NodeSet nodes, const SchemeOptions& options, ByteReader& state) {
    if (!nodes.hasEqualWeights())
        return corrupt("weights with jump");
    std::vector<bool> seen(nodes.size());
    std::vector<NodeIndex> buckets;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const NodeIndex node = state.u32();
        if (!state.ok() || node >= nodes.size() || seen[node])
            return corrupt("a bucket without a node of its own");
        seen[node] = true;
        buckets.push_back(node);
    }
    return PlacementPtr(new Jump(std::move(nodes), options, std::move(buckets)));
}

Jump::Jump(NodeSet set, const SchemeOptions& options, std::vector<NodeIndex> buckets)
    : Placement(std::move(set), options), m_buckets(std::move(buckets)), m_order(nodes(), *options.hash) {}

base::Result<PlacementPtr> Jump::add(Node node) const {
    const std::string id = node.id;
    auto set = withEqualWeights(nodes().with(std::move(node)), Scheme::Jump);
    if (!set)
        return tl::unexpected(std::move(set.error()));
    auto buckets = translated(m_buckets, nodes(), *set);
    buckets.push_back(set->find(id));
    return PlacementPtr(new Jump(std::move(*set), options(), std::move(buckets)));
}

base::Result<PlacementPtr> Jump::remove(std::string_view id) const {
    auto set = nodes().without(id);
    if (!set)
        return tl::unexpected(std::move(set.error()));
    const std::string& last = nodes()[m_buckets.back()].id;
    if (last != id)
        return base::fail(base::Reason::InvalidParams, "jump can only let the last bucket go, which is of " + last +
                                                           ": use memento when any node may leave");
    auto buckets = translated(m_buckets, nodes(), *set);
    buckets.pop_back();
    return PlacementPtr(new Jump(std::move(*set), options(), std::move(buckets)));
}

base::Result<PlacementPtr> Jump::weight(std::string_view id, std::uint32_t hundredths) const {
    auto set = withEqualWeights(nodes().withWeight(id, hundredths), Scheme::Jump);
    if (!set)
        return tl::unexpected(std::move(set.error()));
    return PlacementPtr(new Jump(std::move(*set), options(), m_buckets));
}

void Jump::writeState(ByteWriter& out) const {
    for (const NodeIndex node : m_buckets)
        out.u32(node);
}

} // namespace fremis::hashing
