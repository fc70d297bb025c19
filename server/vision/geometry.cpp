#include "server/vision/stages.h"

#include <cmath>
#include <numbers>

namespace fremis::vision {

Geometry geometryOf(const Landmarks& landmarks, float residual) {
    const cv::Point2f leftEye = (landmarks[37] + landmarks[38] + landmarks[40] + landmarks[41]) * 0.25F;
    const cv::Point2f rightEye = (landmarks[43] + landmarks[44] + landmarks[46] + landmarks[47]) * 0.25F;
    const cv::Point2f eyeLine = rightEye - leftEye;
    const float distance = std::max(std::hypot(eyeLine.x, eyeLine.y), 1e-6F);
    const cv::Point2f nose = landmarks[30] - (leftEye + rightEye) * 0.5F;
    return {.residual = residual,
            .roll = std::atan2(eyeLine.y, eyeLine.x) * 180 / std::numbers::pi_v<float>,
            .turn = nose.dot(eyeLine) / (distance * distance)};
}

} // namespace fremis::vision
