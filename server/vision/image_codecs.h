#pragma once

#include "shared/base/error.h"

#include <opencv2/core.hpp>

#include <cstdint>
#include <span>

/// The decoders behind decodeImage(), on libjpeg, libpng and libwebp; BMP is ours. They expect a file that passed
/// wire::checkImageEnvelope(), so the sides are within the limits. OpenCV's imgcodecs is not used: it fills up damaged
/// JPEGs with gray, refuses animated WebP, and loads GDAL and a hundred other libraries into the server.
namespace fremis::vision {

struct DecodedImage {
    cv::Mat bgr;         ///< CV_8UC3
    int orientation = 1; ///< EXIF, 1..8; 1 = as stored
};

[[nodiscard]] base::Result<DecodedImage> decodeJpeg(std::span<const std::uint8_t> file);
[[nodiscard]] base::Result<DecodedImage> decodePng(std::span<const std::uint8_t> file);
[[nodiscard]] base::Result<DecodedImage> decodeWebP(std::span<const std::uint8_t> file);
[[nodiscard]] base::Result<DecodedImage> decodeBmp(std::span<const std::uint8_t> file);

/// Orientation tag of an EXIF block, which is a TIFF structure (with or without "Exif\0\0" before it); 1 when it has
/// none or is odd.
[[nodiscard]] int exifOrientation(std::span<const std::uint8_t> exif);

/// ImageInvalid; `why` goes to the log.
[[nodiscard]] inline tl::unexpected<base::Error> damagedImage(std::string why) {
    return base::fail(base::Reason::ImageInvalid, "Image is invalid", std::move(why));
}

} // namespace fremis::vision
