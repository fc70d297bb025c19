#include "tests/unit/vision/photo_faces.h"

#include <opencv2/imgproc.hpp>

#include <optional>

using namespace fremis;
using test::JpegKind;
using test::PngKind;
using vision::Face;
using vision::FacePipeline;
using vision::ModelPack;
using vision::Purpose;

namespace {

bool warns(const Face& face, const char* warning) {
    return std::find(face.warnings.begin(), face.warnings.end(), warning) != face.warnings.end();
}

/// jesper_2 with its face, 352 px high, brought to `height`, in the middle of a plain picture of 320 × 240 or more.
test::Bytes faceOfHeight(int height) {
    const cv::Mat photo = test::photoPixels("jesper_2.jpg");
    cv::Mat small;
    cv::resize(photo(cv::Rect(180, 20, 420, 490)), small, {}, height / 352.0, height / 352.0, cv::INTER_AREA);
    cv::Mat canvas(std::max(240, small.rows), std::max(320, small.cols), CV_8UC3, cv::Scalar::all(110));
    small.copyTo(
        canvas(cv::Rect((canvas.cols - small.cols) / 2, (canvas.rows - small.rows) / 2, small.cols, small.rows)));
    return test::toPng(test::toPicture(canvas));
}

cv::Mat blurred(const cv::Mat& photo, double sigma) {
    cv::Mat soft;
    cv::GaussianBlur(photo, soft, {}, sigma);
    return soft;
}

} // namespace

class PhotoQualityTest : public QObject {
    Q_OBJECT

    std::optional<ModelPack> m_pack;
    std::unique_ptr<FacePipeline> m_pipeline;

    QString answer(const test::Bytes& file, Purpose purpose) {
        return test::tokenOf(m_pipeline->analyse(file, test::purpose(purpose)));
    }
    std::vector<float> embedding(const test::Bytes& file) {
        const auto analysis = m_pipeline->analyse(file, test::everyFace());
        return analysis && !analysis->faces.empty() ? analysis->faces.front().embedding : std::vector<float>();
    }

private Q_SLOTS:
    void initTestCase() {
        FREMIS_NEEDS_FETCHED_DATA(test::fetched());
        auto pack = ModelPack::load(*test::modelPack("fp-mfn512"));
        QVERIFY2(pack.has_value(), pack ? "" : pack.error().message.c_str());
        m_pack = std::move(*pack);
        m_pipeline = std::move(*FacePipeline::create(*m_pack));
    }

    void everyFileFormGivesTheSameEmbedding_data() {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<QByteArray>("reference");
        const test::Picture picture = test::toPicture(test::photoPixels("jesper_2.jpg"));
        test::Picture gray = picture;
        for (std::size_t i = 0; i < gray.rgb.size(); i += 3)
            gray.rgb[i] = gray.rgb[i + 2] = gray.rgb[i + 1];
        const auto bytes = [](const test::Bytes& file) {
            return QByteArray(reinterpret_cast<const char*>(file.data()), static_cast<qsizetype>(file.size()));
        };
        const QByteArray rgb = bytes(toPng(picture));
        const QByteArray grayRgb = bytes(toPng(gray));
        QTest::newRow("JPEG") << bytes(toJpeg(picture)) << rgb;
        QTest::newRow("progressive JPEG") << bytes(toJpeg(picture, JpegKind::Progressive)) << rgb;
        QTest::newRow("CMYK JPEG") << bytes(toJpeg(picture, JpegKind::Cmyk)) << rgb;
        QTest::newRow("YCCK JPEG") << bytes(toJpeg(picture, JpegKind::YcckByAdobe)) << rgb;
        QTest::newRow("gray JPEG") << bytes(toJpeg(picture, JpegKind::Gray)) << grayRgb;
        QTest::newRow("PNG of 16 bits") << bytes(toPng(picture, PngKind::Rgb16)) << rgb;
        QTest::newRow("gray PNG") << bytes(toPng(picture, PngKind::Gray8)) << grayRgb;
        QTest::newRow("gray PNG of 16 bits") << bytes(toPng(picture, PngKind::Gray16)) << grayRgb;
        QTest::newRow("PNG with alpha") << bytes(toPng(picture, PngKind::Rgba8)) << rgb;
        QTest::newRow("palette PNG") << bytes(toPng(picture, PngKind::Palette)) << bytes(toPng(quantised(picture)));
        QTest::newRow("BMP") << bytes(toBmp(picture)) << rgb;
        QTest::newRow("WebP") << bytes(toWebP(picture)) << rgb;
    }
    void everyFileFormGivesTheSameEmbedding() {
        QFETCH(QByteArray, file);
        QFETCH(QByteArray, reference);
        const auto first = embedding({file.begin(), file.end()});
        const auto second = embedding({reference.begin(), reference.end()});
        QVERIFY(!first.empty() && !second.empty());
        QCOMPARE_GE(test::cosine(first, second), 0.98);
    }

