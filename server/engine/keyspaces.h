#pragma once

#include "server/engine/done.h"
#include "server/engine/node.h"
#include "shared/wire/requests.h"

namespace fremis::engine {

struct KeyspaceCreated {
    storage::KeyspaceRecord keyspace;
    bool created = false;
    std::vector<storage::Operation> operations; ///< for other replicas
};

struct KeyspaceRemoved {
    std::uint64_t faces = 0;
    storage::DropKeyspace operation; ///< for other replicas
};

/// Makes and removes keyspaces. Thread: any.
class Keyspaces {
public:
    Keyspaces(Node& node, const base::Clock& clock, std::optional<std::uint64_t> maxKeyspaces)
        : m_node(node), m_clock(clock), m_maxKeyspaces(maxKeyspaces) {}

    /// `opId`: of a coordinator; all zero for others. A repeat gets the first answer.
    void create(const wire::CreateKeyspace& request, const storage::OpId& opId, Done<KeyspaceCreated> done);
    void remove(const wire::DeleteKeyspace& request, const storage::OpId& opId, Done<KeyspaceRemoved> done);

private:
    Node& m_node;
    const base::Clock& m_clock;
    const std::optional<std::uint64_t> m_maxKeyspaces;
};

} // namespace fremis::engine
