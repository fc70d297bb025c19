#include "server/engine/keyspaces.h"

namespace fremis::engine {

using base::fail;
using base::Reason;
using base::Result;

namespace {

/// What brings another replica to where this one is: the keyspace as it was created, and the threshold just given.
std::vector<storage::Operation> operationsOf(const storage::KeyspaceRecord& record, std::optional<double> threshold,
                                             base::Version version, const storage::OpId& opId) {
    std::vector<storage::Operation> operations;
    operations.emplace_back(
        storage::CreateKeyspace{record.name, record.incarnation, {}, record.version, record.createdAt, opId});
    if (threshold)
        operations.emplace_back(storage::SetThreshold{record.incarnation, threshold, version, {}});
    return operations;
}

} // namespace

void Keyspaces::create(const wire::CreateKeyspace& request, const storage::OpId& opId, Done<KeyspaceCreated> done) {
    const auto version = m_node.nextVersion();
    if (!version)
        return done(tl::unexpected(version.error()));
    if (m_maxKeyspaces && m_node.catalog().size() >= *m_maxKeyspaces && !m_node.catalog().find(request.keyspace.text()))
        return done(
            fail(Reason::KeyspaceLimit, "the limit of " + std::to_string(*m_maxKeyspaces) + " keyspaces is reached"));
    storage::CreateKeyspace operation{request.keyspace,     {},  request.matchThreshold, *version,
                                      m_clock.sinceEpoch(), opId};
    const auto submitted =
        m_node.write(std::move(operation), [this, request, opId, done](const Result<storage::Outcome>& outcome) {
            if (!outcome)
                return done(tl::unexpected(outcome.error()));
            // The catalogue was read again before this call; another worker may have dropped the keyspace meanwhile.
            auto record = m_node.keyspace(request.keyspace);
            if (!record)
                return done(tl::unexpected(record.error()));
            auto operations = operationsOf(*record, request.matchThreshold, outcome->version, opId);
            done(KeyspaceCreated{std::move(*record), outcome->created, std::move(operations)});
        });
    if (!submitted)
        done(tl::unexpected(submitted.error()));
}

void Keyspaces::remove(const wire::DeleteKeyspace& request, const storage::OpId& opId, Done<KeyspaceRemoved> done) {
    const auto keyspace = m_node.keyspace(request.keyspace);
    // A repeat finds the name gone, or taken again, and has to get its first answer all the same.
    const bool mayBeRepeat = opId != storage::OpId();
    if (!keyspace && !(mayBeRepeat && keyspace.error().reason == Reason::KeyspaceNotFound))
        return done(tl::unexpected(keyspace.error()));
    const auto version = m_node.nextVersion();
    if (!version)
        return done(tl::unexpected(version.error()));
    storage::DropKeyspace operation{
        request.keyspace, keyspace ? keyspace->incarnation : std::string(), {}, *version, opId};
    const auto submitted = m_node.write(operation, [operation, done](const Result<storage::Outcome>& outcome) mutable {
        if (!outcome)
            return done(tl::unexpected(outcome.error()));
        if (!outcome->done())
            return done(fail(Reason::KeyspaceNotFound, "the keyspace does not exist"));
        operation.incarnation = outcome->incarnation;
        operation.newIncarnation = outcome->newIncarnation;
        operation.version = outcome->version;
        done(KeyspaceRemoved{outcome->facesRemoved, std::move(operation)});
    });
    if (!submitted)
        done(tl::unexpected(submitted.error()));
}

} // namespace fremis::engine
