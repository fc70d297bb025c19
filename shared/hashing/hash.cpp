#include "shared/hashing/hash.h"

#include "shared/hashing/sha1_block.h"

#include <openssl/evp.h>

#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace fremis::hashing {

namespace {

// Fetching an algorithm costs four times as much as hashing a short key, so each thread fetches once and keeps its
// context.
// "-fips": placement is no cryptography, so a FIPS default must not take SHA-1 or MD5 away.
template<std::size_t Bytes> class Evp {
public:
    explicit Evp(const char* name) : m_algorithm(EVP_MD_fetch(nullptr, name, "-fips")), m_context(EVP_MD_CTX_new()) {
        if (!m_algorithm || !m_context || EVP_MD_get_size(m_algorithm.get()) != static_cast<int>(Bytes))
            die(name);
    }
    Evp(const Evp&) = delete;
    Evp& operator=(const Evp&) = delete;
    [[nodiscard]] std::array<std::uint8_t, Bytes> of(std::string_view bytes) {
        std::array<std::uint8_t, Bytes> digest{};
        const bool ok = EVP_DigestInit_ex2(m_context.get(), m_algorithm.get(), nullptr) == 1 &&
                        EVP_DigestUpdate(m_context.get(), bytes.data(), bytes.size()) == 1 &&
                        EVP_DigestFinal_ex(m_context.get(), digest.data(), nullptr) == 1;
        if (!ok)
            die("digest");
        return digest;
    }

private:
    // A wrong position would put a face on a wrong node: no answer is better.
    [[noreturn]] static void die(const char* what) {
        std::fprintf(stderr, "hashing: OpenSSL cannot compute %s\n", what);
        std::abort();
    }
    struct Free {
        void operator()(EVP_MD* algorithm) const { EVP_MD_free(algorithm); }
        void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
    };
    std::unique_ptr<EVP_MD, Free> m_algorithm;
    std::unique_ptr<EVP_MD_CTX, Free> m_context;
};

constexpr std::uint64_t bigEndian64(const std::uint8_t* bytes) {
    std::uint64_t value = 0;
    for (int i = 0; i < 8; ++i)
        value = (value << 8) | bytes[i];
    return value;
}

constexpr std::uint64_t firstEight(const Sha1Words& words) {
    return (std::uint64_t{words[0]} << 32) | words[1];
}

std::uint64_t md5First(std::string_view bytes) {
    return bigEndian64(md5(bytes).data());
}

constexpr std::uint64_t kPrime1 = 0x9E3779B185EBCA87ull;
constexpr std::uint64_t kPrime2 = 0xC2B2AE3D27D4EB4Full;
constexpr std::uint64_t kPrime3 = 0x165667B19E3779F9ull;
constexpr std::uint64_t kPrime4 = 0x85EBCA77C2B2AE63ull;
constexpr std::uint64_t kPrime5 = 0x27D4EB2F165667C5ull;

template<class Word> std::uint64_t littleEndian(const char* bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < sizeof(Word); ++i)
        value |= std::uint64_t{static_cast<std::uint8_t>(bytes[i])} << (8 * i);
    return value;
}

constexpr std::uint64_t xxhRound(std::uint64_t lane, std::uint64_t input) {
    return std::rotl(lane + input * kPrime2, 31) * kPrime1;
}

// Step 2 and 3 of the specification: four lanes over stripes of 32 bytes, then their merge.
std::uint64_t xxhStripes(std::string_view& bytes) {
    std::array<std::uint64_t, 4> lanes{kPrime1 + kPrime2, kPrime2, 0, 0 - kPrime1};
    while (bytes.size() >= 32) {
        for (std::size_t i = 0; i < 4; ++i)
            lanes[i] = xxhRound(lanes[i], littleEndian<std::uint64_t>(bytes.data() + 8 * i));
        bytes.remove_prefix(32);
    }
    std::uint64_t hash =
        std::rotl(lanes[0], 1) + std::rotl(lanes[1], 7) + std::rotl(lanes[2], 12) + std::rotl(lanes[3], 18);
    for (const std::uint64_t lane : lanes)
        hash = (hash ^ xxhRound(0, lane)) * kPrime1 + kPrime4;
    return hash;
}

