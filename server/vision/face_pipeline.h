#pragma once

#include "server/vision/model_pack.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace fremis::vision {

/// What the embedding is for; decides which gates refuse and how many faces are embedded.
enum class Purpose {
    Enrol,   ///< one face; norm and height of the enrolment gates
    Search,  ///< one face; norm of the search gate
    Match,   ///< one face; only min_face refuses
    Extract, ///< every face of min_face and more; no face is no error
};

struct Options {
    Purpose purpose = Purpose::Search;
    /// Reason::MultipleFaces when more than one face of at least min_face is in the photo.
    bool requireSingleFace = false;
    /// False: no face is refused for its size or quality. For diagnostics and tests.
    bool enforceGates = true;
    /// For the used faces.
    AttributeSet attributes = {};
};

/// Values of the optional models; absent when not asked for or not in the pack.
struct Attributes {
    std::optional<float> liveness; ///< experimental: 0..1, 1 = live
    std::optional<float> gender;   ///< 0..1, above 0.5 = male
    std::optional<float> age;      ///< years, rough
    std::optional<float> leftEye;  ///< probability that it is closed; left in the image
    std::optional<float> rightEye; ///< probability that it is closed; right in the image
};

/// How an embedded face sits in the photo.
struct Geometry {
    float residual = 0; ///< RMS distance from the alignment template in its pixels
    float roll = 0;     ///< degrees the eye line is turned clockwise, in the photo as turned for detection
    float turn = 0;     ///< nose offset along the eye line over the eye distance; 0 = frontal, sign = side
};

/// One face. The box is in pixels of the photo after its EXIF orientation, cut at the photo's edges.
struct Face {
    int top = 0;
    int left = 0;
    int width = 0;
    int height = 0;
    float score = 0;                   ///< of the detector, 0..1
    bool used = false;                 ///< embedded and answered for; with Extract every face
    std::optional<float> norm;         ///< length of the raw embedding; only of embedded faces
    std::optional<Geometry> geometry;  ///< only of embedded faces
    std::vector<std::string> warnings; ///< low_norm, small_face, high_residual, eyes_closed, turned
    std::vector<float> embedding;      ///< unit length, the pack's dim; empty unless `used`
    std::optional<Attributes> attributes;
};

struct Analysis {
    std::vector<Face> faces; ///< largest first
    int used = -1;           ///< index of the used face (Extract: the largest); -1 when there is none
    int turned = 0;          ///< degrees clockwise the photo was turned to make the faces upright: 0, 90, 180 or 270
    std::chrono::nanoseconds detection{0}; ///< time spent on finding the faces and the way up
};

/// Photo in, faces and embeddings out: decode, detect, find landmarks, align, embed, judge.
/// Equal bytes and options give bit-identical embeddings on every pipeline of a machine.
/// Thread: one pipeline per thread, it holds its own nets. Creating one sets OpenCV to one thread for the whole
/// process.
class FacePipeline {
public:
    [[nodiscard]] static base::Result<std::unique_ptr<FacePipeline>> create(const ModelPack& pack);
    ~FacePipeline();
    FacePipeline(const FacePipeline&) = delete;
    FacePipeline& operator=(const FacePipeline&) = delete;

    /// `encodedImage`: a JPEG, PNG, BMP or WebP file. Fails with the image reasons (ImageInvalid, ImageUnsupported,
    /// ImageTooLarge, ImageTooSmall) or the face reasons (NoFace, FaceTooSmall, LowQuality, MultipleFaces,
    /// EmbeddingInvalid); the message is for the client and holds the measured value. The largest face that passes the
    /// gates is used; when all are refused, the reason is the largest one's.
    [[nodiscard]] base::Result<Analysis> analyse(std::span<const std::uint8_t> encodedImage, const Options& options);

private:
    struct Parts;
    explicit FacePipeline(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> m_parts;
};

} // namespace fremis::vision
