// Compiled with -mavx2.
#if defined(__AVX2__)

#include "shared/hashing/rendezvous_simd.h"

#include <immintrin.h>

namespace fremis::hashing {

namespace {

struct Avx2 {
    using Reg = __m256i;
    static constexpr std::size_t kLanes = 4;
    static Reg load(const std::uint64_t* from) { return _mm256_loadu_si256(reinterpret_cast<const Reg*>(from)); }
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
    static std::size_t count(Reg mask) {
        return static_cast<std::size_t>(
            __builtin_popcount(static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(mask)))));
    }
};

} // namespace

RendezvousKernel avx2RendezvousKernel() {
    return SimdLoops<Avx2>::kernel("avx2");
}

} // namespace fremis::hashing

#endif
