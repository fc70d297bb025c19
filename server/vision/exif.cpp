#include "server/vision/image_codecs.h"

#include <algorithm>
#include <array>

namespace fremis::vision {

namespace {

/// Numbers of a TIFF structure in its own byte order; 0 beyond the end.
class TiffReader {
public:
    explicit TiffReader(std::span<const std::uint8_t> bytes)
        : m_bytes(bytes), m_littleEndian(!bytes.empty() && bytes[0] == 'I') {}

    [[nodiscard]] std::uint32_t u16(std::size_t at) const { return number(at, 2); }
    [[nodiscard]] std::uint32_t u32(std::size_t at) const { return number(at, 4); }

private:
    [[nodiscard]] std::uint32_t number(std::size_t at, std::size_t size) const {
        if (at > m_bytes.size() || m_bytes.size() - at < size)
            return 0;
        std::uint32_t value = 0;
        for (std::size_t i = 0; i < size; ++i)
            value = value << 8 | m_bytes[at + (m_littleEndian ? size - 1 - i : i)];
        return value;
    }

    std::span<const std::uint8_t> m_bytes;
    bool m_littleEndian;
};

constexpr std::uint32_t kOrientationTag = 0x0112;
constexpr std::uint32_t kShort = 3; ///< TIFF field type
constexpr std::size_t kEntryBytes = 12;

} // namespace

int exifOrientation(std::span<const std::uint8_t> exif) {
    constexpr std::array<std::uint8_t, 6> kPrefix = {'E', 'x', 'i', 'f', 0, 0};
    if (exif.size() > kPrefix.size() && std::equal(kPrefix.begin(), kPrefix.end(), exif.begin()))
        exif = exif.subspan(kPrefix.size());
    const bool byteOrderIsKnown = exif.size() >= 8 && exif[0] == exif[1] && (exif[0] == 'I' || exif[0] == 'M');
    const TiffReader tiff(exif);
    if (!byteOrderIsKnown || tiff.u16(2) != 42)
        return 1;
    const std::size_t directory = tiff.u32(4);
    const std::size_t entries = tiff.u16(directory); // at most 65,535; entries beyond the end read as zero
    for (std::size_t i = 0; i < entries; ++i) {
        const std::size_t entry = directory + 2 + i * kEntryBytes;
        if (tiff.u16(entry) != kOrientationTag)
            continue;
        const std::uint32_t value = tiff.u16(entry + 8);
        return tiff.u16(entry + 2) == kShort && value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
    }
    return 1;
}

} // namespace fremis::vision
