#include "server/vision/onnx_net.h"
#include "server/vision/stages.h"

#include <opencv2/imgproc.hpp>

#include <cmath>

namespace fremis::vision {

namespace {

/// The square of `factor` box heights around the box's middle, made smaller until it fits and then moved inside the
/// picture.
cv::Rect squareAround(const cv::Rect2f& box, double factor, cv::Size picture) {
    const int side =
        std::clamp(static_cast<int>(std::lround(box.height * factor)), 1, std::min(picture.width, picture.height));
    const auto start = [&](double centre, int length) {
        return std::clamp(static_cast<int>(std::lround(centre - side / 2.0)), 0, length - side);
    };
    return {start(box.x + box.width / 2.0, picture.width), start(box.y + box.height / 2.0, picture.height), side, side};
}

void resampleSquare(const cv::Mat& picture, const cv::Rect2f& box, double factor, int size, cv::Mat& out) {
    const cv::Rect square = squareAround(box, factor, picture.size());
    cv::resize(picture(square), out, cv::Size(size, size), 0, 0,
               square.width > size ? cv::INTER_AREA : cv::INTER_LINEAR);
}

NetInput imageNetInput(
    int size) { // the usual normalisation, its R, G, B figures given to the planes B, G, R: measured to be better
    NetInput input{size, size, false, {0.485 * 255, 0.456 * 255, 0.406 * 255}, {}};
    input.scale = {1 / (0.229 * 255), 1 / (0.224 * 255), 1 / (0.225 * 255)};
    return input;
}

/// Three classes, the first is "live".
class LivenessAttribute : public Attribute {
public:
    LivenessAttribute(double crop, OnnxNet net)
        : m_crop(crop), m_net(std::move(net)), m_blob({kSize, kSize, false, {0, 0, 0}, {1, 1, 1}}) {}

    bool isIn(const AttributeSet& wanted) const override { return wanted.liveness; }

    void measure(const cv::Mat& picture, const cv::Rect2f& box, const Landmarks&, Attributes& attributes) override {
        resampleSquare(picture, box, m_crop, kSize, m_square);
        attributes.liveness = softmax(m_net.run(m_blob.fill(m_square))).front();
    }

private:
    static constexpr int kSize = 128;
    const double m_crop;
    OnnxNet m_net;
    BlobMaker m_blob;
    cv::Mat m_square;
};

/// SSR-Net (Yang et al. 2018, section 3): a value as three stages of ever finer classes.
class SsrNet {
public:
    SsrNet(double crop, OnnxNet net) : m_crop(crop), m_net(std::move(net)), m_blob(imageNetInput(kSize)) {}

    /// 0..1 for a value inside the trained range.
    float measure(const cv::Mat& picture, const cv::Rect2f& box) {
        resampleSquare(picture, box, m_crop, kSize, m_square);
        m_net.run(m_blob.fill(m_square), kHeads, m_heads);
        double value = 0;
        double width = 1;
        for (std::size_t stage = 0; stage < 3; ++stage) {
            const auto* share = head(stage, 3);
            const auto* offset = head(6 + stage, 3);
            width *= 3 * (1 + static_cast<double>(*head(3 + stage, 1)));
            double expected = 0;
            for (int i = 0; i < 3; ++i)
                expected += (i + static_cast<double>(offset[i])) * share[i];
            value += expected / width;
        }
        return std::isfinite(value) ? static_cast<float>(value) : 0;
    }

private:
    [[nodiscard]] const float* head(std::size_t index, std::size_t values) const {
        CV_Assert(m_heads[index].total() == values);
        return m_heads[index].ptr<float>();
    }

    static constexpr int kSize = 64;
    inline static const std::vector<std::string> kHeads = {
        "prob_stage_1",   "prob_stage_2",        "prob_stage_3",        "stage1_delta_k",     "stage2_delta_k",
        "stage3_delta_k", "index_offset_stage1", "index_offset_stage2", "index_offset_stage3"};
    const double m_crop;
    OnnxNet m_net;
    BlobMaker m_blob;
    cv::Mat m_square;
    std::vector<cv::Mat> m_heads;
};

class GenderAttribute : public Attribute {
public:
    GenderAttribute(double crop, OnnxNet net) : m_net(crop, std::move(net)) {}

    bool isIn(const AttributeSet& wanted) const override { return wanted.gender; }

