#include "server/vision/image_codecs.h"
#include "server/vision/image_decode.h"
#include "tests/support/image_writer.h"

#include <QtTest>

#include <cmath>
#include <random>

using namespace fremis;
using test::BmpKind;
using test::JpegKind;
using test::Picture;
using test::PngKind;
using test::WebPKind;

namespace {

/// Smooth colours (so that JPEG keeps them) with a corner that tells the way up.
Picture colours(int width = 64, int height = 48) {
    Picture picture{width, height, std::vector<std::uint8_t>(static_cast<std::size_t>(3 * width * height))};
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            std::uint8_t* rgb = picture.at(x, y);
            rgb[0] = static_cast<std::uint8_t>(255 * x / width);
            rgb[1] = static_cast<std::uint8_t>(255 * y / height);
            rgb[2] = x < width / 4 && y < height / 4 ? 230 : 40;
        }
    }
    return picture;
}

Picture gray(Picture picture) {
    for (std::size_t i = 0; i < picture.rgb.size(); i += 3)
        picture.rgb[i] = picture.rgb[i + 2] = picture.rgb[i + 1];
    return picture;
}

Picture fiveBits(Picture picture) {
    for (auto& sample : picture.rgb)
        sample = static_cast<std::uint8_t>(((sample >> 3) * 255 + 15) / 31);
    return picture;
}

/// Mean absolute difference of all samples; 1e9 for another size.
double difference(const cv::Mat& bgr, const Picture& picture) {
    if (bgr.cols != picture.width || bgr.rows != picture.height || bgr.type() != CV_8UC3)
        return 1e9;
    double sum = 0;
    for (int y = 0; y < bgr.rows; ++y)
        for (int x = 0; x < bgr.cols; ++x)
            for (int channel = 0; channel < 3; ++channel)
                sum += std::abs(bgr.at<cv::Vec3b>(y, x)[channel] - picture.at(x, y)[2 - channel]);
    return sum / static_cast<double>(picture.rgb.size());
}

QString tokenOf(const base::Result<cv::Mat>& result) {
    if (result)
        return QStringLiteral("decoded");
    const auto token = result.error().token();
    return QString::fromUtf8(token.data(), static_cast<qsizetype>(token.size()));
}

/// What EXIF orientation `orientation` shows when `upright` should be seen: the stored picture.
Picture storedFor(const Picture& upright, int orientation) {
    const bool exchanged = orientation >= 5;
    Picture stored{exchanged ? upright.height : upright.width, exchanged ? upright.width : upright.height, upright.rgb};
    for (int row = 0; row < stored.height; ++row) {
        for (int column = 0; column < stored.width; ++column) {
            // EXIF names the visual side of the stored row 0 and column 0: 1 top-left, 2 top-right, 3 bottom-right, 4
            // bottom-left, 5 left-top, 6 right-top, 7 right-bottom, 8 left-bottom.
            const int along = exchanged ? row : column;
            const int down = exchanged ? column : row;
            const bool fromRight = orientation == 2 || orientation == 3 || orientation == 6 || orientation == 7;
            const bool fromBottom = orientation == 3 || orientation == 4 || orientation == 7 || orientation == 8;
            const int x = fromRight ? upright.width - 1 - along : along;
            const int y = fromBottom ? upright.height - 1 - down : down;
            std::copy_n(upright.at(x, y), 3, stored.at(column, row));
        }
    }
    return stored;
}

} // namespace

class ImageDecodeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyKindShowsTheSamePicture_data() {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<QByteArray>("rgb");
        QTest::addColumn<double>("tolerance");
        const Picture picture = colours();
        const auto row = [](const char* name, const test::Bytes& file, const Picture& expected, double tolerance) {
            QTest::newRow(name) << QByteArray(reinterpret_cast<const char*>(file.data()),
                                              static_cast<qsizetype>(file.size()))
                                << QByteArray(reinterpret_cast<const char*>(expected.rgb.data()),
                                              static_cast<qsizetype>(expected.rgb.size()))
                                << tolerance;
        };
        row("JPEG", toJpeg(picture), picture, 2);
        row("progressive JPEG", toJpeg(picture, JpegKind::Progressive), picture, 2);
        row("gray JPEG", toJpeg(picture, JpegKind::Gray), gray(picture), 2);
        row("CMYK JPEG", toJpeg(picture, JpegKind::Cmyk), picture, 4);
        row("YCCK JPEG", toJpeg(picture, JpegKind::YcckByAdobe), picture, 4);
        row("PNG", toPng(picture), picture, 0);
        row("PNG of 16 bits", toPng(picture, PngKind::Rgb16), picture, 0);
        row("gray PNG", toPng(picture, PngKind::Gray8), gray(picture), 0);
        row("gray PNG of 16 bits", toPng(picture, PngKind::Gray16), gray(picture), 0);
        row("palette PNG", toPng(picture, PngKind::Palette), quantised(picture), 0);
        row("PNG with alpha", toPng(picture, PngKind::Rgba8), picture, 0);
        row("interlaced PNG", toPng(picture, PngKind::Interlaced), picture, 0);
        row("BMP", toBmp(picture), picture, 0);
        row("BMP of 32 bits", toBmp(picture, BmpKind::Bits32), picture, 0);
        row("BMP with the top row first", toBmp(picture, BmpKind::Bits24TopDown), picture, 0);
        row("palette BMP", toBmp(picture, BmpKind::Bits8), quantised(picture), 0);
        row("BMP of 16 bits", toBmp(picture, BmpKind::Bits16), fiveBits(picture), 0.01);
        row("BMP of OS/2", toBmp(picture, BmpKind::CoreHeader24), picture, 0);
        row("WebP", toWebP(picture), picture, 4);
        row("lossless WebP", toWebP(picture, WebPKind::Lossless), picture, 0);
        row("animated WebP, first frame", toWebP(picture, WebPKind::Animated), picture, 0);
    }
    void everyKindShowsTheSamePicture() {
        QFETCH(QByteArray, file);
        QFETCH(QByteArray, rgb);
        QFETCH(double, tolerance);
        const Picture expected{64, 48, {rgb.begin(), rgb.end()}};
        const auto decoded = vision::decodeImage(
            {reinterpret_cast<const std::uint8_t*>(file.data()), static_cast<std::size_t>(file.size())});
        QCOMPARE(tokenOf(decoded), QStringLiteral("decoded"));
        QCOMPARE_LE(difference(*decoded, expected), tolerance);
    }

    void widthsThatAreNoMultipleOfFourAreRight_data() {
        QTest::addColumn<int>("width");
        for (const int width : {16, 17, 18, 19, 33})
            QTest::addRow("%d pixels", width) << width;
    }
    void widthsThatAreNoMultipleOfFourAreRight() {
        QFETCH(int, width);
        const Picture picture = colours(width, 21);
        QCOMPARE(difference(*vision::decodeImage(toPng(picture)), picture), 0.0);
        QCOMPARE(difference(*vision::decodeImage(toBmp(picture)), picture), 0.0);
        QCOMPARE(difference(*vision::decodeImage(toBmp(picture, BmpKind::Bits8)), quantised(picture)), 0.0);
        QCOMPARE(difference(*vision::decodeImage(toWebP(picture, WebPKind::Lossless)), picture), 0.0);
    }

    void exifOrientationIsApplied_data() {
        QTest::addColumn<int>("orientation");
        for (int orientation = 1; orientation <= 8; ++orientation)
            QTest::addRow("orientation %d", orientation) << orientation;
    }
    void exifOrientationIsApplied() {
        QFETCH(int, orientation);
        const Picture upright = colours();
        const Picture stored = storedFor(upright, orientation);
        const auto jpeg = vision::decodeImage(toJpeg(stored, JpegKind::Baseline, 95, orientation));
        QCOMPARE(tokenOf(jpeg), QStringLiteral("decoded"));
        QCOMPARE_LE(difference(*jpeg, upright), 2.0);
        const auto png = vision::decodeImage(toPng(stored, PngKind::Rgb8, orientation));
        QCOMPARE(tokenOf(png), QStringLiteral("decoded"));
        QCOMPARE(difference(*png, upright), 0.0);
    }

    void oddExifIsIgnored_data() {
        QTest::addColumn<QByteArray>("exif");
        const auto good = test::exifBlock(6);
        const QByteArray block(reinterpret_cast<const char*>(good.data()), static_cast<qsizetype>(good.size()));
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("prefix only") << block.left(6);
        QTest::newRow("cut in the header") << block.left(12);
        QTest::newRow("cut in the directory") << block.left(17);
        QTest::newRow("byte order unknown") << QByteArray(block).replace("MM", "XX");
        QTest::newRow("not TIFF") << QByteArray(block).replace(QByteArray("\0\x2a", 2), QByteArray("\0\x2b", 2));
        QTest::newRow("directory beyond the end") << QByteArray(block).replace(10, 4, "\xff\xff\xff\xff");
        QTest::newRow("orientation 9") << QByteArray(block).replace(25, 1, "\x09");
        QTest::newRow("orientation 0") << QByteArray(block).replace(25, 1, QByteArray(1, '\0'));
    }
    void oddExifIsIgnored() {
        QFETCH(QByteArray, exif);
        QCOMPARE(vision::exifOrientation(
                     {reinterpret_cast<const std::uint8_t*>(exif.data()), static_cast<std::size_t>(exif.size())}),
                 1);
    }

    void littleEndianExifIsRead() {
        const std::vector<std::uint8_t> exif = {'I', 'I', 42, 0, 8, 0, 0, 0, 1, 0, 0x12,
                                                1,   3,   0,  1, 0, 0, 0, 8, 0, 0, 0};
        QCOMPARE(vision::exifOrientation(exif), 8);
    }

    void damageIsInvalid_data() {
        QTest::addColumn<QByteArray>("file");
        const Picture picture = colours(200, 150);
        const auto bytes = [](const test::Bytes& file) {
            return QByteArray(reinterpret_cast<const char*>(file.data()), static_cast<qsizetype>(file.size()));
        };
        const auto cut = [](const QByteArray& file) { return file.left(file.size() / 2); };
        const QByteArray jpeg = bytes(toJpeg(picture));
        const QByteArray png = bytes(toPng(picture));
        QTest::newRow("half a JPEG") << cut(jpeg);
        QTest::newRow("half a JPEG with an end marker") << cut(jpeg) + QByteArray("\xff\xd9");
        QTest::newRow("half a progressive JPEG with an end marker")
            << cut(bytes(toJpeg(picture, JpegKind::Progressive))) + QByteArray("\xff\xd9");
        QTest::newRow("half a PNG") << cut(png);
        QByteArray flipped = png;
        flipped[flipped.size() / 2] = static_cast<char>(flipped[flipped.size() / 2] ^ 1);
        QTest::newRow("a flipped bit in a PNG") << flipped;
        QTest::newRow("half a BMP") << cut(bytes(toBmp(picture)));
        QTest::newRow("half a WebP") << cut(bytes(toWebP(picture)));
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("text") << QByteArray("this is no image, however long the text may be");
    }
    void damageIsInvalid() {
        QFETCH(QByteArray, file);
        const auto decoded = vision::decodeImage(
            {reinterpret_cast<const std::uint8_t*>(file.constData()), static_cast<std::size_t>(file.size())});
        QCOMPARE(tokenOf(decoded), QStringLiteral("image_invalid"));
    }

    void bytesAfterTheEndAreIgnored() {
        const Picture picture = colours();
        for (test::Bytes file : {toJpeg(picture), toPng(picture), toBmp(picture), toWebP(picture)}) {
            file.insert(file.end(), 1000, 0x5A);
            QCOMPARE(tokenOf(vision::decodeImage(file)), QStringLiteral("decoded"));
        }
    }

    void otherFormatsAndSizesHaveTheirReasons() {
        const std::string gif("GIF89a\x10\0\x10\0\x80\0\0\0\0\0\0\0\0", 19);
        QCOMPARE(tokenOf(vision::decodeImage({reinterpret_cast<const std::uint8_t*>(gif.data()), gif.size()})),
                 QStringLiteral("image_unsupported"));
        QCOMPARE(tokenOf(vision::decodeImage(toPng(colours(15, 40)))), QStringLiteral("image_too_small"));
        auto compressed = toBmp(colours());
        compressed[30] = 1; // run-length encoding
        QVERIFY(tokenOf(vision::decodeImage(compressed)) != QStringLiteral("decoded"));
    }

    /// Whatever the bytes, decoding ends with a picture of the promised kind or a reason, never in a crash; a sanitizer
    /// build tells more.
    void randomDamageIsHarmless() {
        const Picture picture = colours(80, 60);
        std::mt19937 random(20260101);
        for (const test::Bytes& whole :
             {toJpeg(picture), toJpeg(picture, JpegKind::Progressive), toPng(picture, PngKind::Palette),
              toBmp(picture, BmpKind::Bits8), toBmp(picture, BmpKind::Bits32), toWebP(picture),
              toWebP(picture, WebPKind::Animated)}) {
            for (int round = 0; round < 200; ++round) {
                test::Bytes file = whole;
                for (int flips = 0; flips < 3; ++flips)
                    file[random() % std::min<std::size_t>(file.size(), round % 2 != 0 ? 64 : file.size())] =
                        static_cast<std::uint8_t>(random());
                const auto decoded = vision::decodeImage(file);
                if (decoded)
                    QVERIFY(decoded->type() == CV_8UC3 && !decoded->empty());
                else
                    QCOMPARE(decoded.error().status(), 400);
            }
        }
    }
};

QTEST_GUILESS_MAIN(ImageDecodeTest)
#include "image_decode_test.moc"
