#include "shared/index/kernels/kernels_256.h"

namespace fremis::index {
namespace {

inline __m512i load512(const void* bytes) {
    return _mm512_loadu_si512(bytes);
}

inline std::int32_t sumOf(__m512i lanes) {
    return sumOf(_mm256_add_epi32(_mm512_castsi512_si256(lanes), _mm512_extracti64x4_epi64(lanes, 1)));
}

// Float scores have eight lanes and wait for memory, so the 256-bit loop is as fast as one of 512 bits.
struct CodeIsa {
    /// vpdpbusd multiplies unsigned by signed bytes: with each code c of a row taken as c + 128 (its top bit flipped),
    /// the sum is too large by 128 times the sum of the query's codes.
    static std::int32_t dot(const std::int8_t* query, const std::int8_t* row, std::size_t length, const char* ahead) {
        __m512i sum = _mm512_setzero_si512();
        __m512i querySum = _mm512_setzero_si512();
        for (std::size_t i = 0; i < length; i += 64) {
            _mm_prefetch(ahead + i, _MM_HINT_T0);
            const __m512i codes = load512(query + i);
            sum = _mm512_dpbusd_epi32(sum, _mm512_xor_si512(load512(row + i), _mm512_set1_epi8(-128)), codes);
            querySum = _mm512_dpbusd_epi32(querySum, _mm512_set1_epi8(1), codes);
        }
        return sumOf(_mm512_sub_epi32(sum, _mm512_slli_epi32(querySum, 7)));
    }

    static constexpr std::size_t kTileQueries = 4;
    static constexpr std::size_t kTileRows = 4;

    // Query codes come as code + 32: sums start at -32 times the row's codes.
    using Offset = __m512i;
    static constexpr std::size_t kMostOffsets = 1;
    static std::size_t offsetsPerRow(std::size_t) { return 1; }

    static void makeOffsets(const std::int8_t* row, std::size_t stride, Offset* offset) {
        __m512i lanes = _mm512_setzero_si512();
        for (std::size_t i = 0; i < stride; i += 64)
            lanes = _mm512_dpbusd_epi32(lanes, _mm512_set1_epi8(kCoarseZero), load512(row + i));
        *offset = _mm512_sub_epi32(_mm512_setzero_si512(), lanes);
    }

    template<std::size_t Q, std::size_t R>
    static void tile(const std::uint8_t* queries, const std::int8_t* rows, std::size_t stride, const Offset* offsets,
                     std::int32_t* dots) {
        __m512i lanes[Q][R];
        for (auto& ofQuery : lanes)
            for (std::size_t r = 0; r < R; ++r)
                ofQuery[r] = offsets[r];
        for (std::size_t i = 0; i < stride; i += 64) {
            __m512i query[Q];
            for (std::size_t q = 0; q < Q; ++q)
                query[q] = load512(queries + q * stride + i);
            for (std::size_t r = 0; r < R; ++r) {
                const __m512i row = load512(rows + r * stride + i);
                for (std::size_t q = 0; q < Q; ++q)
                    lanes[q][r] = _mm512_dpbusd_epi32(lanes[q][r], query[q], row);
            }
        }
        for (std::size_t q = 0; q < Q; ++q)
            for (std::size_t r = 0; r < R; ++r)
                dots[q * kBlockRows + r] = sumOf(lanes[q][r]);
    }
};

constexpr Kernels kKernels{"avx512-vnni",
                           scanRows<FloatIsa, float, float>,
                           scanRows<CodeIsa, std::int8_t, std::int32_t>,
                           tileBlock<CodeIsa>,
                           quantize256,
                           select256};

} // namespace

const Kernels& avx512Kernels() {
    return kKernels;
}

} // namespace fremis::index
