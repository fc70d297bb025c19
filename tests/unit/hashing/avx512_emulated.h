#pragma once

#include "shared/hashing/rendezvous_kernels.h"

namespace fremis::hashing::test {

/// The AVX-512 kernel over an emulation of its instructions, so that a CPU without them can test it.
[[nodiscard]] RendezvousKernel emulatedAvx512Kernel();

} // namespace fremis::hashing::test
