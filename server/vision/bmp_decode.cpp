#include "server/vision/image_codecs.h"

#include <array>
#include <bit>
#include <cstdlib>
#include <vector>

namespace fremis::vision {

namespace {

/// A little-endian file whose missing bytes read as zero; truncated() tells.
class Bytes {
public:
    explicit Bytes(std::span<const std::uint8_t> file) : m_file(file) {}

    [[nodiscard]] std::uint32_t number(std::size_t at, std::size_t size) {
        if (at > m_file.size() || m_file.size() - at < size) {
            m_truncated = true;
            return 0;
        }
        std::uint32_t value = 0;
        for (std::size_t i = size; i-- > 0;)
            value = value << 8 | m_file[at + i];
        return value;
    }
    [[nodiscard]] std::uint32_t u16(std::size_t at) { return number(at, 2); }
    [[nodiscard]] std::uint32_t u32(std::size_t at) { return number(at, 4); }
    [[nodiscard]] bool truncated() const { return m_truncated; }
    [[nodiscard]] std::span<const std::uint8_t> all() const { return m_file; }

private:
    std::span<const std::uint8_t> m_file;
    bool m_truncated = false;
};

constexpr std::size_t kFileHeader = 14;
constexpr std::uint32_t kCoreHeader = 12; ///< OS/2: 16-bit sides, palette of three bytes an entry
constexpr std::uint32_t kInfoHeader = 40;
constexpr std::uint32_t kUncompressed = 0;
constexpr std::uint32_t kBitFields = 3;
constexpr std::uint32_t kAlphaBitFields = 6;

struct Layout {
    std::uint32_t headerSize = 0;
    int width = 0;
    int height = 0;
    bool topDown = false;
    std::uint32_t bits = 0; ///< per pixel
    std::uint32_t compression = kUncompressed;
    std::uint32_t colours = 0;               ///< palette entries; 0 = as many as `bits` allow
    std::size_t pixels = 0;                  ///< offset of the first stored row
    std::array<std::uint32_t, 3> masks = {}; ///< blue, green, red, for 16 and 32 bits

