#pragma once

#include "shared/base/hex.h"

namespace fremis::hashing {

using base::hexText;

/// The hexadecimal digits of a word, most significant first: 16 of them.
[[nodiscard]] inline std::string hexText(std::uint64_t word) {
    std::uint8_t bytes[8];
    for (int i = 0; i < 8; ++i)
        bytes[i] = static_cast<std::uint8_t>(word >> (56 - 8 * i));
    return hexText(bytes);
}

} // namespace fremis::hashing