    void measure(const cv::Mat& picture, const cv::Rect2f& box, const Landmarks&, Attributes& attributes) override {
        attributes.gender = std::clamp(m_net.measure(picture, box), 0.0F, 1.0F);
    }

private:
    SsrNet m_net;
};

class AgeAttribute : public Attribute {
public:
    AgeAttribute(double crop, OnnxNet net) : m_net(crop, std::move(net)) {}

    bool isIn(const AttributeSet& wanted) const override { return wanted.age; }

    void measure(const cv::Mat& picture, const cv::Rect2f& box, const Landmarks&, Attributes& attributes) override {
        attributes.age = std::clamp(m_net.measure(picture, box) * kYears, 0.0F, kYears);
    }

private:
    static constexpr float kYears = 101;
    SsrNet m_net;
};

/// A square around each eye; two classes, the first is "closed".
class EyesAttribute : public Attribute {
public:
    EyesAttribute(double crop, OnnxNet net) : m_crop(crop), m_net(std::move(net)), m_blob(kSize, 1.0 / 255) {}

    bool isIn(const AttributeSet& wanted) const override { return wanted.eyes; }

    void measure(const cv::Mat& picture, const cv::Rect2f&, const Landmarks& landmarks,
                 Attributes& attributes) override {
        attributes.leftEye = closed(picture, std::span(landmarks).subspan<36, 6>());
        attributes.rightEye = closed(picture, std::span(landmarks).subspan<42, 6>());
    }

private:
    /// `outline`: the eye's six points; the corners are the first and the fourth.
    float closed(const cv::Mat& picture, std::span<const cv::Point2f, 6> outline) {
        cv::Point2d centre;
        for (const cv::Point2f& point : outline)
            centre += cv::Point2d(point) * (1.0 / 6);
        const cv::Point2f corners = outline[3] - outline[0];
        const double step = std::max(1e-3, m_crop * std::hypot(corners.x, corners.y) / kSize);
        const double first = (0.5 - kSize / 2.0) * step;
        const cv::Matx23d toPicture(step, 0, centre.x + first, 0, step, centre.y + first);
        cv::warpAffine(picture, m_square, toPicture, cv::Size(kSize, kSize), cv::INTER_LINEAR | cv::WARP_INVERSE_MAP,
                       cv::BORDER_REPLICATE);
        cv::cvtColor(m_square, m_gray, cv::COLOR_BGR2GRAY);
        return softmax(m_net.run(m_blob.fill(m_gray))).front();
    }

    static constexpr int kSize = 24;
    const double m_crop;
    OnnxNet m_net;
    GrayBlobMaker m_blob;
    cv::Mat m_square;
    cv::Mat m_gray;
};

template<class T> std::unique_ptr<Attribute> make(double crop, OnnxNet net) {
    return std::make_unique<T>(crop, std::move(net));
}

struct AttributeType {
    std::string_view name;
    AttributeSet provides;
    std::unique_ptr<Attribute> (*make)(double crop, OnnxNet net);
};

constexpr std::array<AttributeType, 4> kTypes = {{
    {"liveness3", {.liveness = true}, &make<LivenessAttribute>},
    {"ssrnet_gender", {.gender = true}, &make<GenderAttribute>},
    {"ssrnet_age", {.age = true}, &make<AgeAttribute>},
    {"eye2", {.eyes = true}, &make<EyesAttribute>},
}};

const AttributeType* typeNamed(std::string_view name) {
    const auto found =
        std::find_if(kTypes.begin(), kTypes.end(), [&](const AttributeType& type) { return type.name == name; });
    return found == kTypes.end() ? nullptr : &*found;
}

} // namespace

AttributeSet providedBy(std::string_view attributeType) {
    const AttributeType* type = typeNamed(attributeType);
    return type != nullptr ? type->provides : AttributeSet{};
}

base::Result<std::unique_ptr<Attribute>> makeAttribute(const AttributeSpec& spec, const PackFiles& files) {
    const AttributeType* type = typeNamed(spec.type);
    if (type == nullptr)
        return base::fail(base::Reason::BadModelPack, spec.file.name + ": unknown attribute type '" + spec.type + "'");
    return OnnxNet::load(spec.file, files).map([&](OnnxNet net) { return type->make(spec.crop, std::move(net)); });
}

} // namespace fremis::vision
