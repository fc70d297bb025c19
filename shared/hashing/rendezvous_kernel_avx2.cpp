// Compiled with -mavx2 -mbmi -mpopcnt.
#if defined(__AVX2__)

#include "shared/hashing/rendezvous_simd.h"

#include <immintrin.h>

namespace fremis::hashing {

namespace {

using Reg = __m256i;

// What the exact loops of rendezvous_simd.h need. They serve when the estimates below leave a doubt.
struct Avx2 {
    using Reg = __m256i;
    static constexpr std::size_t kLanes = 4;
    static Reg load(const std::uint64_t* from) { return _mm256_loadu_si256(reinterpret_cast<const Reg*>(from)); }
    static Reg loadWide(const std::uint32_t* from) {
        return _mm256_cvtepu32_epi64(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
    }
    static void store(std::uint64_t* to, Reg x) { _mm256_storeu_si256(reinterpret_cast<Reg*>(to), x); }
    static Reg set(std::uint64_t x) { return _mm256_set1_epi64x(static_cast<long long>(x)); }
    static Reg indices() { return _mm256_set_epi64x(3, 2, 1, 0); }
    static Reg add(Reg a, Reg b) { return _mm256_add_epi64(a, b); }
    static Reg bitXor(Reg a, Reg b) { return _mm256_xor_si256(a, b); }
    template<int Bits> static Reg shiftRight(Reg x) { return _mm256_srli_epi64(x, Bits); }
    // There is no 64-bit product: low x low, and the two cross products by one 32-bit multiplication with c's halves
    // swapped.
    static Reg multiply(Reg x, std::uint64_t c) {
        const Reg low = _mm256_mul_epu32(x, set(c));
        const Reg cross = _mm256_mullo_epi32(x, set((c << 32) | (c >> 32)));
        const Reg sum = _mm256_add_epi32(cross, _mm256_slli_epi64(cross, 32));
        return _mm256_add_epi32(low, _mm256_and_si256(sum, set(0xFFFFFFFF00000000ull)));
    }
    static Reg multiplyLow32(Reg a, Reg b) { return _mm256_mul_epu32(a, b); }
    static Reg greater(Reg a, Reg b) { return _mm256_cmpgt_epi64(a, b); }
    static Reg pick(Reg mask, Reg a, Reg b) { return _mm256_blendv_epi8(b, a, mask); }
    static std::size_t winner(Reg valuesA, Reg indicesA, Reg valuesB, Reg indicesB) {
        return winnerByLanes<Avx2>(valuesA, indicesA, valuesB, indicesB);
    }
    static std::size_t count(Reg mask) {
        return static_cast<std::size_t>(
            __builtin_popcount(static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(mask)))));
    }
};

// The kernel proper works on estimates of the upper 32 bits of a rank, eight nodes at a time, with the halves of the
// words in registers of their own. The last product is
//   upper = lo * c.hi + hi * c.lo + (lo * c.lo >> 32)   mod 2^32
// whose last term is the dear one, and the small one: only its upper 16 x upper 16 bits are multiplied, by one 16-bit
// instruction. An estimate is too small by less than
//   2^16 (truncation) + c.lo % 2^16 + (c.lo >> 16) + 2 (the products left out)
// and one is added for the last step of mix64, which weighted rendezvous does not leave out,
// so what wins by more than that has won, and when there is more than one left (one key in some hundred) the exact
// loops decide. The mistake may also wrap around zero: a rank below it looks like a very large one.
constexpr std::uint64_t kFirst = 0xbf58476d1ce4e5b9ull;
constexpr std::uint64_t kSecond = 0x94d049bb133111ebull;
constexpr std::uint32_t kMistake = 0x10000 + (kSecond & 0xFFFF) + ((kSecond >> 16) & 0xFFFF) + 3;
constexpr std::uint32_t kMistake16 = kMistake / 0x10000 + 1; // in the upper 16 bits

Reg dwords(std::uint64_t x) {
    return _mm256_set1_epi32(static_cast<int>(static_cast<std::uint32_t>(x)));
}

// Of each half register: two even (odd) 32-bit parts of a, then two of b. Nodes 0..7 come out as 0 1 4 5 2 3 6 7.
Reg evens(Reg a, Reg b) {
    return _mm256_castps_si256(_mm256_shuffle_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b), 0x88));
}
Reg odds(Reg a, Reg b) {
    return _mm256_castps_si256(_mm256_shuffle_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b), 0xDD));
}

