#include "server/vision/onnx_net.h"

#include <cmath>

namespace fremis::vision {

base::Result<OnnxNet> OnnxNet::load(const ModelFile& file, const PackFiles& files) {
    try {
        const auto bytes = files.bytes(file.name);
        OnnxNet net;
        net.m_net = cv::dnn::readNetFromONNX(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        net.m_net.setPreferableBackend(cv::dnn::DNN_BACKEND_OPENCV);
        net.m_net.setPreferableTarget(cv::dnn::DNN_TARGET_CPU);
        return net;
    } catch (const std::exception& problem) {
        return base::fail(base::Reason::BadModelPack, file.name + ": not a network that OpenCV can read",
                          problem.what());
    }
}

cv::Mat OnnxNet::run(const cv::Mat& blob) {
    m_net.setInput(blob);
    return m_net.forward();
}

void OnnxNet::run(const cv::Mat& blob, const std::vector<std::string>& names, std::vector<cv::Mat>& outputs) {
    m_net.setInput(blob);
    m_net.forward(outputs, names);
}

BlobMaker::BlobMaker(const NetInput& input) {
    const std::array<int, 4> shape = {1, 3, input.height, input.width};
    m_blob.create(4, shape.data(), CV_32F);
    for (std::size_t plane = 0; plane < 3; ++plane) {
        m_planes[plane].channel = static_cast<int>(input.rgb ? 2 - plane : plane);
        for (std::size_t sample = 0; sample < 256; ++sample)
            m_planes[plane].values[sample] =
                static_cast<float>((static_cast<double>(sample) - input.mean[plane]) * input.scale[plane]);
    }
}

const cv::Mat& BlobMaker::fill(const cv::Mat& bgr) {
    CV_Assert(bgr.type() == CV_8UC3 && bgr.rows == m_blob.size[2] && bgr.cols == m_blob.size[3]);
    for (int index = 0; index < 3; ++index) {
        const Plane& plane = m_planes[static_cast<std::size_t>(index)];
        for (int y = 0; y < bgr.rows; ++y) {
            const std::uint8_t* from = bgr.ptr<std::uint8_t>(y) + plane.channel;
            float* to = m_blob.ptr<float>(0, index, y);
            for (int x = 0; x < bgr.cols; ++x)
                to[x] = plane.values[from[3 * x]];
        }
    }
    return m_blob;
}

GrayBlobMaker::GrayBlobMaker(int size, double scale) : m_scale(scale) {
    const std::array<int, 4> shape = {1, 1, size, size};
    m_blob.create(4, shape.data(), CV_32F);
}

const cv::Mat& GrayBlobMaker::fill(const cv::Mat& gray) {
    CV_Assert(gray.type() == CV_8UC1 && gray.rows == m_blob.size[2] && gray.cols == m_blob.size[3]);
    cv::Mat plane(gray.rows, gray.cols, CV_32F, m_blob.ptr<float>());
    gray.convertTo(plane, CV_32F, m_scale);
    return m_blob;
}

std::vector<float> softmax(const cv::Mat& logits) {
    const auto* values = logits.ptr<float>();
    std::vector<float> shares(values, values + logits.total());
    const float highest = *std::max_element(shares.begin(), shares.end());
    float sum = 0;
    for (float& share : shares)
        sum += share = std::exp(share - highest);
    for (float& share : shares)
        share /= sum;
    return shares;
}

} // namespace fremis::vision
