#include "server/vision/pack_manifest.h"

#include <openssl/evp.h>

#include <fstream>

namespace fremis::vision {

namespace {

constexpr std::uintmax_t kMaxModelBytes = 1u << 30;

base::Result<std::vector<std::uint8_t>> readWhole(const std::filesystem::path& path) {
    std::error_code error;
    const auto size = std::filesystem::file_size(path, error);
    if (error)
        return base::fail(base::Reason::BadModelPack, path.string() + ": " + error.message());
    if (size > kMaxModelBytes)
        return base::fail(base::Reason::BadModelPack, path.string() + ": larger than 1 GiB");
    std::vector<std::uint8_t> bytes(size);
    std::ifstream stream(path, std::ios::binary);
    if (!stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size)))
        return base::fail(base::Reason::BadModelPack, path.string() + ": cannot be read");
    return bytes;
}

std::string sha256Hex(std::span<const std::uint8_t> bytes) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest = {};
    unsigned int length = 0;
    EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr);
    std::string hex;
    for (unsigned int i = 0; i < length; ++i) {
        hex += "0123456789abcdef"[digest[i] >> 4];
        hex += "0123456789abcdef"[digest[i] & 15];
    }
    return hex;
}

} // namespace

base::Result<PackFiles> PackFiles::read(const std::filesystem::path& folder, std::span<const ModelFile> files) {
    PackFiles pack;
    for (const ModelFile& file : files) {
        const auto path = folder / file.name;
        auto bytes = readWhole(path);
        if (!bytes)
            return tl::unexpected(std::move(bytes.error()));
        if (const auto sum = sha256Hex(*bytes); sum != file.sha256)
            return base::fail(base::Reason::BadModelPack, path.string() +
                                                              ": is not the file pack.yaml names; its SHA-256 is " +
                                                              sum + ", expected " + file.sha256);
        pack.m_bytes.insert_or_assign(file.name, std::move(*bytes));
    }
    return pack;
}

} // namespace fremis::vision
