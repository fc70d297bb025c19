#include "shared/storage/id_generator.h"

#include "shared/hashing/partition.h"

#include <openssl/rand.h>

#include <algorithm>

namespace fremis::storage {

namespace {

constexpr std::uint64_t kEpochMs = 1'735'689'600'000; // 2025-01-01T00:00:00Z
constexpr int kNodeBits = 10;
constexpr int kSequenceBits = 12;

} // namespace

std::uint64_t FaceIdGenerator::nextNumber() {
    const auto now = static_cast<std::uint64_t>(m_clock.sinceEpoch().count());
    const std::uint64_t stamp = (now > kEpochMs ? now - kEpochMs : 0) << kSequenceBits;
    const std::scoped_lock lock(m_mutex);
    m_last = std::max(stamp, m_last + 1);
    const std::uint64_t milliseconds = m_last >> kSequenceBits;
    const std::uint64_t sequence = m_last & ((1u << kSequenceBits) - 1);
    return (milliseconds << (kNodeBits + kSequenceBits)) | ((m_node() & ((1u << kNodeBits) - 1)) << kSequenceBits) |
           sequence;
}

base::FaceId FaceIdGenerator::next(std::string_view keyspace, const std::function<bool(base::Partition)>& accepts) {
    for (;;) {
        auto text = std::to_string(nextNumber());
        if (accepts(hashing::partitionOf(keyspace, text)))
            return base::FaceId::trusted(std::move(text));
    }
}

base::Variation randomVariation() {
    std::uint64_t value = 0;
    while (value == 0)
        RAND_bytes(reinterpret_cast<unsigned char*>(&value), sizeof value);
    return base::Variation(value);
}

OpId randomOpId() {
    std::array<std::uint8_t, 16> id{};
    RAND_bytes(id.data(), static_cast<int>(id.size()));
    return id;
}

} // namespace fremis::storage