    void anOrientedPhotoNeedsNoSearch() {
        const cv::Mat upright = test::photoPixels("jesper_2.jpg");
        cv::Mat stored;
        cv::rotate(upright, stored, cv::ROTATE_90_COUNTERCLOCKWISE);
        const auto file = test::toJpeg(test::toPicture(stored), JpegKind::Baseline, 95, 6);
        const auto analysis = m_pipeline->analyse(file, test::everyFace());
        QCOMPARE(test::tokenOf(analysis), QStringLiteral("found"));
        QCOMPARE(analysis->turned, 0);
        QVERIFY(std::abs(analysis->faces.front().left - 257) <= 6 && std::abs(analysis->faces.front().top - 78) <= 6);
    }

    void faceHeightDecidesWhatAFaceIsGoodFor_data() {
        QTest::addColumn<int>("height");
        QTest::addColumn<QString>("enrol");
        QTest::addColumn<QString>("search");
        QTest::addColumn<QString>("match");
        const QString found = QStringLiteral("found");
        const QString small = QStringLiteral("face_too_small");
        QTest::newRow("120 px") << 120 << found << found << found;
        QTest::newRow("44 px") << 44 << small << found << found;
        QTest::newRow("24 px") << 24 << small << small << small;
        QTest::newRow("12 px") << 12 << small << small << small;
    }
    void faceHeightDecidesWhatAFaceIsGoodFor() {
        QFETCH(int, height);
        const auto file = faceOfHeight(height);
        QTEST(answer(file, Purpose::Enrol), "enrol");
        QTEST(answer(file, Purpose::Search), "search");
        QTEST(answer(file, Purpose::Match), "match");
        const auto extracted = m_pipeline->analyse(file, test::purpose(Purpose::Extract));
        QVERIFY(extracted.has_value());
        QCOMPARE(extracted->faces.size(), height < 32 ? 0U : 1U);
    }

    void theMessageSaysWhatIsMissing() {
        const auto refused = m_pipeline->analyse(faceOfHeight(44), test::purpose(Purpose::Enrol));
        QVERIFY(!refused);
        const QString message = QString::fromStdString(refused.error().message);
        QVERIFY2(QRegularExpression(QStringLiteral("^the face is 4[0-9] px high; enrolment needs 56$"))
                     .match(message)
                     .hasMatch(),
                 qPrintable(message));
        const auto searched = m_pipeline->analyse(faceOfHeight(44), test::purpose(Purpose::Search));
        QVERIFY(searched && warns(searched->faces.front(), "small_face"));
    }

    void aBlurredFaceIsRefusedButCanBeMatched() {
        const auto file = test::toPng(test::toPicture(blurred(test::photoPixels("jesper_2.jpg"), 14)));
        QCOMPARE(answer(file, Purpose::Enrol), QStringLiteral("low_quality"));
        QCOMPARE(answer(file, Purpose::Search), QStringLiteral("low_quality"));
        const auto matched = m_pipeline->analyse(file, test::purpose(Purpose::Match));
        QCOMPARE(test::tokenOf(matched), QStringLiteral("found"));
        QVERIFY(warns(matched->faces.front(), "low_norm"));
    }

