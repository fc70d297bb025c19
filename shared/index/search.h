#pragma once

#include "shared/index/index_core.h"
#include "shared/index/scanner.h"

namespace fremis::index {

/// The exact answer of one keyspace at one epoch, which the caller keeps entered. `query` has been checked.
[[nodiscard]] base::Result<Answer> searchExactly(IndexCore& core, const KeyspaceRows& keyspace, std::uint64_t epoch,
                                                 const Query& query);

[[nodiscard]] Hit hitOf(const FoundRow& row);

} // namespace fremis::index
