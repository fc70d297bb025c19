#pragma once

#include "server/engine/enrolment.h"

namespace fremis::engine {

struct Matched {
    float score = 0;      ///< cosine
    double threshold = 0; ///< from which it counts as one person
};

/// 1:1 comparison of photos, embeddings and stored faces. Thread: any.
class Matching {
public:
    Matching(Node& node, PhotoModel& photos, base::WorkPool& searchPool, double verifyThreshold)
        : m_node(node), m_photos(photos), m_searchPool(searchPool), m_verifyThreshold(verifyThreshold) {}

    void matchPhotos(wire::MatchV1 request, RequestContext context, Done<Matched> done);
    /// A stored face counts with its best variation.
    void match(wire::MatchV2 request, RequestContext context, Done<Matched> done);
    using Embeddings = std::vector<std::vector<float>>;
    /// Of a stored face, for another worker to compare with; none when it is not enrolled.
    [[nodiscard]] base::Result<Embeddings> embeddingsOf(wire::StoredFace face) const;
    /// A stored face and the embeddings of one that another worker has; the best pair counts.
    void matchStored(wire::StoredFace face, std::vector<wire::EmbeddingInput> others, Done<Matched> done);

private:
    struct Side;
    struct Pending;
    [[nodiscard]] base::Result<Side> sideOf(wire::MatchSide input) const;
    void compare(const std::shared_ptr<Pending>& pending);
    [[nodiscard]] base::Result<float> best(const Side& a, const Side& b) const;

    Node& m_node;
    PhotoModel& m_photos;
    base::WorkPool& m_searchPool;
    const double m_verifyThreshold;
};

} // namespace fremis::engine
