#include "server/vision/pack_manifest.h"

#include <yaml-cpp/yaml.h>

#include <cmath>
#include <set>
#include <stdexcept>

namespace fremis::vision {

namespace {

/// One mapping of the file. Throws std::runtime_error with the key's full name; parseManifest() turns it into an Error.
class Section {
public:
    Section(YAML::Node node, std::string name) : m_node(std::move(node)), m_name(std::move(name)) {
        if (!m_node.IsMap())
            throw std::runtime_error((m_name.empty() ? "the file" : m_name) + ": a mapping is expected");
    }

    [[nodiscard]] bool has(const std::string& key) const { return static_cast<bool>(m_node[key]); }

    YAML::Node node(const std::string& key) {
        m_known.insert(key);
        YAML::Node value = m_node[key];
        if (!value)
            throw std::runtime_error(full(key) + ": missing");
        return value;
    }

    Section section(const std::string& key) { return {node(key), full(key)}; }

    std::string text(const std::string& key) {
        auto value = scalar<std::string>(node(key), key, "a text");
        if (value.empty())
            throw std::runtime_error(full(key) + ": must not be empty");
        return value;
    }

    std::string text(const std::string& key, const std::string& absent) {
        m_known.insert(key);
        return has(key) ? text(key) : absent;
    }

    double number(const std::string& key, double least, double most) {
        const auto value = scalar<double>(node(key), key, "a number");
        if (!(value >= least && value <= most)) // also refuses NaN
            throw std::runtime_error(full(key) + ": out of range");
        return value;
    }

    /// A gate: 0, which turns it off, when the key is missing.
    double gate(const std::string& key, double most) {
        m_known.insert(key);
        return has(key) ? number(key, 0, most) : 0;
    }

    int integer(const std::string& key, int least, int most) {
        const double value = number(key, least, most);
        if (value != std::floor(value))
            throw std::runtime_error(full(key) + ": a whole number is expected");
        return static_cast<int>(value);
    }

    std::string oneOf(const std::string& key, std::initializer_list<std::string_view> allowed) {
        auto value = text(key);
        if (std::find(allowed.begin(), allowed.end(), value) == allowed.end())
            throw std::runtime_error(full(key) + ": unknown value '" + value + "'");
        return value;
    }

    /// One number for all three channels, or one for each.
    std::array<double, 3> perChannel(const std::string& key, double least, double most) {
        const YAML::Node value = node(key);
        if (!value.IsSequence()) {
            const double same = number(key, least, most);
            return {same, same, same};
        }
        const auto list = scalar<std::vector<double>>(value, key, "a number or three numbers");
        if (list.size() != 3)
            throw std::runtime_error(full(key) + ": three numbers are expected");
        return {list[0], list[1], list[2]};
    }

    template<class T>
    [[nodiscard]] T scalar(const YAML::Node& value, const std::string& key, const char* expected) const {
        try {
            return value.as<T>();
        } catch (const YAML::Exception&) {
            throw std::runtime_error(full(key) + ": " + expected + " is expected");
        }
    }

    [[nodiscard]] std::string full(const std::string& key) const { return m_name.empty() ? key : m_name + "." + key; }

