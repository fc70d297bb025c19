#include "server/engine/removal.h"

#include "shared/hashing/partition.h"

namespace fremis::engine {

using base::fail;
using base::Reason;
using base::Result;

namespace {

// Deletes that one request has in the write queue at a time: enough for full transactions, few enough to leave room for
// others.
constexpr std::size_t kInFlight = 512;

void setVersion(storage::Operation& removal, base::Version version) {
    std::visit(
        [version](auto& any) {
            if constexpr (requires { any.face; })
                any.version = version;
        },
        removal);
}

} // namespace

/// A list of deletes on its way through the write queue, a window at a time.
struct Removal::Batch {
    std::vector<storage::Operation> operations;
    std::function<void(Batch&)> done;
    bool evenIfAbsent = false;

    std::mutex mutex;
    std::size_t next = 0;
    std::size_t inFlight = 0;
    std::vector<bool> removed{};
    std::vector<bool> decided{};
    std::vector<std::optional<base::Version>> stored{}; ///< the version under which an operation was done
    std::uint64_t facesRemoved = 0;
    std::optional<base::Error> error; ///< the first; nothing more is submitted after it

    /// What other replicas have to apply.
    [[nodiscard]] std::vector<storage::Operation> stamped() const {
        std::vector<storage::Operation> all;
        for (std::size_t i = 0; i < stored.size(); ++i) {
            if (!stored[i])
                continue;
            all.push_back(operations[i]);
            setVersion(all.back(), *stored[i]);
        }
        return all;
    }
};

void Removal::removeFaces(wire::DeleteEnrollment request, const Origin& origin, Done<FacesRemoved> done) {
    const auto keyspace = m_node.keyspace(request.keyspace);
    if (!keyspace)
        return done(tl::unexpected(keyspace.error()));
    auto batch = std::make_shared<Batch>();
    batch->evenIfAbsent = origin.evenIfAbsent;
    for (const auto& face : request.faceIds) {
        const auto partition = hashing::partitionOf(request.keyspace.text(), face.text());
        if (!m_node.owns(partition))
            return done(fail(Reason::NotOwner, "this worker does not own the partition of each face_id"));
        const auto opId = origin.opIds.empty() ? storage::OpId() : origin.opIds[batch->operations.size()];
        batch->operations.push_back(
            storage::DeleteFace{keyspace->incarnation, face, partition, {}, opId, !origin.evenIfAbsent});
    }
    batch->done = [faces = std::move(request.faceIds), done = std::move(done)](Batch& finished) {
        FacesRemoved result;
        for (std::size_t i = 0; i < faces.size(); ++i) {
            if (finished.removed[i])
                result.deleted.push_back(faces[i]);
            else if (!finished.decided[i])
                result.failed.push_back(faces[i]);
        }
        result.error = finished.error;
        result.operations = finished.stamped();
        done(std::move(result));
    };
    submitMore(batch);
}

void Removal::removeVariations(wire::DeleteVariation request, const Origin& origin, Done<VariationsRemoved> done) {
    const auto keyspace = m_node.keyspace(request.keyspace);
    if (!keyspace)
        return done(tl::unexpected(keyspace.error()));
    const auto partition = hashing::partitionOf(request.keyspace.text(), request.faceId.text());
    if (!m_node.owns(partition))
        return done(fail(Reason::NotOwner, "this worker does not own the partition of that face_id"));
    auto batch = std::make_shared<Batch>();
    batch->evenIfAbsent = origin.evenIfAbsent;
    for (const auto& variation : request.variations) {
        const auto opId = origin.opIds.empty() ? storage::OpId() : origin.opIds[batch->operations.size()];
        batch->operations.push_back(storage::DeleteVariation{
            keyspace->incarnation, request.faceId, variation, partition, {}, opId, !origin.evenIfAbsent});
    }
    batch->done = [variations = std::move(request.variations), done = std::move(done)](Batch& finished) {
        if (finished.error)
            return done(tl::unexpected(*finished.error));
        VariationsRemoved result;
        for (std::size_t i = 0; i < variations.size(); ++i)
            if (finished.removed[i])
                result.deleted.push_back(variations[i]);
        result.faceDeleted = finished.facesRemoved > 0;
        result.operations = finished.stamped();
        done(std::move(result));
    };
    submitMore(batch);
}

void Removal::submitMore(const std::shared_ptr<Batch>& batch) {
    std::vector<std::size_t> window;
    bool finished = false;
    {
        const std::scoped_lock lock(batch->mutex);
        batch->removed.resize(batch->operations.size());
        batch->decided.resize(batch->operations.size());
        batch->stored.resize(batch->operations.size());
        // A new window only when the last one is done: a transaction is then as full as it can be.
        if (batch->inFlight == 0 && !batch->error)
            while (batch->next < batch->operations.size() && window.size() < kInFlight)
                window.push_back(batch->next++);
        batch->inFlight += window.size();
        finished = batch->inFlight == 0;
    }
    if (finished)
        return batch->done(*batch);
    for (const auto at : window)
        submitOne(batch, at);
}

void Removal::submitOne(const std::shared_ptr<Batch>& batch, std::size_t at) {
    const auto version = m_node.nextVersion();
    const auto submitted = version.and_then([&](base::Version fresh) {
        auto operation = batch->operations[at];
        setVersion(operation, fresh);
        return m_node.write(std::move(operation),
                            [this, batch, at](const auto& outcome) { finishOne(batch, at, outcome); });
    });
    if (!submitted)
        finishOne(batch, at, tl::unexpected(submitted.error()));
}

void Removal::finishOne(const std::shared_ptr<Batch>& batch, std::size_t at, const Result<storage::Outcome>& outcome) {
    using storage::Effect;
    bool windowDone = false;
    {
        const std::scoped_lock lock(batch->mutex);
        if (!outcome) {
            if (!batch->error)
                batch->error = outcome.error();
        } else if (outcome->effect == Effect::KeyspaceUnknown || outcome->effect == Effect::KeyspaceDropped) {
            batch->error = base::Error{Reason::KeyspaceNotFound, "the keyspace does not exist", {}};
        } else {
            batch->decided[at] = true;
            batch->removed[at] = outcome->done() && (outcome->rowsRemoved > 0 || batch->evenIfAbsent);
            if (outcome->done())
                batch->stored[at] = outcome->version;
            batch->facesRemoved += outcome->facesRemoved;
        }
        windowDone = --batch->inFlight == 0;
    }
    if (windowDone)
        submitMore(batch);
}

} // namespace fremis::engine
