#pragma once

#include "shared/hashing/placement.h"

namespace fremis::hashing {

/// A placement whose map depends on the set of nodes alone: a change builds it anew from the changed set, so no order
/// of insertions and removals can show. Internal to this folder.
class SetPlacement : public Placement {
public:
    [[nodiscard]] base::Result<PlacementPtr> add(Node node) const override {
        return rebuilt(nodes().with(std::move(node)));
    }
    [[nodiscard]] base::Result<PlacementPtr> remove(std::string_view id) const override {
        return rebuilt(nodes().without(id));
    }
    [[nodiscard]] base::Result<PlacementPtr> weight(std::string_view id, std::uint32_t hundredths) const override {
        return rebuilt(nodes().withWeight(id, hundredths));
    }

protected:
    using Placement::Placement;

private:
    [[nodiscard]] base::Result<PlacementPtr> rebuilt(base::Result<NodeSet> set) const {
        if (!set)
            return tl::unexpected(std::move(set.error()));
        return makePlacement(scheme(), std::move(*set), options());
    }
};

} // namespace fremis::hashing
