#pragma once

#include "server/vision/model_pack.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fremis::vision {

struct ModelFile {
    std::string name;   ///< a plain file name inside the pack's folder
    std::string sha256; ///< 64 lower-case hex digits
};

/// How 8-bit samples become the net's input: (x - mean) * scale, planes in the given order.
struct NetInput {
    int width = 0;
    int height = 0;
    bool rgb = false;                 ///< planes R, G, B; else B, G, R
    std::array<double, 3> mean = {};  ///< in the order of the planes
    std::array<double, 3> scale = {}; ///< in the order of the planes
};

struct DetectorSpec {
    std::string type;
    ModelFile file;
    NetInput input;
    float score = 0; ///< boxes below are dropped
    float nms = 0;   ///< boxes that overlap a better one by more (intersection over union) are dropped
};

/// Margins around a square of side sqrt(w·h), as shares of that side.
struct CropMargins {
    double left = 0;
    double top = 0;
    double right = 0;
    double bottom = 0;
};

struct LandmarksSpec {
    std::string type;
    ModelFile file;
    int size = 0;
    double scale = 0;
    CropMargins crop;
};

struct AlignSpec {
    std::string type;
    std::string templateName;
};

struct EmbedderSpec {
    std::string type;
    ModelFile file;
    int dim = 0;
    NetInput input; ///< its size is the alignment template's
};

struct AttributeSpec {
    std::string type;
    ModelFile file;
    double crop = 0; ///< side of the square, in box heights or eye widths
};

struct Display {
    double slope = 0;
    double centre = 0;
};

/// pack.yaml as read; nothing is known about the files yet.
struct PackManifest {
    std::string id;
    std::string space;
    std::string licence;
    DetectorSpec detector;
    LandmarksSpec landmarks;
    AlignSpec align;
    EmbedderSpec embedder;
    std::vector<AttributeSpec> attributes;
    Thresholds thresholds;
    QualityGates quality;
    Display display;

    [[nodiscard]] std::vector<ModelFile> files() const;
};

/// Reads the text of a pack.yaml. Unknown and missing keys, values out of range and file names with a folder in them
/// are Reason::BadModelPack with `origin` and the key.
[[nodiscard]] base::Result<PackManifest> parseManifest(const std::string& yaml, const std::string& origin);

/// The bytes of the model files, verified.
class PackFiles {
public:
    /// Reads the files from `folder` and checks their sums; Reason::BadModelPack names the file that is missing or
    /// different.
    [[nodiscard]] static base::Result<PackFiles> read(const std::filesystem::path& folder,
                                                      std::span<const ModelFile> files);
    /// Bytes of a file that read() was given.
    [[nodiscard]] std::span<const std::uint8_t> bytes(const std::string& name) const { return m_bytes.at(name); }

private:
    std::map<std::string, std::vector<std::uint8_t>, std::less<>> m_bytes;
};

} // namespace fremis::vision
