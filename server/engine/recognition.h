#pragma once

#include "server/engine/enrolment.h"
#include "shared/index/search_batcher.h"

namespace fremis::engine {

struct Recognised {
    std::vector<index::Hit> hits;
    std::uint64_t vectorsSearched = 0;
    hashing::PartitionSet partitions;
    std::optional<std::vector<vision::Face>> faces; ///< none when the request brought an embedding
    std::vector<float> embedding;                   ///< of the probe, when the request asked for it
};

struct RecognitionTimes {
    std::function<void(std::chrono::nanoseconds)> search; ///< one index search, waiting included
};

/// 1:N search over the partitions that this worker owns, or those of them the request names. Thread: any.
class Recognition {
public:
    Recognition(Node& node, PhotoModel& photos, index::SearchBatcher& searches, PhotoRules rules,
                RecognitionTimes times)
        : m_node(node), m_photos(photos), m_searches(searches), m_rules(rules), m_times(std::move(times)) {}

    void recognise(wire::Recognition request, RequestContext context, Done<Recognised> done);

private:
    struct Pending;
    void search(const std::shared_ptr<Pending>& pending, std::vector<float> embedding);

    Node& m_node;
    PhotoModel& m_photos;
    index::SearchBatcher& m_searches;
    const PhotoRules m_rules;
    const RecognitionTimes m_times;
};

/// A client's embedding as a unit vector of the node's space. Fails with EmbeddingInvalid or SpaceMismatch.
[[nodiscard]] base::Result<std::vector<float>> unitEmbedding(wire::EmbeddingInput input,
                                                             const storage::EnrollmentStore::Space& space);

} // namespace fremis::engine
