#include "server/engine/matching.h"

#include "server/engine/recognition.h"
#include "shared/hashing/partition.h"

#include <numeric>

namespace fremis::engine {

using base::fail;
using base::Reason;
using base::Result;

namespace {

// The matches compare like with like, so the options of the photo play no part, and of the gates only the least size
// counts.
const vision::Options kMatchOptions{vision::Purpose::Match, false, true, {}};

float cosine(std::span<const float> a, std::span<const float> b) {
    return static_cast<float>(std::inner_product(a.begin(), a.end(), b.begin(), 0.0));
}

std::vector<float> usedEmbedding(vision::Analysis& analysis) {
    return std::move(analysis.faces[static_cast<std::size_t>(analysis.used)].embedding);
}

} // namespace

/// One side of a comparison: embeddings of one face, a photo that will become one, or a stored face.
struct Matching::Side {
    std::string photo; ///< base64; empty when it is none
    Embeddings embeddings;
    struct Stored {
        std::string incarnation;
        base::Partition partition;
        std::string face;
        [[nodiscard]] index::FaceAddress address() const { return {incarnation, partition, face}; }
    };
    std::optional<Stored> stored;
};

struct Matching::Pending {
    Side a, b;
    Done<Matched> done;
};

void Matching::matchPhotos(wire::MatchV1 request, RequestContext context, Done<Matched> done) {
    double threshold = m_verifyThreshold;
    if (request.keyspace) {
        const auto keyspace = m_node.keyspace(*request.keyspace);
        if (!keyspace)
            return done(tl::unexpected(keyspace.error()));
        threshold = keyspace->matchThreshold.value_or(threshold);
    }
    std::vector<std::string> photos;
    photos.push_back(std::move(request.imageA.base64));
    photos.push_back(std::move(request.imageB.base64));
    m_photos.analyse(
        std::move(photos), kMatchOptions, std::move(context),
        [threshold, done = std::move(done)](Result<std::vector<vision::Analysis>> analyses) {
            if (!analyses)
                return done(tl::unexpected(analyses.error()));
            done(Matched{cosine(usedEmbedding(analyses->front()), usedEmbedding(analyses->back())), threshold});
        });
}

Result<Matching::Side> Matching::sideOf(wire::MatchSide input) const {
    Side side;
    if (auto* photo = std::get_if<wire::ImageInput>(&input)) {
        side.photo = std::move(photo->base64);
    } else if (auto* ready = std::get_if<wire::EmbeddingInput>(&input)) {
        auto embedding = unitEmbedding(std::move(*ready), m_node.options().space);
        if (!embedding)
            return tl::unexpected(embedding.error());
        side.embeddings.push_back(std::move(*embedding));
    } else {
        auto& stored = std::get<wire::StoredFace>(input);
        const auto keyspace = m_node.keyspace(stored.keyspace);
        if (!keyspace)
            return tl::unexpected(keyspace.error());
        const auto partition = hashing::partitionOf(stored.keyspace.text(), stored.faceId.text());
        if (!m_node.owns(partition))
            return fail(Reason::NotOwner, "this worker does not own the partition of that face_id");
        if (const auto loaded = m_node.searchable(); !loaded)
            return tl::unexpected(loaded.error());
        side.stored = Side::Stored{keyspace->incarnation, partition, stored.faceId.text()};
    }
    return side;
}

void Matching::match(wire::MatchV2 request, RequestContext context, Done<Matched> done) {
    auto a = sideOf(std::move(request.faceA));
    auto b = a ? sideOf(std::move(request.faceB)) : Result<Side>();
    if (!a || !b)
        return done(tl::unexpected(a ? b.error() : a.error()));
    auto pending = std::make_shared<Pending>(Pending{std::move(*a), std::move(*b), std::move(done)});
    std::vector<std::string> photos;
    for (auto* side : {&pending->a, &pending->b})
        if (!side->photo.empty())
            photos.push_back(std::move(side->photo));
    if (photos.empty())
        return compare(pending);
    m_photos.analyse(std::move(photos), kMatchOptions, std::move(context),
                     [this, pending](Result<std::vector<vision::Analysis>> analyses) {
                         if (!analyses)
                             return pending->done(tl::unexpected(analyses.error()));
                         std::size_t next = 0;
                         for (auto* side : {&pending->a, &pending->b})
                             if (!side->stored && side->embeddings.empty())
                                 side->embeddings.push_back(usedEmbedding((*analyses)[next++]));
                         compare(pending);
                     });
}

void Matching::compare(const std::shared_ptr<Pending>& pending) {
    const bool taken = m_searchPool.tryRun([this, pending](int) {
        const auto score = best(pending->a, pending->b);
        if (!score)
            return pending->done(tl::unexpected(score.error()));
        pending->done(Matched{*score, m_verifyThreshold});
    });
    if (!taken)
        pending->done(fail(Reason::Overloaded, "too many searches are waiting"));
}

Result<float> Matching::best(const Side& a, const Side& b) const {
    if (!a.stored && !b.stored)
        return cosine(a.embeddings.front(), b.embeddings.front());
    const auto snapshot = m_node.index().snapshot();
    const auto& stored = a.stored ? *a.stored : *b.stored;
    const auto& other = a.stored ? b : a;
    const auto probes =
        other.stored ? snapshot->embeddingsOf(other.stored->address()) : Result<Embeddings>(other.embeddings);
    if (!probes)
        return tl::unexpected(probes.error());
    std::optional<float> bestScore;
    for (const auto& probe : *probes) {
        const auto hit = snapshot->bestOfFace(stored.address(), probe);
        if (!hit)
            return tl::unexpected(hit.error());
        if (*hit)
            bestScore = std::max(bestScore.value_or(-2.0F), (*hit)->score);
    }
    if (!bestScore)
        return fail(Reason::FaceNotFound, "the face is not enrolled");
    return *bestScore;
}

Result<Matching::Embeddings> Matching::embeddingsOf(wire::StoredFace face) const {
    const auto side = sideOf(std::move(face));
    if (!side)
        return tl::unexpected(side.error());
    return m_node.index().snapshot()->embeddingsOf(side->stored->address());
}

void Matching::matchStored(wire::StoredFace face, std::vector<wire::EmbeddingInput> others, Done<Matched> done) {
    auto stored = sideOf(std::move(face));
    if (!stored)
        return done(tl::unexpected(stored.error()));
    Side other;
    for (auto& input : others) {
        auto embedding = unitEmbedding(std::move(input), m_node.options().space);
        if (!embedding)
            return done(tl::unexpected(embedding.error()));
        other.embeddings.push_back(std::move(*embedding));
    }
    compare(std::make_shared<Pending>(Pending{std::move(*stored), std::move(other), std::move(done)}));
}

} // namespace fremis::engine
