#include "shared/index/hnsw_graph.h"

#include <faiss/impl/AuxIndexStructures.h>
#include <faiss/impl/DistanceComputer.h>
#include <faiss/impl/HNSW.h>
#include <omp.h>

#include <cmath>
#include <mutex>
#include <numeric>
#include <random>

namespace fremis::index {

namespace {

/// What FAISS minimises: the negative inner product, so that near means small.
class NegativeProduct final : public faiss::DistanceComputer {
public:
    NegativeProduct(const RowLayout& layout, const float* rows) : m_stride(layout.floatStride), m_rows(rows) {}
    void set_query(const float* query) override { m_query = query; }
    float operator()(idx_t row) override { return product(m_query, rowAt(row)); }
    float symmetric_dis(idx_t left, idx_t right) override { return product(rowAt(left), rowAt(right)); }

private:
    [[nodiscard]] const float* rowAt(idx_t row) const { return m_rows + static_cast<std::size_t>(row) * m_stride; }
    [[nodiscard]] float product(const float* left, const float* right) const {
        float score = 0;
        bestKernels().dotRows(left, right, m_stride, 1, nullptr, &score);
        return -score;
    }
    const std::size_t m_stride;
    const float* const m_rows;
    const float* m_query = nullptr;
};

/// The locks FAISS's insertion takes; one thread builds here, but the interface wants them.
class Locks {
public:
    explicit Locks(std::size_t count) : m_locks(count) {
        for (auto& lock : m_locks)
            omp_init_lock(&lock);
    }
    ~Locks() {
        for (auto& lock : m_locks)
            omp_destroy_lock(&lock);
    }
    Locks(const Locks&) = delete;
    Locks& operator=(const Locks&) = delete;
    [[nodiscard]] std::vector<omp_lock_t>& all() { return m_locks; }

private:
    std::vector<omp_lock_t> m_locks;
};

base::Error failure(const std::exception& thrown) {
    return {base::Reason::Internal, "the approximate index failed", thrown.what()};
}

} // namespace

struct HnswGraph::Faiss {
    explicit Faiss(int neighbours) : hnsw(neighbours) {}
    faiss::HNSW hnsw;
    std::mutex mutex;
    std::vector<std::unique_ptr<faiss::VisitedTable>> visited; ///< of searches that are over, for the next ones
};

HnswGraph::HnswGraph(const RowLayout& layout, AlignedArray<float> rows, std::size_t count)
    : m_layout(layout), m_rows(std::move(rows)), m_count(count) {}

HnswGraph::~HnswGraph() {
    explicit_bzero(m_rows.get(), m_count * m_layout.floatBytes());
}

base::Result<std::unique_ptr<HnswGraph>> HnswGraph::build(const RowLayout& layout, const HnswOptions& options,
                                                          AlignedArray<float> rows, std::size_t count,
                                                          const std::atomic<bool>& stop) {
    try {
        std::unique_ptr<HnswGraph> graph(new HnswGraph(layout, std::move(rows), count));
        graph->connect(options, stop);
        if (stop)
            return base::fail(base::Reason::NotReady, "the index is stopping");
        return graph;
    } catch (const std::exception& thrown) {
        return tl::unexpected(failure(thrown));
    }
}

void HnswGraph::connect(const HnswOptions& options, const std::atomic<bool>& stop) {
    m_faiss = std::make_unique<Faiss>(options.neighbours);
    auto& hnsw = m_faiss->hnsw;
    hnsw.efConstruction = options.constructionDepth;
    hnsw.prepare_level_tab(m_count);
    // The few rows of the upper levels first, as the paper's construction finds its way through them.
    std::vector<int> order(m_count);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int left, int right) {
        return hnsw.levels[static_cast<std::size_t>(left)] > hnsw.levels[static_cast<std::size_t>(right)];
    });
    Locks locks(m_count);
    faiss::VisitedTable visited(static_cast<int>(m_count));
    NegativeProduct distance(m_layout, m_rows.get());
    for (const int row : order) {
        if (stop)
            return;
        distance.set_query(m_rows.get() + static_cast<std::size_t>(row) * m_layout.floatStride);
        hnsw.add_with_locks(distance, hnsw.levels[static_cast<std::size_t>(row)] - 1, row, locks.all(), visited);
    }
}

base::Result<std::vector<std::uint32_t>> HnswGraph::nearest(const float* query, std::size_t wanted,
                                                            int searchDepth) const {
    try {
        std::unique_ptr<faiss::VisitedTable> visited;
        {
            const std::scoped_lock lock(m_faiss->mutex);
            if (!m_faiss->visited.empty()) {
                visited = std::move(m_faiss->visited.back());
                m_faiss->visited.pop_back();
            }
        }
        if (visited == nullptr)
            visited = std::make_unique<faiss::VisitedTable>(static_cast<int>(m_count));
        NegativeProduct distance(m_layout, m_rows.get());
        distance.set_query(query);
        faiss::SearchParametersHNSW parameters;
        parameters.efSearch = searchDepth;
        std::vector<float> distances(wanted, std::numeric_limits<float>::max());
        std::vector<faiss::Index::idx_t> labels(wanted, -1);
        m_faiss->hnsw.search(distance, static_cast<int>(wanted), labels.data(), distances.data(), *visited,
                             &parameters);
        visited->advance();
        const std::scoped_lock lock(m_faiss->mutex);
        m_faiss->visited.push_back(std::move(visited));
        std::vector<std::uint32_t> found;
        for (const auto label : labels)
            if (label >= 0) // missing ones are -1
                found.push_back(static_cast<std::uint32_t>(label));
        return found;
    } catch (const std::exception& thrown) {
        return tl::unexpected(failure(thrown));
    }
}

std::vector<float> HnswGraph::sampleQueries(int count) const {
    constexpr float kNoiseNorm = 0.3F; // cosine to the row about 0.96: another photo of the same face
    std::mt19937 random(1);
    std::normal_distribution<float> noise(0, kNoiseNorm / std::sqrt(static_cast<float>(m_layout.dimension)));
    std::vector<float> queries;
    const std::size_t step = std::max<std::size_t>(1, m_count / static_cast<std::size_t>(std::max(1, count)));
    for (std::size_t row = 0; row < m_count && queries.size() < static_cast<std::size_t>(count) * m_layout.dimension;
         row += step) {
        std::vector<float> query(m_layout.dimension);
        double squares = 0;
        for (std::size_t i = 0; i < query.size(); ++i) {
            query[i] = m_rows[row * m_layout.floatStride + i] + noise(random);
            squares += double{query[i]} * query[i];
        }
        for (float& value : query)
            value = static_cast<float>(value / std::sqrt(squares));
        queries.insert(queries.end(), query.begin(), query.end());
    }
    return queries;
}

std::size_t HnswGraph::bytes() const {
    const auto& hnsw = m_faiss->hnsw;
    return m_count * m_layout.floatBytes() + hnsw.levels.size() * sizeof(int) +
           hnsw.offsets.size() * sizeof(std::size_t) + hnsw.neighbors.size() * sizeof(faiss::HNSW::storage_idx_t);
}

} // namespace fremis::index
