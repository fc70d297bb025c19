#include "shared/hashing/rendezvous_kernels.h"

#include "shared/hashing/rendezvous_simd.h"

#include <array>

namespace fremis::hashing {

namespace {

struct Kernels {
    std::array<RendezvousKernel, 4> list;
    std::size_t count = 0;
};

Kernels findKernels() {
    Kernels found;
    const auto offer = [&](const RendezvousKernel& kernel) { found.list[found.count++] = kernel; };
    offer(scalarRendezvousKernel());
#if defined(FREMIS_X86_KERNELS)
    if (__builtin_cpu_supports("sse4.2"))
        offer(sse42RendezvousKernel());
    if (__builtin_cpu_supports("avx2"))
        offer(avx2RendezvousKernel());
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
        offer(avx512RendezvousKernel());
#endif
    return found;
}

} // namespace

RendezvousKernel scalarRendezvousKernel() {
    return {"scalar", &ScalarLoops::best, &contendersBy<ScalarLoops>};
}

std::span<const RendezvousKernel> rendezvousKernels() {
    static const Kernels kernels = findKernels();
    return std::span(kernels.list).first(kernels.count);
}

const RendezvousKernel& rendezvousKernel() {
    // Two lanes do not make up for a 64-bit product in pieces: the CPU's own multiplier is faster than SSE.
    static const RendezvousKernel& fastest =
        rendezvousKernels().back().name == "sse4.2" ? rendezvousKernels().front() : rendezvousKernels().back();
    return fastest;
}

} // namespace fremis::hashing
