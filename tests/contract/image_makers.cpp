#include "tests/contract/image_makers.h"

#include "server/vision/image_decode.h"
#include "tests/support/image_writer.h"
#include "tests/support/photos.h"

#include <opencv2/imgproc.hpp>
#include <zlib.h>

#include <random>
#include <vector>

namespace fremis::test {

namespace {

std::string bigEndian(std::uint32_t value) {
    return {static_cast<char>(value >> 24), static_cast<char>(value >> 16), static_cast<char>(value >> 8),
            static_cast<char>(value)};
}

std::string littleEndian(std::uint32_t value) {
    return {static_cast<char>(value), static_cast<char>(value >> 8), static_cast<char>(value >> 16),
            static_cast<char>(value >> 24)};
}

std::string pngChunk(const std::string& type, const std::string& data) {
    const auto body = type + data;
    const auto sum = crc32(0, reinterpret_cast<const unsigned char*>(body.data()), static_cast<unsigned>(body.size()));
    return bigEndian(static_cast<std::uint32_t>(data.size())) + body + bigEndian(static_cast<std::uint32_t>(sum));
}

std::string textOf(const Bytes& bytes) {
    return {bytes.begin(), bytes.end()};
}

Picture plain(int width, int height) {
    return {width, height, Bytes(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3, 90)};
}

cv::Mat decoded(const std::string& file) {
    const auto photo = vision::decodeImage(readBytes(file));
    return photo ? *photo : cv::Mat(240, 320, CV_8UC3, cv::Scalar());
}

std::string jpegOf(const cv::Mat& bgr) {
    cv::Mat rgb;
    cv::cvtColor(bgr, rgb, cv::COLOR_BGR2RGB);
    return textOf(toJpeg({rgb.cols, rgb.rows, Bytes(rgb.datastart, rgb.dataend)}));
}

} // namespace

std::string pngHeaderOnly(std::uint32_t width, std::uint32_t height) {
    using namespace std::string_literals;
    return "\x89PNG\r\n\x1a\n"s + pngChunk("IHDR", bigEndian(width) + bigEndian(height) + "\x08\x02\0\0\0"s) +
           pngChunk("IDAT", "\x78\x9c\x03\0\0\0\0\x01"s) + pngChunk("IEND", "");
}

std::string jpegHeaderOnly(std::uint16_t width, std::uint16_t height) {
    using namespace std::string_literals;
    const auto two = [](std::uint16_t value) {
        return std::string{static_cast<char>(value >> 8), static_cast<char>(value)};
    };
    return "\xff\xd8\xff\xc0\x00\x11\x08"s + two(height) + two(width) + "\x03\x01\x11\x00\x02\x11\x00\x03\x11\x00"s;
}

std::string bmpHeaderOnly(std::int32_t width, std::int32_t height) {
    using namespace std::string_literals;
    return "BM"s + littleEndian(54) + littleEndian(0) + littleEndian(54) + littleEndian(40) +
           littleEndian(static_cast<std::uint32_t>(width)) + littleEndian(static_cast<std::uint32_t>(height)) +
           "\x01\0\x18\0"s + std::string(24, '\0');
}

std::string plainPng(int width, int height) {
    return textOf(toPng(plain(width, height)));
}

std::string plainJpeg(int width, int height) {
    return textOf(toJpeg(plain(width, height)));
}

std::string noisePng(int width, int height) {
    auto picture = plain(width, height);
    std::mt19937 random(7);
    for (auto& byte : picture.rgb)
        byte = static_cast<std::uint8_t>(random());
    return textOf(toPng(picture));
}

std::string scaledPhoto(const std::string& file, int width) {
    const auto photo = decoded(file);
    cv::Mat scaled;
    cv::resize(photo, scaled, {width, photo.rows * width / photo.cols}, 0, 0, cv::INTER_AREA);
    return jpegOf(scaled);
}

std::string photosSideBySide(const std::string& left, const std::string& right) {
    const auto first = decoded(left);
    const auto second = decoded(right);
    cv::Mat fitted;
    cv::resize(second, fitted, {second.cols * first.rows / second.rows, first.rows}, 0, 0, cv::INTER_AREA);
    cv::Mat both;
    cv::hconcat(first, fitted, both);
    return jpegOf(both);
}

} // namespace fremis::test
