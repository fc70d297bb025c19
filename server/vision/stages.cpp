#include "server/vision/stages.h"

namespace fremis::vision {

base::Result<Stages> Stages::create(const PackManifest& manifest, const PackFiles& files) {
    Stages stages;
    base::Status status;
    const auto take = [&status](auto& place, auto made) {
        if (made)
            place = std::move(*made);
        else
            status = tl::unexpected(std::move(made.error()));
        return status.has_value();
    };
    const bool complete = take(stages.detector, makeDetector(manifest.detector, files)) &&
                          take(stages.landmarker, makeLandmarker(manifest.landmarks, files)) &&
                          take(stages.aligner, makeAligner(manifest.align)) &&
                          take(stages.embedder, makeEmbedder(manifest.embedder, stages.aligner->size(), files));
    if (!complete)
        return tl::unexpected(std::move(status.error()));
    for (const AttributeSpec& spec : manifest.attributes)
        if (!take(stages.attributes.emplace_back(), makeAttribute(spec, files)))
            return tl::unexpected(std::move(status.error()));
    return stages;
}

} // namespace fremis::vision
