#include "server/vision/face_pipeline.h"

#include "server/vision/face_finder.h"
#include "server/vision/face_gates.h"
#include "server/vision/image_decode.h"

namespace fremis::vision {

namespace {

/// Faces embedded at most to find one that passes its gates; a crowd out of focus must not keep a thread for seconds.
constexpr int kMostTried = 16;

cv::Rect inside(const cv::Rect2f& box, cv::Size picture) {
    const cv::Rect2f cut = box & cv::Rect2f(cv::Point2f(), cv::Size2f(picture));
    return {cv::Point(cvRound(cut.x), cvRound(cut.y)), cv::Point(cvRound(cut.br().x), cvRound(cut.br().y))};
}

Face listed(const FoundFace& found, const View& view, cv::Size photo) {
    const cv::Rect box = inside(view.inPhoto(found.detection.box), photo);
    Face face;
    face.top = box.y;
    face.left = box.x;
    face.width = box.width;
    face.height = box.height;
    face.score = found.detection.score;
    return face;
}

/// Height of an upright face; a listed box of a turned photo lies on its side.
int heightOf(const FoundFace& found, const View& view) {
    return inside(found.detection.box, view.picture.size()).height;
}

} // namespace

struct FacePipeline::Parts {
    QualityGates quality;
    Stages stages;
    FaceFinder finder;

    Parts(const QualityGates& gates, Stages made) : quality(gates), stages(std::move(made)), finder(stages, gates) {}
};

namespace {

/// The work on one photo. Faces of `m_view` and of the analysis correspond by index.
class PhotoAnalysis {
public:
    PhotoAnalysis(Stages& stages, FaceFinder& finder, const QualityGates& quality, const Options& options)
        : m_stages(stages), m_finder(finder), m_gates(quality, options), m_options(options) {}

    base::Result<Analysis> run(const cv::Mat& photo) {
        const auto begin = std::chrono::steady_clock::now();
        m_view = m_finder.find(photo);
        m_analysis.detection = std::chrono::steady_clock::now() - begin;
        m_analysis.turned = m_view.turned;
        if (m_options.purpose == Purpose::Extract)
            std::erase_if(m_view.faces,
                          [&](const FoundFace& found) { return heightOf(found, m_view) < m_gates.leastHeight(); });
        for (const FoundFace& found : m_view.faces)
            m_analysis.faces.push_back(listed(found, m_view, photo.size()));
        auto status =
            checkCount().and_then([&] { return m_options.purpose == Purpose::Extract ? useAll() : useOne(); });
        if (!status)
            return tl::unexpected(std::move(status.error()));
        return std::move(m_analysis);
    }

private:
    [[nodiscard]] base::Status checkCount() const {
        if (m_view.faces.empty() && m_options.purpose != Purpose::Extract)
            return base::fail(base::Reason::NoFace, "no face was found in the photo");
        const auto isLarge = [&](const FoundFace& found) { return heightOf(found, m_view) >= m_gates.leastHeight(); };
        const auto large = std::count_if(m_view.faces.begin(), m_view.faces.end(), isLarge);
        if (m_options.requireSingleFace && large > 1)
            return base::fail(base::Reason::MultipleFaces,
                              "the photo shows " + std::to_string(large) + " faces; one is allowed");
        return {};
    }

    /// The largest face that passes; when none does, the reason of the largest.
    base::Status useOne() {
        base::Status first;
        int tried = 0;
        for (std::size_t i = 0; i < m_view.faces.size() && tried < kMostTried; ++i) {
            auto status = m_gates.checkHeight(heightOf(m_view.faces[i], m_view)).and_then([&] {
                ++tried;
                return embed(i);
            });
            if (status) {
                use(i);
                return {};
            }
            if (status.error().reason == base::Reason::EmbeddingInvalid)
                return status;
            if (first)
                first = std::move(status);
        }
        return first;
    }

    base::Status useAll() {
        for (std::size_t i = 0; i < m_view.faces.size(); ++i) {
            if (auto status = embed(i); !status)
                return status;
            use(i);
        }
        return {};
    }

    /// Embeds a face and tells what is wrong with it. The norm is listed in either case.
    base::Status embed(std::size_t index) {
        FoundFace& found = m_view.faces[index];
        m_finder.embed(m_view.picture, found);
        m_analysis.faces[index].norm = found.embedding.norm;
        return m_gates.checkEmbedding(found.embedding);
    }

    void use(std::size_t index) {
        FoundFace& found = m_view.faces[index];
        Face& face = m_analysis.faces[index];
        face.used = true;
        face.embedding = std::move(found.embedding.vector);
        face.geometry = geometryOf(found.landmarks, found.residual);
        const Attributes measured = measure(found);
        face.warnings = m_gates.warnings(heightOf(found, m_view), found.embedding.norm, *face.geometry, measured);
        if (m_options.attributes.any())
            face.attributes = asWanted(measured);
        if (m_analysis.used < 0)
            m_analysis.used = static_cast<int>(index);
    }

    /// What was asked for, and the eyes for the warning: they take 0.4 ms.
    Attributes measure(const FoundFace& found) {
        AttributeSet wanted = m_options.attributes;
        wanted.eyes = true;
        Attributes measured;
        for (const auto& attribute : m_stages.attributes)
            if (attribute->isIn(wanted))
                attribute->measure(m_view.picture, found.detection.box, found.landmarks, measured);
        return measured;
    }

    [[nodiscard]] Attributes asWanted(Attributes measured) const {
        if (!m_options.attributes.eyes) {
            measured.leftEye.reset();
            measured.rightEye.reset();
        }
        return measured;
    }

    Stages& m_stages;
    FaceFinder& m_finder;
    const FaceGates m_gates;
    const Options& m_options;
    View m_view;
    Analysis m_analysis;
};

} // namespace

FacePipeline::FacePipeline(std::unique_ptr<Parts> parts) : m_parts(std::move(parts)) {}

FacePipeline::~FacePipeline() = default;

base::Result<std::unique_ptr<FacePipeline>> FacePipeline::create(const ModelPack& pack) {
    auto stages = Stages::create(pack.manifest(), pack.files());
    if (!stages)
        return tl::unexpected(std::move(stages.error()));
    return std::unique_ptr<FacePipeline>(new FacePipeline(std::make_unique<Parts>(pack.quality(), std::move(*stages))));
}

base::Result<Analysis> FacePipeline::analyse(std::span<const std::uint8_t> encodedImage, const Options& options) {
    const auto photo = decodeImage(encodedImage);
    if (!photo)
        return tl::unexpected(photo.error());
    try {
        return PhotoAnalysis(m_parts->stages, m_parts->finder, m_parts->quality, options).run(*photo);
    } catch (const std::exception& problem) {
        return base::fail(base::Reason::Internal, "the face analysis failed", problem.what());
    }
}

} // namespace fremis::vision
