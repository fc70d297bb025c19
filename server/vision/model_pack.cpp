#include "server/vision/model_pack.h"

#include "server/vision/stages.h"

#include <cmath>
#include <fstream>
#include <iterator>

namespace fremis::vision {

namespace {

base::Result<std::string> readText(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    if (!stream || text.empty())
        return base::fail(base::Reason::BadModelPack, file.string() + ": cannot be read");
    return text;
}

/// One blank image through every net, each on its own, so that a net of another shape is found at start and named.
base::Status tryBlankImage(const PackManifest& manifest, const PackFiles& files) {
    auto stages = Stages::create(manifest, files);
    if (!stages)
        return tl::unexpected(std::move(stages.error()));
    const cv::Mat picture(manifest.detector.input.height, manifest.detector.input.width, CV_8UC3, cv::Scalar::all(127));
    const cv::Mat aligned(stages->aligner->size(), CV_8UC3, cv::Scalar::all(127));
    const cv::Rect2f box(0, 0, static_cast<float>(picture.rows) / 2, static_cast<float>(picture.rows) / 2);
    Attributes ignored;
    const std::string* file = &manifest.detector.file.name;
    try {
        static_cast<void>(stages->detector->detect(picture));
        file = &manifest.landmarks.file.name;
        const Landmarks landmarks = stages->landmarker->find(picture, box);
        for (std::size_t i = 0; i < stages->attributes.size(); ++i) {
            file = &manifest.attributes[i].file.name;
            stages->attributes[i]->measure(picture, box, landmarks, ignored);
        }
        file = &manifest.embedder.file.name;
        const auto dim = stages->embedder->embed(aligned).vector.size();
        if (dim != static_cast<std::size_t>(manifest.embedder.dim))
            return base::fail(base::Reason::BadModelPack, *file + ": gives " + std::to_string(dim) +
                                                              " numbers, pack.yaml says " +
                                                              std::to_string(manifest.embedder.dim));
        return {};
    } catch (const std::exception& problem) { // OpenCV finds shapes that do not fit only when the net runs
        return base::fail(base::Reason::BadModelPack, *file + ": fails on a blank image", problem.what());
    }
}

} // namespace

ModelPack::ModelPack(std::shared_ptr<const PackManifest> manifest, std::shared_ptr<const PackFiles> files)
    : m_manifest(std::move(manifest)), m_files(std::move(files)) {}

base::Result<ModelPack> ModelPack::load(const std::filesystem::path& folder) {
    const auto path = folder / "pack.yaml";
    const auto text = readText(path);
    if (!text)
        return tl::unexpected(text.error());
    auto manifest = parseManifest(*text, path.string());
    if (!manifest)
        return tl::unexpected(std::move(manifest.error()));
    auto files = PackFiles::read(folder, manifest->files());
    if (!files)
        return tl::unexpected(std::move(files.error()));
    if (auto status = tryBlankImage(*manifest, *files); !status)
        return tl::unexpected(std::move(status.error()));
    return ModelPack(std::make_shared<const PackManifest>(std::move(*manifest)),
                     std::make_shared<const PackFiles>(std::move(*files)));
}

const std::string& ModelPack::id() const {
    return m_manifest->id;
}

const std::string& ModelPack::space() const {
    return m_manifest->space;
}

int ModelPack::dim() const {
    return m_manifest->embedder.dim;
}

const std::string& ModelPack::licence() const {
    return m_manifest->licence;
}

const Thresholds& ModelPack::thresholds() const {
    return m_manifest->thresholds;
}

const QualityGates& ModelPack::quality() const {
    return m_manifest->quality;
}

AttributeSet ModelPack::attributes() const {
    AttributeSet all;
    for (const AttributeSpec& attribute : m_manifest->attributes) {
        const AttributeSet one = providedBy(attribute.type);
        all.liveness |= one.liveness;
        all.gender |= one.gender;
        all.age |= one.age;
        all.eyes |= one.eyes;
    }
    return all;
}

double ModelPack::similarity(double cosine) const {
    const Display& display = m_manifest->display;
    return 1 / (1 + std::exp(-display.slope * (cosine - display.centre)));
}

} // namespace fremis::vision
