// The source of the AVX-512 kernels itself, with each intrinsic translated by SIMDe (github.com/simd-everywhere/simde)
// into what the compiler's baseline has: the same code runs, and is compared, on machines without AVX-512.
#include <immintrin.h> // the real names first: SIMDe then takes them over with macros

#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/x86/avx2.h>
#include <simde/x86/avx512.h>

#define avx512Kernels emulatedAvx512Kernels
#include "shared/index/kernels/kernels_avx512.cpp"