// Step 5: what is left after the stripes.
std::uint64_t xxhTail(std::uint64_t hash, std::string_view bytes) {
    for (; bytes.size() >= 8; bytes.remove_prefix(8))
        hash = std::rotl(hash ^ xxhRound(0, littleEndian<std::uint64_t>(bytes.data())), 27) * kPrime1 + kPrime4;
    if (bytes.size() >= 4) {
        hash = std::rotl(hash ^ (littleEndian<std::uint32_t>(bytes.data()) * kPrime1), 23) * kPrime2 + kPrime3;
        bytes.remove_prefix(4);
    }
    for (const char byte : bytes)
        hash = std::rotl(hash ^ (std::uint64_t{static_cast<std::uint8_t>(byte)} * kPrime5), 11) * kPrime1;
    return hash;
}

constexpr KeyHash kSha1{"sha1", &h64};
constexpr KeyHash kMd5{"md5", &md5First};
constexpr KeyHash kXxh64{"xxh64", &xxh64};

} // namespace

Sha1Digest sha1(std::string_view bytes) {
    if (bytes.size() > kSha1ShortBytes || !hasSha1Instructions()) {
        thread_local Evp<20> evp("SHA1");
        return evp.of(bytes);
    }
    Sha1Digest digest;
    const Sha1Words words = sha1Short(bytes);
    for (std::size_t i = 0; i < digest.size(); ++i)
        digest[i] = static_cast<std::uint8_t>(words[i / 4] >> (24 - 8 * (i % 4)));
    return digest;
}

Md5Digest md5(std::string_view bytes) {
    thread_local Evp<16> evp("MD5");
    return evp.of(bytes);
}

Sha256Digest sha256(std::string_view bytes) {
    thread_local Evp<32> evp("SHA256");
    return evp.of(bytes);
}

std::uint64_t h64(std::string_view bytes) {
    if (bytes.size() <= kSha1ShortBytes && hasSha1Instructions())
        return firstEight(sha1Short(bytes));
    return bigEndian64(sha1(bytes).data());
}

void h64Batch(std::span<const std::string_view> texts, std::span<std::uint64_t> out) {
    std::size_t i = 0;
    if (hasSha1Instructions()) {
        for (; i + 1 < texts.size() && texts[i].size() <= kSha1ShortBytes && texts[i + 1].size() <= kSha1ShortBytes;
             i += 2) {
            const auto pair = sha1ShortPair(texts[i], texts[i + 1]);
            out[i] = firstEight(pair[0]);
            out[i + 1] = firstEight(pair[1]);
        }
    }
    for (; i < texts.size(); ++i)
        out[i] = h64(texts[i]);
}

std::uint64_t xxh64(std::string_view bytes) {
    const std::uint64_t length = bytes.size();
    std::uint64_t hash = bytes.size() >= 32 ? xxhStripes(bytes) : kPrime5;
    hash = xxhTail(hash + length, bytes);
    hash = (hash ^ (hash >> 33)) * kPrime2;
    hash = (hash ^ (hash >> 29)) * kPrime3;
    return hash ^ (hash >> 32);
}

const KeyHash& sha1KeyHash() {
    return kSha1;
}
const KeyHash& md5KeyHash() {
    return kMd5;
}
const KeyHash& xxh64KeyHash() {
    return kXxh64;
}

const KeyHash* keyHashByName(std::string_view name) {
    for (const KeyHash* hash : {&kSha1, &kMd5, &kXxh64})
        if (hash->name == name)
            return hash;
    return nullptr;
}

} // namespace fremis::hashing
