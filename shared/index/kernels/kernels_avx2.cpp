#include "shared/index/kernels/kernels_256.h"

namespace fremis::index {
namespace {

struct CodeIsa {
    /// |a| * (b with the sign of a), in pairs: at most 2 * 127 * 127 = 32258, so the 16-bit sums never saturate.
    static __m256i products(__m256i a, __m256i b) {
        return _mm256_madd_epi16(_mm256_maddubs_epi16(_mm256_abs_epi8(a), _mm256_sign_epi8(b, a)),
                                 _mm256_set1_epi16(1));
    }

    static std::int32_t dot(const std::int8_t* query, const std::int8_t* row, std::size_t length, const char* ahead) {
        __m256i first = _mm256_setzero_si256();
        __m256i second = _mm256_setzero_si256();
        for (std::size_t i = 0; i < length; i += 64) {
            _mm_prefetch(ahead + i, _MM_HINT_T0);
            first = _mm256_add_epi32(first, products(load256(query + i), load256(row + i)));
            second = _mm256_add_epi32(second, products(load256(query + i + 32), load256(row + i + 32)));
        }
        return sumOf(_mm256_add_epi32(first, second));
    }

    static constexpr std::size_t kTileQueries = 2;
    static constexpr std::size_t kTileRows = 4;

    // vpmaddubsw wants one side unsigned, so query codes come as code + 32, and each 16-bit sum of a row's segment
    // starts at -32 times the row's codes. Sums wrap around, and what comes out at the end of a segment is the sum of
    // signed products, at most 4 * 2 * 31 * 127 = 31496: only one widening is needed for four steps of 32 codes.
    static constexpr std::size_t kStep = 32;
    static constexpr std::size_t kSegment = 4 * kStep;
    static_assert(kSegment / kStep * 2 * kCoarseMax * 127 <= 32767);

    using Offset = __m256i;
    static constexpr std::size_t kMostOffsets = kMostStride / kSegment;
    static std::size_t offsetsPerRow(std::size_t stride) { return (stride + kSegment - 1) / kSegment; }
    static std::size_t endOfSegment(std::size_t begin, std::size_t stride) {
        return begin + kSegment < stride ? begin + kSegment : stride;
    }

    static void makeOffsets(const std::int8_t* row, std::size_t stride, Offset* offsets) {
        const __m256i zeroCode = _mm256_set1_epi8(kCoarseZero);
        for (std::size_t i = 0; i < stride; ++offsets) {
            __m256i words = _mm256_setzero_si256();
            for (const std::size_t end = endOfSegment(i, stride); i < end; i += kStep)
                words = _mm256_sub_epi16(words, _mm256_maddubs_epi16(zeroCode, load256(row + i)));
            *offsets = words;
        }
    }

    template<std::size_t Q, std::size_t R>
    static void tile(const std::uint8_t* queries, const std::int8_t* rows, std::size_t stride, const Offset* offsets,
                     std::int32_t* dots) {
        const std::size_t perRow = offsetsPerRow(stride);
        const __m256i ones = _mm256_set1_epi16(1);
        __m256i lanes[Q][R];
        for (auto& ofQuery : lanes)
            for (auto& sum : ofQuery)
                sum = _mm256_setzero_si256();
        for (std::size_t i = 0; i < stride; ++offsets) {
            __m256i words[Q][R];
            for (std::size_t r = 0; r < R; ++r)
                for (std::size_t q = 0; q < Q; ++q)
                    words[q][r] = offsets[r * perRow];
            for (const std::size_t end = endOfSegment(i, stride); i < end; i += kStep) {
                __m256i query[Q];
                for (std::size_t q = 0; q < Q; ++q)
                    query[q] = load256(queries + q * stride + i);
#pragma GCC unroll 8
                for (std::size_t r = 0; r < R; ++r) {
                    const __m256i row = load256(rows + r * stride + i);
#pragma GCC unroll 8
                    for (std::size_t q = 0; q < Q; ++q)
                        words[q][r] = _mm256_add_epi16(words[q][r], _mm256_maddubs_epi16(query[q], row));
                }
            }
            for (std::size_t q = 0; q < Q; ++q)
                for (std::size_t r = 0; r < R; ++r)
                    lanes[q][r] = _mm256_add_epi32(lanes[q][r], _mm256_madd_epi16(words[q][r], ones));
        }
        for (std::size_t q = 0; q < Q; ++q)
            storeSums(lanes[q], dots + q * kBlockRows);
    }

    static void storeSums(const __m256i (&lanes)[1], std::int32_t* dots) {
        *dots = sumOf(lanes[0]);
    }
    static void storeSums(const __m256i (&lanes)[4], std::int32_t* dots) {
        const __m256i halves =
            _mm256_hadd_epi32(_mm256_hadd_epi32(lanes[0], lanes[1]), _mm256_hadd_epi32(lanes[2], lanes[3]));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(dots),
                         _mm_add_epi32(_mm256_castsi256_si128(halves), _mm256_extracti128_si256(halves, 1)));
    }
};

constexpr Kernels kKernels{"avx2",
                           scanRows<FloatIsa, float, float>,
                           scanRows<CodeIsa, std::int8_t, std::int32_t>,
                           tileBlock<CodeIsa>,
                           quantize256,
                           select256};

} // namespace

const Kernels& avx2Kernels() {
    return kKernels;
}

} // namespace fremis::index
