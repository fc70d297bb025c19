#include "shared/wire/image_header.h"

#include "shared/wire/image_formats.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

namespace fremis::wire {

namespace {

using base::Reason;
using namespace std::string_view_literals;

std::string_view asText(std::span<const std::uint8_t> file) {
    return {reinterpret_cast<const char*>(file.data()), file.size()};
}

struct Unsupported {
    std::string_view magic;
    std::string_view name;
};

// First bytes of formats that are images and are not offered. TIFF's also open CR2, NEF, ARW, DNG and more camera
// files.
constexpr std::array kUnsupported{
    Unsupported{"GIF87a"sv, "GIF"},
    Unsupported{"GIF89a"sv, "GIF"},
    Unsupported{"II*\0"sv, "TIFF"},
    Unsupported{"MM\0*"sv, "TIFF"},
    Unsupported{"II+\0"sv, "BigTIFF"},
    Unsupported{"MM\0+"sv, "BigTIFF"},
    Unsupported{"IIRO"sv, "Olympus raw"},
    Unsupported{"IIRS"sv, "Olympus raw"},
    Unsupported{"MMOR"sv, "Olympus raw"},
    Unsupported{"IIU\0"sv, "Panasonic raw"},
    Unsupported{"FUJIFILMCCD-RAW"sv, "Fujifilm raw"},
    Unsupported{"\0MRM"sv, "Minolta raw"},
    Unsupported{"FOVb"sv, "Sigma raw"},
    Unsupported{"8BPS\0"sv, "Photoshop"},
    Unsupported{"\0\0\0\x0CjP  \r\n"sv, "JPEG 2000"},
    Unsupported{"\xFF\x4F\xFF\x51"sv, "JPEG 2000"},
    Unsupported{"\0\0\0\x0CJXL \r\n"sv, "JPEG XL"},
    Unsupported{"\xFF\x0A"sv, "JPEG XL"},
    Unsupported{"\x76\x2F\x31\x01"sv, "OpenEXR"},
    Unsupported{"#?RADIANCE"sv, "Radiance HDR"},
    Unsupported{"qoif"sv, "QOI"},
    Unsupported{"\x8AMNG\r\n"sv, "MNG"},
};

// ISO base media files whose brand says image: HEIF, AVIF, Canon CR3. Films share the form and are no images.
bool isHeifFamily(std::string_view text) {
    constexpr std::array kBrands{"heic"sv, "heix"sv, "heim"sv, "heis"sv, "hevc"sv, "hevx"sv, "hevm"sv,
                                 "hevs"sv, "mif1"sv, "mif2"sv, "msf1"sv, "avif"sv, "avis"sv, "crx "sv};
    return text.size() >= 12 && text.substr(4, 4) == "ftyp" &&
           std::ranges::find(kBrands, text.substr(8, 4)) != kBrands.end();
}

// ICO and CUR: reserved 0, type 1 or 2, a few entries whose reserved byte is 0.
bool isIcon(std::string_view text) {
    return text.size() >= 22 && (text.starts_with("\0\0\1\0"sv) || text.starts_with("\0\0\2\0"sv)) && text[4] != 0 &&
           text[5] == 0 && text[9] == 0;
}

// PBM, PGM, PPM: a letter, a digit, a blank and then the width or a comment.
bool isNetpbm(std::string_view text) {
    const auto isOneOf = [&](std::size_t at, std::string_view wanted) {
        return wanted.find(text[at]) != std::string_view::npos;
    };
    return text.size() >= 4 && text[0] == 'P' && isOneOf(1, "123456") && isOneOf(2, " \t\r\n") &&
           isOneOf(3, "0123456789#");
}

bool isSvg(std::string_view text) {
    constexpr std::size_t kProlog = 64u << 10; // declarations, comments and a document type may come first
    if (text.starts_with("\xEF\xBB\xBF"))
        text.remove_prefix(3);
    const auto start = text.find_first_not_of(" \t\r\n");
    return start != std::string_view::npos && text[start] == '<' &&
           text.substr(0, kProlog).find("<svg") != std::string_view::npos;
}

// Empty when the bytes are not known as an image at all.
std::string_view unsupportedName(std::string_view text) {
    for (const auto& [magic, name] : kUnsupported)
        if (text.starts_with(magic))
            return name;
    return isHeifFamily(text) ? "HEIF or AVIF"
           : isIcon(text)     ? "icon"
           : isNetpbm(text)   ? "PNM"
           : isSvg(text)      ? "SVG"
                              : ""sv;
}

std::optional<ImageFormat> supportedFormat(std::string_view text) {
    if (text.starts_with("\xFF\xD8\xFF"sv))
        return ImageFormat::Jpeg;
    if (text.starts_with("\x89PNG\r\n\x1A\n"sv))
        return ImageFormat::Png;
    if (text.starts_with("BM"sv))
        return ImageFormat::Bmp;
    if (text.starts_with("RIFF"sv) && text.size() >= 12 && text.substr(8, 4) == "WEBP")
        return ImageFormat::WebP;
    return std::nullopt;
}

base::Result<ImageSize> sizeOf(ImageFormat format, std::span<const std::uint8_t> file, Extent extent) {
    switch (format) {
    case ImageFormat::Jpeg:
        return readJpeg(file, extent);
    case ImageFormat::Png:
        return readPng(file, extent);
    case ImageFormat::Bmp:
        return readBmp(file, extent);
    case ImageFormat::WebP:
        return readWebP(file, extent);
    }
    return base::fail(Reason::Internal, "unknown image format");
}

std::string sidesOf(ImageSize size) {
    return std::to_string(size.width) + "x" + std::to_string(size.height) + " pixels";
}

base::Status checkSides(ImageSize size) {
    if (size.width == 0 || size.height == 0)
        return imageInvalid("a side is zero");
    if (size.width > kMaxImageSide || size.height > kMaxImageSide ||
        std::uint64_t{size.width} * size.height > kMaxImagePixels)
        return base::fail(Reason::ImageTooLarge, "Image is too large: " + sidesOf(size));
    if (size.width < kMinImageSide || size.height < kMinImageSide)
        return base::fail(Reason::ImageTooSmall, "Image is too small: " + sidesOf(size));
    return {};
}

tl::unexpected<base::Error> unsupported(std::string_view name) {
    return base::fail(Reason::ImageUnsupported, "Image format is not supported: " + std::string(name));
}

base::Result<ImageHeader> readUpTo(std::span<const std::uint8_t> file, Extent extent) {
    if (file.size() > kMaxImageBytes)
        return base::fail(Reason::ImageTooLarge, "Image is too large: more than 25 MiB");
    const auto format = supportedFormat(asText(file));
    if (!format) {
        const auto name = unsupportedName(asText(file));
        return name.empty() ? imageInvalid("unknown format") : unsupported(name);
    }
    const auto size = sizeOf(*format, file, extent);
    if (!size)
        return tl::unexpected(size.error());
    if (auto status = checkSides(*size); !status)
        return tl::unexpected(std::move(status.error()));
    return ImageHeader{*format, size->width, size->height};
}

} // namespace

std::string_view imageFormatName(ImageFormat format) {
    constexpr std::array kNames{"JPEG"sv, "PNG"sv, "BMP"sv, "WebP"sv};
    return kNames[static_cast<std::size_t>(format)];
}

base::Result<ImageHeader> readImageHeader(std::span<const std::uint8_t> file) {
    return readUpTo(file, Extent::Header);
}

base::Result<ImageHeader> checkImageEnvelope(std::span<const std::uint8_t> file) {
    // The header first: a file that promises too many pixels is told as such, whether it is whole or not.
    const auto header = readUpTo(file, Extent::Header);
    return header ? readUpTo(file, Extent::WholeFile) : header;
}

} // namespace fremis::wire
