#include "server/engine/replication.h"

#include "shared/storage/batch.h"
#include "shared/storage/operation_codec.h"
#include "shared/storage/row_codec.h"

#include <cmath>

namespace fremis::engine {

using base::fail;
using base::Reason;
using base::Result;
using base::Status;
using wire::internal::ApplyEffect;
using wire::internal::ApplyOutcome;

namespace {

/// The index takes unit vectors within this.
constexpr double kNormTolerance = 0.01;

ApplyEffect effectOf(storage::Effect effect) {
    switch (effect) {
    case storage::Effect::Applied:
        return ApplyEffect::Applied;
    case storage::Effect::Already:
        return ApplyEffect::Already;
    case storage::Effect::Stale:
        return ApplyEffect::Stale;
    case storage::Effect::KeyspaceUnknown:
        return ApplyEffect::KeyspaceUnknown;
    case storage::Effect::KeyspaceDropped:
        return ApplyEffect::StaleIncarnation;
    case storage::Effect::BehindHorizon:
        return ApplyEffect::BehindHorizon;
    case storage::Effect::FaceExists:
    case storage::Effect::FaceAbsent:
    case storage::Effect::Invalid:
        break;
    }
    return ApplyEffect::Invalid;
}

ApplyOutcome refused(ApplyEffect effect, std::string why) {
    return {effect, std::move(why), 0, 0};
}

bool isUnitVector(std::span<const float> embedding) {
    double square = 0;
    for (const float value : embedding)
        square += double{value} * double{value};
    return storage::isFinite(embedding) && std::abs(std::sqrt(square) - 1.0) <= kNormTolerance;
}

} // namespace

struct Replication::Pending {
    std::mutex mutex;
    wire::internal::ApplyReply reply;
    std::size_t left = 0;
    std::optional<base::Error> error; ///< the first
    Done<wire::internal::ApplyReply> done;

    void finish(std::size_t at, const Result<storage::Outcome>& outcome) {
        {
            const std::scoped_lock lock(mutex);
            if (outcome)
                reply.outcomes[at] = {effectOf(outcome->effect), outcome->why, outcome->rowsRemoved,
                                      outcome->facesRemoved};
            else if (!error)
                error = outcome.error();
            if (--left > 0)
                return;
        }
        if (error)
            done(tl::unexpected(std::move(*error)));
        else
            done(std::move(reply));
    }
};

std::optional<ApplyOutcome> Replication::refusalOf(const storage::Operation& operation) const {
    if (const auto partition = storage::partitionOf(operation); partition && !m_node.owns(*partition))
        return refused(ApplyEffect::NotOwner, "not a partition of this worker");
    if (m_node.isAhead(storage::versionOf(operation)))
        return refused(ApplyEffect::VersionAhead, "the version is more than 60 s ahead of this worker's clock");
    const auto* add = std::get_if<storage::AddVariation>(&operation);
    if (!add)
        return std::nullopt;
    const auto& space = m_node.options().space;
    if (add->row.space != space.name)
        return refused(ApplyEffect::SpaceMismatch, "an embedding of another space than " + space.name);
    if (add->row.embedding.size() != static_cast<std::size_t>(space.dimension))
        return refused(ApplyEffect::DimensionMismatch,
                       "an embedding of " + std::to_string(add->row.embedding.size()) + " values");
    if (!isUnitVector(add->row.embedding))
        return refused(ApplyEffect::EmbeddingInvalid, "an embedding that is not a finite unit vector");
    return std::nullopt;
}

void Replication::apply(const wire::internal::ApplyRequest& request, Done<wire::internal::ApplyReply> done) {
    if (!m_node.identity())
        return done(fail(Reason::NotReady, "the storage has not answered yet"));
    auto pending = std::make_shared<Pending>();
    pending->done = std::move(done);
    pending->reply.outcomes.resize(request.operations.size());
    std::vector<std::pair<std::size_t, storage::Operation>> writes;
    bool anyOwned = false;
    for (std::size_t i = 0; i < request.operations.size(); ++i) {
        auto& outcome = pending->reply.outcomes[i];
        auto operation = storage::decode(request.operations[i]);
        if (!operation) {
            const auto& error = operation.error();
            outcome = refused(error.reason == Reason::CorruptData ? ApplyEffect::Damaged : ApplyEffect::Invalid,
                              error.message + ": " + error.detail);
        } else if (auto refusal = refusalOf(*operation)) {
            outcome = std::move(*refusal);
        } else {
            if (auto* add = std::get_if<storage::AddVariation>(&*operation))
                add->isMend = request.mend;
            writes.emplace_back(i, std::move(*operation));
        }
        anyOwned = anyOwned || outcome.effect != ApplyEffect::NotOwner;
    }
    if (!anyOwned)
        return pending->done(fail(Reason::NotOwner, "this worker owns none of the operations' partitions"));
    if (writes.empty())
        return pending->done(std::move(pending->reply));
    pending->left = writes.size();
    for (auto& [at, operation] : writes) {
        const auto submitted =
            m_node.write(std::move(operation), [pending, i = at](const auto& outcome) { pending->finish(i, outcome); });
        if (!submitted)
            pending->finish(at, tl::unexpected(submitted.error()));
    }
}

Status Replication::collect(const hashing::PartitionSet& partitions, base::Version horizon) {
    const auto foreign = partitions - m_node.options().owned;
    if (!foreign.empty())
        return fail(Reason::NotOwner, "this worker does not own the partitions " + foreign.text());
    if (m_node.isAhead(horizon))
        return fail(Reason::VersionAhead, "the horizon is more than 60 s ahead of this worker's clock");
    m_node.observe(horizon); // its own writes are never below
    return m_node.store().raiseHorizon(partitions, horizon);
}

} // namespace fremis::engine
