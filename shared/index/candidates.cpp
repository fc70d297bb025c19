#include "shared/index/candidates.h"

#include <algorithm>

namespace fremis::index {

namespace {

constexpr std::size_t kTightenEvery = 8; // a row may cost a read from disk, so few are scored in vain

} // namespace

CandidateList::CandidateList(int k, ExactScore exactScore)
    : m_k(static_cast<std::size_t>(k)), m_limit(2 * m_k + kSpare), m_exactScore(std::move(exactScore)), m_top(k) {}

void CandidateList::add(const Candidate& candidate) {
    if (candidate.upper < threshold())
        return;
    m_candidates.push_back(candidate);
    if (m_candidates.size() < m_limit)
        return;
    prune();
    // Many rows within the bounds of one another, copies perhaps: their exact scores tell more.
    if (m_candidates.size() > m_limit - kSpare / 2)
        scoreAll();
}

void CandidateList::prune() {
    raiseLowerThreshold();
    const float least = threshold();
    std::erase_if(m_candidates, [&](const Candidate& candidate) { return candidate.upper < least; });
}

void CandidateList::raiseLowerThreshold() {
    std::vector<std::pair<const Face*, float>> best;
    best.reserve(m_candidates.size());
    for (const auto& candidate : m_candidates)
        best.emplace_back(candidate.face, candidate.lower);
    std::sort(best.begin(), best.end(), [](const auto& left, const auto& right) {
        return left.first != right.first ? std::less<>()(left.first, right.first) : left.second > right.second;
    });
    best.erase(std::unique(best.begin(), best.end(),
                           [](const auto& left, const auto& right) { return left.first == right.first; }),
               best.end());
    if (best.size() < m_k)
        return;
    const auto kth = best.begin() + static_cast<std::ptrdiff_t>(m_k - 1);
    std::nth_element(best.begin(), kth, best.end(),
                     [](const auto& left, const auto& right) { return left.second > right.second; });
    m_lowerThreshold = std::max(m_lowerThreshold, kth->second);
}

void CandidateList::scoreAll() {
    std::sort(m_candidates.begin(), m_candidates.end(),
              [](const Candidate& left, const Candidate& right) { return left.upper > right.upper; });
    std::size_t scored = 0;
    for (const auto& candidate : m_candidates) {
        if (scored++ % kTightenEvery == 0)
            m_top.tighten();
        if (!m_status || candidate.upper < threshold())
            break;
        const auto score = m_exactScore(candidate);
        if (score)
            m_top.offer({*score, candidate.face, candidate.block->meta[candidate.slot].variation});
        else
            m_status = tl::unexpected(score.error());
    }
    m_candidates.clear();
}

base::Result<std::vector<FoundRow>> CandidateList::resolve() {
    prune();
    scoreAll();
    if (!m_status)
        return tl::unexpected(m_status.error());
    return m_top.take();
}

} // namespace fremis::index
