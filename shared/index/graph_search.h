#pragma once

#include "shared/index/keyspace_graph.h"
#include "shared/index/search.h"

namespace fremis::index {

/// Like searchExactly(), but rows of the graph are found through it. Rows added since it was built are scanned; a query
/// for which too few identities come out is answered exactly. Scores and their order are exact in any case.
[[nodiscard]] base::Result<Answer> searchWithGraph(IndexCore& core, const KeyspaceRows& keyspace,
                                                   const KeyspaceGraph& graph, std::uint64_t epoch, const Query& query);

} // namespace fremis::index
