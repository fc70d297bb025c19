#include "server/engine/recognition.h"

#include <cmath>
#include <numeric>

namespace fremis::engine {

using base::fail;
using base::Reason;
using base::Result;

namespace {

constexpr double kUnitTolerance = 1e-6; // what float32 rounding leaves

} // namespace

struct Recognition::Pending {
    wire::Recognition request;
    RequestContext context;
    Done<Recognised> done;
    std::string incarnation;
    hashing::PartitionSet partitions;
    std::uint64_t fillings = 0; ///< Node::fillings() when the search was asked for
    std::optional<std::vector<vision::Face>> faces;
    std::vector<float> embedding;
};

Result<std::vector<float>> unitEmbedding(wire::EmbeddingInput input, const storage::EnrollmentStore::Space& space) {
    if (input.space && *input.space != space.name)
        return fail(Reason::SpaceMismatch, "the embedding is of another space than this server's, " + space.name);
    if (input.values.size() != static_cast<std::size_t>(space.dimension))
        return fail(Reason::EmbeddingInvalid, "the embedding has " + std::to_string(input.values.size()) +
                                                  " values; this server's have " + std::to_string(space.dimension));
    // In double: a sum of squares of large floats overflows float.
    const double norm =
        std::sqrt(std::accumulate(input.values.begin(), input.values.end(), 0.0,
                                  [](double sum, float value) { return sum + double(value) * double(value); }));
    if (!std::isfinite(norm) || norm < double(wire::kMinEmbeddingNorm))
        return fail(Reason::EmbeddingInvalid, "the embedding has no direction");
    // A unit vector stays as it is, bit for bit: replicas that get it from each other find the same scores.
    if (std::abs(norm - 1) > kUnitTolerance)
        for (auto& value : input.values)
            value = static_cast<float>(double(value) / norm);
    return std::move(input.values);
}

void Recognition::recognise(wire::Recognition request, RequestContext context, Done<Recognised> done) {
    auto keyspace = m_node.keyspace(request.keyspace);
    if (!keyspace)
        return done(tl::unexpected(keyspace.error()));
    if (const auto ready = m_node.searchable(); !ready)
        return done(tl::unexpected(ready.error()));
    auto partitions = m_node.partitions(request.partitions);
    if (!partitions)
        return done(tl::unexpected(partitions.error()));
    auto pending =
        std::make_shared<Pending>(Pending{std::move(request), context, std::move(done), keyspace->incarnation,
                                          *partitions, m_node.fillings(), std::nullopt, {}});
    if (auto* ready = std::get_if<wire::EmbeddingInput>(&pending->request.probe)) {
        auto embedding = unitEmbedding(std::move(*ready), m_node.options().space);
        if (!embedding)
            return pending->done(tl::unexpected(embedding.error()));
        return search(pending, std::move(*embedding));
    }
    std::vector<std::string> photos;
    photos.push_back(std::move(std::get<wire::ImageInput>(pending->request.probe).base64));
    m_photos.analyse(std::move(photos), visionOptions(vision::Purpose::Search, m_rules, pending->request.options),
                     std::move(context), [this, pending](Result<std::vector<vision::Analysis>> analyses) {
                         if (!analyses)
                             return pending->done(tl::unexpected(analyses.error()));
                         auto& analysis = analyses->front();
                         auto embedding = analysis.faces[static_cast<std::size_t>(analysis.used)].embedding;
                         pending->faces = std::move(analysis.faces);
                         search(pending, std::move(embedding));
                     });
}

void Recognition::search(const std::shared_ptr<Pending>& pending, std::vector<float> embedding) {
    const auto begin = std::chrono::steady_clock::now();
    if (pending->request.returnEmbedding)
        pending->embedding = embedding;
    const auto submitted = m_searches.submit(
        {pending->incarnation, pending->partitions, pending->request.candidateCount, std::move(embedding)},
        [this, pending, begin](Result<index::SearchBatcher::Found> found) {
            m_times.search(std::chrono::steady_clock::now() - begin);
            if (!found)
                return pending->done(tl::unexpected(found.error()));
            if (m_node.fillings() != pending->fillings)
                return pending->done(fail(Reason::NotReady, "the index is being loaded"));
            pending->done(Recognised{std::move(found->hits), found->vectorsSearched, pending->partitions,
                                     std::move(pending->faces), std::move(pending->embedding)});
        });
    if (!submitted)
        pending->done(tl::unexpected(submitted.error()));
}

} // namespace fremis::engine
