#include "shared/wire/base64.h"

#include "shared/wire/base64_bulk.h"

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

std::string withoutLineBreaks(std::string_view text) {
    std::string clean;
    clean.reserve(text.size());
    while (!text.empty()) {
        const auto line = text.substr(0, text.find('\n'));
        clean += line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
        text.remove_prefix(std::min(line.size() + 1, text.size()));
    }
    if (clean.find('\r') != std::string::npos)
        std::erase(clean, '\r');
    return clean;
}

std::string inStandardAlphabet(std::string_view text) {
    std::string standard(text);
    std::replace(standard.begin(), standard.end(), '-', '+');
    std::replace(standard.begin(), standard.end(), '_', '/');
    return standard;
}

// Takes the padding off. Padding that is there must be right: together with it the length is a multiple of 4.
bool removePadding(std::string_view& text) {
    const std::size_t length = text.size();
    while (!text.empty() && text.back() == '=' && length - text.size() < 2)
        text.remove_suffix(1);
    return (text.size() == length || length % 4 == 0) && text.size() % 4 != 1;
}

// The last 2 or 3 characters, whose padding is gone or never was.
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

// Text without padding, in the standard alphabet only. OpenSSL skips blanks before the text and blanks, '=' and '-'
// after it, and reads an '=' inside as zero bits; so the ends and '=' are looked at here.
bool decodeStandard(std::string_view text, std::uint8_t* out) {
    const std::size_t tail = text.size() % 4;
    const std::size_t whole = text.size() - tail;
    if (whole > 0) {
        if (!isAlphabet(text[0]) || !isAlphabet(text[whole - 1]) || std::memchr(text.data(), '=', whole) != nullptr)
            return false;
        const int decoded =
            EVP_DecodeBlock(out, reinterpret_cast<const unsigned char*>(text.data()), static_cast<int>(whole));
        if (decoded < 0 || static_cast<std::size_t>(decoded) != whole / 4 * 3)
            return false;
    }
    return tail == 0 || decodeTail(text.substr(whole), out + whole / 4 * 3);
}

// Appends to the first `written` bytes of `out` and takes what it has decoded off `text`: all of it, or after a failure
// the part before the first character that it cannot read. `out` only grows here, so that a buffer in use again is not
// cleared each time.
bool decodeOnto(Bytes& out, std::size_t& written, std::string_view& text) {
    out.resize(std::max(out.size(), written + text.size() / 4 * 3 + 3));
    const std::size_t taken = decodeBase64Bulk(text, out.data() + written);
    written += taken / 4 * 3;
    text.remove_prefix(taken);
    std::string_view rest = text;
    if (!removePadding(rest) || (!decodeStandard(rest, out.data() + written) &&
                                 !decodeStandard(inStandardAlphabet(rest), out.data() + written)))
        return false;
    written += rest.size() * 3 / 4;
    return true;
}

} // namespace

base::Status decodeBase64(std::string_view text, Bytes& out) {
    text = withoutDataPrefix(text);
    while (!text.empty() && isLineBreak(text.back()))
        text.remove_suffix(1);
    if (text.size() > std::numeric_limits<int>::max() / 2)
        return notBase64("too long");
    std::size_t written = 0;
    bool decoded = decodeOnto(out, written, text);
    if (!decoded && text.find_first_of("\r\n") != std::string_view::npos) { // of the rest: what is decoded stays
        const std::string clean = withoutLineBreaks(text);
        text = clean;
        decoded = decodeOnto(out, written, text);
    }
    out.resize(written);
    return decoded ? base::Status() : notBase64("a character, the length or the padding is wrong");
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
