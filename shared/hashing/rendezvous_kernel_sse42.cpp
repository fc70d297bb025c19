// Compiled with -msse4.2, which the x86-64-v2 baseline includes.
#if defined(__SSE4_2__)

#include "shared/hashing/rendezvous_simd.h"

#include <immintrin.h>

namespace fremis::hashing {

namespace {

struct Sse42 {
    using Reg = __m128i;
    static constexpr std::size_t kLanes = 2;
    static Reg load(const std::uint64_t* from) { return _mm_loadu_si128(reinterpret_cast<const Reg*>(from)); }
    static Reg loadWide(const std::uint32_t* from) {
        return _mm_cvtepu32_epi64(_mm_loadl_epi64(reinterpret_cast<const Reg*>(from)));
    }
    static void store(std::uint64_t* to, Reg x) { _mm_storeu_si128(reinterpret_cast<Reg*>(to), x); }
    static Reg set(std::uint64_t x) { return _mm_set1_epi64x(static_cast<long long>(x)); }
    static Reg indices() { return _mm_set_epi64x(1, 0); }
    static Reg add(Reg a, Reg b) { return _mm_add_epi64(a, b); }
    static Reg bitXor(Reg a, Reg b) { return _mm_xor_si128(a, b); }
    template<int Bits> static Reg shiftRight(Reg x) { return _mm_srli_epi64(x, Bits); }
    static Reg multiply(Reg x, std::uint64_t c) { // as in the AVX2 kernel
        const Reg low = _mm_mul_epu32(x, set(c));
        const Reg cross = _mm_mullo_epi32(x, set((c << 32) | (c >> 32)));
        const Reg sum = _mm_add_epi32(cross, _mm_slli_epi64(cross, 32));
        return _mm_add_epi32(low, _mm_and_si128(sum, set(0xFFFFFFFF00000000ull)));
    }
    static Reg multiplyLow32(Reg a, Reg b) { return _mm_mul_epu32(a, b); }
    static Reg greater(Reg a, Reg b) { return _mm_cmpgt_epi64(a, b); }
    static Reg pick(Reg mask, Reg a, Reg b) { return _mm_blendv_epi8(b, a, mask); }
    static std::size_t winner(Reg valuesA, Reg indicesA, Reg valuesB, Reg indicesB) {
        return winnerByLanes<Sse42>(valuesA, indicesA, valuesB, indicesB);
    }
    static std::size_t count(Reg mask) {
        return static_cast<std::size_t>(
            __builtin_popcount(static_cast<unsigned>(_mm_movemask_pd(_mm_castsi128_pd(mask)))));
    }
};

} // namespace

RendezvousKernel sse42RendezvousKernel() {
    return SimdLoops<Sse42>::kernel("sse4.2");
}

} // namespace fremis::hashing

#endif
