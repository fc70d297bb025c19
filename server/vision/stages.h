#pragma once

#include "server/vision/face_pipeline.h"
#include "server/vision/pack_manifest.h"

#include <opencv2/core.hpp>

#include <memory>
#include <span>
#include <vector>

/// The stages of a pipeline. Each has an interface and a factory that knows the `type` names of pack.yaml; a new kind
/// of model is a new class and a line in its factory. Factories fail with Reason::BadModelPack and the file's name.
/// Pictures are CV_8UC3 in BGR order. Stages hold nets: one thread at a time. They may throw cv::Exception.
namespace fremis::vision {

struct Detection {
    cv::Rect2f box; ///< pixels of the picture; may reach over its edges
    float score = 0;
};

/// Keeps the best of boxes that overlap by more than `limit` (intersection over union); best first. Equal scores keep
/// their order.
[[nodiscard]] std::vector<Detection> suppressOverlaps(std::vector<Detection> found, float limit);

class Detector {
public:
    explicit Detector(float overlapLimit) : m_overlapLimit(overlapLimit) {}
    virtual ~Detector() = default;
    /// Best first.
    [[nodiscard]] virtual std::vector<Detection> detect(const cv::Mat& picture) = 0;
    /// The same over `grid` × `grid` tiles, each a fifth larger than its share, for faces too small for the net in the
    /// whole picture.
    [[nodiscard]] std::vector<Detection> detectInTiles(const cv::Mat& picture, int grid);

protected:
    const float m_overlapLimit;
};

/// 68 points in the iBUG order, pixels of the picture. "Left" is the image's left everywhere.
using Landmarks = std::vector<cv::Point2f>;

class Landmarker {
public:
    virtual ~Landmarker() = default;
    [[nodiscard]] virtual Landmarks find(const cv::Mat& picture, const cv::Rect2f& box) = 0;
};

struct Alignment {
    cv::Matx23d toTemplate; ///< picture to template pixels
    float residual = 0;     ///< RMS distance of the mapped points from the template's, pixels
};

class Aligner {
public:
    virtual ~Aligner() = default;
    [[nodiscard]] virtual cv::Size size() const = 0;
    [[nodiscard]] virtual Alignment align(const Landmarks& landmarks) const = 0;
};

struct Embedding {
    std::vector<float> vector; ///< unit length unless the norm is useless
    float norm = 0;            ///< of the raw vector; may be zero or not finite when the model fails
};

class Embedder {
public:
    virtual ~Embedder() = default;
    /// `aligned`: of the aligner's size. The vector has as many floats as the net puts out.
    [[nodiscard]] virtual Embedding embed(const cv::Mat& aligned) = 0;
};

class Attribute {
public:
    virtual ~Attribute() = default;
    /// Whether `wanted` names it.
    [[nodiscard]] virtual bool isIn(const AttributeSet& wanted) const = 0;
    /// Fills its own fields of `attributes`.
    virtual void measure(const cv::Mat& picture, const cv::Rect2f& box, const Landmarks& landmarks,
                         Attributes& attributes) = 0;
};

[[nodiscard]] base::Result<std::unique_ptr<Detector>> makeDetector(const DetectorSpec& spec, const PackFiles& files);
[[nodiscard]] base::Result<std::unique_ptr<Landmarker>> makeLandmarker(const LandmarksSpec& spec,
                                                                       const PackFiles& files);
[[nodiscard]] base::Result<std::unique_ptr<Aligner>> makeAligner(const AlignSpec& spec);
[[nodiscard]] base::Result<std::unique_ptr<Embedder>> makeEmbedder(const EmbedderSpec& spec, cv::Size size,
                                                                   const PackFiles& files);
[[nodiscard]] base::Result<std::unique_ptr<Attribute>> makeAttribute(const AttributeSpec& spec, const PackFiles& files);

/// Roll and turn from the eye centres and the tip of the nose.
[[nodiscard]] Geometry geometryOf(const Landmarks& landmarks, float residual);

/// Which of the attributes an attribute `type` provides; nothing for an unknown type.
[[nodiscard]] AttributeSet providedBy(std::string_view attributeType);

/// The stages of one pack.
struct Stages {
    std::unique_ptr<Detector> detector;
    std::unique_ptr<Landmarker> landmarker;
    std::unique_ptr<Aligner> aligner;
    std::unique_ptr<Embedder> embedder;
    std::vector<std::unique_ptr<Attribute>> attributes;

    [[nodiscard]] static base::Result<Stages> create(const PackManifest& manifest, const PackFiles& files);
};

} // namespace fremis::vision
