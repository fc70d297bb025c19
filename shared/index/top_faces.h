#pragma once

#include "shared/index/block.h"

#include <limits>

namespace fremis::index {

/// A row that may be part of an answer.
struct FoundRow {
    float score = 0;
    const Face* face = nullptr;
    std::uint64_t variation = 0;
};

/// Score descending, face bytes ascending, variation ascending: a total order of rows, whatever the order they come in.
[[nodiscard]] bool ranksBefore(const FoundRow& left, const FoundRow& right);

/// The best k faces, each by its best row, of the rows offered. Thread: one.
class TopFaces {
public:
    explicit TopFaces(int k) : m_k(static_cast<std::size_t>(k)), m_limit(m_k + std::max<std::size_t>(m_k, kSpare)) {}

    /// Rows with a lower score cannot be in the answer; those with this score may.
    [[nodiscard]] float threshold() const { return m_threshold; }
    void offer(const FoundRow& row) {
        if (row.score < m_threshold)
            return;
        m_rows.push_back(row);
        if (m_rows.size() >= m_limit)
            prune();
    }
    /// Brings threshold() up to what the rows offered so far allow; it rises by itself only now and then.
    void tighten() { prune(); }
    /// In order.
    [[nodiscard]] std::vector<FoundRow> take();

private:
    static constexpr std::size_t kSpare = 32; ///< rows gathered between two prunings, for small k
    void prune();

    std::size_t m_k;
    std::size_t m_limit;
    float m_threshold = -std::numeric_limits<float>::infinity();
    std::vector<FoundRow> m_rows;
};

} // namespace fremis::index
