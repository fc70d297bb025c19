#pragma once

#include "shared/index/block.h"
#include "shared/index/hnsw_graph.h"

namespace fremis::index {

inline constexpr std::uint32_t kNotInGraph = ~std::uint32_t{0};

/// Where the rows of a graph are now. A row that was removed, or moved to another place, is no longer here: the index's
/// writer takes it out before the state without it is published, so whoever finds a row here in a state may look at it.
class GraphRows {
public:
    GraphRows(std::size_t most, std::uint64_t epoch) : m_epoch(epoch), m_rows(most) {}

    /// The graph has only rows born by this epoch.
    [[nodiscard]] std::uint64_t epoch() const { return m_epoch; }
    [[nodiscard]] std::size_t size() const { return m_size; }
    [[nodiscard]] bool full() const { return m_size == m_rows.size(); }
    [[nodiscard]] std::size_t gone() const { return m_gone.load(std::memory_order_relaxed); }
    [[nodiscard]] RowRef at(std::uint32_t number) const { return m_rows[number].load(std::memory_order_acquire); }
    /// Writer; not full.
    std::uint32_t add(RowRef row) {
        m_rows[m_size].store(row, std::memory_order_release);
        return static_cast<std::uint32_t>(m_size++);
    }
    /// Writer.
    void remove(std::uint32_t number) {
        m_rows[number].store(RowRef(), std::memory_order_release);
        m_gone.fetch_add(1, std::memory_order_relaxed);
    }

private:
    const std::uint64_t m_epoch;
    std::vector<std::atomic<RowRef>> m_rows;
    std::size_t m_size = 0;
    std::atomic<std::size_t> m_gone{0};
};

/// A graph in service.
struct KeyspaceGraph {
    std::shared_ptr<GraphRows> rows;
    std::unique_ptr<HnswGraph> graph;
    std::uint64_t firstEpoch = 0; ///< states from this one on may be searched with it
    double recall = 1.0;
};

} // namespace fremis::index