[[gnu::always_inline]] inline Reg estimate(const std::uint64_t* seeds, Reg keys) {
    const Reg a = _mm256_xor_si256(keys, Avx2::load(seeds));
    const Reg b = _mm256_xor_si256(keys, Avx2::load(seeds + 4));
    const Reg productA = _mm256_mul_epu32(a, dwords(kFirst));
    const Reg productB = _mm256_mul_epu32(b, dwords(kFirst));
    const Reg cross = _mm256_add_epi32(_mm256_mullo_epi32(evens(a, b), dwords(kFirst >> 32)),
                                       _mm256_mullo_epi32(odds(a, b), dwords(kFirst)));
    const Reg low = evens(productA, productB);
    const Reg high = _mm256_add_epi32(odds(productA, productB), cross);
    // x ^ (x >> 27)
    const Reg lo = _mm256_xor_si256(_mm256_xor_si256(low, _mm256_srli_epi32(low, 27)), _mm256_slli_epi32(high, 5));
    const Reg hi = _mm256_xor_si256(high, _mm256_srli_epi32(high, 27));
    return _mm256_add_epi32(
        _mm256_mulhi_epu16(lo, dwords(kSecond & 0xFFFF0000u)),
        _mm256_add_epi32(_mm256_mullo_epi32(lo, dwords(kSecond >> 32)), _mm256_mullo_epi32(hi, dwords(kSecond))));
}

// The upper 16 bits of 16 estimates: those of the first eight nodes in the even places.
[[gnu::always_inline]] inline Reg estimate16(const std::uint64_t* seeds, Reg keys) {
    return _mm256_blend_epi16(_mm256_srli_epi32(estimate(seeds, keys), 16), estimate(seeds + 8, keys), 0xAA);
}

std::uint32_t largest16(Reg words) {
    const __m128i half = _mm_max_epu16(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
    const __m128i least = _mm_minpos_epu16(_mm_xor_si128(half, _mm_set1_epi32(-1)));
    return 0xFFFF - (static_cast<std::uint32_t>(_mm_cvtsi128_si32(least)) & 0xFFFF);
}

// The bytes that packus makes of two registers of estimate16(): which of the 32 nodes each belongs to, and, by how many
// nodes at a register's beginning do not count, the bytes that do.
struct PackedOrder {
    std::uint8_t node[32];
    std::uint32_t without[16];
    constexpr PackedOrder() : node{}, without{} {
        for (unsigned byte = 0; byte < 32; ++byte) {
            const unsigned half = byte / 16;
            const unsigned second = byte / 8 % 2;
            const unsigned lane = byte % 8 / 2;
            node[byte] = static_cast<std::uint8_t>(16 * second + 8 * (byte % 2) + lane % 2 + 4 * (lane / 2) + 2 * half);
            for (unsigned skipped = 0; skipped <= node[byte] % 16u; ++skipped)
                without[skipped] |= 1u << byte;
        }
    }
};
constexpr PackedOrder kPackedOrder;

using Exact = SimdLoops<Avx2>;

// n >= 16. When n is no multiple of the step, the last one begins early, over nodes that were seen before.
std::size_t bestOfBlock(const std::uint64_t* seeds, std::size_t n, std::uint64_t key) {
    constexpr std::size_t kStep = 16;
    Reg words[WeightedNodes::kBlock / kStep + 1];
    const Reg keys = Avx2::set(key);
    Reg most = _mm256_setzero_si256();
    std::size_t steps = 0;
    const auto keep = [&](Reg found) {
        words[steps++] = found;
        most = _mm256_max_epu16(most, found);
    };
    std::size_t i = 0;
    for (; i + kStep <= n; i += kStep)
        keep(estimate16(seeds + i, keys));
    const std::size_t seenAgain = n == i ? 0 : (n - i > 8 ? kStep : 8) - (n - i);
    if (n - i > 8)
        keep(estimate16(seeds + n - kStep, keys));
    else if (n > i)
        keep(_mm256_srli_epi32(estimate(seeds + n - 8, keys), 16));
    words[steps] = _mm256_setzero_si256();

    const std::uint32_t largest = largest16(most);
    const Reg threshold = _mm256_set1_epi16(static_cast<short>(largest - kMistake16 - 1));
    const std::uint32_t lastCounts = kPackedOrder.without[seenAgain] | (steps % 2 == 0 ? 0x00FF00FFu : 0);
    unsigned contenders = 0;
    std::size_t place = 0;
    for (std::size_t step = 0; step < steps; step += 2) {
        const Reg above = _mm256_packus_epi16(_mm256_subs_epu16(words[step], threshold),
                                              _mm256_subs_epu16(words[step + 1], threshold));
        const auto none = static_cast<unsigned>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(above, _mm256_setzero_si256())));
        const unsigned mask = ~none & (step + 2 < steps ? ~0u : lastCounts);
        contenders += static_cast<unsigned>(__builtin_popcount(mask));
        // The sum of the places, which is the place if it is one; without a branch, as nobody can foresee the winner.
        place += (kStep * step + kPackedOrder.node[_tzcnt_u32(mask) % 32]) & (std::size_t{0} - (mask != 0 ? 1u : 0u));
    }
    const bool mayHaveWrapped = largest >= 0xFFFF - kMistake16;
    if (contenders != 1 || mayHaveWrapped || largest <= kMistake16) [[unlikely]]
        return Exact::best(seeds, n, key);
    return place < i ? place : place - seenAgain;
}