    void enrolmentWantsMoreThanSearch() {
        const auto file = test::readBytes(*test::photo("grand_canyon_2.jpg")); // norm 2.84
        QCOMPARE(answer(file, Purpose::Enrol), QStringLiteral("low_quality"));
        const auto searched = m_pipeline->analyse(file, test::purpose(Purpose::Search));
        QCOMPARE(test::tokenOf(searched), QStringLiteral("found"));
        QVERIFY(warns(searched->faces.front(), "low_norm"));
    }

    void theLargestFaceIsUsedAndAllAreListed() {
        const auto file = test::readBytes(*test::photo("qt-logo.jpg"));
        const auto analysis = m_pipeline->analyse(file, test::purpose(Purpose::Search));
        QCOMPARE(test::tokenOf(analysis), QStringLiteral("found"));
        QCOMPARE(analysis->faces.size(), 3U);
        QCOMPARE(analysis->used, 0);
        for (std::size_t i = 0; i < 3; ++i) {
            QCOMPARE(analysis->faces[i].used, i == 0);
            QCOMPARE(analysis->faces[i].embedding.size(), i == 0 ? 512U : 0U);
        }
        auto single = test::purpose(Purpose::Search);
        single.requireSingleFace = true;
        QCOMPARE(test::tokenOf(m_pipeline->analyse(file, single)), QStringLiteral("multiple_faces"));
        QCOMPARE(test::tokenOf(m_pipeline->analyse(test::readBytes(*test::photo("jesper.jpg")), single)),
                 QStringLiteral("found"));
    }

    void aRefusedFaceGivesWayToTheNextLargest() {
        const cv::Mat large = blurred(test::photoPixels("jesper_2.jpg"), 14);
        const cv::Mat small = test::photoPixels("bar55_2.jpg")(cv::Rect(180, 40, 200, 300));
        cv::Mat photo(large.rows, large.cols + small.cols, CV_8UC3, cv::Scalar::all(110));
        large.copyTo(photo(cv::Rect(cv::Point(), large.size())));
        small.copyTo(photo(cv::Rect(cv::Point(large.cols, 100), small.size())));
        const auto analysis = m_pipeline->analyse(test::toPng(test::toPicture(photo)), test::purpose(Purpose::Search));
        QCOMPARE(test::tokenOf(analysis), QStringLiteral("found"));
        QCOMPARE(analysis->faces.size(), 2U);
        QCOMPARE(analysis->used, 1);
        QVERIFY(analysis->faces[0].norm.has_value() && *analysis->faces[0].norm < 2.6F);
        QVERIFY(!analysis->faces[0].used && analysis->faces[0].embedding.empty() && analysis->faces[1].used);
    }

    void shutEyesAreNoticed() {
        const auto analysis = m_pipeline->analyse(test::readBytes(*test::photo("bar55.jpg")), test::everyFace());
        QCOMPARE(test::tokenOf(analysis), QStringLiteral("found"));
        for (const Face& face : analysis->faces) {
            if (std::abs(face.left - 352) <= 6)
                QVERIFY(warns(face, "eyes_closed"));
            if (std::abs(face.left - 259) <= 6)
                QVERIFY(face.warnings.empty());
            if (std::abs(face.left - 9) <= 6) // a profile
                QVERIFY(warns(face, "turned") && warns(face, "high_residual") && warns(face, "low_norm"));
        }
    }

