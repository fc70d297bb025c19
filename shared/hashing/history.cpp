#include "shared/hashing/history.h"

namespace fremis::hashing {

std::vector<NodeIndex> translated(std::span<const NodeIndex> owners, const NodeSet& from, const NodeSet& to) {
    std::vector<NodeIndex> newIndex;
    newIndex.reserve(from.size());
    for (const Node& node : from.nodes())
        newIndex.push_back(to.find(node.id));
    std::vector<NodeIndex> result;
    result.reserve(owners.size());
    for (const NodeIndex owner : owners)
        result.push_back(owner == kNoNode ? kNoNode : newIndex[owner]);
    return result;
}

base::Result<NodeSet> withEqualWeights(base::Result<NodeSet> set, Scheme scheme) {
    if (!set || set->hasEqualWeights())
        return set;
    return base::fail(base::Reason::InvalidParams,
                      std::string(infoOf(scheme).token) + " has no weights: all must be equal");
}

} // namespace fremis::hashing
