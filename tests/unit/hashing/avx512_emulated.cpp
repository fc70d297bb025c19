#define SIMDE_ENABLE_NATIVE_ALIASES
// The intrinsics come first.
// clang-format off
#include <simde/x86/avx512.h>

#include "shared/hashing/rendezvous_avx512.h"
#include "tests/unit/hashing/avx512_emulated.h"
// clang-format on

namespace fremis::hashing::test {

RendezvousKernel emulatedAvx512Kernel() {
    return SimdLoops<Avx512>::kernel("avx512 emulated");
}

} // namespace fremis::hashing::test
