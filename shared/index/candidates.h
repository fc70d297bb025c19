#pragma once

#include "shared/index/top_faces.h"

namespace fremis::index {

/// A row whose score is known within bounds.
struct Candidate {
    float lower = 0;
    float upper = 0;
    const Face* face = nullptr;
    const Block* block = nullptr;
    unsigned slot = 0;
};

/// Finds the exact best k faces from bounds: a row is scored in floats only while its upper bound reaches the k-th best
/// face.
///
/// Why the answer is exact: let L be the k-th best lower bound among distinct faces, and T the k-th best exact score so
/// far. k faces score at least max(L, T), so a row whose upper bound is below it cannot be in the answer, and no tie is
/// lost because equality stays. Rows are dropped for no other reason.
class CandidateList {
public:
    using ExactScore = std::function<base::Result<float>(const Candidate&)>;

    CandidateList(int k, ExactScore exactScore);
    /// What upper bounds must reach.
    [[nodiscard]] float threshold() const { return std::max(m_lowerThreshold, m_top.threshold()); }
    void add(const Candidate& candidate);
    /// The answer; fails as the exact score does.
    [[nodiscard]] base::Result<std::vector<FoundRow>> resolve();

private:
    static constexpr std::size_t kSpare = 256;
    void prune();
    void raiseLowerThreshold();
    void scoreAll();

    const std::size_t m_k;
    const std::size_t m_limit;
    const ExactScore m_exactScore;
    float m_lowerThreshold = -std::numeric_limits<float>::infinity();
    std::vector<Candidate> m_candidates;
    TopFaces m_top;
    base::Status m_status;
};

} // namespace fremis::index
