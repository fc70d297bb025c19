#include "server/vision/onnx_net.h"
#include "server/vision/stages.h"

#include <opencv2/imgproc.hpp>

#include <cmath>

namespace fremis::vision {

namespace {

/// UltraFace (RFB-320): boxes come out decoded, as fractions of the input, with a score for background and one for
/// face.
class UltraFaceDetector : public Detector {
public:
    UltraFaceDetector(const DetectorSpec& spec, OnnxNet net)
        : Detector(spec.nms), m_score(spec.score), m_size(spec.input.width, spec.input.height), m_net(std::move(net)),
          m_blob(spec.input), m_canvas(m_size, CV_8UC3) {}

    std::vector<Detection> detect(const cv::Mat& picture) override {
        const double shrink = std::min(static_cast<double>(m_size.width) / picture.cols,
                                       static_cast<double>(m_size.height) / picture.rows);
        letterbox(picture, shrink);
        m_net.run(m_blob.fill(m_canvas), {"scores", "boxes"}, m_outputs);
        return suppressOverlaps(boxesAbove(m_score, shrink), m_overlapLimit);
    }

private:
    /// The picture in the canvas's top left corner, the rest gray.
    void letterbox(const cv::Mat& picture, double shrink) {
        const cv::Size inner(std::clamp(static_cast<int>(std::lround(picture.cols * shrink)), 1, m_size.width),
                             std::clamp(static_cast<int>(std::lround(picture.rows * shrink)), 1, m_size.height));
        m_canvas.setTo(cv::Scalar::all(kFill));
        cv::Mat corner = m_canvas(cv::Rect(cv::Point(), inner));
        cv::resize(picture, corner, inner, 0, 0, cv::INTER_AREA);
    }

    [[nodiscard]] std::vector<Detection> boxesAbove(float least, double shrink) const {
        const cv::Mat& scores = m_outputs[0];
        const cv::Mat& boxes = m_outputs[1];
        CV_Assert(scores.dims == 3 && scores.size[2] == 2 && boxes.dims == 3 && boxes.size[2] == 4 &&
                  scores.size[1] == boxes.size[1]);
        std::vector<Detection> found;
        const auto* score = scores.ptr<float>();
        const auto* box = boxes.ptr<float>();
        const auto scaleX = static_cast<float>(m_size.width / shrink);
        const auto scaleY = static_cast<float>(m_size.height / shrink);
        for (int i = 0; i < scores.size[1]; ++i, score += 2, box += 4) {
            if (!(score[1] >= least))
                continue;
            const cv::Point2f topLeft(within(box[0]) * scaleX, within(box[1]) * scaleY);
            const cv::Point2f bottomRight(within(box[2]) * scaleX, within(box[3]) * scaleY);
            if (topLeft.x < bottomRight.x && topLeft.y < bottomRight.y)
                found.push_back({cv::Rect2f(topLeft, bottomRight), score[1]});
        }
        return found;
    }

    /// A box may reach over the picture's edge, but not out of the range in which it can be computed with.
    static float within(float fraction) { return std::clamp(fraction, -1.0F, 2.0F); }

    static constexpr int kFill = 127;

    const float m_score;
    const cv::Size m_size;
    OnnxNet m_net;
    BlobMaker m_blob;
    cv::Mat m_canvas;
    std::vector<cv::Mat> m_outputs;
};

float overlap(const cv::Rect2f& a, const cv::Rect2f& b) {
    const float common = (a & b).area();
    return common / (a.area() + b.area() - common);
}

/// Tile `index` of `count` along a side: `share` · 1.2 long, around the middle of its share, moved inside.
cv::Range tileSpan(int side, int index, int count) {
    const double share = static_cast<double>(side) / count;
    const int length = std::min(side, static_cast<int>(std::ceil(share * 1.2)));
    const int start = static_cast<int>(std::lround(share * (index + 0.5) - length / 2.0));
    const int inside = std::clamp(start, 0, side - length);
    return {inside, inside + length};
}

} // namespace

std::vector<Detection> suppressOverlaps(std::vector<Detection> found, float limit) {
    std::stable_sort(found.begin(), found.end(),
                     [](const Detection& a, const Detection& b) { return a.score > b.score; });
    std::vector<Detection> kept;
    for (const Detection& next : found) {
        const auto covers = [&](const Detection& better) { return overlap(better.box, next.box) > limit; };
        if (std::none_of(kept.begin(), kept.end(), covers))
            kept.push_back(next);
    }
    return kept;
}

std::vector<Detection> Detector::detectInTiles(const cv::Mat& picture, int grid) {
    std::vector<Detection> all;
    for (int row = 0; row < grid; ++row) {
        for (int column = 0; column < grid; ++column) {
            const cv::Range rows = tileSpan(picture.rows, row, grid);
            const cv::Range columns = tileSpan(picture.cols, column, grid);
            for (Detection found : detect(picture(rows, columns))) {
                found.box += cv::Point2f(static_cast<float>(columns.start), static_cast<float>(rows.start));
                all.push_back(found);
            }
        }
    }
    return suppressOverlaps(std::move(all), m_overlapLimit);
}

base::Result<std::unique_ptr<Detector>> makeDetector(const DetectorSpec& spec, const PackFiles& files) {
    if (spec.type != "ultraface")
        return base::fail(base::Reason::BadModelPack, spec.file.name + ": unknown detector type '" + spec.type + "'");
    return OnnxNet::load(spec.file, files).map([&](OnnxNet net) -> std::unique_ptr<Detector> {
        return std::make_unique<UltraFaceDetector>(spec, std::move(net));
    });
}

} // namespace fremis::vision
