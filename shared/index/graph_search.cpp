#include "shared/index/graph_search.h"

#include <bit>

namespace fremis::index {

namespace {

class GraphSearch {
public:
    GraphSearch(IndexCore& core, const KeyspaceRows& keyspace, const KeyspaceGraph& graph, std::uint64_t epoch,
                const Query& query)
        : m_core(core), m_layout(core.store().layout), m_keyspace(keyspace), m_graph(graph), m_epoch(epoch),
          m_query(query), m_queries(m_layout, query.embeddings), m_tops(m_queries.size(), TopFaces(query.k)) {}

    base::Result<Answer> run() {
        Answer answer;
        for (int number = 0; number < base::kPartitionCount; ++number)
            if (m_query.partitions.contains(static_cast<base::Partition>(number)))
                if (const auto* partition = m_keyspace.find(static_cast<base::Partition>(number), m_epoch))
                    answer.vectorsSearched += scanYoungRows(*partition);
        // Asked for the smaller part of the rows, the graph would mostly find others.
        if (2 * answer.vectorsSearched < m_keyspace.vectors.load(std::memory_order_relaxed))
            return searchExactly(m_core, m_keyspace, m_epoch, m_query);
        for (std::size_t i = 0; i < m_queries.size(); ++i) {
            if (auto done = askGraph(i); !done)
                return tl::unexpected(std::move(done.error()));
            const auto best = m_tops[i].take();
            auto& hits = answer.hits.emplace_back();
            for (const auto& row : best)
                hits.push_back(hitOf(row));
            if (hits.size() < static_cast<std::size_t>(m_query.k) && hits.size() < answer.vectorsSearched)
                if (auto done = answerExactly(i, hits); !done)
                    return tl::unexpected(std::move(done.error()));
        }
        return answer;
    }

private:
    /// Rows that are not in the graph; returns the number of all rows.
    std::uint64_t scanYoungRows(const PartitionRows& partition) {
        std::uint64_t rows = 0;
        for (const Block* block = partition.first(); block != nullptr;
             block = block->next.load(std::memory_order_acquire)) {
            auto visible = block->visibleAt(m_epoch);
            rows += static_cast<std::uint64_t>(std::popcount(visible));
            if (block->changed.load(std::memory_order_acquire) <= m_graph.rows->epoch())
                continue;
            for (; visible != 0; visible &= visible - 1) {
                const auto slot = static_cast<unsigned>(std::countr_zero(visible));
                if (block->meta[slot].born.load(std::memory_order_acquire) > m_graph.rows->epoch())
                    for (std::size_t i = 0; i < m_queries.size(); ++i)
                        offer(i, *block, slot);
            }
        }
        return rows;
    }

    void offer(std::size_t i, const Block& block, unsigned slot) {
        float score = 0;
        bestKernels().dotRows(m_queries[i].floats, block.floatRow(m_layout, slot), m_layout.floatStride, 1, nullptr,
                              &score);
        m_tops[i].offer({score, block.meta[slot].face, block.meta[slot].variation});
    }

    base::Status askGraph(std::size_t i) {
        const auto& options = m_core.options().hnsw;
        const std::size_t wanted =
            std::max(static_cast<std::size_t>(options.searchDepth), 2 * static_cast<std::size_t>(m_query.k));
        const auto found = m_graph.graph->nearest(m_queries[i].floats, wanted, static_cast<int>(wanted));
        if (!found)
            return tl::unexpected(found.error());
        for (const auto number : *found)
            if (const RowRef row = m_graph.rows->at(number);
                row && m_query.partitions.contains(row.block().owner->number()))
                offer(i, row.block(), row.slot());
        return {};
    }

    base::Status answerExactly(std::size_t i, std::vector<Hit>& hits) {
        Query alone = m_query;
        alone.embeddings = m_query.embeddings.subspan(i * m_layout.dimension, m_layout.dimension);
        auto exact = searchExactly(m_core, m_keyspace, m_epoch, alone);
        if (!exact)
            return tl::unexpected(std::move(exact.error()));
        hits = std::move(exact->hits.front());
        return {};
    }

    IndexCore& m_core;
    const RowLayout& m_layout;
    const KeyspaceRows& m_keyspace;
    const KeyspaceGraph& m_graph;
    const std::uint64_t m_epoch;
    const Query& m_query;
    const PreparedQueries m_queries;
    std::vector<TopFaces> m_tops;
};

} // namespace

base::Result<Answer> searchWithGraph(IndexCore& core, const KeyspaceRows& keyspace, const KeyspaceGraph& graph,
                                     std::uint64_t epoch, const Query& query) {
    try {
        const FloatMode floatMode;
        return GraphSearch(core, keyspace, graph, epoch, query).run();
    } catch (const std::bad_alloc&) {
        return base::fail(base::Reason::Overloaded, "no memory for this search");
    }
}

} // namespace fremis::index
