#include "shared/hashing/modulo.h"

#include "shared/hashing/history.h"

#include <numeric>

namespace fremis::hashing {

base::Result<PlacementPtr> Modulo::create(NodeSet nodes, const SchemeOptions& options) {
    auto set = withEqualWeights(std::move(nodes), Scheme::Modulo);
    if (!set)
        return tl::unexpected(std::move(set.error()));
    return PlacementPtr(new Modulo(std::move(*set), options));
}

Modulo::Modulo(NodeSet set, const SchemeOptions& options)
    : SetPlacement(std::move(set), options), m_order(nodes(), *options.hash) {}

Placement::Table Modulo::table() const {
    Table table;
    table.owners.resize(nodes().size());
    std::iota(table.owners.begin(), table.owners.end(), NodeIndex{0});
    return table;
}

} // namespace fremis::hashing