    void attributesComeOnRequestOnly() {
        const auto file = test::readBytes(*test::photo("jesper_2.jpg"));
        auto options = test::purpose(Purpose::Search);
        const auto plain = m_pipeline->analyse(file, options);
        QVERIFY(plain && !plain->faces.front().attributes);
        options.attributes = {.liveness = true, .gender = true, .age = true, .eyes = false};
        const auto asked = m_pipeline->analyse(file, options);
        QVERIFY(asked && asked->faces.front().attributes);
        const vision::Attributes& attributes = *asked->faces.front().attributes;
        QVERIFY(attributes.liveness && *attributes.liveness >= 0.5F);
        QVERIFY(attributes.gender && *attributes.gender > 0.5F);
        QVERIFY(attributes.age && *attributes.age > 15 && *attributes.age < 70);
        QVERIFY(!attributes.leftEye && !attributes.rightEye);
        options.attributes = {.liveness = false, .gender = false, .age = false, .eyes = true};
        const auto eyes = m_pipeline->analyse(file, options);
        QVERIFY(eyes && eyes->faces.front().attributes->leftEye && *eyes->faces.front().attributes->leftEye < 0.5F);
        QVERIFY(!eyes->faces.front().attributes->age);
    }

    void aDamagedPhotoIsNotUsed() {
        auto file = test::readBytes(*test::photo("jesper_2.jpg"));
        file.resize(file.size() * 9 / 10);
        QCOMPARE(answer(file, Purpose::Search), QStringLiteral("image_invalid"));
    }

    void largePhotosGiveTheSameFaces_data() {
        QTest::addColumn<int>("turn");
        QTest::newRow("upright") << 0;
        QTest::newRow("on its side") << 90;
    }
    void largePhotosGiveTheSameFaces() { // above 2048 pixels the detector sees a smaller copy
        QFETCH(int, turn);
        const cv::Mat photo = test::photoPixels("bar55_2.jpg");
        cv::Mat large;
        cv::resize(photo, large, {}, 4, 4, cv::INTER_CUBIC);
        if (turn == 90)
            cv::rotate(large, large, cv::ROTATE_90_COUNTERCLOCKWISE);
        const auto small = m_pipeline->analyse(test::toPng(test::toPicture(photo)), test::everyFace());
        const auto enlarged = m_pipeline->analyse(test::toJpeg(test::toPicture(large)), test::everyFace());
        QCOMPARE(test::tokenOf(enlarged), QStringLiteral("found"));
        QCOMPARE(enlarged->turned, turn);
        QCOMPARE(enlarged->faces.size(), small->faces.size());
        for (std::size_t i = 0; i < small->faces.size(); ++i) {
            const cv::Point corner = test::uprightCorner(enlarged->faces[i], turn, large.size());
            QVERIFY(std::abs(corner.x - 4 * small->faces[i].left) <= 16 &&
                    std::abs(corner.y - 4 * small->faces[i].top) <= 16);
            QCOMPARE_GE(test::cosine(enlarged->faces[i].embedding, small->faces[i].embedding), 0.95);
        }
    }

    void smallFacesOfALargePhotoAreFoundInTiles() {
        // A face of 50 px in a full HD frame shrinks to 8 px in the detector's input.
        cv::Mat frame(1080, 1920, CV_8UC3, cv::Scalar::all(110));
        const cv::Mat photo = test::photoPixels("jesper_2.jpg");
        cv::Mat small;
        cv::resize(photo, small, {}, 50 / 352.0, 50 / 352.0, cv::INTER_AREA);
        small.copyTo(frame(cv::Rect(1300, 640, small.cols, small.rows)));
        const auto analysis = m_pipeline->analyse(test::toPng(test::toPicture(frame)), test::purpose(Purpose::Search));
        QCOMPARE(test::tokenOf(analysis), QStringLiteral("found"));
        const Face& face = analysis->faces.front();
        QVERIFY(std::abs(face.left - (1300 + 257 * 50 / 352)) <= 6 && std::abs(face.top - (640 + 78 * 50 / 352)) <= 6);
    }
};

QTEST_GUILESS_MAIN(PhotoQualityTest)
#include "photo_quality_test.moc"
