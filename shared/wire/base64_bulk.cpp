#include "shared/wire/base64_bulk.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace fremis::wire {

#if defined(__x86_64__)

namespace {

#define FREMIS_AVX2 __attribute__((target("avx2")))

// The same 16 bytes in both lanes: vpshufb looks up within a lane.
FREMIS_AVX2 inline __m256i table(__m128i lane) {
    return _mm256_broadcastsi128_si256(lane);
}

// '-' to '+' and '_' to '/', all else as it is.
FREMIS_AVX2 inline __m256i inStandardAlphabet(__m256i text) {
    const __m256i minus = _mm256_and_si256(_mm256_cmpeq_epi8(text, _mm256_set1_epi8('-')), _mm256_set1_epi8('-' ^ '+'));
    const __m256i line = _mm256_and_si256(_mm256_cmpeq_epi8(text, _mm256_set1_epi8('_')), _mm256_set1_epi8('_' ^ '/'));
    return _mm256_xor_si256(text, _mm256_or_si256(minus, line));
}

// The lookups, the multiplications and their tables are those of W. Muła, D. Lemire: Faster Base64 Encoding and
// Decoding Using AVX2 Instructions (2018), sections 3.1 and 3.2.

// Whether all characters are of the standard alphabet. The high half of a character gives its class, one bit; the low
// half gives the classes in which it is no character of the alphabet: 01 = 2x, 02 = 3x, 04 = 4x and 6x, 08 = 5x and 7x,
// 10 = all others.
FREMIS_AVX2 inline bool areCharacters(__m256i lowHalf, __m256i highHalf) {
    const __m256i classes = table(
        _mm_setr_epi8(0x10, 0x10, 0x01, 0x02, 0x04, 0x08, 0x04, 0x08, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10));
    const __m256i refused = table(
        _mm_setr_epi8(0x15, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x13, 0x1A, 0x1B, 0x1B, 0x1B, 0x1A));
    return _mm256_testz_si256(_mm256_shuffle_epi8(refused, lowHalf), _mm256_shuffle_epi8(classes, highHalf)) != 0;
}

// Characters to their 6 bits by what the high half says to add; '/' shares its half with '+' and moves to the free
// place below.
FREMIS_AVX2 inline __m256i valuesOf(__m256i text, __m256i highHalf) {
    const __m256i offsets = table(
        _mm_setr_epi8(0, 63 - '/', 62 - '+', 52 - '0', 0 - 'A', 0 - 'A', 26 - 'a', 26 - 'a', 0, 0, 0, 0, 0, 0, 0, 0));
    const __m256i slash = _mm256_cmpeq_epi8(text, _mm256_set1_epi8('/')); // -1 where it is one
    return _mm256_add_epi8(text, _mm256_shuffle_epi8(offsets, _mm256_add_epi8(highHalf, slash)));
}

// 32 values of 6 bits to 24 bytes, in the low three quarters. Multiply-and-add joins neighbours: 6+6 bits to 12 in 16,
// then 12+12 to 24 in 32.
FREMIS_AVX2 inline __m256i joined(__m256i values) {
    const __m256i pairs = _mm256_maddubs_epi16(values, _mm256_set1_epi32(0x01400140));
    const __m256i quads = _mm256_madd_epi16(pairs, _mm256_set1_epi32(0x00011000));
    const __m256i bigEndian = table(_mm_setr_epi8(2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, -1, -1, -1, -1));
    return _mm256_permutevar8x32_epi32(_mm256_shuffle_epi8(quads, bigEndian),
                                       _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 3, 7));
}

FREMIS_AVX2 std::size_t decodeWithAvx2(std::string_view text, std::uint8_t* out) {
    constexpr std::size_t kBlock = 32;
    constexpr std::size_t kLeft = 16; // 12 bytes of room for the 8 that a store writes too much
    const __m256i half = _mm256_set1_epi8(0x0F);
    std::size_t at = 0;
    for (; text.size() - at >= kBlock + kLeft; at += kBlock, out += kBlock / 4 * 3) {
        const __m256i block =
            inStandardAlphabet(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(text.data() + at)));
        const __m256i highHalf = _mm256_and_si256(_mm256_srli_epi32(block, 4), half);
        if (!areCharacters(_mm256_and_si256(block, half), highHalf))
            break;
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), joined(valuesOf(block, highHalf)));
    }
    return at;
}

} // namespace

std::size_t decodeBase64Bulk(std::string_view text, std::uint8_t* out) {
    static const bool hasAvx2 = __builtin_cpu_supports("avx2") != 0;
    return hasAvx2 ? decodeWithAvx2(text, out) : 0;
}

#else

std::size_t decodeBase64Bulk(std::string_view, std::uint8_t*) {
    return 0;
}

#endif

} // namespace fremis::wire
