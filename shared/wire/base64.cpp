#include "shared/wire/base64.h"

#include <openssl/evp.h>

#include <algorithm>
#include <cstring>
#include <limits>

namespace fremis::wire {

namespace {

constexpr std::string_view kNotBase64 = "the image is not base64";

base::Status notBase64(std::string detail) {
    return base::fail(base::Reason::ImageNotBase64, std::string(kNotBase64), std::move(detail));
}

bool startsWithNoCase(std::string_view text, std::string_view lower) {
    return text.size() >= lower.size() &&
           std::equal(lower.begin(), lower.end(), text.begin(), [](char wanted, char given) {
               return wanted == (given >= 'A' && given <= 'Z' ? static_cast<char>(given + 32) : given);
           });
}

// A data URL (RFC 2397) of an image; anything else is returned as it stands and fails later for its colon.
std::string_view withoutDataPrefix(std::string_view text) {
    constexpr std::size_t kLongestPrefix = 256;
    if (!startsWithNoCase(text, "data:image/"))
        return text;
    const auto comma = text.substr(0, kLongestPrefix).find(',');
    if (comma == std::string_view::npos || comma < 7 || !startsWithNoCase(text.substr(comma - 7), ";base64,"))
        return text;
    return text.substr(comma + 1);
}

bool isLineBreak(char c) {
    return c == '\n' || c == '\r';
}

bool isAlphabet(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '/';
}

// Decodes the last 2 or 3 characters, whose padding is gone or never was.
bool decodeTail(std::string_view tail, std::uint8_t* out) {
    if (!std::all_of(tail.begin(), tail.end(), isAlphabet))
        return false;
    unsigned char quad[4] = {'A', 'A', 'A', 'A'};
    std::memcpy(quad, tail.data(), tail.size());
    unsigned char bytes[3];
    if (EVP_DecodeBlock(bytes, quad, 4) != 3)
        return false;
    std::memcpy(out, bytes, tail.size() - 1);
    return true;
}

// `text`: without padding. OpenSSL skips blanks before the text and blanks, '=' and '-' after it, and reads an '='
// inside as zero bits; so the ends and '=' are looked at here. False when a character is not of the standard alphabet.
bool decodeStandard(std::string_view text, Bytes& out) {
    const std::size_t tail = text.size() % 4;
    const std::size_t whole = text.size() - tail;
    out.resize(whole / 4 * 3 + (tail == 0 ? 0 : tail - 1));
    if (whole > 0) {
        if (!isAlphabet(text[0]) || !isAlphabet(text[whole - 1]) || std::memchr(text.data(), '=', whole) != nullptr)
            return false;
        const int decoded =
            EVP_DecodeBlock(out.data(), reinterpret_cast<const unsigned char*>(text.data()), static_cast<int>(whole));
        if (decoded < 0 || static_cast<std::size_t>(decoded) != whole / 4 * 3)
            return false;
    }
    return tail == 0 || decodeTail(text.substr(whole), out.data() + whole / 4 * 3);
}

// Without line breaks and in the standard alphabet.
std::string normalised(std::string_view text) {
    std::string clean;
    clean.reserve(text.size());
    while (!text.empty()) {
        const auto line = text.substr(0, text.find_first_of("\r\n"));
        clean += line;
        text.remove_prefix(line.size());
        while (!text.empty() && isLineBreak(text.front()))
            text.remove_prefix(1);
    }
    std::replace(clean.begin(), clean.end(), '-', '+');
    std::replace(clean.begin(), clean.end(), '_', '/');
    return clean;
}

// Takes the padding off. Padding that is there must be right: together with it the length is a multiple of 4.
bool removePadding(std::string_view& text) {
    const std::size_t length = text.size();
    while (!text.empty() && text.back() == '=' && length - text.size() < 2)
        text.remove_suffix(1);
    return (text.size() == length || length % 4 == 0) && text.size() % 4 != 1;
}

} // namespace

base::Status decodeBase64(std::string_view text, Bytes& out) {
    text = withoutDataPrefix(text);
    if (text.size() > std::numeric_limits<int>::max() / 2)
        return notBase64("too long");
    std::string_view unpadded = text;
    if (removePadding(unpadded) && decodeStandard(unpadded, out))
        return {};
    const std::string clean = normalised(text);
    unpadded = clean;
    if (!removePadding(unpadded))
        return notBase64("wrong length or padding");
    if (!decodeStandard(unpadded, out))
        return notBase64("a character is not of the alphabet");
    return {};
}

base::Result<Bytes> decodeBase64(std::string_view text) {
    Bytes bytes;
    if (auto status = decodeBase64(text, bytes); !status)
        return tl::unexpected(std::move(status.error()));
    return bytes;
}

std::string encodeBase64(std::span<const std::uint8_t> bytes) {
    // OpenSSL counts in int; slices of a multiple of 3 bytes join without padding between them.
    constexpr std::size_t kSlice = 3u << 20;
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4 + 1);
    while (!bytes.empty()) {
        const auto slice = bytes.first(std::min(bytes.size(), kSlice));
        const std::size_t before = text.size();
        const std::size_t added = (slice.size() + 2) / 3 * 4;
        text.resize(before + added + 1); // OpenSSL ends its text with a NUL
        EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data() + before), slice.data(),
                        static_cast<int>(slice.size()));
        text.resize(before + added);
        bytes = bytes.subspan(slice.size());
    }
    return text;
}

} // namespace fremis::wire
