#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace fremis::hashing {

using Sha1Digest = std::array<std::uint8_t, 20>;
using Md5Digest = std::array<std::uint8_t, 16>;
using Sha256Digest = std::array<std::uint8_t, 32>;

/// SHA-1 (FIPS 180-4). Used to spread keys, never to protect anything. Thread: any.
[[nodiscard]] Sha1Digest sha1(std::string_view bytes);
/// MD5 (RFC 1321), for the lessons of `ring demo` and for rings that must agree with existing MD5 ones.
[[nodiscard]] Md5Digest md5(std::string_view bytes);
[[nodiscard]] Sha256Digest sha256(std::string_view bytes);

/// First 8 bytes of SHA-1, big-endian: the position of a key or a point in every scheme here. partition = (h64 >> 32) &
/// 255.
[[nodiscard]] std::uint64_t h64(std::string_view bytes);
/// h64 of each text, faster than one by one (two hashes share the CPU's SHA unit). `out` is as long as `texts`.
void h64Batch(std::span<const std::string_view> texts, std::span<std::uint64_t> out);

/// XXH64 with seed 0 (Collet's specification of xxHash, "XXH64 algorithm description"): quick, not cryptographic.
[[nodiscard]] std::uint64_t xxh64(std::string_view bytes);

/// The finaliser of splitmix64 / MurmurHash3 variant 13: a bijection of 64-bit words.
[[nodiscard]] constexpr std::uint64_t mix64(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

/// A named 64-bit hash. The name travels in serialised maps; two maps agree only if their hashes do.
struct KeyHash {
    std::string_view name;
    std::uint64_t (*of)(std::string_view bytes);
};
[[nodiscard]] const KeyHash& sha1KeyHash();  ///< "sha1", h64: the default
[[nodiscard]] const KeyHash& md5KeyHash();   ///< "md5": first 8 bytes, big-endian
[[nodiscard]] const KeyHash& xxh64KeyHash(); ///< "xxh64"
/// The hash of that name, or nullptr.
[[nodiscard]] const KeyHash* keyHashByName(std::string_view name);

} // namespace fremis::hashing
