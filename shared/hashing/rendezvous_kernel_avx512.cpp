// Compiled with -mavx512f -mavx512dq.
#if defined(__AVX512F__) && defined(__AVX512DQ__)

// The intrinsics come first.
// clang-format off
#include <immintrin.h>

#include "shared/hashing/rendezvous_avx512.h"
// clang-format on

namespace fremis::hashing {

RendezvousKernel avx512RendezvousKernel() {
    return SimdLoops<Avx512>::kernel("avx512");
}

} // namespace fremis::hashing

#endif