    /// A misspelt gate must not be a gate that is off.
    void refuseUnknownKeys() const {
        for (const auto& entry : m_node) {
            const auto key = entry.first.as<std::string>();
            if (!m_known.contains(key))
                throw std::runtime_error(full(key) + ": unknown key");
        }
    }

private:
    YAML::Node m_node;
    std::string m_name;
    std::set<std::string> m_known;
};

ModelFile readFile(Section& section) {
    ModelFile file{section.text("file"), section.text("sha256")};
    if (file.name.find_first_of("/\\") != std::string::npos || file.name == "." || file.name == "..")
        throw std::runtime_error(section.full("file") + ": a plain file name is expected");
    const bool hex = file.sha256.find_first_not_of("0123456789abcdef") == std::string::npos;
    if (!hex || file.sha256.size() != 64)
        throw std::runtime_error(section.full("sha256") + ": 64 lower-case hex digits are expected");
    return file;
}

void readInput(Section& section, NetInput& input) {
    input.rgb = section.oneOf("order", {"rgb", "bgr"}) == "rgb";
    input.mean = section.perChannel("mean", -255, 255);
    input.scale = section.perChannel("scale", 1e-6, 1e3);
}

DetectorSpec readDetector(Section section) {
    DetectorSpec spec;
    spec.type = section.text("type");
    spec.file = readFile(section);
    const auto size = section.scalar<std::vector<int>>(section.node("size"), "size", "[width, height]");
    if (size.size() != 2 || size[0] < 16 || size[1] < 16 || size[0] > 4096 || size[1] > 4096)
        throw std::runtime_error(section.full("size") + ": [width, height] is expected");
    spec.input.width = size[0];
    spec.input.height = size[1];
    readInput(section, spec.input);
    spec.score = static_cast<float>(section.number("score", 0.01, 1));
    spec.nms = static_cast<float>(section.number("nms", 0, 1));
    section.refuseUnknownKeys();
    return spec;
}

CropMargins readMargins(Section section) {
    section.oneOf("side", {"sqrt_area"});
    const CropMargins margins{section.number("left", -0.4, 1), section.number("top", -0.4, 1),
                              section.number("right", -0.4, 1), section.number("bottom", -0.4, 1)};
    section.refuseUnknownKeys();
    return margins;
}

LandmarksSpec readLandmarks(Section section) {
    LandmarksSpec spec;
    spec.type = section.text("type");
    spec.file = readFile(section);
    spec.size = section.integer("size", 16, 1024);
    spec.scale = section.number("scale", 1e-6, 1e3);
    spec.crop = readMargins(section.section("crop"));
    section.refuseUnknownKeys();
    return spec;
}

AlignSpec readAlign(Section section) {
    AlignSpec spec{section.text("type"), section.text("template")};
    section.refuseUnknownKeys();
    return spec;
}

EmbedderSpec readEmbedder(Section section) {
    EmbedderSpec spec;
    spec.type = section.text("type", "net");
    spec.file = readFile(section);
    spec.dim = section.integer("dim", 1, 65536);
    readInput(section, spec.input);
    section.oneOf("metric", {"cosine"});
    section.refuseUnknownKeys();
    return spec;
}

std::vector<AttributeSpec> readAttributes(const YAML::Node& list) {
    if (!list.IsSequence())
        throw std::runtime_error("attributes: a list is expected");
    std::vector<AttributeSpec> specs;
    for (const auto& entry : list) {
        Section section(entry, "attributes[" + std::to_string(specs.size()) + "]");
        specs.push_back({section.text("type"), readFile(section), section.number("crop", 0.1, 10)});
        section.refuseUnknownKeys();
    }
    return specs;
}

Thresholds readThresholds(Section section) {
    const Thresholds thresholds{section.number("verify", -1, 1), section.number("identify", -1, 1),
                                section.number("strict", -1, 1)};
    section.refuseUnknownKeys();
    return thresholds;
}

QualityGates readQuality(Section section) {
    QualityGates gates;
    gates.enrolNorm = section.gate("enrol_norm", 1e6);
    gates.searchNorm = section.gate("search_norm", 1e6);
    gates.minFace = static_cast<int>(section.gate("min_face", 4096));
    gates.enrolFace = static_cast<int>(section.gate("enrol_face", 4096));
    gates.maxResidual = section.gate("max_residual", 1e6);
    section.refuseUnknownKeys();
    return gates;
}

Display readDisplay(Section section) {
    section.oneOf("type", {"logistic"});
    const Display display{section.number("slope", 1e-3, 1e6), section.number("centre", -1, 1)};
    section.refuseUnknownKeys();
    return display;
}

PackManifest readManifest(Section root) {
    PackManifest manifest;
    manifest.id = root.text("id");
    manifest.space = root.text("space");
    manifest.licence = root.text("licence");
    manifest.detector = readDetector(root.section("detector"));
    manifest.landmarks = readLandmarks(root.section("landmarks"));
    manifest.align = readAlign(root.section("align"));
    manifest.embedder = readEmbedder(root.section("embedder"));
    if (root.has("attributes"))
        manifest.attributes = readAttributes(root.node("attributes"));
    manifest.thresholds = readThresholds(root.section("thresholds"));
    manifest.quality = readQuality(root.section("quality"));
    manifest.display = readDisplay(root.section("display"));
    root.refuseUnknownKeys();
    return manifest;
}

} // namespace

std::vector<ModelFile> PackManifest::files() const {
    std::vector<ModelFile> all = {detector.file, landmarks.file, embedder.file};
    for (const AttributeSpec& attribute : attributes)
        all.push_back(attribute.file);
    return all;
}

base::Result<PackManifest> parseManifest(const std::string& yaml, const std::string& origin) {
    try {
        return readManifest(Section(YAML::Load(yaml), ""));
    } catch (const std::exception& problem) {
        return base::fail(base::Reason::BadModelPack, origin + ": " + problem.what());
    }
}

} // namespace fremis::vision
