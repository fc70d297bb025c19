#include "shared/index/top_faces.h"

#include <algorithm>

namespace fremis::index {

bool ranksBefore(const FoundRow& left, const FoundRow& right) {
    if (left.score != right.score)
        return left.score > right.score;
    if (left.face != right.face)
        if (const int order = left.face->text().compare(right.face->text()); order != 0)
            return order < 0; // char_traits<char> compares bytes as unsigned
    return left.variation < right.variation;
}

void TopFaces::prune() {
    std::sort(m_rows.begin(), m_rows.end(), [](const FoundRow& left, const FoundRow& right) {
        return left.face != right.face ? std::less<>()(left.face, right.face) : ranksBefore(left, right);
    });
    m_rows.erase(std::unique(m_rows.begin(), m_rows.end(),
                             [](const FoundRow& left, const FoundRow& right) { return left.face == right.face; }),
                 m_rows.end());
    if (m_rows.size() < m_k) {
        m_limit = std::max(m_limit, m_rows.size() + m_k);
        return;
    }
    std::nth_element(m_rows.begin(), m_rows.begin() + static_cast<std::ptrdiff_t>(m_k - 1), m_rows.end(), ranksBefore);
    m_rows.resize(m_k);
    m_threshold = m_rows.back().score;
}

std::vector<FoundRow> TopFaces::take() {
    prune();
    std::sort(m_rows.begin(), m_rows.end(), ranksBefore);
    return std::move(m_rows);
}

} // namespace fremis::index
