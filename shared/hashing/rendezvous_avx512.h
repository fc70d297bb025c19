// Eight lanes by AVX-512 F and DQ. The includer provides the intrinsics: the CPU's own, or an emulation to test
// against.
#pragma once

#include "shared/hashing/rendezvous_simd.h"

namespace fremis::hashing {

namespace {

struct Avx512 {
    using Reg = __m512i;
    using Mask = unsigned char; // what a compiler calls __mmask8, and an emulation otherwise
    static constexpr std::size_t kLanes = 8;
    static Reg load(const std::uint64_t* from) { return _mm512_loadu_si512(from); }
    static Reg loadWide(const std::uint32_t* from) {
        const auto half = [](const std::uint32_t* four) {
            return _mm256_cvtepu32_epi64(_mm_loadu_si128(reinterpret_cast<const __m128i*>(four)));
        };
        return _mm512_inserti64x4(_mm512_castsi256_si512(half(from)), half(from + 4), 1);
    }
    static void store(std::uint64_t* to, Reg x) { _mm512_storeu_si512(to, x); }
    static Reg set(std::uint64_t x) { return _mm512_set1_epi64(static_cast<long long>(x)); }
    static Reg indices() { return _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0); }
    static Reg add(Reg a, Reg b) { return _mm512_add_epi64(a, b); }
    static Reg bitXor(Reg a, Reg b) { return _mm512_xor_si512(a, b); }
    template<int Bits> static Reg shiftRight(Reg x) { return _mm512_srli_epi64(x, Bits); }
    static Reg multiply(Reg x, std::uint64_t c) { return _mm512_mullo_epi64(x, set(c)); }
    static Reg multiplyLow32(Reg a, Reg b) { return _mm512_mul_epu32(a, b); }
    static Mask greater(Reg a, Reg b) { return _mm512_cmpgt_epi64_mask(a, b); }
    static Reg pick(Mask mask, Reg a, Reg b) { return _mm512_mask_blend_epi64(mask, b, a); }
    static std::size_t winner(Reg valuesA, Reg indicesA, Reg valuesB, Reg indicesB) {
        const Reg most =
            inAllLanes(_mm512_max_epi64(valuesA, valuesB), [](Reg a, Reg b) { return _mm512_max_epi64(a, b); });
        const Reg none = set(~std::uint64_t{0});
        const Reg a = pick(_mm512_cmpeq_epi64_mask(valuesA, most), indicesA, none);
        const Reg b = pick(_mm512_cmpeq_epi64_mask(valuesB, most), indicesB, none);
        const Reg least = inAllLanes(_mm512_min_epu64(a, b), [](Reg x, Reg y) { return _mm512_min_epu64(x, y); });
        return static_cast<std::size_t>(_mm_cvtsi128_si64(_mm512_castsi512_si128(least)));
    }
    static std::size_t count(Mask mask) { return static_cast<std::size_t>(__builtin_popcount(mask)); }

private:
    template<class Merge> static Reg inAllLanes(Reg x, const Merge& merge) {
        x = merge(x, _mm512_permutexvar_epi64(_mm512_set_epi64(3, 2, 1, 0, 7, 6, 5, 4), x));
        x = merge(x, _mm512_permutexvar_epi64(_mm512_set_epi64(5, 4, 7, 6, 1, 0, 3, 2), x));
        return merge(x, _mm512_permutexvar_epi64(_mm512_set_epi64(6, 7, 4, 5, 2, 3, 0, 1), x));
    }
};

} // namespace

} // namespace fremis::hashing
