#include "server/vision/face_gates.h"

#include <cmath>
#include <cstdio>

namespace fremis::vision {

namespace {

/// Below it an embedding has no direction; the same bound as for embeddings that clients send.
constexpr float kLeastNorm = 1e-6F;
/// Nose offset over eye distance at which the far eye begins to hide.
constexpr float kTurned = 0.35F;
constexpr float kEyeClosed = 0.5F;

std::string_view nameOf(Purpose purpose) {
    switch (purpose) {
    case Purpose::Enrol:
        return "enrolment";
    case Purpose::Search:
        return "search";
    case Purpose::Match:
        return "match";
    case Purpose::Extract:
        return "extraction";
    }
    return "use";
}

std::string twoDecimals(double value) {
    std::array<char, 32> text = {};
    std::snprintf(text.data(), text.size(), "%.2f", value);
    return text.data();
}

double neededNorm(const QualityGates& gates, Purpose purpose) {
    switch (purpose) {
    case Purpose::Enrol:
        return gates.enrolNorm;
    case Purpose::Search:
        return gates.searchNorm;
    default:
        return 0;
    }
}

} // namespace

FaceGates::FaceGates(const QualityGates& gates, const Options& options) : m_pack(gates), m_purpose(options.purpose) {
    if (!options.enforceGates)
        return;
    m_leastHeight = gates.minFace;
    m_neededHeight = m_purpose == Purpose::Enrol ? std::max(gates.minFace, gates.enrolFace) : gates.minFace;
    m_neededNorm = neededNorm(gates, m_purpose);
}

base::Status FaceGates::checkHeight(int height) const {
    if (height >= m_neededHeight)
        return {};
    return base::fail(base::Reason::FaceTooSmall, "the face is " + std::to_string(height) + " px high; " +
                                                      std::string(nameOf(m_purpose)) + " needs " +
                                                      std::to_string(m_neededHeight));
}

base::Status FaceGates::checkEmbedding(const Embedding& embedding) const {
    if (!std::isfinite(embedding.norm) || embedding.norm <= kLeastNorm)
        return base::fail(base::Reason::EmbeddingInvalid, "the model gives no usable embedding for this face");
    if (embedding.norm >= static_cast<float>(m_neededNorm)) // 2.6F is below 2.6
        return {};
    return base::fail(base::Reason::LowQuality,
                      "the face is blurred, hidden or turned away: quality " + twoDecimals(embedding.norm) + "; " +
                          std::string(nameOf(m_purpose)) + " needs " + twoDecimals(m_neededNorm));
}

std::vector<std::string> FaceGates::warnings(int height, float norm, const Geometry& geometry,
                                             const Attributes& eyes) const {
    std::vector<std::string> list;
    if (norm < static_cast<float>(m_pack.enrolNorm))
        list.emplace_back("low_norm");
    if (height < m_pack.enrolFace)
        list.emplace_back("small_face");
    if (m_pack.maxResidual > 0 && geometry.residual > m_pack.maxResidual)
        list.emplace_back("high_residual");
    if (eyes.leftEye.value_or(0) > kEyeClosed && eyes.rightEye.value_or(0) > kEyeClosed)
        list.emplace_back("eyes_closed");
    if (std::abs(geometry.turn) > kTurned)
        list.emplace_back("turned");
    return list;
}

} // namespace fremis::vision
