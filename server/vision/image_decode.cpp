#include "server/vision/image_decode.h"

#include "server/vision/image_codecs.h"
#include "shared/wire/image_header.h"

#include <array>

namespace fremis::vision {

namespace {

base::Result<DecodedImage> decodeAs(wire::ImageFormat format, std::span<const std::uint8_t> file) {
    switch (format) {
    case wire::ImageFormat::Jpeg:
        return decodeJpeg(file);
    case wire::ImageFormat::Png:
        return decodePng(file);
    case wire::ImageFormat::WebP:
        return decodeWebP(file);
    case wire::ImageFormat::Bmp:
        return decodeBmp(file);
    }
    return damagedImage("unknown format");
}

/// EXIF 2.32, tag 0x0112: 5..8 are 1..4 with rows and columns exchanged first; 2, 3, 4 flip left-right, both,
/// top-bottom.
cv::Mat turnedUpright(cv::Mat stored, int orientation) {
    cv::Mat upright = std::move(stored);
    if (orientation >= 5)
        upright = cv::Mat(upright.t());
    constexpr std::array<int, 4> kFlipCodes = {0, 1, -1, 0};
    const auto kind = static_cast<std::size_t>((orientation - 1) % 4);
    if (kind != 0)
        cv::flip(upright, upright, kFlipCodes[kind]);
    return upright;
}

} // namespace

base::Result<cv::Mat> decodeImage(std::span<const std::uint8_t> file) {
    const auto header = wire::checkImageEnvelope(file);
    if (!header)
        return tl::unexpected(header.error());
    try {
        auto decoded = decodeAs(header->format, file);
        if (!decoded)
            return tl::unexpected(std::move(decoded.error()));
        return turnedUpright(std::move(decoded->bgr), decoded->orientation);
    } catch (const std::exception& problem) { // bad_alloc, cv::Exception: not the client's fault
        return base::fail(base::Reason::Internal, "the image could not be decoded", problem.what());
    }
}

} // namespace fremis::vision
