#include "shared/wire/image_formats.h"

#include "shared/wire/image_header.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>

namespace fremis::wire {

namespace {

using File = std::span<const std::uint8_t>;

// Segments before the pixels of a JPEG, and chunks beside the pixels of a PNG or WebP. 8 MiB of metadata in the largest
// JPEG segments are 128; files of thousands of empty ones are made to waste time.
constexpr int kMaxMetadataParts = 1'000;

/// Counts metadata and says when there is too much of it.
class MetadataBudget {
public:
    [[nodiscard]] bool take(std::size_t bytes) {
        m_bytes += bytes;
        return ++m_parts <= kMaxMetadataParts && m_bytes <= kMaxImageMetadataBytes;
    }

private:
    int m_parts = 0;
    std::size_t m_bytes = 0;
};

std::uint32_t big16(File file, std::size_t at) {
    return std::uint32_t{file[at]} << 8 | file[at + 1];
}
std::uint32_t big32(File file, std::size_t at) {
    return big16(file, at) << 16 | big16(file, at + 2);
}
std::uint32_t little16(File file, std::size_t at) {
    return std::uint32_t{file[at + 1]} << 8 | file[at];
}
std::uint32_t little24(File file, std::size_t at) {
    return std::uint32_t{file[at + 2]} << 16 | little16(file, at);
}
std::uint32_t little32(File file, std::size_t at) {
    return little16(file, at + 2) << 16 | little16(file, at);
}
std::string_view tagAt(File file, std::size_t at) {
    return {reinterpret_cast<const char*>(file.data()) + at, 4};
}

// --- JPEG, ITU-T T.81 annex B ---

bool isStartOfFrame(std::uint8_t marker) {
    return marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
}
bool isRestart(std::uint8_t marker) {
    return marker >= 0xD0 && marker <= 0xD7;
}
bool isApplicationOrComment(std::uint8_t marker) {
    return (marker >= 0xE0 && marker <= 0xEF) || marker == 0xFE;
}

class JpegReader {
public:
    explicit JpegReader(File file) : m_file(file) {}

    base::Result<ImageSize> read(Extent extent) {
        while (true) {
            const auto marker = nextMarker();
            if (!marker)
                return imageInvalid("JPEG: no marker where one must be, or too many");
            if (*marker == 0xD9) // EOI
                return m_size && m_hasScan ? base::Result<ImageSize>(*m_size)
                                           : imageInvalid("JPEG: ends before its pixels");
            if (auto problem = takeSegment(*marker); !problem.empty())
                return imageInvalid("JPEG: " + std::string(problem));
            if (m_size && extent == Extent::Header)
                return *m_size;
        }
    }

private:
    // The marker at m_at, which may have fill bytes before it.
    std::optional<std::uint8_t> nextMarker() {
        const std::size_t start = m_at;
        if (m_at >= m_file.size() || m_file[m_at] != 0xFF)
            return std::nullopt;
        while (m_at < m_file.size() && m_file[m_at] == 0xFF)
            ++m_at;
        if (m_at >= m_file.size() || !m_budget.take(m_at - start))
            return std::nullopt;
        return m_file[m_at++];
    }

    // Returns what is wrong, or nothing.
    std::string_view takeSegment(std::uint8_t marker) {
        if (marker == 0x00 || marker == 0xD8 || isRestart(marker))
            return "a marker out of place";
        if (marker == 0x01) // TEM has no length
            return {};
        if (m_file.size() - m_at < 2)
            return "a segment is cut";
        const std::size_t length = big16(m_file, m_at);
        if (length < 2 || m_file.size() - m_at < length)
            return "a segment is cut";
        if (isApplicationOrComment(marker) && !m_budget.take(length))
            return "too much metadata";
        if (isStartOfFrame(marker)) {
            if (m_size || length < 8)
                return "a frame header is wrong";
            m_size = ImageSize{big16(m_file, m_at + 5), big16(m_file, m_at + 3)};
        }
        m_at += length;
        if (marker == 0xDA) { // SOS
            if (!m_size)
                return "a scan before the frame";
            m_hasScan = true;
            skipEntropyCodedData();
        }
        return {};
    }

