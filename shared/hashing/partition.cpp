#include "shared/hashing/partition.h"

#include <openssl/evp.h>

#include <array>
#include <memory>

namespace fremis::hashing {

namespace {

// Fetching the algorithm costs four times as much as hashing a short key, so each thread fetches once and keeps its context.
class Sha1 {
public:
    std::array<unsigned char, 20> of(std::string_view keyspace, std::string_view faceId) {
        std::array<unsigned char, 20> digest{};
        EVP_DigestInit_ex2(m_context.get(), m_algorithm.get(), nullptr);
        EVP_DigestUpdate(m_context.get(), keyspace.data(), keyspace.size());
        EVP_DigestUpdate(m_context.get(), "-", 1);
        EVP_DigestUpdate(m_context.get(), faceId.data(), faceId.size());
        EVP_DigestFinal_ex(m_context.get(), digest.data(), nullptr);
        return digest;
    }

private:
    std::unique_ptr<EVP_MD, decltype(&EVP_MD_free)> m_algorithm{EVP_MD_fetch(nullptr, "SHA1", nullptr), &EVP_MD_free};
    std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> m_context{EVP_MD_CTX_new(), &EVP_MD_CTX_free};
};

} // namespace

base::Partition partitionOf(std::string_view keyspace, std::string_view faceId) {
    return placeOf(keyspace, faceId).partition;
}

FacePlace placeOf(std::string_view keyspace, std::string_view faceId) {
    thread_local Sha1 sha1;
    const auto digest = sha1.of(keyspace, faceId);
    return {digest[3], digest[4]}; // big-endian mod 256 = the fourth byte
}

} // namespace fremis::hashing
