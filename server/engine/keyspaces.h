#pragma once

#include "server/engine/done.h"
#include "server/engine/node.h"
#include "shared/wire/requests.h"

namespace fremis::engine {

struct KeyspaceCreated {
    storage::KeyspaceRecord keyspace;
    bool created = false;
};

/// Makes and removes keyspaces. Thread: any.
class Keyspaces {
public:
    Keyspaces(Node& node, const base::Clock& clock, std::optional<std::uint64_t> maxKeyspaces)
        : m_node(node), m_clock(clock), m_maxKeyspaces(maxKeyspaces) {}

    void create(wire::CreateKeyspace request, Done<KeyspaceCreated> done);
    /// Answers the number of faces removed.
    void remove(const wire::DeleteKeyspace& request, Done<std::uint64_t> done);

private:
    Node& m_node;
    const base::Clock& m_clock;
    const std::optional<std::uint64_t> m_maxKeyspaces;
};

} // namespace fremis::engine
