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

    /// A pair of coarse products is at most 2 * 63 * 127 = 16002: two pairs fit 16 bits, which saves every second
    /// widening.
    template<std::size_t Q, std::size_t R>
    static void tile(const std::uint8_t* queries, const std::int8_t* rows, std::size_t stride, std::int32_t* sums) {
        __m256i lanes[Q][R];
        for (auto& ofQuery : lanes)
            for (auto& sum : ofQuery)
                sum = _mm256_setzero_si256();
        const __m256i ones = _mm256_set1_epi16(1);
        for (std::size_t i = 0; i < stride; i += 64)
#pragma GCC unroll 8
            for (std::size_t r = 0; r < R; ++r) {
                const __m256i first = load256(rows + r * stride + i);
                const __m256i second = load256(rows + r * stride + i + 32);
#pragma GCC unroll 8
                for (std::size_t q = 0; q < Q; ++q) {
                    const std::uint8_t* const query = queries + q * stride + i;
                    const __m256i words = _mm256_add_epi16(_mm256_maddubs_epi16(load256(query), first),
                                                           _mm256_maddubs_epi16(load256(query + 32), second));
                    lanes[q][r] = _mm256_add_epi32(lanes[q][r], _mm256_madd_epi16(words, ones));
                }
            }
        for (std::size_t q = 0; q < Q; ++q)
            for (std::size_t r = 0; r < R; ++r)
                sums[q * kBlockRows + r] = sumOf(lanes[q][r]);
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
