#pragma once

#include "shared/base/error.h"
#include "shared/index/aligned.h"
#include "shared/index/row_layout.h"

namespace fremis::index {

/// Norms from 1 - kNormTolerance to 1 + kNormTolerance count as 1.
inline constexpr double kNormTolerance = 0.01;
inline constexpr int kFineMax = 127;

/// What is known of the codes of a row x, x8 = scale * codes: they need not be stored to be used.
struct RowQuality {
    float scale = 0;
    float error = 0; ///< at least ||x - x8||
};

/// Room for a vector and its codes, padded for the kernels; to be used again and again, as small blocks of memory that
/// come and go between lasting ones would leave holes of their size.
struct QuantizedRow {
    explicit QuantizedRow(const RowLayout& layout)
        : floats(alignedArray<float>(layout.floatStride)), codes(alignedArray<std::int8_t>(layout.codeStride)) {}
    AlignedArray<float> floats;
    AlignedArray<std::int8_t> codes;
    RowQuality quality;

    /// `embedding` has passed checkEmbedding().
    void assign(const RowLayout& layout, std::span<const float> embedding);
    /// Overwrites the numbers.
    void wipe(const RowLayout& layout);
};

/// A query with fine codes for one row after the other, and coarse ones for many queries at once.
struct PreparedQuery {
    const float* floats = nullptr;
    const std::int8_t* fine = nullptr;
    const std::uint8_t* coarse = nullptr; ///< code + kCoarseZero; 0 behind the dimension
    RowQuality fineQuality;
    RowQuality coarseQuality;
};

/// Queries side by side, as the tile kernel wants them.
class PreparedQueries {
public:
    PreparedQueries(const RowLayout& layout, std::span<const float> embeddings);
    [[nodiscard]] std::size_t size() const { return m_queries.size(); }
    [[nodiscard]] const PreparedQuery& operator[](std::size_t i) const { return m_queries[i]; }

private:
    AlignedArray<float> m_floats;
    AlignedArray<std::int8_t> m_fine;
    AlignedArray<std::uint8_t> m_coarse;
    std::vector<PreparedQuery> m_queries;
};

/// Fails with EmbeddingInvalid unless `embedding` has `dimension` finite numbers and norm 1.
[[nodiscard]] base::Status checkEmbedding(std::span<const float> embedding, std::size_t dimension);

/// For codes of a query q and of rows: the exact float score of a row is at most
///   approximate + error(row) * errorFactor + slack,  and at least the same with minus signs,
/// where approximate = scale(q) * scale(row) * <codes, codes> as a float.
struct ErrorBound {
    float errorFactor;
    float slack;
};
[[nodiscard]] ErrorBound errorBound(const RowLayout& layout, const RowQuality& query);

/// While it lives, this thread rounds to nearest and keeps denormals, whatever a library left behind: scores must not
/// depend on the thread that computes them.
class FloatMode {
public:
    FloatMode();
    ~FloatMode();
    FloatMode(const FloatMode&) = delete;
    FloatMode& operator=(const FloatMode&) = delete;

private:
    unsigned m_before;
};

} // namespace fremis::index