    // To the next marker that is no restart. In the data an FF byte is followed by 00.
    void skipEntropyCodedData() {
        while (m_at < m_file.size()) {
            const void* const found = std::memchr(m_file.data() + m_at, 0xFF, m_file.size() - m_at);
            if (found == nullptr)
                break;
            m_at = static_cast<std::size_t>(static_cast<const std::uint8_t*>(found) - m_file.data());
            if (m_at + 1 >= m_file.size())
                break;
            const std::uint8_t after = m_file[m_at + 1];
            if (after == 0xFF)
                m_at += 1;
            else if (after == 0x00 || isRestart(after))
                m_at += 2;
            else
                return;
        }
        m_at = m_file.size();
    }

    File m_file;
    std::size_t m_at = 2; // after SOI
    std::optional<ImageSize> m_size;
    bool m_hasScan = false;
    MetadataBudget m_budget;
};

// --- PNG, W3C PNG (third edition) section 5 ---

constexpr std::size_t kPngSignature = 8;
constexpr std::size_t kPngChunkFrame = 12; // length, type, checksum

// The length of the data of the chunk at `at`, when it is whole and its checksum is right.
std::optional<std::size_t> pngChunk(File file, std::size_t at) {
    if (file.size() - at < kPngChunkFrame)
        return std::nullopt;
    const std::size_t length = big32(file, at);
    if (file.size() - at - kPngChunkFrame < length)
        return std::nullopt;
    const auto checksum = crc32(0, file.data() + at + 4, static_cast<uInt>(length + 4));
    return checksum == big32(file, at + 8 + length) ? std::optional(length) : std::nullopt;
}

bool isPngColour(std::uint8_t depth, std::uint8_t type) {
    const bool small = depth == 1 || depth == 2 || depth == 4;
    switch (type) {
    case 0: // grey
        return small || depth == 8 || depth == 16;
    case 3: // palette
        return small || depth == 8;
    case 2: // RGB
    case 4: // grey with alpha
    case 6: // RGB with alpha
        return depth == 8 || depth == 16;
    default:
        return false;
    }
}

base::Status walkPngChunks(File file, std::size_t at) {
    MetadataBudget budget;
    bool hasPixels = false;
    while (true) {
        const auto length = pngChunk(file, at);
        if (!length)
            return imageInvalid("PNG: a chunk is cut or damaged");
        const auto type = tagAt(file, at + 4);
        if (type == "IEND")
            return hasPixels ? base::Status() : imageInvalid("PNG: ends before its pixels");
        if (type == "IHDR")
            return imageInvalid("PNG: a second header");
        if (type == "IDAT")
            hasPixels = true;
        else if (!budget.take(*length))
            return imageInvalid("PNG: too much metadata");
        at += kPngChunkFrame + *length;
    }
}

// --- BMP, Windows bitmap with its headers of all ages ---

struct BmpInfo {
    std::int64_t width;
    std::int64_t height; // negative: rows from the top down
    std::uint32_t bits;
    std::uint32_t compression;
};

std::optional<BmpInfo> readBmpInfo(File file) {
    constexpr std::size_t kFileHeader = 14;
    if (file.size() < kFileHeader + 12)
        return std::nullopt;
    const std::uint32_t headerBytes = little32(file, kFileHeader);
    if (headerBytes == 12) // OS/2
        return BmpInfo{little16(file, 18), little16(file, 20), little16(file, 24), 0};
    if (headerBytes < 40 || headerBytes > 1'024 || file.size() < kFileHeader + headerBytes)
        return std::nullopt;
    return BmpInfo{static_cast<std::int32_t>(little32(file, 18)), static_cast<std::int32_t>(little32(file, 22)),
                   little16(file, 28), little32(file, 30)};
}

// Uncompressed, run lengths or bit fields; 4 and 5 wrap a JPEG or PNG for printers.
bool isBmpCompression(std::uint32_t compression) {
    return compression <= 3 || compression == 6;
}

bool isBmpDepth(std::uint32_t bits) {
    return bits == 1 || bits == 2 || bits == 4 || bits == 8 || bits == 16 || bits == 24 || bits == 32;
}

// --- WebP, RFC 9649 ---

constexpr std::size_t kRiffHeader = 12;
constexpr std::size_t kRiffChunkHeader = 8;

std::optional<ImageSize> webPLossySize(File data) { // RFC 6386 section 9.1: a key frame
    if (data.size() < 10 || (data[0] & 1) != 0 || data[3] != 0x9D || data[4] != 0x01 || data[5] != 0x2A)
        return std::nullopt;
    return ImageSize{little16(data, 6) & 0x3FFF, little16(data, 8) & 0x3FFF};
}

std::optional<ImageSize> webPLosslessSize(File data) {
    if (data.size() < 5 || data[0] != 0x2F)
        return std::nullopt;
    const std::uint32_t bits = little32(data, 1);
    return ImageSize{(bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1};
}

std::optional<ImageSize> webPExtendedSize(File data) {
    if (data.size() < 10)
        return std::nullopt;
    return ImageSize{little24(data, 4) + 1, little24(data, 7) + 1};
}

bool isWebPPixels(std::string_view tag) {
    return tag == "VP8 " || tag == "VP8L" || tag == "ANMF";
}

base::Status walkWebPChunks(File file) {
    const std::size_t promised = little32(file, 4);
    if (promised < 4 || file.size() - kRiffChunkHeader < promised)
        return imageInvalid("WebP: cut");
    const auto riff = file.first(kRiffChunkHeader + promised);
    MetadataBudget budget;
    bool hasPixels = false;
    for (std::size_t at = kRiffHeader; riff.size() - at >= kRiffChunkHeader;) {
        const std::size_t length = little32(riff, at + 4);
        if (riff.size() - at - kRiffChunkHeader < length)
            return imageInvalid("WebP: a chunk is cut");
        const bool isPixels = isWebPPixels(tagAt(riff, at));
        if (!isPixels && !budget.take(length))
            return imageInvalid("WebP: too much metadata");
        hasPixels |= isPixels;
        at += std::min(kRiffChunkHeader + length + length % 2, riff.size() - at);
    }
    return hasPixels ? base::Status() : imageInvalid("WebP: no pixels");
}

} // namespace

base::Result<ImageSize> readJpeg(File file, Extent extent) {
    return JpegReader(file).read(extent);
}

base::Result<ImageSize> readPng(File file, Extent extent) {
    const auto length = pngChunk(file, kPngSignature);
    if (!length || *length != 13 || tagAt(file, 12) != "IHDR" || !isPngColour(file[24], file[25]))
        return imageInvalid("PNG: wrong header");
    if (extent == Extent::WholeFile) {
        if (auto status = walkPngChunks(file, kPngSignature + kPngChunkFrame + *length); !status)
            return tl::unexpected(std::move(status.error()));
    }
    return ImageSize{big32(file, 16), big32(file, 20)};
}

base::Result<ImageSize> readBmp(File file, Extent extent) {
    const auto info = readBmpInfo(file);
    if (!info || !isBmpDepth(info->bits) || !isBmpCompression(info->compression) || info->width < 0)
        return imageInvalid("BMP: wrong header");
    const auto height = static_cast<std::uint64_t>(info->height < 0 ? -info->height : info->height);
    const auto width = static_cast<std::uint64_t>(info->width);
    if (extent == Extent::WholeFile) { // the caller has checked the sides: the product is small
        const std::uint64_t offset = little32(file, 10);
        const bool isRunLength = info->compression == 1 || info->compression == 2; // its length only a decoder knows
        const std::uint64_t needed = isRunLength ? 2 : (width * info->bits + 31) / 32 * 4 * height;
        if (offset > file.size() || file.size() - offset < needed)
            return imageInvalid("BMP: cut");
    }
    return ImageSize{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height)};
}

base::Result<ImageSize> readWebP(File file, Extent extent) {
    if (file.size() < kRiffHeader + kRiffChunkHeader)
        return imageInvalid("WebP: cut");
    const auto tag = tagAt(file, kRiffHeader);
    const auto data = file.subspan(kRiffHeader + kRiffChunkHeader);
    const auto size = tag == "VP8 "   ? webPLossySize(data)
                      : tag == "VP8L" ? webPLosslessSize(data)
                      : tag == "VP8X" ? webPExtendedSize(data)
                                      : std::nullopt;
    if (!size)
        return imageInvalid("WebP: wrong header");
    if (extent == Extent::WholeFile) {
        if (auto status = walkWebPChunks(file); !status)
            return tl::unexpected(std::move(status.error()));
    }
    return *size;
}

} // namespace fremis::wire
