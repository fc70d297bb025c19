#include "server/vision/stages.h"

#include <opencv2/core/utility.hpp>
#include <opencv2/core/utils/logger.hpp>

namespace fremis::vision {

base::Result<Stages> Stages::create(const PackManifest& manifest, const PackFiles& files) {
    // The threads are the server's, one pipeline each; and no result may depend on how work is split.
    cv::setNumThreads(1);
    // OpenCV prints what it is about to throw; our own log reports it.
    cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
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
