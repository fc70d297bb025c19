#pragma once

#include <cstdint>
#include <string>

/// Small image files, right and wrong, as bytes.
namespace fremis::test {

/// A PNG file with a right header of that size and almost no data behind it.
[[nodiscard]] std::string pngHeaderOnly(std::uint32_t width, std::uint32_t height);
/// A JPEG file that ends after a frame header of that size.
[[nodiscard]] std::string jpegHeaderOnly(std::uint16_t width, std::uint16_t height);
[[nodiscard]] std::string bmpHeaderOnly(std::int32_t width, std::int32_t height);
/// A whole PNG picture of one grey.
[[nodiscard]] std::string plainPng(int width, int height);
[[nodiscard]] std::string plainJpeg(int width, int height);
[[nodiscard]] std::string noisePng(int width, int height);
/// The photo in the file, scaled to `width`, as JPEG.
[[nodiscard]] std::string scaledPhoto(const std::string& file, int width);
/// Two photos beside each other, as JPEG.
[[nodiscard]] std::string photosSideBySide(const std::string& left, const std::string& right);

} // namespace fremis::test
