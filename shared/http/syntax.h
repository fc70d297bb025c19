#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace fremis::http {

// The character classes and small productions of RFC 9110 section 5.6 and RFC 9112 that the reader compares with.

[[nodiscard]] constexpr bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

[[nodiscard]] constexpr bool isAlpha(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Letters, digits and `others`, as a table: these tests run over every byte of a head.
[[nodiscard]] constexpr std::array<bool, 256> alphanumericsAnd(std::string_view others) {
    std::array<bool, 256> table{};
    for (std::size_t byte = 0; byte < table.size(); ++byte) {
        const char c = static_cast<char>(byte);
        table[byte] = isAlpha(c) || isDigit(c) || others.find(c) != std::string_view::npos;
    }
    return table;
}
inline constexpr std::array<bool, 256> kTokenChars = alphanumericsAnd("!#$%&'*+-.^_`|~");
inline constexpr std::array<bool, 256> kHostChars = alphanumericsAnd("-._~%!$&'()*+,;=:[]");

/// tchar
[[nodiscard]] constexpr bool isTokenChar(char c) {
    return kTokenChars[static_cast<unsigned char>(c)];
}

[[nodiscard]] constexpr bool isToken(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), isTokenChar);
}

[[nodiscard]] constexpr bool isVisibleAscii(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return c > 0x20 && c < 0x7f; });
}

/// field-content and blanks: no control byte but HTAB; bytes from 0x80 on are let through.
[[nodiscard]] constexpr bool isFieldValue(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return (byte >= 0x20 && byte != 0x7f) || c == '\t';
    });
}

/// uri-host [":" port] by its characters; empty is allowed (RFC 9110 section 7.2).
[[nodiscard]] constexpr bool isHostValue(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return kHostChars[static_cast<unsigned char>(c)]; });
}

/// Without the blanks (SP, HTAB) at both ends.
[[nodiscard]] constexpr std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
        text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t'))
        text.remove_suffix(1);
    return text;
}

/// The value of a hex digit, or -1.
[[nodiscard]] constexpr int hexDigit(char c) {
    if (isDigit(c))
        return c - '0';
    const char lower = static_cast<char>(c | 0x20);
    return isAlpha(c) && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/// Calls `take` with each non-empty member of a comma-separated list, trimmed.
template<class Take> constexpr void forEachListItem(std::string_view list, Take take) {
    while (!list.empty()) {
        const std::string_view item = list.substr(0, list.find(','));
        list.remove_prefix(std::min(list.size(), item.size() + 1));
        if (const std::string_view inner = trimmed(item); !inner.empty())
            take(inner);
    }
}

} // namespace fremis::http
