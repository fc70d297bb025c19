#include "server/vision/onnx_net.h"
#include "server/vision/stages.h"

#include <opencv2/imgproc.hpp>

#include <cmath>

namespace fremis::vision {

namespace {

constexpr int kPoints = 68;
/// A crop wider than this is shrunk by area first: plain bilinear sampling of a large face would alias.
constexpr double kWidestSampled = 128;

/// A gray square crop in, 68 points as fractions of the crop out.
class Points68Landmarker : public Landmarker {
public:
    Points68Landmarker(const LandmarksSpec& spec, OnnxNet net)
        : m_size(spec.size), m_margins(spec.crop), m_net(std::move(net)), m_blob(spec.size, spec.scale) {}

    Landmarks find(const cv::Mat& picture, const cv::Rect2f& box) override {
        const cv::Rect2d crop = cropAround(box);
        sample(picture, crop);
        const cv::Mat output = m_net.run(m_blob.fill(m_gray));
        CV_Assert(output.total() == 2 * kPoints);
        const auto* value = output.ptr<float>();
        Landmarks points(kPoints);
        for (cv::Point2f& point : points) {
            point.x = static_cast<float>(crop.x + *value++ * crop.width);
            point.y = static_cast<float>(crop.y + *value++ * crop.height);
        }
        return points;
    }

private:
    [[nodiscard]] cv::Rect2d cropAround(const cv::Rect2f& box) const {
        const double side = std::sqrt(static_cast<double>(box.width) * box.height);
        const cv::Point2d centre(box.x + box.width / 2.0, box.y + box.height / 2.0);
        return {centre.x - side * (0.5 + m_margins.left), centre.y - side * (0.5 + m_margins.top),
                side * (1 + m_margins.left + m_margins.right), side * (1 + m_margins.top + m_margins.bottom)};
    }

    /// m_gray = the crop, resampled. Works on the region around the crop only: shrinking the whole photo costs 10 ms at
    /// 1920 px.
    void sample(const cv::Mat& picture, const cv::Rect2d& crop) {
        const double margin = std::ceil(2 * std::max(1.0, crop.width / kWidestSampled));
        const cv::Point from(static_cast<int>(std::floor(crop.x - margin)),
                             static_cast<int>(std::floor(crop.y - margin)));
        const cv::Point to(static_cast<int>(std::ceil(crop.br().x + margin)),
                           static_cast<int>(std::ceil(crop.br().y + margin)));
        const cv::Rect whole(cv::Point(), picture.size());
        cv::Rect around = cv::Rect(from, to) & whole;
        if (around
                .empty()) // a box that lies outside: its nearest pixel, repeated, like any other pixel beyond the edge
            around = {std::clamp(from.x, 0, picture.cols - 1), std::clamp(from.y, 0, picture.rows - 1), 1, 1};

        cv::Mat region = picture(around);
        cv::Point2d scale(1, 1);
        if (crop.width > kWidestSampled) {
            const double shrink = kWidestSampled / crop.width;
            const cv::Size size(std::max(1, static_cast<int>(std::lround(around.width * shrink))),
                                std::max(1, static_cast<int>(std::lround(around.height * shrink))));
            cv::resize(region, m_shrunk, size, 0, 0, cv::INTER_AREA);
            region = m_shrunk;
            scale = {static_cast<double>(size.width) / around.width, static_cast<double>(size.height) / around.height};
        }
        cv::cvtColor(region, m_grayRegion, cv::COLOR_BGR2GRAY);

        // Pixel centres lie at +0.5 in both pictures: sample i sits at crop.x + (i + 0.5) · step in the photo.
        const double stepX = crop.width / m_size;
        const double stepY = crop.height / m_size;
        const cv::Matx23d toRegion(stepX * scale.x, 0, (crop.x + 0.5 * stepX - around.x) * scale.x - 0.5, //
                                   0, stepY * scale.y, (crop.y + 0.5 * stepY - around.y) * scale.y - 0.5);
        cv::warpAffine(m_grayRegion, m_gray, toRegion, cv::Size(m_size, m_size),
                       cv::INTER_LINEAR | cv::WARP_INVERSE_MAP, cv::BORDER_REPLICATE);
    }

    const int m_size;
    const CropMargins m_margins;
    OnnxNet m_net;
    GrayBlobMaker m_blob;
    cv::Mat m_shrunk;
    cv::Mat m_grayRegion;
    cv::Mat m_gray;
};

} // namespace

base::Result<std::unique_ptr<Landmarker>> makeLandmarker(const LandmarksSpec& spec, const PackFiles& files) {
    if (spec.type != "points68")
        return base::fail(base::Reason::BadModelPack, spec.file.name + ": unknown landmarks type '" + spec.type + "'");
    return OnnxNet::load(spec.file, files).map([&](OnnxNet net) -> std::unique_ptr<Landmarker> {
        return std::make_unique<Points68Landmarker>(spec, std::move(net));
    });
}

} // namespace fremis::vision
