#include "shared/storage/node_id.h"

#include "shared/base/hex.h"
#include "shared/storage/durable_file.h"

#include <openssl/rand.h>

#include <fstream>

namespace fremis::storage {
namespace {

base::Result<NodeId> readNodeId(const std::filesystem::path& file) {
    std::ifstream input(file, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(input), {}};
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r'))
        text.pop_back();
    if (const auto id = base::bytesOfHex<std::tuple_size_v<NodeId>>(text))
        return *id;
    return base::fail(base::Reason::BadStore,
                      file.string() + " does not hold a node id: restore it, or remove it when the node is a new one");
}

} // namespace

base::Result<NodeId> randomNodeId() {
    NodeId id{};
    if (RAND_bytes(id.data(), static_cast<int>(id.size())) != 1)
        return base::fail(base::Reason::Internal, "no random numbers");
    return id;
}

base::Result<NodeId> loadOrCreateNodeId(const std::filesystem::path& directory) {
    if (auto made = makePrivateDirectory(directory); !made)
        return tl::unexpected(made.error());
    const auto file = directory / "node-id";
    std::error_code error;
    if (std::filesystem::exists(file, error))
        return readNodeId(file);
    auto id = randomNodeId();
    if (!id)
        return id;
    if (auto written = writePrivateFile(file, hexOf(*id) + '\n'); !written)
        return tl::unexpected(written.error());
    return id;
}

std::string hexOf(const NodeId& id) {
    return base::hexText(id);
}

std::uint64_t writerOf(const NodeId& id) {
    std::uint64_t writer = 0;
    for (std::size_t i = 0; i < 8; ++i)
        writer = writer << 8 | id[i];
    return writer;
}

} // namespace fremis::storage
