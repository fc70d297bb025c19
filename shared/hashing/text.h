#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace fremis::hashing {

/// Lower-case hexadecimal, two digits a byte.
[[nodiscard]] inline std::string hexText(std::span<const std::uint8_t> bytes) {
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string text;
    text.reserve(bytes.size() * 2);
    for (const std::uint8_t byte : bytes) {
        text.push_back(kDigits[byte >> 4]);
        text.push_back(kDigits[byte & 15]);
    }
    return text;
}

/// The same of a word, most significant digit first: 16 digits.
[[nodiscard]] inline std::string hexText(std::uint64_t word) {
    std::uint8_t bytes[8];
    for (int i = 0; i < 8; ++i)
        bytes[i] = static_cast<std::uint8_t>(word >> (56 - 8 * i));
    return hexText(bytes);
}

} // namespace fremis::hashing
