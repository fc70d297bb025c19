#pragma once

#include "shared/base/error.h"

#include <opencv2/core.hpp>

#include <cstdint>
#include <span>

namespace fremis::vision {

/// The pixels of a JPEG, PNG, BMP or WebP file (its first frame): CV_8UC3, BGR, turned as its EXIF orientation says;
/// alpha is dropped, gray and palettes are expanded, 16-bit samples rounded. The limits of size are checked before a
/// pixel is decoded. A damaged file is ImageInvalid: nothing half-decoded is returned. Throws nothing. Thread: any.
[[nodiscard]] base::Result<cv::Mat> decodeImage(std::span<const std::uint8_t> file);

} // namespace fremis::vision