    [[nodiscard]] std::size_t stride() const { return (static_cast<std::size_t>(width) * bits + 31) / 32 * 4; }
};

Layout readLayout(Bytes& file) {
    Layout layout;
    layout.pixels = file.u32(10);
    layout.headerSize = file.u32(kFileHeader);
    if (layout.headerSize == kCoreHeader) {
        layout.width = static_cast<int>(file.u16(18));
        layout.height = static_cast<int>(file.u16(20));
        layout.bits = file.u16(24);
    } else {
        layout.width = std::bit_cast<std::int32_t>(file.u32(18));
        const auto height = std::bit_cast<std::int32_t>(file.u32(22));
        layout.topDown = height < 0;
        layout.height = static_cast<int>(std::abs(static_cast<std::int64_t>(height)));
        layout.bits = file.u16(28);
        layout.compression = file.u32(30);
        layout.colours = file.u32(46);
    }
    if (layout.compression == kBitFields || layout.compression == kAlphaBitFields)
        layout.masks = {file.u32(62), file.u32(58), file.u32(54)};
    else if (layout.bits == 16)
        layout.masks = {0x1F, 0x1F << 5, 0x1F << 10};
    else
        layout.masks = {0xFF, 0xFF << 8, 0xFF << 16};
    return layout;
}

/// The bits under `mask`, stretched to 0..255.
std::uint8_t sampleUnder(std::uint32_t mask, std::uint32_t pixel) {
    if (mask == 0)
        return 0;
    const int shift = std::countr_zero(mask);
    const std::uint64_t highest = mask >> shift;
    return static_cast<std::uint8_t>((static_cast<std::uint64_t>((pixel & mask) >> shift) * 255 + highest / 2) /
                                     highest);
}

std::vector<cv::Vec3b> readPalette(Bytes& file, const Layout& layout) {
    const std::size_t possible = std::size_t{1} << layout.bits;
    const std::size_t entrySize = layout.headerSize == kCoreHeader ? 3 : 4;
    const std::size_t start = kFileHeader + layout.headerSize;
    // A palette may be shorter than the bits allow; an index beyond it is black.
    const std::size_t present = layout.pixels > start ? (layout.pixels - start) / entrySize : 0;
    const std::size_t entries = std::min({layout.colours != 0 ? layout.colours : possible, possible, present});
    std::vector<cv::Vec3b> palette(possible, cv::Vec3b(0, 0, 0));
    for (std::size_t i = 0; i < entries; ++i)
        for (int channel = 0; channel < 3; ++channel)
            palette[i][channel] =
                static_cast<std::uint8_t>(file.number(start + i * entrySize + static_cast<std::size_t>(channel), 1));
    return palette;
}

void readIndexedRow(const std::uint8_t* from, std::uint32_t bits, const std::vector<cv::Vec3b>& palette,
                    std::span<cv::Vec3b> to) {
    const std::uint32_t mask = (1U << bits) - 1;
    for (std::size_t x = 0; x < to.size(); ++x) {
        const std::size_t bit = x * bits;
        to[x] = palette[from[bit / 8] >> (8 - bits - bit % 8) & mask];
    }
}

void readTrueColourRow(const std::uint8_t* from, const Layout& layout, std::span<cv::Vec3b> to) {
    const std::size_t size = layout.bits / 8;
    for (std::size_t x = 0; x < to.size(); ++x, from += size) {
        if (size == 3) {
            to[x] = cv::Vec3b(from[0], from[1], from[2]);
            continue;
        }
        std::uint32_t pixel = 0;
        for (std::size_t i = size; i-- > 0;)
            pixel = pixel << 8 | from[i];
        to[x] = cv::Vec3b(sampleUnder(layout.masks[0], pixel), sampleUnder(layout.masks[1], pixel),
                          sampleUnder(layout.masks[2], pixel));
    }
}

base::Status check(Bytes& file, const Layout& layout) {
    const bool compressed = layout.compression != kUncompressed && layout.compression != kBitFields &&
                            layout.compression != kAlphaBitFields;
    if (compressed)
        return base::fail(base::Reason::ImageUnsupported, "compressed BMP images are not supported");
    constexpr std::array<std::uint32_t, 6> kDepths = {1, 4, 8, 16, 24, 32};
    const bool depthIsKnown = std::find(kDepths.begin(), kDepths.end(), layout.bits) != kDepths.end();
    const bool headerIsKnown = layout.headerSize == kCoreHeader || layout.headerSize >= kInfoHeader;
    if (file.truncated() || !depthIsKnown || !headerIsKnown || layout.width <= 0 || layout.height <= 0)
        return damagedImage("odd BMP header");
    const std::size_t needed = layout.stride() * static_cast<std::size_t>(layout.height);
    if (layout.pixels > file.all().size() || file.all().size() - layout.pixels < needed)
        return damagedImage("the BMP ends early");
    return {};
}

} // namespace

base::Result<DecodedImage> decodeBmp(std::span<const std::uint8_t> bytes) {
    Bytes file(bytes);
    const Layout layout = readLayout(file);
    if (const auto status = check(file, layout); !status)
        return tl::unexpected(status.error());
    const auto palette = layout.bits <= 8 ? readPalette(file, layout) : std::vector<cv::Vec3b>();
    cv::Mat pixels(layout.height, layout.width, CV_8UC3);
    for (int row = 0; row < layout.height; ++row) {
        const std::uint8_t* from = bytes.data() + layout.pixels + static_cast<std::size_t>(row) * layout.stride();
        const std::span to(pixels.ptr<cv::Vec3b>(layout.topDown ? row : layout.height - 1 - row),
                           static_cast<std::size_t>(layout.width));
        if (layout.bits <= 8)
            readIndexedRow(from, layout.bits, palette, to);
        else
            readTrueColourRow(from, layout, to);
    }
    return DecodedImage{std::move(pixels), 1};
}

} // namespace fremis::vision
