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
    return {"scalar", &ScalarLoops::best, &ScalarLoops::bounds, &ScalarLoops::countAtMost};
}

std::span<const RendezvousKernel> rendezvousKernels() {
    static const Kernels kernels = findKernels();
    return std::span(kernels.list).first(kernels.count);
}

const RendezvousKernel& rendezvousKernel() {
    static const RendezvousKernel& fastest = rendezvousKernels().back();
    return fastest;
}

} // namespace fremis::hashing
