#pragma once

#include "shared/index/aligned.h"
#include "shared/index/row_layout.h"

#include <atomic>

namespace fremis::index {

/// A hierarchical navigable small world graph (Malkov and Yashunin, 2018) over a fixed set of rows, by FAISS. FAISS
/// keeps the graph; distances come from this program's kernels, which are several times faster than those of a FAISS
/// built for every CPU, and no OpenMP threads are started. Thread: any, once built.
class HnswGraph {
public:
    /// `rows`: `count` padded rows, at least one. Gives up with Unavailable when `stop` becomes true. Fails with
    /// Internal when FAISS does.
    [[nodiscard]] static base::Result<std::unique_ptr<HnswGraph>> build(const RowLayout& layout,
                                                                        const HnswOptions& options,
                                                                        AlignedArray<float> rows, std::size_t count,
                                                                        const std::atomic<bool>& stop);
    ~HnswGraph();
    HnswGraph(const HnswGraph&) = delete;
    HnswGraph& operator=(const HnswGraph&) = delete;

    /// The numbers of up to `wanted` rows that are probably the nearest, in no order. `query`: padded.
    [[nodiscard]] base::Result<std::vector<std::uint32_t>> nearest(const float* query, std::size_t wanted,
                                                                   int searchDepth) const;
    /// Up to `count` unit vectors, each near a row but not on it, one after the other: questions for measuring.
    [[nodiscard]] std::vector<float> sampleQueries(int count) const;
    [[nodiscard]] std::size_t bytes() const;

private:
    struct Faiss; // FAISS's headers stay in the source file
    HnswGraph(const RowLayout& layout, AlignedArray<float> rows, std::size_t count);
    void connect(const HnswOptions& options, const std::atomic<bool>& stop);

    const RowLayout m_layout;
    const AlignedArray<float> m_rows;
    const std::size_t m_count;
    std::unique_ptr<Faiss> m_faiss;
};

} // namespace fremis::index
