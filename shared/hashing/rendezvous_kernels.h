#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace fremis::hashing {

/// mix64(key xor id) begins with x ^ (x >> 30). That is linear over xor, so it is done beforehand for each id, which
/// makes the id's seed, and once for a key.
[[nodiscard]] constexpr std::uint64_t rendezvousSeed(std::uint64_t hash) {
    return hash ^ (hash >> 30);
}

/// Up to kBlock nodes of weighted rendezvous, an array of each property.
struct WeightedNodes {
    static constexpr std::size_t kBlock = 512; // what fits a lookup's stack
    const std::uint64_t* seeds;
    const std::uint32_t* weights; ///< in hundredths
    const std::uint32_t* factors; ///< floor(2^31 / weight)
    const float* inverses;        ///< 1 / weight
    std::size_t size;             ///< at least 1
    std::uint32_t lightest;       ///< the least weight, or less
    std::uint32_t heaviest;       ///< the greatest weight, or more
};

/// The inner loops of rendezvous hashing for one instruction set. All kernels lead to the same owners. Internal to this
/// folder.
struct RendezvousKernel {
    std::string_view name; ///< "scalar", "sse4.2", "avx2", "avx512"
    /// Index of the largest mix64 of seeds[i] xor the key's seed; of equal ones the first. n >= 1.
    std::size_t (*best)(const std::uint64_t* seeds, std::size_t n, std::uint64_t key);
    /// The nodes that may have the least -log2(u) / w: all others are proved to have more. Writes their indices,
    /// rising, and returns how many there are. `out` holds nodes.size.
    std::size_t (*contenders)(const WeightedNodes& nodes, std::uint64_t key, std::uint32_t* out);
};

/// The kernels that this CPU and this build can run; the first is "scalar".
[[nodiscard]] std::span<const RendezvousKernel> rendezvousKernels();
/// The fastest of them.
[[nodiscard]] const RendezvousKernel& rendezvousKernel();

// Defined where the build has the instruction set; callable where the CPU has it.
[[nodiscard]] RendezvousKernel scalarRendezvousKernel();
[[nodiscard]] RendezvousKernel sse42RendezvousKernel();
[[nodiscard]] RendezvousKernel avx2RendezvousKernel();
[[nodiscard]] RendezvousKernel avx512RendezvousKernel();

} // namespace fremis::hashing
