#include "server/vision/stages.h"

#include <array>
#include <cmath>

namespace fremis::vision {

namespace {

using FivePoints = std::array<cv::Point2d, 5>;

/// Where five points of a face belong, and which landmarks make them: each point is the mean of its landmarks.
struct Template {
    std::string_view name;
    int size;
    FivePoints target;
    std::array<std::vector<std::size_t>, 5> landmarks;
};

/// dlib's chip: points of its mean face with a quarter of padding on each side, 150 pixels wide.
constexpr double chip(double position) {
    return (position + 0.25) / 1.5 * 150;
}

const std::array<Template, 2>& templates() {
    static const std::array<Template, 2> kTemplates = {{
        // ArcFace's template: eye centres (lids only, which move less than the corners), tip of the nose, corners of
        // the mouth.
        {"arcface112",
         112,
         {{{38.2946, 51.6963}, {73.5318, 51.5014}, {56.0252, 71.7366}, {41.5493, 92.3655}, {70.7299, 92.2041}}},
         {{{37, 38, 40, 41}, {43, 44, 46, 47}, {30}, {48, 60}, {54, 64}}}},
        // dlib's five point model: outer and inner corners of both eyes, base of the nose.
        {"dlib150",
         150,
         {{{chip(.8595675), chip(.2134982)},
           {chip(.6460605), chip(.2289674)},
           {chip(.1205751), chip(.2137275)},
           {chip(.3340851), chip(.2290642)},
           {chip(.4901123), chip(.6277975)}}},
         {{{45}, {42}, {36}, {39}, {33}}}},
    }};
    return kTemplates;
}

cv::Point2d meanOf(const FivePoints& points) {
    cv::Point2d sum;
    for (const cv::Point2d& point : points)
        sum += point;
    return sum * 0.2;
}

/// Least-squares similarity from five points to the template, in closed form: the same input always gives the same
/// crop.
class SimilarityAligner : public Aligner {
public:
    explicit SimilarityAligner(const Template& chosen) : m_template(chosen), m_targetMean(meanOf(chosen.target)) {}

    cv::Size size() const override { return {m_template.size, m_template.size}; }

    Alignment align(const Landmarks& landmarks) const override {
        const FivePoints points = fivePoints(landmarks);
        const cv::Point2d mean = meanOf(points);
        double square = 0;
        double a = 0;
        double b = 0;
        for (std::size_t i = 0; i < points.size(); ++i) {
            const cv::Point2d p = points[i] - mean;
            const cv::Point2d q = m_template.target[i] - m_targetMean;
            square += p.dot(p);
            a += p.dot(q);
            b += p.cross(q);
        }
        square = std::max(square, 1e-12); // all five on one spot: any crop is as good as another, but it must be finite
        a /= square;
        b /= square;
        const cv::Matx23d matrix(a, -b, m_targetMean.x - a * mean.x + b * mean.y, //
                                 b, a, m_targetMean.y - b * mean.x - a * mean.y);
        return {matrix, residual(matrix, points)};
    }

private:
    [[nodiscard]] FivePoints fivePoints(const Landmarks& landmarks) const {
        FivePoints points;
        for (std::size_t i = 0; i < points.size(); ++i) {
            for (const std::size_t index : m_template.landmarks[i])
                points[i] += cv::Point2d(landmarks[index]);
            points[i] *= 1.0 / static_cast<double>(m_template.landmarks[i].size());
        }
        return points;
    }

    [[nodiscard]] float residual(const cv::Matx23d& matrix, const FivePoints& points) const {
        double sum = 0;
        for (std::size_t i = 0; i < points.size(); ++i) {
            const cv::Vec2d mapped = matrix * cv::Vec3d(points[i].x, points[i].y, 1);
            const cv::Point2d difference = cv::Point2d(mapped[0], mapped[1]) - m_template.target[i];
            sum += difference.dot(difference);
        }
        return static_cast<float>(std::sqrt(sum / static_cast<double>(points.size())));
    }

    const Template& m_template;
    const cv::Point2d m_targetMean;
};

} // namespace

base::Result<std::unique_ptr<Aligner>> makeAligner(const AlignSpec& spec) {
    if (spec.type != "similarity5")
        return base::fail(base::Reason::BadModelPack, "pack.yaml: unknown align type '" + spec.type + "'");
    for (const Template& known : templates())
        if (known.name == spec.templateName)
            return std::make_unique<SimilarityAligner>(known);
    return base::fail(base::Reason::BadModelPack, "pack.yaml: unknown align template '" + spec.templateName + "'");
}

} // namespace fremis::vision
