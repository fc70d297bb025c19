#include "shared/index/kernels/kernel_loops.h"

#include <emmintrin.h>

namespace fremis::index {
namespace {

inline std::int32_t sumOf(__m128i lanes) {
    const __m128i two = _mm_add_epi32(lanes, _mm_shuffle_epi32(lanes, 0x4E));
    return _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32(two, 0xB1)));
}

inline __m128i load(const void* bytes) {
    return _mm_loadu_si128(static_cast<const __m128i*>(bytes));
}

struct FloatIsa {
    static float dot(const float* query, const float* row, std::size_t length, const char* ahead) {
        __m128 low = _mm_setzero_ps();  // lanes 0..3
        __m128 high = _mm_setzero_ps(); // lanes 4..7
        for (std::size_t i = 0; i < length; i += 16) {
            _mm_prefetch(ahead + i * sizeof(float), _MM_HINT_T0);
            for (std::size_t j = i; j < i + 16; j += 8) {
                low = _mm_add_ps(low, _mm_mul_ps(_mm_loadu_ps(query + j), _mm_loadu_ps(row + j)));
                high = _mm_add_ps(high, _mm_mul_ps(_mm_loadu_ps(query + j + 4), _mm_loadu_ps(row + j + 4)));
            }
        }
        const __m128 four = _mm_add_ps(low, high);
        const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
        return _mm_cvtss_f32(_mm_add_ss(two, _mm_shuffle_ps(two, two, 1)));
    }
};

struct CodeIsa {
    static __m128i low(__m128i bytes) { return _mm_srai_epi16(_mm_unpacklo_epi8(_mm_setzero_si128(), bytes), 8); }
    static __m128i high(__m128i bytes) { return _mm_srai_epi16(_mm_unpackhi_epi8(_mm_setzero_si128(), bytes), 8); }

    static std::int32_t dot(const std::int8_t* query, const std::int8_t* row, std::size_t length, const char* ahead) {
        __m128i sum = _mm_setzero_si128();
        for (std::size_t i = 0; i < length; i += 64) {
            _mm_prefetch(ahead + i, _MM_HINT_T0);
            for (std::size_t j = i; j < i + 64; j += 16) {
                const __m128i a = load(query + j);
                const __m128i b = load(row + j);
                sum = _mm_add_epi32(sum, _mm_madd_epi16(low(a), low(b)));
                sum = _mm_add_epi32(sum, _mm_madd_epi16(high(a), high(b)));
            }
        }
        return sumOf(sum);
    }

    static constexpr std::size_t kTileQueries = 1;
    static constexpr std::size_t kTileRows = 1;

    using Offset = std::int32_t;
    static constexpr std::size_t kMostOffsets = 1;
    static std::size_t offsetsPerRow(std::size_t) { return 1; }
    static void makeOffsets(const std::int8_t* row, std::size_t stride, Offset* offset) {
        __m128i sum = _mm_setzero_si128();
        const __m128i zeroCode = _mm_set1_epi16(-kCoarseZero);
        for (std::size_t i = 0; i < stride; i += 16) {
            const __m128i codes = load(row + i);
            sum = _mm_add_epi32(sum, _mm_madd_epi16(_mm_add_epi16(low(codes), high(codes)), zeroCode));
        }
        *offset = sumOf(sum);
    }

    // Coarse codes are 1..63, so they may be read as signed bytes too.
    template<std::size_t Q, std::size_t R>
    static void tile(const std::uint8_t* query, const std::int8_t* row, std::size_t stride, const Offset* offset,
                     std::int32_t* dots) {
        *dots =
            *offset + dot(reinterpret_cast<const std::int8_t*>(query), row, stride, reinterpret_cast<const char*>(row));
    }
};

void quantize(const float* row, std::size_t count, float inverseScale, std::int8_t* codes) {
    const __m128 factor = _mm_set1_ps(inverseScale);
    const auto four = [&](const float* from) { return _mm_cvtps_epi32(_mm_mul_ps(_mm_loadu_ps(from), factor)); };
    for (std::size_t i = 0; i < count; i += 16) {
        const __m128i low = _mm_packs_epi32(four(row + i), four(row + i + 4));
        const __m128i high = _mm_packs_epi32(four(row + i + 8), four(row + i + 12));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(codes + i), _mm_packs_epi16(low, high));
    }
}

std::uint64_t select(const Selection& s) {
    std::uint64_t mask = 0;
    for (std::size_t r = 0; r < kBlockRows; r += 4) {
        const __m128 scale = _mm_mul_ps(_mm_loadu_ps(s.scales + r), _mm_set1_ps(s.queryScale));
        const __m128 error = _mm_mul_ps(_mm_loadu_ps(s.errors + r), _mm_set1_ps(s.errorFactor));
        const __m128 upper = _mm_add_ps(_mm_mul_ps(_mm_cvtepi32_ps(load(s.dots + r)), scale), error);
        const auto bits = static_cast<unsigned>(_mm_movemask_ps(_mm_cmpge_ps(upper, _mm_set1_ps(s.threshold))));
        mask |= static_cast<std::uint64_t>(bits) << r;
    }
    return mask;
}

constexpr Kernels kKernels{"baseline",
                           scanRows<FloatIsa, float, float>,
                           scanRows<CodeIsa, std::int8_t, std::int32_t>,
                           tileBlock<CodeIsa>,
                           quantize,
                           select};

} // namespace

const Kernels& baselineKernels() {
    return kKernels;
}

} // namespace fremis::index
