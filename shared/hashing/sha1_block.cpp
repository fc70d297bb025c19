// Compiled for x86 with the SHA extensions switched on, so it includes no header with inline code that others share.
#include "shared/hashing/sha1_block.h"

#if defined(__SHA__) && defined(__SSE4_1__)

#include <cpuid.h>
#include <immintrin.h>

#include <cstring>
#include <utility>

namespace fremis::hashing {

namespace {

struct alignas(16) Block {
    unsigned char bytes[64];
};

// Overlapping moves of fixed size: a call of memcpy for a length known only at run time would cost as much as twenty
// rounds.
template<class Word> void copyEnds(unsigned char* to, const char* from, std::size_t size) {
    Word first;
    Word last;
    std::memcpy(&first, from, sizeof(Word));
    std::memcpy(&last, from + size - sizeof(Word), sizeof(Word));
    std::memcpy(to, &first, sizeof(Word));
    std::memcpy(to + size - sizeof(Word), &last, sizeof(Word));
}

unsigned char* append(unsigned char* to, std::string_view text) {
    const char* from = text.data();
    std::size_t size = text.size();
    for (; size > 32; size -= 16, from += 16, to += 16)
        std::memcpy(to, from, 16);
    if (size >= 16)
        copyEnds<__m128i>(to, from, size);
    else if (size >= 8)
        copyEnds<std::uint64_t>(to, from, size);
    else if (size >= 4)
        copyEnds<std::uint32_t>(to, from, size);
    else
        for (std::size_t i = 0; i < size; ++i)
            to[i] = static_cast<unsigned char>(from[i]);
    return to + size;
}

void clear(Block& block) {
    for (int i = 0; i < 4; ++i)
        _mm_store_si128(reinterpret_cast<__m128i*>(block.bytes) + i, _mm_setzero_si128());
}

// FIPS 180-4, 5.1.1: after the text the bit 1, zeros, the length in bits.
void finish(unsigned char* end, Block& block) {
    const auto bits = static_cast<unsigned>((end - block.bytes) * 8); // at most 440
    *end = 0x80;
    block.bytes[62] = static_cast<unsigned char>(bits >> 8);
    block.bytes[63] = static_cast<unsigned char>(bits);
}

void pad(std::string_view text, Block& block) {
    clear(block);
    finish(append(block.bytes, text), block);
}

struct Lane {
    __m128i abcd;
    __m128i e;
    __m128i words[4]; // the last 16 words of the schedule, four to a register

    explicit Lane(const Block& block) {
        const __m128i reverse = _mm_set_epi64x(0x0001020304050607, 0x08090a0b0c0d0e0f);
        for (int i = 0; i < 4; ++i)
            words[i] = _mm_shuffle_epi8(_mm_load_si128(reinterpret_cast<const __m128i*>(block.bytes) + i), reverse);
        abcd = start();
        e = _mm_set_epi32(static_cast<int>(0xc3d2e1f0u), 0, 0, 0);
    }
    static __m128i start() {
        return _mm_set_epi32(0x67452301, static_cast<int>(0xefcdab89u), static_cast<int>(0x98badcfeu), 0x10325476);
    }

    // Rounds 4G..4G+3.
    template<int G> void rounds() {
        __m128i& word = words[G % 4];
        if constexpr (G >= 4)
            word = _mm_sha1msg2_epu32(_mm_xor_si128(_mm_sha1msg1_epu32(word, words[(G + 1) % 4]), words[(G + 2) % 4]),
                                      words[(G + 3) % 4]);
        const __m128i input = G == 0 ? _mm_add_epi32(e, word) : _mm_sha1nexte_epu32(e, word);
        e = abcd;
        abcd = _mm_sha1rnds4_epu32(abcd, input, G / 5);
    }

    [[nodiscard]] Sha1Words result() const {
        const __m128i sum = _mm_add_epi32(abcd, start());
        const __m128i last = _mm_sha1nexte_epu32(e, _mm_set_epi32(static_cast<int>(0xc3d2e1f0u), 0, 0, 0));
        const auto word = [](int value) { return static_cast<std::uint32_t>(value); };
        return {word(_mm_extract_epi32(sum, 3)), word(_mm_extract_epi32(sum, 2)), word(_mm_extract_epi32(sum, 1)),
                word(_mm_extract_epi32(sum, 0)), word(_mm_extract_epi32(last, 3))};
    }
};

template<int... G> void compress(Lane& lane, std::integer_sequence<int, G...>) {
    (lane.rounds<G>(), ...);
}

template<int... G> void compress(Lane& a, Lane& b, std::integer_sequence<int, G...>) {
    ((a.rounds<G>(), b.rounds<G>()), ...);
}

bool cpuHasSha() {
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    const bool sse41 = __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_SSE4_1) != 0 && (c & bit_SSSE3) != 0;
    return sse41 && __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & (1u << 29)) != 0; // CPUID.7.EBX.SHA
}

} // namespace

bool hasSha1Instructions() {
    static const bool has = cpuHasSha();
    return has;
}

Sha1Words sha1Short(std::string_view text) {
    Block block;
    pad(text, block);
    Lane lane(block);
    compress(lane, std::make_integer_sequence<int, 20>());
    return lane.result();
}

Sha1Words sha1ShortJoined(std::string_view first, char separator, std::string_view second) {
    Block block;
    clear(block);
    unsigned char* end = append(block.bytes, first);
    *end = static_cast<unsigned char>(separator);
    finish(append(end + 1, second), block);
    Lane lane(block);
    compress(lane, std::make_integer_sequence<int, 20>());
    return lane.result();
}

std::array<Sha1Words, 2> sha1ShortPair(std::string_view first, std::string_view second) {
    Block blocks[2];
    pad(first, blocks[0]);
    pad(second, blocks[1]);
    Lane a(blocks[0]);
    Lane b(blocks[1]);
    compress(a, b, std::make_integer_sequence<int, 20>());
    return {a.result(), b.result()};
}

} // namespace fremis::hashing

#else

namespace fremis::hashing {

bool hasSha1Instructions() {
    return false;
}
Sha1Words sha1Short(std::string_view) {
    return {};
}
Sha1Words sha1ShortJoined(std::string_view, char, std::string_view) {
    return {};
}
std::array<Sha1Words, 2> sha1ShortPair(std::string_view, std::string_view) {
    return {};
}

} // namespace fremis::hashing

#endif
