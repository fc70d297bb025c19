#pragma once

// What the AVX2 and the AVX-512 kernels share; compiled for each by itself, with internal linkage.
#include "shared/index/kernels/kernel_loops.h"

#include <immintrin.h>

namespace fremis::index {
namespace {

inline __m256i load256(const void* bytes) {
    return _mm256_loadu_si256(static_cast<const __m256i*>(bytes));
}

inline std::int32_t sumOf(__m256i lanes) {
    const __m128i four = _mm_add_epi32(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256(lanes, 1));
    const __m128i two = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0x4E));
    return _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32(two, 0xB1)));
}

struct FloatIsa {
    static float dot(const float* query, const float* row, std::size_t length, const char* ahead) {
        __m256 lanes = _mm256_setzero_ps();
        for (std::size_t i = 0; i < length; i += 16) {
            _mm_prefetch(ahead + i * sizeof(float), _MM_HINT_T0);
            lanes = _mm256_add_ps(lanes, _mm256_mul_ps(_mm256_loadu_ps(query + i), _mm256_loadu_ps(row + i)));
            lanes = _mm256_add_ps(lanes, _mm256_mul_ps(_mm256_loadu_ps(query + i + 8), _mm256_loadu_ps(row + i + 8)));
        }
        const __m128 four = _mm_add_ps(_mm256_castps256_ps128(lanes), _mm256_extractf128_ps(lanes, 1));
        const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
        return _mm_cvtss_f32(_mm_add_ss(two, _mm_shuffle_ps(two, two, 1)));
    }
};

inline void quantize256(const float* row, std::size_t count, float inverseScale, std::int8_t* codes) {
    const __m256 factor = _mm256_set1_ps(inverseScale);
    const auto eight = [&](const float* from) {
        return _mm256_cvtps_epi32(_mm256_mul_ps(_mm256_loadu_ps(from), factor));
    };
    for (std::size_t i = 0; i < count; i += 16) {
        // The packs work on each half by itself; the permutation puts the quarters back in order.
        const __m256i words = _mm256_permute4x64_epi64(_mm256_packs_epi32(eight(row + i), eight(row + i + 8)), 0xD8);
        const __m128i bytes = _mm_packs_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(codes + i), bytes);
    }
}

inline std::uint64_t select256(const Selection& s) {
    std::uint64_t mask = 0;
    for (std::size_t r = 0; r < kBlockRows; r += 8) {
        const __m256 scale = _mm256_mul_ps(_mm256_loadu_ps(s.scales + r), _mm256_set1_ps(s.queryScale));
        const __m256 error = _mm256_mul_ps(_mm256_loadu_ps(s.errors + r), _mm256_set1_ps(s.errorFactor));
        const __m256 upper = _mm256_add_ps(_mm256_mul_ps(_mm256_cvtepi32_ps(load256(s.dots + r)), scale), error);
        const int bits = _mm256_movemask_ps(_mm256_cmp_ps(upper, _mm256_set1_ps(s.threshold), _CMP_GE_OQ));
        mask |= static_cast<std::uint64_t>(static_cast<unsigned>(bits)) << r;
    }
    return mask;
}

} // namespace
} // namespace fremis::index
