#pragma once

#include "server/vision/stages.h"

#include <string>
#include <vector>

namespace fremis::vision {

/// What a request demands of a face, and what is worth telling about one that passes. Immutable.
class FaceGates {
public:
    FaceGates(const QualityGates& gates, const Options& options);

    /// FaceTooSmall. `height`: of the box inside the photo, pixels.
    [[nodiscard]] base::Status checkHeight(int height) const;
    /// EmbeddingInvalid when the model failed (whatever the options say), LowQuality.
    [[nodiscard]] base::Status checkEmbedding(const Embedding& embedding) const;
    /// `eyes`: the values of the eye model, when the pack has it.
    [[nodiscard]] std::vector<std::string> warnings(int height, float norm, const Geometry& geometry,
                                                    const Attributes& eyes) const;
    /// Faces below are never used and not counted.
    [[nodiscard]] int leastHeight() const { return m_leastHeight; }

private:
    const QualityGates m_pack;
    const Purpose m_purpose;
    int m_leastHeight = 0;
    int m_neededHeight = 0;
    double m_neededNorm = 0;
};

} // namespace fremis::vision
