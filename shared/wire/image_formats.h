#pragma once

#include "shared/base/error.h"

#include <cstdint>
#include <span>
#include <string>

/// The readers of the four image formats, one per format; behind image_header.h. Private to this library.
namespace fremis::wire {

struct ImageSize {
    std::uint32_t width;
    std::uint32_t height;
};

enum class Extent {
    Header,    ///< up to the size
    WholeFile, ///< up to the image's end
};

/// `file` starts with the format's signature. A size of zero or beyond the limits is returned as it stands.
[[nodiscard]] base::Result<ImageSize> readJpeg(std::span<const std::uint8_t> file, Extent extent);
[[nodiscard]] base::Result<ImageSize> readPng(std::span<const std::uint8_t> file, Extent extent);
[[nodiscard]] base::Result<ImageSize> readBmp(std::span<const std::uint8_t> file, Extent extent);
[[nodiscard]] base::Result<ImageSize> readWebP(std::span<const std::uint8_t> file, Extent extent);

/// The client gets the original's words, the log what is wrong.
[[nodiscard]] inline tl::unexpected<base::Error> imageInvalid(std::string detail) {
    return base::fail(base::Reason::ImageInvalid, "Image is invalid", std::move(detail));
}

} // namespace fremis::wire
