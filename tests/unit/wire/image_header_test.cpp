#include "shared/wire/base64.h"
#include "shared/wire/image_header.h"
#include "tests/unit/wire/outcome.h"

#include <QBuffer>
#include <QImage>
#include <QtTest>

#include <rapidcheck.h>
#include <webp/encode.h>
#include <zlib.h>

using namespace fremis::wire;
using fremis::test::outcome;

namespace {

std::span<const std::uint8_t> fileOf(const QByteArray& bytes) {
    return {reinterpret_cast<const std::uint8_t*>(bytes.data()), static_cast<std::size_t>(bytes.size())};
}

QImage noise(int width, int height) {
    QImage image(width, height, QImage::Format_RGB888);
    std::uint32_t state = 1;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width * 3; ++x)
            image.scanLine(y)[x] = static_cast<uchar>((state = state * 1'664'525 + 1'013'904'223) >> 24);
    return image;
}

QByteArray encoded(const QImage& image, const char* format) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    if (!image.save(&buffer, format))
        qFatal("cannot write %s", format);
    return bytes;
}

QByteArray webP(int width, int height, bool lossless) {
    const QImage image = noise(width, height);
    std::uint8_t* out = nullptr;
    const std::size_t size =
        lossless ? WebPEncodeLosslessRGB(image.constBits(), width, height, static_cast<int>(image.bytesPerLine()), &out)
                 : WebPEncodeRGB(image.constBits(), width, height, static_cast<int>(image.bytesPerLine()), 80, &out);
    const QByteArray bytes(reinterpret_cast<const char*>(out), static_cast<qsizetype>(size));
    WebPFree(out);
    return bytes;
}

QByteArray big(std::uint32_t value, int bytes) {
    QByteArray out;
    for (int i = bytes - 1; i >= 0; --i)
        out += static_cast<char>(value >> 8 * i);
    return out;
}
QByteArray little(std::uint32_t value, int bytes) {
    QByteArray out = big(value, bytes);
    std::reverse(out.begin(), out.end());
    return out;
}

QByteArray segment(std::uint8_t marker, const QByteArray& data) {
    return QByteArray("\xFF") + static_cast<char>(marker) + big(static_cast<std::uint32_t>(data.size()) + 2, 2) + data;
}
QByteArray frame(std::uint32_t width, std::uint32_t height, std::uint8_t marker = 0xC0) {
    return segment(marker, QByteArray(1, 8) + big(height, 2) + big(width, 2) + QByteArray("\x01\x01\x11\x00", 4));
}
const QByteArray kStart("\xFF\xD8");
const QByteArray kScan =
    segment(0xDA, QByteArray("\x01\x01\x00\x00\x3F\x00", 6)) + QByteArray("\x12\xFF\x00\x34\xFF\xD0\x56", 7);
const QByteArray kEnd("\xFF\xD9");

QByteArray chunk(const char* type, const QByteArray& data) {
    const QByteArray checked = type + data;
    const auto crc = crc32(0, reinterpret_cast<const Bytef*>(checked.data()), static_cast<uInt>(checked.size()));
    return big(static_cast<std::uint32_t>(data.size()), 4) + checked + big(static_cast<std::uint32_t>(crc), 4);
}
const QByteArray kPngSignature("\x89PNG\r\n\x1A\n");
QByteArray pngHeader(std::uint32_t width, std::uint32_t height) {
    return kPngSignature + chunk("IHDR", big(width, 4) + big(height, 4) + QByteArray("\x08\x02\x00\x00\x00", 5));
}

QByteArray bmp(std::int32_t width, std::int32_t height, qsizetype pixelBytes, std::uint32_t bits = 24,
               std::uint32_t compression = 0) {
    return "BM" + QByteArray(8, '\0') + little(54, 4) + little(40, 4) + little(static_cast<std::uint32_t>(width), 4) +
           little(static_cast<std::uint32_t>(height), 4) + little(1, 2) + little(bits, 2) + little(compression, 4) +
           QByteArray(20, '\0') + QByteArray(pixelBytes, '\0');
}

QByteArray riff(const QByteArray& chunks) {
    return "RIFF" + little(static_cast<std::uint32_t>(chunks.size()) + 4, 4) + "WEBP" + chunks;
}
QByteArray riffChunk(const char* tag, const QByteArray& data) {
    return tag + little(static_cast<std::uint32_t>(data.size()), 4) + data + QByteArray(data.size() % 2, '\0');
}
QByteArray webPCanvas(std::uint32_t width, std::uint32_t height) {
    return riffChunk("VP8X", QByteArray(4, '\0') + little(width - 1, 3) + little(height - 1, 3));
}

} // namespace

class ImageHeaderTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void realFilesAreReadAndWhole_data() {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<int>("format");
        const QImage rgb = noise(97, 61);
        const auto row = [](const char* name, const QByteArray& file, ImageFormat format) {
            QTest::newRow(name) << file << static_cast<int>(format);
        };
        row("JPEG", encoded(rgb, "JPEG"), ImageFormat::Jpeg);
        row("grey JPEG", encoded(rgb.convertToFormat(QImage::Format_Grayscale8), "JPEG"), ImageFormat::Jpeg);
        row("PNG", encoded(rgb, "PNG"), ImageFormat::Png);
        row("PNG with alpha", encoded(rgb.convertToFormat(QImage::Format_ARGB32), "PNG"), ImageFormat::Png);
        row("PNG of 16 bits", encoded(rgb.convertToFormat(QImage::Format_RGBX64), "PNG"), ImageFormat::Png);
        row("grey PNG", encoded(rgb.convertToFormat(QImage::Format_Grayscale8), "PNG"), ImageFormat::Png);
        row("palette PNG", encoded(rgb.convertToFormat(QImage::Format_Indexed8), "PNG"), ImageFormat::Png);
        row("PNG of 1 bit", encoded(rgb.convertToFormat(QImage::Format_Mono), "PNG"), ImageFormat::Png);
        row("BMP", encoded(rgb, "BMP"), ImageFormat::Bmp);
        row("palette BMP", encoded(rgb.convertToFormat(QImage::Format_Indexed8), "BMP"), ImageFormat::Bmp);
        row("BMP from the top down", bmp(97, -61, 292 * 61), ImageFormat::Bmp);
        row("OS/2 BMP",
            "BM" + QByteArray(8, '\0') + little(26, 4) + little(12, 4) + little(97, 2) + little(61, 2) + little(1, 2) +
                little(24, 2) + QByteArray(292 * 61, '\0'),
            ImageFormat::Bmp);
        row("lossy WebP", webP(97, 61, false), ImageFormat::WebP);
        row("lossless WebP", webP(97, 61, true), ImageFormat::WebP);
        row("extended WebP", riff(webPCanvas(97, 61) + webP(97, 61, false).mid(12)), ImageFormat::WebP);
        row("JPEG with fill bytes and two scans",
            kStart + QByteArray("\xFF\xFF\xFF", 3) + frame(97, 61, 0xC2) + kScan + segment(0xC4, "x") + kScan + kEnd,
            ImageFormat::Jpeg);
        row("JPEG with a preview inside its EXIF",
            kStart + segment(0xE1, encoded(noise(32, 32), "JPEG")) + frame(97, 61) + kScan + kEnd, ImageFormat::Jpeg);
    }
    void realFilesAreReadAndWhole() {
        QFETCH(QByteArray, file);
        QFETCH(int, format);
        const ImageHeader expected{static_cast<ImageFormat>(format), 97, 61};
        QCOMPARE(outcome(readImageHeader(fileOf(file))), QByteArray("ok"));
        QVERIFY(readImageHeader(fileOf(file)).value() == expected);
        const auto whole = checkImageEnvelope(fileOf(file));
        QVERIFY2(whole.has_value(), whole ? "" : whole.error().detail.c_str());
        QVERIFY(*whole == expected);
        QVERIFY(checkImageEnvelope(fileOf(file + "bytes after the end")).has_value());
    }

    void cutFilesAreInvalid_data() {
        QTest::addColumn<QByteArray>("file");
        QTest::newRow("JPEG") << encoded(noise(97, 61), "JPEG");
        QTest::newRow("PNG") << encoded(noise(97, 61), "PNG");
        QTest::newRow("BMP") << encoded(noise(97, 61), "BMP");
        QTest::newRow("lossy WebP") << webP(97, 61, false);
        QTest::newRow("lossless WebP") << webP(97, 61, true);
    }
    void cutFilesAreInvalid() {
        QFETCH(QByteArray, file);
        for (qsizetype size = 0; size < file.size(); size += size < 700 ? 1 : 97)
            QCOMPARE(outcome(checkImageEnvelope(fileOf(file.left(size)))), QByteArray("image_invalid"));
        QCOMPARE(outcome(checkImageEnvelope(fileOf(file.left(file.size() - 1)))), QByteArray("image_invalid"));
    }

    void damage_data() {
        QTest::addColumn<QByteArray>("file");
        const QByteArray png = encoded(noise(97, 61), "PNG");
        for (const qsizetype at : {20, 30, 45, 200, int(png.size()) - 3}) {
            QByteArray damaged = png;
            damaged[at] = static_cast<char>(damaged[at] ^ 1);
            QTest::addRow("PNG, bit flipped in byte %d", int(at)) << damaged;
        }
        QTest::newRow("PNG without pixels") << pngHeader(97, 61) + chunk("IEND", "");
        QTest::newRow("PNG with two headers")
            << pngHeader(97, 61) + pngHeader(97, 61).mid(8) + chunk("IDAT", "x") + chunk("IEND", "");
        QTest::newRow("PNG with a chunk beyond the end")
            << pngHeader(97, 61) + big(0x7FFFFFFF, 4) + "IDAT" + QByteArray(64, 'x');
        QTest::newRow("PNG with 2,000 texts")
            << pngHeader(97, 61) + chunk("tEXt", "x").repeated(2'000) + chunk("IDAT", "x") + chunk("IEND", "");
        QTest::newRow("PNG with 9 MiB of text")
            << pngHeader(97, 61) + chunk("tEXt", QByteArray(9 << 20, 'x')) + chunk("IDAT", "x") + chunk("IEND", "");
        QTest::newRow("JPEG without a frame") << kStart + segment(0xE0, "JFIF") + kEnd;
        QTest::newRow("JPEG without a scan") << kStart + frame(97, 61) + kEnd;
        QTest::newRow("JPEG with a scan first") << kStart + kScan + frame(97, 61) + kEnd;
        QTest::newRow("JPEG with two frames") << kStart + frame(97, 61) + frame(97, 61) + kScan + kEnd;
        QTest::newRow("JPEG with a second start") << kStart + kStart + frame(97, 61) + kScan + kEnd;
        QTest::newRow("JPEG without an end") << kStart + frame(97, 61) + kScan;
        QTest::newRow("JPEG with an empty segment length")
            << kStart + QByteArray("\xFF\xE0\x00\x01", 4) + frame(97, 61) + kScan + kEnd;
        QTest::newRow("JPEG with bytes between segments")
            << kStart + segment(0xE0, "x") + "x" + frame(97, 61) + kScan + kEnd;
        QTest::newRow("JPEG with 10,000 empty markers")
            << kStart + segment(0xE0, "").repeated(10'000) + frame(97, 61) + kScan + kEnd;
        QTest::newRow("JPEG with 10,000 bare markers")
            << kStart + QByteArray("\xFF\x01", 2).repeated(10'000) + frame(97, 61) + kScan + kEnd;
        QTest::newRow("JPEG with 10,000 scans") << kStart + frame(97, 61) + kScan.repeated(10'000) + kEnd;
        QTest::newRow("JPEG with 9 MiB of metadata")
            << kStart + segment(0xE1, QByteArray(65'000, 'x')).repeated(146) + frame(97, 61) + kScan + kEnd;
        QTest::newRow("JPEG with 9 MiB of fill bytes")
            << kStart + QByteArray(9 << 20, '\xFF') + frame(97, 61).mid(1) + kScan + kEnd;
        QTest::newRow("JPEG of height 0") << kStart + frame(97, 0) + kScan + kEnd;
        QTest::newRow("PNG of width 0") << pngHeader(0, 61) + chunk("IDAT", "x") + chunk("IEND", "");
        QTest::newRow("BMP of height 0") << bmp(97, 0, 100);
        QTest::newRow("BMP of negative width") << bmp(-97, 61, 292 * 61);
        QTest::newRow("BMP of 7 bits") << bmp(97, 61, 292 * 61, 7);
        QTest::newRow("BMP around a JPEG") << bmp(97, 61, 292 * 61, 24, 4);
        QTest::newRow("text that starts like a BMP")
            << QByteArray("BMW cars are not pictures, whatever their first two letters are.");
        QTest::newRow("WebP without pixels") << riff(webPCanvas(97, 61));
        QTest::newRow("WebP with a chunk beyond the end") << riff(webPCanvas(97, 61) + "VP8L" + little(100, 4) + "x");
        QTest::newRow("WebP with 9 MiB of metadata")
            << riff(webPCanvas(97, 61) + riffChunk("EXIF", QByteArray(9 << 20, 'x')) + webP(97, 61, true).mid(12));
        QTest::newRow("WebP of an unknown kind") << riff(riffChunk("VP9 ", QByteArray(32, 'x')));
    }
    void damage() {
        QFETCH(QByteArray, file);
        QCOMPARE(outcome(checkImageEnvelope(fileOf(file))), QByteArray("image_invalid"));
        QCOMPARE(checkImageEnvelope(fileOf(file)).error().message, std::string("Image is invalid"));
    }

    void otherBytes_data() {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char* name, const QByteArray& file, const char* expected) {
            QTest::newRow(name) << file + QByteArray(64, '\0') << QByteArray(expected);
        };
        row("GIF 87a", "GIF87a", "image_unsupported");
        row("GIF 89a", "GIF89a", "image_unsupported");
        row("TIFF", QByteArray("II*\0", 4), "image_unsupported");
        row("big-endian TIFF, as NEF", QByteArray("MM\0*", 4), "image_unsupported");
        row("CR2", QByteArray("II*\0\x10\0\0\0CR\2\0", 12), "image_unsupported");
        row("CR3",
            QByteArray("\0\0\0\x18"
                       "ftypcrx ",
                       12),
            "image_unsupported");
        row("RAF", "FUJIFILMCCD-RAW 0201", "image_unsupported");
        row("ORF", "IIRO", "image_unsupported");
        row("HEIC",
            QByteArray("\0\0\0\x18"
                       "ftypheic",
                       12),
            "image_unsupported");
        row("HEIF",
            QByteArray("\0\0\0\x18"
                       "ftypmif1",
                       12),
            "image_unsupported");
        row("AVIF",
            QByteArray("\0\0\0\x1C"
                       "ftypavif",
                       12),
            "image_unsupported");
        row("PSD", QByteArray("8BPS\0\1", 6), "image_unsupported");
        row("JPEG 2000", QByteArray("\0\0\0\x0CjP  \r\n\x87\n", 12), "image_unsupported");
        row("JPEG 2000 codestream", "\xFF\x4F\xFF\x51", "image_unsupported");
        row("JPEG XL", "\xFF\x0A", "image_unsupported");
        row("ICO", encoded(noise(32, 32), "ICO"), "image_unsupported");
        row("PPM", encoded(noise(32, 32), "PPM"), "image_unsupported");
        row("SVG", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "image_unsupported");
        row("SVG with an external entity",
            "<?xml version=\"1.0\"?>\n<!DOCTYPE svg [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>\n<svg>&x;</svg>",
            "image_unsupported");

        row("nothing but zeros", "", "image_invalid");
        row("text", "just some text", "image_invalid");
        row("text like a PPM", "P1 is the first", "image_invalid");
        row("PDF", "%PDF-1.7", "image_invalid");
        row("ZIP", "PK\x03\x04", "image_invalid");
        row("ELF",
            "\x7F"
            "ELF",
            "image_invalid");
        row("film",
            QByteArray("\0\0\0\x18"
                       "ftypisom",
                       12),
            "image_invalid");
        row("XML", "<?xml version=\"1.0\"?><html/>", "image_invalid");
        row("WAV", "RIFF" + little(100, 4) + "WAVEfmt ", "image_invalid");
    }
    void otherBytes() {
        QFETCH(QByteArray, file);
        QFETCH(QByteArray, expected);
        QCOMPARE(outcome(readImageHeader(fileOf(file))), expected);
        QCOMPARE(outcome(checkImageEnvelope(fileOf(file))), expected);
    }

    void tinyFilesAreInvalid() {
        QCOMPARE(outcome(readImageHeader({})), QByteArray("image_invalid"));
        for (int byte = 0; byte < 256; ++byte)
            QCOMPARE(outcome(readImageHeader(fileOf(QByteArray(1, static_cast<char>(byte))))),
                     QByteArray("image_invalid"));
    }

    void limits_data() {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char* name, const QByteArray& file, const char* expected) {
            QTest::newRow(name) << file << QByteArray(expected);
        };
        row("50 M pixels", kStart + frame(10'000, 5'000) + kScan + kEnd, "ok");
        row("one row more", kStart + frame(10'000, 5'001) + kScan + kEnd, "image_too_large");
        row("longest side", kStart + frame(16'384, 16) + kScan + kEnd, "ok");
        row("side one longer", kStart + frame(16'385, 16) + kScan + kEnd, "image_too_large");
        row("smallest", kStart + frame(16, 16) + kScan + kEnd, "ok");
        row("too narrow", kStart + frame(15, 100) + kScan + kEnd, "image_too_small");
        row("too low", kStart + frame(100, 15) + kScan + kEnd, "image_too_small");
        row("1 x 1 PNG", encoded(noise(1, 1), "PNG"), "image_too_small");
        row("PNG of 19,000 x 19,000",
            pngHeader(19'000, 19'000) + chunk("IDAT", QByteArray(44'000, 'x')) + chunk("IEND", ""), "image_too_large");
        row("PNG of the largest numbers", pngHeader(0xFFFFFFFF, 0xFFFFFFFF), "image_too_large");
        row("JPEG header of 65,500 x 65,500", kStart + frame(65'500, 65'500), "image_too_large");
        row("BMP of 50,000 x 50,000", bmp(50'000, 50'000, 0), "image_too_large");
        row("BMP of the largest numbers", bmp(0x7FFFFFFF, -0x7FFFFFFF - 1, 0, 32), "image_too_large");
        row("WebP canvas of 16,777,216 x 16,777,216", riff(webPCanvas(1 << 24, 1 << 24)), "image_too_large");
        row("25 MiB", kStart + frame(97, 61) + kScan + kEnd + QByteArray((25 << 20) - 39, 'x'), "ok");
        row("26 MiB", kStart + frame(97, 61) + kScan + kEnd + QByteArray(26 << 20, 'x'), "image_too_large");
    }
    void limits() {
        QFETCH(QByteArray, file);
        QFETCH(QByteArray, expected);
        QCOMPARE(outcome(checkImageEnvelope(fileOf(file))), expected);
    }

    void theHeaderIsEnoughForTheSize() {
        const QByteArray jpeg = kStart + segment(0xE0, "JFIF") + frame(97, 61);
        QVERIFY(readImageHeader(fileOf(jpeg)).has_value());
        QVERIFY(readImageHeader(fileOf(pngHeader(97, 61))).has_value());
        QVERIFY(readImageHeader(fileOf(bmp(97, 61, 0))).has_value());
        QVERIFY(readImageHeader(fileOf(riff(webPCanvas(97, 61)))).has_value());
    }

    void noBytesGetPastTheLimits() {
        QVERIFY(rc::check("a header that is read keeps the limits", [] {
            static const std::array kFiles{encoded(noise(40, 30), "JPEG"), encoded(noise(40, 30), "PNG"),
                                           encoded(noise(40, 30), "BMP"), webP(40, 30, false), webP(40, 30, true)};
            QByteArray file = kFiles[*rc::gen::inRange<std::size_t>(0, kFiles.size())];
            for (int i = *rc::gen::inRange(1, 6); i > 0; --i)
                file[*rc::gen::inRange<qsizetype>(0, std::min<qsizetype>(file.size(), 200))] =
                    *rc::gen::arbitrary<char>();
            const auto whole = checkImageEnvelope(fileOf(file));
            const auto header = readImageHeader(fileOf(file));
            RC_ASSERT(!whole || *whole == *header);
            if (header)
                RC_ASSERT(header->width >= 16 && header->height >= 16 && header->width <= 16'384 &&
                          header->height <= 16'384);
        }));
    }

    void formatsHaveNames() {
        QCOMPARE(imageFormatName(ImageFormat::Jpeg), std::string_view("JPEG"));
        QCOMPARE(imageFormatName(ImageFormat::WebP), std::string_view("WebP"));
    }
};

QTEST_GUILESS_MAIN(ImageHeaderTest)
#include "image_header_test.moc"
