#include "server/vision/face_finder.h"
#include "server/vision/face_gates.h"
#include "server/vision/stages.h"

#include <QtTest>

#include <cmath>
#include <limits>

using namespace fremis;
using vision::Detection;
using vision::Landmarks;

namespace {

/// A frontal face of iBUG points as the template has them: eyes level, nose between them.
Landmarks frontal(float size = 112) {
    Landmarks points(68, cv::Point2f(0.5F, 0.5F));
    const auto put = [&](std::initializer_list<std::size_t> indices, float x, float y) {
        for (const std::size_t index : indices)
            points[index] = cv::Point2f(x, y);
    };
    put({36, 37, 38, 39, 40, 41}, 38.2946F, 51.6963F);
    put({42, 43, 44, 45, 46, 47}, 73.5318F, 51.5014F);
    put({30}, 56.0252F, 71.7366F);
    put({48, 60}, 41.5493F, 92.3655F);
    put({54, 64}, 70.7299F, 92.2041F);
    for (cv::Point2f& point : points)
        point *= size / 112;
    return points;
}

Landmarks moved(Landmarks points, double angle, double scale, cv::Point2f shift) {
    const auto cosine = static_cast<float>(std::cos(angle) * scale);
    const auto sine = static_cast<float>(std::sin(angle) * scale);
    for (cv::Point2f& point : points)
        point = cv::Point2f(cosine * point.x - sine * point.y, sine * point.x + cosine * point.y) + shift;
    return points;
}

vision::Embedding ofNorm(float norm) {
    return {{1, 0}, norm};
}

const vision::QualityGates kGates{
    .enrolNorm = 3.0, .searchNorm = 2.6, .minFace = 32, .enrolFace = 56, .maxResidual = 7};

} // namespace

class VisionStagesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theBestOfOverlappingBoxesStays() {
        const std::vector<Detection> found = {
            {{0, 0, 100, 100}, 0.8F}, {{10, 0, 100, 100}, 0.9F}, {{300, 0, 50, 50}, 0.76F}, {{60, 0, 100, 100}, 0.77F}};
        const auto kept = vision::suppressOverlaps(found, 0.40F);
        QCOMPARE(kept.size(), 3U); // the box at 60 overlaps the best by a third
        QCOMPARE(kept[0].score, 0.9F);
        QCOMPARE(kept[1].score, 0.77F);
        QCOMPARE(kept[2].score, 0.76F);
        QVERIFY(vision::suppressOverlaps({}, 0.4F).empty());
    }

    void alignmentUndoesRotationScaleAndShift_data() {
        QTest::addColumn<double>("angle");
        QTest::addColumn<double>("scale");
        for (const double angle : {0.0, 0.4, 1.57, 3.1, -2.0})
            for (const double scale : {0.2, 1.0, 7.5})
                QTest::addRow("angle %.2f scale %.1f", angle, scale) << angle << scale;
    }
    void alignmentUndoesRotationScaleAndShift() {
        QFETCH(double, angle);
        QFETCH(double, scale);
        const auto aligner = vision::makeAligner({"similarity5", "arcface112"});
        const Landmarks points = moved(frontal(), angle, scale, {310, -45});
        const vision::Alignment alignment = (*aligner)->align(points);
        QCOMPARE_LT(alignment.residual, 0.01F);
        const cv::Vec2d nose = alignment.toTemplate * cv::Vec3d(points[30].x, points[30].y, 1);
        QVERIFY(std::abs(nose[0] - 56.0252) < 0.01 && std::abs(nose[1] - 71.7366) < 0.01);
    }

    void theResidualIsTheDistanceInTemplatePixels() {
        const auto aligner = vision::makeAligner({"similarity5", "arcface112"});
        Landmarks points = frontal();
        points[30].x += 10; // the fit gives way a little, so less than 10 / sqrt(5)
        const float residual = (*aligner)->align(points).residual;
        QVERIFY2(residual > 3 && residual < 4.5F, std::to_string(residual).c_str());
    }

    void fivePointsOnOneSpotGiveAFiniteAlignment() {
        const auto aligner = vision::makeAligner({"similarity5", "arcface112"});
        const auto alignment = (*aligner)->align(Landmarks(68, cv::Point2f(5, 5)));
        for (const double value : alignment.toTemplate.val)
            QVERIFY(std::isfinite(value));
    }

    void unknownTypesAreRefused() {
        QCOMPARE(vision::makeAligner({"affine3", "arcface112"}).error().reason, base::Reason::BadModelPack);
        QCOMPARE(vision::makeAligner({"similarity5", "none"}).error().reason, base::Reason::BadModelPack);
        QVERIFY(!vision::providedBy("mood7").any());
        QVERIFY(vision::providedBy("liveness3").liveness);
    }

    void rollAndTurnAreMeasured() {
        const auto level = vision::geometryOf(frontal(), 0);
        QVERIFY(std::abs(level.roll) < 1 && std::abs(level.turn) < 0.02F);
        const auto leaning = vision::geometryOf(moved(frontal(), 0.5, 2, {10, 10}), 0);
        QVERIFY(std::abs(leaning.roll - 28.6F) < 1 && std::abs(leaning.turn) < 0.02F);
        Landmarks looking = frontal();
        looking[30].x += 0.5F * (looking[42].x - looking[36].x);
        QVERIFY(std::abs(vision::geometryOf(looking, 0).turn - 0.5F) < 0.02F);
    }

    void gatesDependOnThePurpose_data() {
        QTest::addColumn<vision::Purpose>("purpose");
        QTest::addColumn<int>("height");
        QTest::addColumn<float>("norm");
        QTest::addColumn<QString>("refusal");
        using vision::Purpose;
        QTest::newRow("enrol, good") << Purpose::Enrol << 56 << 3.0F << QString();
        QTest::newRow("enrol, small") << Purpose::Enrol << 55 << 4.0F
                                      << QStringLiteral("the face is 55 px high; enrolment needs 56");
        QTest::newRow("enrol, blurred")
            << Purpose::Enrol << 90 << 2.9F
            << QStringLiteral("the face is blurred, hidden or turned away: quality 2.90; enrolment needs 3.00");
        QTest::newRow("search, good") << Purpose::Search << 32 << 2.6F << QString();
        QTest::newRow("search, small") << Purpose::Search << 31 << 4.0F
                                       << QStringLiteral("the face is 31 px high; search needs 32");
        QTest::newRow("search, blurred")
            << Purpose::Search << 90 << 2.5F
            << QStringLiteral("the face is blurred, hidden or turned away: quality 2.50; search needs 2.60");
        QTest::newRow("match, blurred") << Purpose::Match << 90 << 0.5F << QString();
        QTest::newRow("match, small") << Purpose::Match << 31 << 4.0F
                                      << QStringLiteral("the face is 31 px high; match needs 32");
        QTest::newRow("extract, blurred") << Purpose::Extract << 90 << 0.5F << QString();
    }
    void gatesDependOnThePurpose() {
        QFETCH(vision::Purpose, purpose);
        QFETCH(int, height);
        QFETCH(float, norm);
        QFETCH(QString, refusal);
        vision::Options options;
        options.purpose = purpose;
        const vision::FaceGates gates(kGates, options);
        const auto status = gates.checkHeight(height).and_then([&] { return gates.checkEmbedding(ofNorm(norm)); });
        QCOMPARE(status ? QString() : QString::fromStdString(status.error().message), refusal);
        options.enforceGates = false;
        const vision::FaceGates open(kGates, options);
        QVERIFY(open.checkHeight(height) && open.checkEmbedding(ofNorm(norm)));
    }

    void aUselessEmbeddingIsRefusedEvenWithoutGates_data() {
        QTest::addColumn<float>("norm");
        QTest::newRow("zero") << 0.0F;
        QTest::newRow("tiny") << 1e-7F;
        QTest::newRow("not a number") << std::numeric_limits<float>::quiet_NaN();
        QTest::newRow("infinite") << std::numeric_limits<float>::infinity();
    }
    void aUselessEmbeddingIsRefusedEvenWithoutGates() {
        QFETCH(float, norm);
        vision::Options options;
        options.enforceGates = false;
        const auto status = vision::FaceGates(kGates, options).checkEmbedding(ofNorm(norm));
        QVERIFY(!status && status.error().reason == base::Reason::EmbeddingInvalid);
    }

    void warningsNameWhatIsOdd() {
        const vision::FaceGates gates(kGates, {});
        QVERIFY(gates.warnings(100, 4.0F, {}, {}).empty());
        vision::Attributes shut;
        shut.leftEye = 0.9F;
        shut.rightEye = 0.8F;
        const std::vector<std::string> all = {"low_norm", "small_face", "high_residual", "eyes_closed", "turned"};
        QVERIFY(gates.warnings(40, 2.7F, {.residual = 8, .roll = 0, .turn = -0.5F}, shut) == all);
        vision::Attributes winking = shut;
        winking.rightEye = 0.1F;
        QVERIFY(gates.warnings(100, 4.0F, {}, winking).empty());
    }

    void boxesOfATurnedViewAreMappedBack() {
        vision::View view;
        view.picture = cv::Mat(300, 200, CV_8UC3); // the photo is 300 wide, 200 high
        const cv::Rect2f box(10, 20, 30, 40);
        view.turned = 90;
        QVERIFY(view.inPhoto(box) == cv::Rect2f(20, 160, 40, 30));
        view.turned = 270;
        QVERIFY(view.inPhoto(box) == cv::Rect2f(240, 10, 40, 30));
        view.turned = 180;
        QVERIFY(view.inPhoto(box) == cv::Rect2f(160, 240, 30, 40));
        view.turned = 0;
        QVERIFY(view.inPhoto(box) == box);
    }
};

QTEST_GUILESS_MAIN(VisionStagesTest)
#include "vision_stages_test.moc"
