#pragma once

#include "server/engine/done.h"
#include "server/engine/node.h"
#include "shared/wire/internal.h"

namespace fremis::engine {

/// Applies operations that were stamped by another replica: guarded by version, in any order, any number of times.
/// Thread: any.
class Replication {
public:
    explicit Replication(Node& node) : m_node(node) {}

    /// Each operation is decided for itself. NotOwner when all are of foreign partitions; NotReady before the store has
    /// answered; an error of the store or a full queue leaves open which were applied.
    void apply(const wire::internal::ApplyRequest& request, Done<wire::internal::ApplyReply> done);
    /// Collects tombstones older than `horizon`. Blocking. NotOwner, VersionAhead.
    [[nodiscard]] base::Status collect(const hashing::PartitionSet& partitions, base::Version horizon);

private:
    struct Pending;
    [[nodiscard]] std::optional<wire::internal::ApplyOutcome> refusalOf(const storage::Operation& operation) const;

    Node& m_node;
};

} // namespace fremis::engine
