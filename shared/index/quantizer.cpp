#include "shared/index/quantizer.h"

#include <xmmintrin.h>

#include <cmath>
#include <limits>

namespace fremis::index {

namespace {

constexpr unsigned kDefaultFloatMode = 0x1F80; // all exceptions masked, round to nearest, no flush to zero
constexpr double kNormMax = 1.0 + kNormTolerance;

float roundedUp(double value) {
    return std::nextafter(static_cast<float>(value), std::numeric_limits<float>::infinity());
}

/// `max`: the greatest code. `codes` has `stride` places.
RowQuality quantize(const float* floats, std::size_t stride, int max, std::int8_t* codes) {
    float greatest = 0;
    for (std::size_t i = 0; i < stride; ++i)
        greatest = std::max(greatest, std::fabs(floats[i]));
    RowQuality quality;
    quality.scale = greatest / static_cast<float>(max);
    // The kernel's own codes: a row whose codes are not stored is coded again in each search, with 1 / scale.
    bestKernels().quantize(floats, stride, 1.0F / quality.scale, codes);
    double squares = 0;
    for (std::size_t i = 0; i < stride; ++i) {
        const double difference = double{floats[i]} - double{quality.scale} * codes[i];
        squares += difference * difference;
    }
    quality.error = roundedUp(std::sqrt(squares) * (1 + 1e-9)); // the sum's own rounding is below 1e-12
    return quality;
}

} // namespace

PreparedQueries::PreparedQueries(const RowLayout& layout, std::span<const float> embeddings) {
    const std::size_t count = embeddings.size() / layout.dimension;
    m_floats = alignedArray<float>(count * layout.floatStride);
    m_fine = alignedArray<std::int8_t>(count * layout.codeStride);
    m_coarse = alignedArray<std::uint8_t>(count * layout.codeStride);
    const auto signedCodes = alignedArray<std::int8_t>(layout.codeStride);
    for (std::size_t q = 0; q < count; ++q) {
        float* const floats = m_floats.get() + q * layout.floatStride;
        std::int8_t* const fine = m_fine.get() + q * layout.codeStride;
        std::uint8_t* const coarse = m_coarse.get() + q * layout.codeStride;
        std::copy_n(embeddings.data() + q * layout.dimension, layout.dimension, floats);
        PreparedQuery query{floats, fine, coarse, {}, {}};
        query.fineQuality = quantize(floats, layout.floatStride, kFineMax, fine);
        query.coarseQuality = quantize(floats, layout.floatStride, kCoarseMax, signedCodes.get());
        // Rows are zero behind the dimension, so what stands there in the query does not count.
        for (std::size_t i = 0; i < layout.floatStride; ++i)
            coarse[i] = static_cast<std::uint8_t>(signedCodes[i] + kCoarseZero);
        m_queries.push_back(query);
    }
}

base::Status checkEmbedding(std::span<const float> embedding, std::size_t dimension) {
    if (embedding.size() != dimension)
        return base::fail(base::Reason::EmbeddingInvalid, "the embedding has " + std::to_string(embedding.size()) +
                                                              " numbers instead of " + std::to_string(dimension));
    double squares = 0;
    for (const float value : embedding)
        squares += double{value} * value;
    // NaN and infinity anywhere make the sum NaN or infinite, which fails too.
    if (!(std::fabs(std::sqrt(squares) - 1) <= kNormTolerance))
        return base::fail(base::Reason::EmbeddingInvalid, "the embedding is not a unit vector of finite numbers");
    return {};
}

void QuantizedRow::assign(const RowLayout& layout, std::span<const float> embedding) {
    std::copy(embedding.begin(), embedding.end(), floats.get()); // what is behind them stays zero
    quality = quantize(floats.get(), layout.floatStride, kFineMax, codes.get());
}

void QuantizedRow::wipe(const RowLayout& layout) {
    explicit_bzero(floats.get(), layout.floatBytes());
    explicit_bzero(codes.get(), layout.codeStride);
    quality = {};
}

// With q8 = scale(q) * codes and e(v) = ||v - v8||, by Cauchy-Schwarz
//   |<q,x> - <q8,x8>| = |<q, x - x8> + <q - q8, x8>| <= ||q|| e(x) + e(q) ||x8|| <= e(x) (||q|| + e(q)) + e(q) ||x||.
// Beside that: the float score differs from <q,x> by the rounding of stride / 8 + 4 operations in each lane (Higham,
// Accuracy and Stability of Numerical Algorithms, section 3.1), and approximate and bound are floats of magnitude below
// 2, a few roundings each.
ErrorBound errorBound(const RowLayout& layout, const RowQuality& query) {
    const double unit = std::numeric_limits<float>::epsilon() / 2;
    const double operations = static_cast<double>(layout.floatStride) / 8 + 4;
    const double scoreRounding = 1.01 * operations * unit * kNormMax * kNormMax;
    const double approximateRounding = 32 * unit;
    return {roundedUp(kNormMax + double{query.error}),
            roundedUp(double{query.error} * kNormMax + scoreRounding + approximateRounding)};
}

FloatMode::FloatMode() : m_before(_mm_getcsr()) {
    if (m_before != kDefaultFloatMode)
        _mm_setcsr(kDefaultFloatMode);
}

FloatMode::~FloatMode() {
    // Exception flags are sticky and nobody's business here; the control bits are what the thread had chosen.
    if (m_before != kDefaultFloatMode)
        _mm_setcsr(m_before);
}

} // namespace fremis::index
