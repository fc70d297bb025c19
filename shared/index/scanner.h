#pragma once

#include "shared/index/candidates.h"
#include "shared/index/partition_rows.h"

namespace fremis::index {

inline constexpr std::size_t kQueriesPerScan = 64;

/// One thread's part of a search: reads partitions as of one epoch and keeps the best faces for each of up to
/// kQueriesPerScan queries. `store` and `queries` outlive it.
class Scanner {
public:
    /// For queries first .. first + count - 1.
    Scanner(const RowStore& store, const PreparedQueries& queries, std::size_t first, std::size_t count, int k,
            std::uint64_t epoch);

    ~Scanner();
    Scanner(const Scanner&) = delete;
    Scanner& operator=(const Scanner&) = delete;

    void scan(const PartitionRows& partition);
    [[nodiscard]] std::uint64_t rowsSeen() const { return m_rowsSeen; }
    /// The best of one query, in order; once.
    [[nodiscard]] base::Result<std::vector<FoundRow>> take(std::size_t query);

private:
    /// The visible rows of a block without gaps.
    struct Dense {
        const std::int8_t* codes = nullptr;
        const float* scales = nullptr;
        const float* errors = nullptr;
        std::array<std::uint8_t, kBlockRows> slots; ///< of the j-th visible row
        unsigned count = 0;
        [[nodiscard]] std::uint64_t mask() const {
            return count == kBlockRows ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
        }
    };
    /// Of a row's float score.
    struct Bounds {
        float lower;
        float upper;
    };
    struct Scratch;
    struct OfQuery {
        ErrorBound fineBound;
        ErrorBound coarseBound;
        TopFaces top;             ///< used without stored codes
        CandidateList candidates; ///< used with them
    };

    void fetchAhead(const Block& next) const;
    void scanFloats(const Block& block, std::uint64_t visible, const Block* next);
    void scanCodes(const Block& block, std::uint64_t visible, const Block* next);
    void scanTile(const Block& block, std::uint64_t visible, const Block* next);
    [[nodiscard]] Dense denseQualities(const Block& block, std::uint64_t visible);
    void denseCodes(const Block& block, Dense& dense);
    void offer(std::size_t query, const Block& block, const Dense& dense, unsigned j);
    [[nodiscard]] Bounds boundsOf(std::size_t query, const Block& block, unsigned slot, std::int32_t dot) const;
    void addCandidate(std::size_t query, const Block& block, unsigned slot, std::int32_t dot);
    [[nodiscard]] base::Result<float> exactScore(std::size_t query, const Candidate& candidate);
    [[nodiscard]] const PreparedQuery& query(std::size_t i) const { return m_queries[m_first + i]; }

    const Kernels& m_kernels;
    const RowStore& m_store;
    const RowLayout& m_layout;
    const PreparedQueries& m_queries;
    const std::size_t m_first;
    const std::uint64_t m_epoch;
    std::uint64_t m_rowsSeen = 0;
    std::vector<OfQuery> m_state;
    std::unique_ptr<Scratch> m_scratch;
};

/// The floats of a row, padded to RowLayout::floatStride: in the block, or read from the file into `rowScratch`.
[[nodiscard]] base::Result<const float*> floatsOf(const RowStore& store, const Block& block, unsigned slot,
                                                  float* rowScratch);

/// The float score of a row, from memory or from the file. `rowScratch`: floatStride floats.
[[nodiscard]] base::Result<float> exactScore(const RowStore& store, const float* query, const Block& block,
                                             unsigned slot, float* rowScratch);

} // namespace fremis::index
