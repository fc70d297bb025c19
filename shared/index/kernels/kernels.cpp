#include "shared/index/kernels/kernels.h"

namespace fremis::index {

bool cpuHasAvx2() {
    return __builtin_cpu_supports("avx2") != 0;
}

bool cpuHasAvx512Vnni() {
    // The compiler's run-time support also asks whether the operating system saves the registers.
    return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
           __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0 &&
           __builtin_cpu_supports("avx512vnni") != 0;
}

const Kernels& bestKernels() {
    static const Kernels& best = cpuHasAvx512Vnni() ? avx512Kernels()
                                 : cpuHasAvx2()     ? avx2Kernels()
                                                    : baselineKernels();
    return best;
}

} // namespace fremis::index
