#include "shared/base/ids.h"

#include <charconv>

namespace fremis::base {

namespace {

struct Decoded {
    char32_t rune;
    std::size_t length; // 0 = malformed
};

// RFC 3629, table of section 4: the second byte's range depends on the first.
Decoded decodeOne(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(0);
    if (first < 0x80)
        return {first, 1};
    const std::size_t length = first >= 0xC2 && first <= 0xDF   ? 2
                               : (first & 0xF0) == 0xE0         ? 3
                               : first >= 0xF0 && first <= 0xF4 ? 4
                                                                : 0;
    if (length == 0 || text.size() < length)
        return {0, 0};
    char32_t rune = first & (0xFFu >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0) != 0x80)
            return {0, 0};
        rune = (rune << 6) | (byte(i) & 0x3Fu);
    }
    const bool overlong = (length == 3 && rune < 0x800) || (length == 4 && rune < 0x10000);
    if (overlong || (rune >= 0xD800 && rune <= 0xDFFF) || rune > 0x10FFFF)
        return {0, 0};
    return {rune, length};
}

bool isRefused(char32_t rune) {
    return rune < 0x20 || (rune >= 0x7F && rune <= 0x9F) || rune == 0x2028 || rune == 0x2029 ||
           (rune >= 0x202A && rune <= 0x202E) || (rune >= 0x2066 && rune <= 0x2069) || rune == 0xFEFF;
}

// The rule that face ids and keyspace names share; returns the first thing wrong, or an empty text.
std::string problemOf(std::string_view text, std::size_t maxBytes) {
    if (text.empty())
        return "is empty";
    if (text.size() > maxBytes)
        return "is longer than " + std::to_string(maxBytes) + " bytes";
    if (text.front() == ' ' || text.back() == ' ')
        return "has a space at an end";
    for (std::size_t at = 0; at < text.size();) {
        const Decoded one = decodeOne(text.substr(at));
        if (one.length == 0)
            return "is not UTF-8";
        if (isRefused(one.rune))
            return "has a control or direction character";
        at += one.length;
    }
    return {};
}

} // namespace

bool isUtf8(std::string_view text) {
    while (!text.empty()) {
        const Decoded one = decodeOne(text);
        if (one.length == 0)
            return false;
        text.remove_prefix(one.length);
    }
    return true;
}

Result<FaceId> FaceId::parse(std::string_view text) {
    if (const auto problem = problemOf(text, 255); !problem.empty())
        return fail(Reason::InvalidFaceId, "the face_id " + problem);
    return FaceId(std::string(text));
}

Result<KeyspaceName> KeyspaceName::parse(std::string_view text) {
    if (const auto problem = problemOf(text, 128); !problem.empty())
        return fail(Reason::InvalidKeyspace, "the keyspace " + problem);
    if (text == "." || text == ".." || text.find_first_of("/\\") != std::string_view::npos)
        return fail(Reason::InvalidKeyspace, "the keyspace has a slash, or is a dot name");
    return KeyspaceName(std::string(text));
}

Result<Variation> Variation::parse(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool leadingZero = text.size() > 1 && text.front() == '0';
    if (text.empty() || error != std::errc() || end != text.data() + text.size() || leadingZero)
        return fail(Reason::InvalidVariations, "a variation is not an unsigned 64-bit decimal");
    return Variation(value);
}

bool isJsonInteger(std::string_view token) {
    if (token.starts_with('-'))
        token.remove_prefix(1);
    if (token.empty() || (token.size() > 1 && token.front() == '0'))
        return false;
    return token.find_first_not_of("0123456789") == std::string_view::npos;
}

} // namespace fremis::base
