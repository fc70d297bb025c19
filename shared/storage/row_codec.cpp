#include "shared/storage/row_codec.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cmath>
#include <cstring>

namespace fremis::storage {
namespace {

static_assert(std::endian::native == std::endian::little,
              "embeddings and checksums are stored little-endian as they lie in memory");

/// The short fields of a row in one block, each text with its length before it. 255 + 64 + 64 bytes of text at most in
/// practice; longer texts are cut into the hash by the slow path of append().
class Block {
public:
    template<class T> void number(T value) { put(&value, sizeof value); }
    void text(std::string_view value) {
        number(static_cast<std::uint32_t>(value.size()));
        put(value.data(), value.size());
    }
    [[nodiscard]] std::uint64_t hash() const { return XXH3_64bits_withSeed(m_bytes.data(), m_size, m_before); }

private:
    void put(const void* data, std::size_t size) {
        if (m_size + size > m_bytes.size()) {
            m_before = XXH3_64bits_withSeed(data, size, hash());
            m_size = 0;
            return;
        }
        std::memcpy(m_bytes.data() + m_size, data, size);
        m_size += size;
    }
    std::array<char, 640> m_bytes; // not cleared: only the first m_size bytes count
    std::size_t m_size = 0;
    std::uint64_t m_before = 0;
};

} // namespace

std::span<const std::byte> bytesOf(std::span<const float> embedding) {
    return std::as_bytes(embedding);
}

std::int64_t checksumOf(const StoredRow& row) {
    Block block;
    block.number(row.variation);
    block.number(static_cast<std::int32_t>(row.partition));
    block.number(row.version.stamp);
    block.number(row.version.writer);
    block.number(row.norm);
    block.number(row.createdAt);
    block.text(row.incarnation);
    block.text(row.face);
    block.text(row.space);
    return std::bit_cast<std::int64_t>(XXH3_64bits_withSeed(row.embedding.data(), row.embedding.size(), block.hash()));
}

std::int64_t checksumOf(const Enrollment& row) {
    return checksumOf(StoredRow{row.incarnation, row.face.text(), row.variation.value(), row.partition, row.version,
                                row.space, bytesOf(row.embedding), row.norm, row.createdAt.count(), 0});
}

bool isFinite(std::span<const float> values) {
    // Infinity and NaN have all exponent bits set. No early exit, so that the loop becomes vector code.
    std::uint32_t bad = 0;
    for (const float value : values)
        bad |= static_cast<std::uint32_t>((std::bit_cast<std::uint32_t>(value) & 0x7f800000U) == 0x7f800000U);
    return bad == 0;
}

std::optional<EnrollmentView> RowDecoder::decode(const StoredRow& row) {
    if (row.embedding.size() != m_embedding.size() * sizeof(float) || row.partition < 0 ||
        row.partition >= base::kPartitionCount)
        return std::nullopt;
    if (checksumOf(row) != row.checksum)
        return std::nullopt;
    std::memcpy(m_embedding.data(), row.embedding.data(), row.embedding.size());
    if (!isFinite(m_embedding) || !std::isfinite(row.norm) || !base::isUtf8(row.face))
        return std::nullopt;
    return EnrollmentView{row.incarnation,
                          row.face,
                          base::Variation(row.variation),
                          static_cast<base::Partition>(row.partition),
                          row.version,
                          row.space,
                          m_embedding,
                          row.norm,
                          std::chrono::milliseconds(row.createdAt)};
}

std::optional<Enrollment> RowDecoder::copy(const StoredRow& row) {
    const auto view = decode(row);
    if (!view)
        return std::nullopt;
    return Enrollment{std::string(view->incarnation),
                      base::FaceId::trusted(std::string(view->face)),
                      view->variation,
                      view->partition,
                      view->version,
                      std::string(view->space),
                      {view->embedding.begin(), view->embedding.end()},
                      view->norm,
                      view->createdAt};
}

} // namespace fremis::storage