std::size_t best(const std::uint64_t* seeds, std::size_t n, std::uint64_t key) {
    if (n < 16)
        return ScalarLoops::best(seeds, n, key);
    if (n <= WeightedNodes::kBlock) [[likely]]
        return bestOfBlock(seeds, n, key);
    std::size_t found = 0;
    for (std::size_t begin = 0; begin < n; begin += WeightedNodes::kBlock) {
        const std::size_t size = n - begin < WeightedNodes::kBlock ? n - begin : WeightedNodes::kBlock;
        const std::size_t other = begin + best(seeds + begin, size, key);
        found = rankOne(key ^ seeds[other]) > rankOne(key ^ seeds[found]) ? other : found;
    }
    return found;
}

float least(__m256 values) {
    __m128 half = _mm_min_ps(_mm256_castps256_ps128(values), _mm256_extractf128_ps(values, 1));
    half = _mm_min_ps(half, _mm_movehl_ps(half, half));
    return _mm_cvtss_f32(_mm_min_ss(half, _mm_shuffle_ps(half, half, 1)));
}

// Estimates of -ln(u) / w from below, in units of 2^-31: half of the estimated 1-u times 1/w. With the best of them, b,
// some node's -ln(u) / w is at most (b + m) / (1 - (b w + m)), m being the mistake of half an estimate over w: bounded
// here with the lightest weight in the one place and the heaviest in the other, so that nobody has to ask whose b it
// is. Floats only rule nodes out here, and 2^-16 covers their rounding.
std::size_t contenders(const WeightedNodes& nodes, std::uint64_t key, std::uint32_t* out) {
    constexpr float kRounding = 1.0F + 1.0F / 65536;
    constexpr float kNever = 1e30F; // above every bound and every limit
    constexpr float kHalfMistake = static_cast<float>(kMistake / 2 + 3);
    if (nodes.size < 8)
        return contendersBy<ScalarLoops>(nodes, key, out);
    alignas(32) float bounds[WeightedNodes::kBlock];
    const Reg keys = Avx2::set(key);
    const Reg ceiling = dwords(~std::uint64_t{kMistake});
    __m256 lowest = _mm256_set1_ps(kNever);
    const auto bound = [&](std::size_t at) __attribute__((always_inline)) {
        const Reg away = _mm256_sub_epi32(ceiling, _mm256_min_epu32(estimate(nodes.seeds + at, keys), ceiling));
        const Reg inOrder = _mm256_permute4x64_epi64(_mm256_srli_epi32(away, 1), 0xD8);
        const __m256 value = _mm256_mul_ps(_mm256_cvtepi32_ps(inOrder), _mm256_loadu_ps(nodes.inverses + at));
        _mm256_storeu_ps(bounds + at, value);
        lowest = _mm256_min_ps(lowest, value);
    };
    std::size_t i = 0;
    for (; i + 8 <= nodes.size; i += 8)
        bound(i);
    if (i < nodes.size) {
        _mm256_storeu_ps(bounds + i, _mm256_set1_ps(kNever)); // for the places behind the last node
        bound(nodes.size - 8);
    }

    const float lead = least(lowest);
    const float lightest = static_cast<float>(nodes.lightest);
    const float share = 1 - (lead * static_cast<float>(nodes.heaviest) + kHalfMistake) * 0x1p-31F;
    const float mistake = kHalfMistake / lightest;
    // Perhaps a wrapped estimate, or too coarse a limit to rule out many.
    if (lead == 0 || share < 0.25F || mistake > lead / 4) [[unlikely]]
        return contendersBy<Exact>(nodes, key, out);
    const __m256 limit = _mm256_set1_ps(kRounding * (lead + mistake) / share);
    std::size_t count = 0;
    for (std::size_t begin = 0; begin < nodes.size; begin += 64) {
        std::uint64_t mask = 0;
        for (i = begin; i < nodes.size && i < begin + 64; i += 8) {
            const __m256 within = _mm256_cmp_ps(_mm256_load_ps(bounds + i), limit, _CMP_LE_OQ);
            mask |= static_cast<std::uint64_t>(_mm256_movemask_ps(within)) << (i - begin);
        }
        // One or none without a branch: which it is cannot be foreseen.
        out[count] = static_cast<std::uint32_t>(begin + _tzcnt_u64(mask));
        count += mask != 0 ? 1 : 0;
        for (mask &= mask - 1; mask != 0; mask &= mask - 1)
            out[count++] = static_cast<std::uint32_t>(begin + _tzcnt_u64(mask));
    }
    return count;
}

} // namespace

RendezvousKernel avx2RendezvousKernel() {
    return {"avx2", &best, &contenders};
}

} // namespace fremis::hashing

#endif
