#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace fremis::hashing {

/// The inner loops of rendezvous hashing for one instruction set. All kernels give the same answers. Internal to this
/// folder.
struct RendezvousKernel {
    std::string_view name; ///< "scalar", "sse4.2", "avx2", "avx512"
    /// Index of the largest mix64(key ^ ids[i]); of equal ones the first. n >= 1.
    std::size_t (*best)(const std::uint64_t* ids, std::size_t n, std::uint64_t key);
    /// out[i] = (~mix64(key ^ ids[i]) >> 32) * factors[i], factors at most 2^31; returns the index of the least. n
    /// >= 1.
    std::size_t (*bounds)(const std::uint64_t* ids, const std::uint64_t* factors, std::size_t n, std::uint64_t key,
                          std::uint64_t* out);
    /// How many of the values, each below 2^63, are at most `limit`.
    std::size_t (*countAtMost)(const std::uint64_t* values, std::size_t n, std::uint64_t limit);
};

/// The kernels that this CPU and this build can run, slowest first; the first is "scalar".
[[nodiscard]] std::span<const RendezvousKernel> rendezvousKernels();
/// The last of them.
[[nodiscard]] const RendezvousKernel& rendezvousKernel();

// Defined where the build has the instruction set; callable where the CPU has it.
[[nodiscard]] RendezvousKernel scalarRendezvousKernel();
[[nodiscard]] RendezvousKernel sse42RendezvousKernel();
[[nodiscard]] RendezvousKernel avx2RendezvousKernel();
[[nodiscard]] RendezvousKernel avx512RendezvousKernel();

} // namespace fremis::hashing
