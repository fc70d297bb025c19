#pragma once

#include "shared/base/error.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace fremis::wire {

inline constexpr std::size_t kMaxImageBytes = 25u << 20;
inline constexpr std::size_t kMaxImageMetadataBytes = 8u << 20;
inline constexpr std::uint64_t kMaxImagePixels = 50'000'000;
inline constexpr std::uint32_t kMinImageSide = 16;
inline constexpr std::uint32_t kMaxImageSide = 16'384;

enum class ImageFormat { Jpeg, Png, Bmp, WebP };
[[nodiscard]] std::string_view imageFormatName(ImageFormat format);

/// What the first bytes of an image file say. The sides are those stored, before an EXIF orientation is applied.
struct ImageHeader {
    ImageFormat format;
    std::uint32_t width;
    std::uint32_t height;
    bool operator==(const ImageHeader&) const = default;
};

/// Format and size of an image file without decoding it; the first bytes decide, never a name. Checks the limits above.
/// Fails with ImageUnsupported for GIF, TIFF and camera raw files on it, HEIC, AVIF, PSD, SVG, RAF, JPEG 2000, JPEG XL
/// and ICO; ImageTooLarge, ImageTooSmall; else ImageInvalid. Reads at most the metadata before the size, no network, no
/// file. Thread: any.
[[nodiscard]] base::Result<ImageHeader> readImageHeader(std::span<const std::uint8_t> file);

/// readImageHeader() and a check that the file is whole: a JPEG's segments up to its end marker, a PNG's chunks with
/// their checksums up to IEND, the sizes that BMP and WebP promise. Bytes after the image's end are ignored. Damage is
/// ImageInvalid. One pass over the file at memory speed; says nothing about the pixels, which only a decoder can check.
/// Thread: any.
[[nodiscard]] base::Result<ImageHeader> checkImageEnvelope(std::span<const std::uint8_t> file);

} // namespace fremis::wire
