#include "server/vision/onnx_net.h"
#include "server/vision/stages.h"

#include <cmath>

namespace fremis::vision {

namespace {

class NetEmbedder : public Embedder {
public:
    NetEmbedder(const NetInput& input, OnnxNet net) : m_net(std::move(net)), m_blob(input) {}

    Embedding embed(const cv::Mat& aligned) override {
        const cv::Mat output = m_net.run(m_blob.fill(aligned));
        const auto* raw = output.ptr<float>();
        Embedding embedding{{raw, raw + output.total()}, 0};
        double square = 0; // in double: the order of the sum is fixed and nothing overflows
        for (const float value : embedding.vector)
            square += static_cast<double>(value) * value;
        const double norm = std::sqrt(square);
        embedding.norm = static_cast<float>(norm);
        for (float& value : embedding.vector)
            value = static_cast<float>(value / norm);
        return embedding;
    }

private:
    OnnxNet m_net;
    BlobMaker m_blob;
};

} // namespace

base::Result<std::unique_ptr<Embedder>> makeEmbedder(const EmbedderSpec& spec, cv::Size size, const PackFiles& files) {
    if (spec.type != "net")
        return base::fail(base::Reason::BadModelPack, spec.file.name + ": unknown embedder type '" + spec.type + "'");
    NetInput input = spec.input;
    input.width = size.width;
    input.height = size.height;
    return OnnxNet::load(spec.file, files).map([&](OnnxNet net) -> std::unique_ptr<Embedder> {
        return std::make_unique<NetEmbedder>(input, std::move(net));
    });
}

} // namespace fremis::vision
