#include "server/vision/face_finder.h"

#include <opencv2/imgproc.hpp>

namespace fremis::vision {

namespace {

/// Faces embedded to judge a view. A group photo has a sharp face among the largest few; each costs 12 ms.
constexpr int kMostJudged = 4;
/// Tiles and turned photos are looked at only when the plain photo shows nothing good, and each look is a chance for a
/// false box. On the test photos true faces score 0.97 and more there; bushes, clouds and a dog lying on its side up to
/// 0.89.
constexpr float kSecondLookScore = 0.9F;

/// Longest side of what the detector is shown. It shrinks every picture to 320 pixels, tiles and turned photos over and
/// over: a photo of 50 megapixels is shrunk once, to what the smallest tiles can use.
constexpr int kOverviewSide = 2048;

cv::Mat overviewOf(const cv::Mat& photo) {
    const double shrink = static_cast<double>(kOverviewSide) / std::max(photo.cols, photo.rows);
    if (shrink >= 1)
        return photo;
    cv::Mat overview;
    cv::resize(photo, overview,
               cv::Size(std::max(1, cvRound(photo.cols * shrink)), std::max(1, cvRound(photo.rows * shrink))), 0, 0,
               cv::INTER_AREA);
    return overview;
}

/// Boxes of an overview of size `from` in the picture of size `to`.
std::vector<Detection> enlarged(std::vector<Detection> found, cv::Size from, cv::Size to) {
    const float x = static_cast<float>(to.width) / static_cast<float>(from.width);
    const float y = static_cast<float>(to.height) / static_cast<float>(from.height);
    for (Detection& detection : found) {
        cv::Rect2f& box = detection.box;
        box = cv::Rect2f(box.x * x, box.y * y, box.width * x, box.height * y);
    }
    return found;
}

cv::Mat turnedClockwise(const cv::Mat& photo, int degrees) {
    cv::Mat turned;
    switch (degrees) {
    case 90:
        cv::rotate(photo, turned, cv::ROTATE_90_CLOCKWISE);
        return turned;
    case 180:
        cv::rotate(photo, turned, cv::ROTATE_180);
        return turned;
    case 270:
        cv::rotate(photo, turned, cv::ROTATE_90_COUNTERCLOCKWISE);
        return turned;
    default:
        return photo;
    }
}

} // namespace

cv::Rect2f View::inPhoto(const cv::Rect2f& box) const {
    const auto width = static_cast<float>(picture.cols);
    const auto height = static_cast<float>(picture.rows);
    switch (turned) {
    case 90:
        return {box.y, width - box.x - box.width, box.height, box.width};
    case 180:
        return {width - box.x - box.width, height - box.y - box.height, box.width, box.height};
    case 270:
        return {height - box.y - box.height, box.x, box.height, box.width};
    default:
        return box;
    }
}

View FaceFinder::find(const cv::Mat& photo) {
    const cv::Mat overview = overviewOf(photo);
    View best{photo, 0, sorted(enlarged(m_stages.detector->detect(overview), overview.size(), photo.size()), photo, 0)};
    if (best.faces.empty())
        best.faces = findInTiles(photo, overview);
    float bestMerit = merit(photo, best.faces);
    if (isConvincing(bestMerit, m_gates.searchNorm))
        return best;
    // Blur and noise also lower the norm of upright faces, and such a face upside down reaches 2.98 on the test photos,
    // true ones there 3.06 to 3.75. So where a face is in sight, another way up must be good enough to enrol.
    const double needed = bestMerit > 0 ? std::max(m_gates.searchNorm, m_gates.enrolNorm) : m_gates.searchNorm;
    for (const int degrees : {90, 180, 270}) {
        const cv::Mat turned = turnedClockwise(overview, degrees);
        const auto found = m_stages.detector->detect(turned);
        if (found.empty())
            continue;
        View view{turnedClockwise(photo, degrees), degrees, {}};
        view.faces = sorted(enlarged(found, turned.size(), view.picture.size()), view.picture, kSecondLookScore);
        const float itsMerit = merit(view.picture, view.faces);
        if (!isConvincing(itsMerit, needed) || itsMerit <= bestMerit)
            continue;
        bestMerit = itsMerit;
        best = std::move(view);
        best.picture.release(); // a picture of 50 megapixels takes 150 MB: two of them at a time are enough
    }
    if (best.picture.empty())
        best.picture = turnedClockwise(photo, best.turned);
    return best;
}

std::vector<FoundFace> FaceFinder::sorted(const std::vector<Detection>& found, const cv::Mat& picture,
                                          float score) const {
    const cv::Rect2f whole(0, 0, static_cast<float>(picture.cols), static_cast<float>(picture.rows));
    std::vector<FoundFace> faces;
    for (const Detection& detection : found) {
        const cv::Rect2f visible = detection.box & whole;
        if (detection.score >= score && visible.width >= 1 && visible.height >= 1)
            faces.push_back({.detection = detection, .landmarks = {}, .embedding = {}});
    }
    std::stable_sort(faces.begin(), faces.end(), [](const FoundFace& a, const FoundFace& b) {
        return a.detection.box.area() > b.detection.box.area();
    });
    return faces;
}

std::vector<FoundFace> FaceFinder::findInTiles(const cv::Mat& photo, const cv::Mat& overview) {
    for (const int grid : {2, 3}) {
        const auto found = m_stages.detector->detectInTiles(overview, grid);
        auto faces = sorted(enlarged(found, overview.size(), photo.size()), photo, kSecondLookScore);
        // Without a convincing one, tiny faces stay all the same: the client is told that the face is too small.
        if (!isConvincing(merit(photo, faces), m_gates.searchNorm))
            std::erase_if(faces, [&](const FoundFace& face) { return !isTiny(face); });
        if (!faces.empty())
            return faces;
    }
    return {};
}

void FaceFinder::embed(const cv::Mat& picture, FoundFace& face) {
    if (face.embedded)
        return;
    face.landmarks = m_stages.landmarker->find(picture, face.detection.box);
    const Alignment alignment = m_stages.aligner->align(face.landmarks);
    face.residual = alignment.residual;
    cv::Mat aligned;
    cv::warpAffine(picture, aligned, alignment.toTemplate, m_stages.aligner->size(), cv::INTER_LINEAR,
                   cv::BORDER_CONSTANT);
    face.embedding = m_stages.embedder->embed(aligned);
    face.embedded = true;
}

float FaceFinder::merit(const cv::Mat& picture, std::vector<FoundFace>& faces) {
    float best = 0;
    int judged = 0;
    for (FoundFace& face : faces) {
        if (isTiny(face))
            continue;
        if (m_gates.searchNorm <= 0) {
            best = std::max(best, face.detection.score);
            continue;
        }
        if (judged++ == kMostJudged || isConvincing(best, m_gates.searchNorm))
            break;
        embed(picture, face);
        best = std::max(best, face.embedding.norm);
    }
    return best;
}

bool FaceFinder::isConvincing(float merit, double norm) const {
    return merit >= (m_gates.searchNorm > 0 ? static_cast<float>(norm) : kSecondLookScore);
}

bool FaceFinder::isTiny(const FoundFace& face) const {
    return face.detection.box.height < static_cast<float>(m_gates.minFace);
}

} // namespace fremis::vision
