#include "server/engine/keyspaces.h"

namespace fremis::engine {

using base::fail;
using base::Reason;
using base::Result;

void Keyspaces::create(wire::CreateKeyspace request, Done<KeyspaceCreated> done) {
    const auto version = m_node.nextVersion();
    if (!version)
        return done(tl::unexpected(version.error()));
    if (m_maxKeyspaces && m_node.catalog().size() >= *m_maxKeyspaces && !m_node.catalog().find(request.keyspace.text()))
        return done(
            fail(Reason::KeyspaceLimit, "the limit of " + std::to_string(*m_maxKeyspaces) + " keyspaces is reached"));
    storage::CreateKeyspace operation{request.keyspace, {}, request.matchThreshold, *version, m_clock.sinceEpoch(), {}};
    const auto submitted = m_node.write(
        std::move(operation), [this, name = request.keyspace, done](const Result<storage::Outcome>& outcome) {
            if (!outcome)
                return done(tl::unexpected(outcome.error()));
            // The catalogue was read again before this call; another worker may have dropped the keyspace meanwhile.
            auto record = m_node.keyspace(name);
            if (!record)
                return done(tl::unexpected(record.error()));
            done(KeyspaceCreated{std::move(*record), outcome->effect == storage::Effect::Applied});
        });
    if (!submitted)
        done(tl::unexpected(submitted.error()));
}

void Keyspaces::remove(const wire::DeleteKeyspace& request, Done<std::uint64_t> done) {
    const auto keyspace = m_node.keyspace(request.keyspace);
    if (!keyspace)
        return done(tl::unexpected(keyspace.error()));
    const auto version = m_node.nextVersion();
    if (!version)
        return done(tl::unexpected(version.error()));
    const auto submitted =
        m_node.write(storage::DropKeyspace{request.keyspace, keyspace->incarnation, {}, *version, {}},
                     [done](const Result<storage::Outcome>& outcome) {
                         if (!outcome)
                             return done(tl::unexpected(outcome.error()));
                         if (!outcome->done())
                             return done(fail(Reason::KeyspaceNotFound, "the keyspace does not exist"));
                         done(outcome->facesRemoved);
                     });
    if (!submitted)
        done(tl::unexpected(submitted.error()));
}

} // namespace fremis::engine
