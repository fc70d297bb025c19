#pragma once

#include "shared/hashing/placement.h"

namespace fremis::hashing {

/// The same owners by the indices of another set; a node that is not in it becomes kNoNode. Internal to this folder.
[[nodiscard]] std::vector<NodeIndex> translated(std::span<const NodeIndex> owners, const NodeSet& from,
                                                const NodeSet& to);

/// The set, or Reason::InvalidParams when its weights differ: for schemes that cannot honour them. Passes an error
/// through.
[[nodiscard]] base::Result<NodeSet> withEqualWeights(base::Result<NodeSet> set, Scheme scheme);

} // namespace fremis::hashing
