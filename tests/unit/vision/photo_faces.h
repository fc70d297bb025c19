#pragma once

#include "server/vision/face_pipeline.h"
#include "server/vision/image_decode.h"
#include "tests/support/image_writer.h"
#include "tests/support/photos.h"

#include <QtTest>

#include <opencv2/core.hpp>

#include <cmath>
#include <string>

/// What the tests with real photos share. "Upright" positions are those in the photo once it is turned the right way
/// up.
namespace fremis::test {

/// Runs the pipeline; no gate, every face.
inline vision::Options everyFace() {
    vision::Options options;
    options.purpose = vision::Purpose::Extract;
    options.enforceGates = false;
    return options;
}

inline vision::Options purpose(vision::Purpose purpose) {
    vision::Options options;
    options.purpose = purpose;
    return options;
}

/// Top left corner of a face in the upright photo; `photo`: size of the photo as sent.
inline cv::Point uprightCorner(const vision::Face& face, int turned, cv::Size photo) {
    switch (turned) {
    case 90:
        return {photo.height - face.top - face.height, face.left};
    case 180:
        return {photo.width - face.left - face.width, photo.height - face.top - face.height};
    case 270:
        return {face.top, photo.width - face.left - face.width};
    default:
        return {face.left, face.top};
    }
}

inline double cosine(const std::vector<float>& a, const std::vector<float>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size() && i < b.size(); ++i)
        sum += static_cast<double>(a[i]) * b[i];
    return sum;
}

inline Picture toPicture(const cv::Mat& bgr) {
    Picture picture{bgr.cols, bgr.rows, std::vector<std::uint8_t>(3 * bgr.total())};
    for (int y = 0; y < bgr.rows; ++y)
        for (int x = 0; x < bgr.cols; ++x)
            for (int channel = 0; channel < 3; ++channel)
                picture.at(x, y)[channel] = bgr.at<cv::Vec3b>(y, x)[2 - channel];
    return picture;
}

/// A fetched photo's pixels, as stored.
inline cv::Mat photoPixels(const std::string& name) {
    const auto file = photo(name);
    auto pixels = file ? vision::decodeImage(readBytes(*file)) : base::fail(base::Reason::NotFound, "no such photo");
    return pixels ? *pixels : cv::Mat();
}

/// "found" or the token of the failure.
inline QString tokenOf(const base::Result<vision::Analysis>& result) {
    if (result)
        return QStringLiteral("found");
    const auto token = result.error().token();
    return QString::fromUtf8(token.data(), static_cast<qsizetype>(token.size()));
}

inline bool fetched() {
    return modelPack("fp-mfn512") && modelPack("dlib128") && photo("jesper.jpg");
}

} // namespace fremis::test
