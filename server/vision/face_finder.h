#pragma once

#include "server/vision/stages.h"

#include <vector>

namespace fremis::vision {

struct FoundFace {
    Detection detection;
    /// Filled by FaceFinder::embed().
    bool embedded = false;
    Landmarks landmarks;
    float residual = 0;
    Embedding embedding;
};

/// A photo, turned so that its faces are upright, and the faces in it, largest first.
struct View {
    cv::Mat picture;
    int turned = 0; ///< degrees clockwise, from the photo as decoded
    std::vector<FoundFace> faces;

    /// A box of `picture` in the photo as decoded.
    [[nodiscard]] cv::Rect2f inPhoto(const cv::Rect2f& box) const;
};

/// Finds the faces of a photo and the way up. Uses the stages of one pipeline. Thread: one at a time. Throws
/// cv::Exception.
class FaceFinder {
public:
    FaceFinder(Stages& stages, const QualityGates& gates) : m_stages(stages), m_gates(gates) {}

    /// The whole photo first; tiles when that shows nothing; the other three ways up when no face is convincing: the
    /// landmark net always answers with an upright face, so a photo that lies on its side would give a confident wrong
    /// embedding.
    [[nodiscard]] View find(const cv::Mat& photo);

    /// Landmarks, alignment and embedding of a face of `picture`; nothing when it has them.
    void embed(const cv::Mat& picture, FoundFace& face);

private:
    /// Detections as faces, largest first; boxes that score less than `score` or hardly touch the picture are left out.
    [[nodiscard]] std::vector<FoundFace> sorted(const std::vector<Detection>& found, const cv::Mat& picture,
                                                float score) const;
    [[nodiscard]] std::vector<FoundFace> findInTiles(const cv::Mat& photo, const cv::Mat& overview);
    /// How sure it is that these are faces and upright, to compare ways up: the best norm among the larger ones, or the
    /// best detector score in a pack without norm gate. Faces under min_face do not count; 0 when there is no other.
    [[nodiscard]] float merit(const cv::Mat& picture, std::vector<FoundFace>& faces);
    /// `norm`: what a merit must reach in a pack with norm gate; in others a fixed score.
    [[nodiscard]] bool isConvincing(float merit, double norm) const;
    [[nodiscard]] bool isTiny(const FoundFace& face) const;

    Stages& m_stages;
    const QualityGates m_gates;
};

} // namespace fremis::vision
