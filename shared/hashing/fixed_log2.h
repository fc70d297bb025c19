#pragma once

#include <cstdint>

namespace fremis::hashing {

/// -log2 of a score read as a fraction: u = (2 * (score >> 8) + 1) / 2^57, which is in (0, 1). In units of 2^-58, error
/// below 2 units; 0 < result < 2^64. Integers only, so every platform agrees, and strictly falling in score >> 8:
/// neighbouring values of u are at least 5 units apart. Thread: any.
[[nodiscard]] std::uint64_t negativeLog2(std::uint64_t score) noexcept;

} // namespace fremis::hashing
