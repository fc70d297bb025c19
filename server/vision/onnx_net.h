#pragma once

#include "server/vision/pack_manifest.h"

#include <opencv2/dnn.hpp>

#include <array>
#include <string>
#include <vector>

namespace fremis::vision {

/// One network on OpenCV's CPU backend. Runs throw cv::Exception. Thread: one at a time.
class OnnxNet {
public:
    /// Reason::BadModelPack with the file's name when OpenCV cannot read it.
    [[nodiscard]] static base::Result<OnnxNet> load(const ModelFile& file, const PackFiles& files);

    /// `blob`: 1 × channels × height × width floats. The output is the net's own memory: it is overwritten by the next
    /// run.
    [[nodiscard]] cv::Mat run(const cv::Mat& blob);
    /// Several outputs by name; `outputs` is theirs in the same order, overwritten by the next run.
    void run(const cv::Mat& blob, const std::vector<std::string>& names, std::vector<cv::Mat>& outputs);

private:
    cv::dnn::Net m_net;
};

/// Turns 8-bit pictures into a net's input, into the same memory each time. Thread: one at a time.
class BlobMaker {
public:
    explicit BlobMaker(const NetInput& input);
    /// `bgr`: CV_8UC3 of the input's size.
    [[nodiscard]] const cv::Mat& fill(const cv::Mat& bgr);

private:
    struct Plane {
        int channel;                   ///< of the picture
        std::array<float, 256> values; ///< what each 8-bit sample becomes
    };
    std::array<Plane, 3> m_planes;
    cv::Mat m_blob;
};

/// The same for one gray channel, x · scale, `size` × `size`.
class GrayBlobMaker {
public:
    GrayBlobMaker(int size, double scale);
    /// `gray`: CV_8UC1 of the input's size.
    [[nodiscard]] const cv::Mat& fill(const cv::Mat& gray);

private:
    double m_scale;
    cv::Mat m_blob;
};

/// Probabilities of a row of logits.
[[nodiscard]] std::vector<float> softmax(const cv::Mat& logits);

} // namespace fremis::vision
