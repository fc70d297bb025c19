// Records of operations, as they come from a queue file or a peer. A mutated record hardly ever keeps its checksum, so
// the input is tried as it is and as the content of a record with the right one.
#include "shared/storage/operation_codec.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstdlib>
#include <cstring>

using namespace fremis;

namespace {

void require(bool fact) {
    if (!fact)
        std::abort();
}

void check(std::string_view record) {
    const auto operation = storage::decode(record);
    if (!operation) {
        const auto reason = operation.error().reason;
        require(reason == base::Reason::CorruptData || reason == base::Reason::InvalidParams);
        return;
    }
    require(storage::encode(*operation) == record);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string bytes(reinterpret_cast<const char*>(data), size);
    check(bytes);
    const std::uint64_t checksum = XXH3_64bits(bytes.data(), bytes.size());
    char tail[sizeof checksum];
    std::memcpy(tail, &checksum, sizeof checksum);
    bytes.append(tail, sizeof tail);
    check(bytes);
    return 0;
}
