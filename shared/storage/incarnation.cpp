#include "shared/storage/operation.h"

#include <openssl/sha.h>

namespace fremis::storage {
namespace {

/// Crockford's base 32: no I, L, O, U.
constexpr std::string_view kBase32Digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
constexpr std::size_t kLength = 26;

void appendBigEndian(std::string& text, std::uint64_t value) {
    for (int shift = 56; shift >= 0; shift -= 8)
        text += static_cast<char>(value >> shift & 0xff);
}

} // namespace

std::string deriveIncarnation(const base::KeyspaceName& name, base::Version lastDrop) {
    std::string input = "fremis-incarnation-1\n";
    appendBigEndian(input, lastDrop.stamp);
    appendBigEndian(input, lastDrop.writer);
    input += name.text();
    std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
    SHA256(reinterpret_cast<const unsigned char*>(input.data()), input.size(), digest.data());
    std::string text;
    unsigned bits = 0;
    unsigned count = 0;
    for (std::size_t i = 0; text.size() < kLength; ++i) {
        bits = bits << 8 | digest[i];
        for (count += 8; count >= 5 && text.size() < kLength; count -= 5)
            text += kBase32Digits[bits >> (count - 5) & 31];
        bits &= (1U << count) - 1;
    }
    return text;
}

} // namespace fremis::storage
