#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace fremis::base {

inline constexpr std::string_view kHexDigits = "0123456789abcdef";

/// Lower-case hexadecimal, two digits a byte.
[[nodiscard]] inline std::string hexText(std::span<const std::uint8_t> bytes) {
    std::string text;
    text.reserve(bytes.size() * 2);
    for (const std::uint8_t byte : bytes) {
        text.push_back(kHexDigits[byte >> 4]);
        text.push_back(kHexDigits[byte & 15]);
    }
    return text;
}

/// The N bytes that `text` names in exactly 2 N lower-case hexadecimal digits.
template<std::size_t N> [[nodiscard]] std::optional<std::array<std::uint8_t, N>> bytesOfHex(std::string_view text) {
    std::array<std::uint8_t, N> bytes{};
    if (text.size() != 2 * N)
        return std::nullopt;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto digit = kHexDigits.find(text[i]);
        if (digit == std::string_view::npos)
            return std::nullopt;
        bytes[i / 2] = static_cast<std::uint8_t>(bytes[i / 2] << 4 | digit);
    }
    return bytes;
}

} // namespace fremis::base
