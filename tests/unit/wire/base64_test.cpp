#include "shared/wire/base64.h"
#include "tests/unit/wire/outcome.h"

#include <QtTest>

#include <rapidcheck.h>

#include <algorithm>

using namespace fremis::wire;
using fremis::test::outcome;
using fremis::test::view;

namespace {

Bytes bytesOf(const QByteArray& text) {
    return {text.begin(), text.end()};
}

std::string inLines(const std::string& text, std::size_t width, std::string_view lineBreak) {
    std::string lines;
    for (std::size_t at = 0; at < text.size(); at += width)
        lines.append(text, at, width).append(lineBreak);
    return lines;
}

std::string urlSafe(std::string text) {
    std::replace(text.begin(), text.end(), '+', '-');
    std::replace(text.begin(), text.end(), '/', '_');
    return text;
}

std::string unpadded(const std::string& text) {
    return text.substr(0, text.find('='));
}

Bytes countingBytes(std::size_t size) {
    Bytes bytes(size);
    for (std::size_t i = 0; i < size; ++i)
        bytes[i] = static_cast<std::uint8_t>(i * 151 + i / 256);
    return bytes;
}

} // namespace

class Base64Test : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // RFC 4648 section 10.
    void standardVectors_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("0") << QByteArray("") << QByteArray("");
        QTest::newRow("1") << QByteArray("f") << QByteArray("Zg==");
        QTest::newRow("2") << QByteArray("fo") << QByteArray("Zm8=");
        QTest::newRow("3") << QByteArray("foo") << QByteArray("Zm9v");
        QTest::newRow("4") << QByteArray("foob") << QByteArray("Zm9vYg==");
        QTest::newRow("5") << QByteArray("fooba") << QByteArray("Zm9vYmE=");
        QTest::newRow("6") << QByteArray("foobar") << QByteArray("Zm9vYmFy");
    }
    void standardVectors() {
        QFETCH(QByteArray, bytes);
        QFETCH(QByteArray, text);
        QCOMPARE(decodeBase64(view(text)).value(), bytesOf(bytes));
        QCOMPARE(encodeBase64(bytesOf(bytes)), text.toStdString());
    }

    void readsTolerantly_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("expected");
        const QByteArray photo("\xFB\xFF\xBF\x01", 4); // +/+/AQ==
        QTest::newRow("standard") << QByteArray("+/+/AQ==") << photo;
        QTest::newRow("URL-safe") << QByteArray("-_-_AQ==") << photo;
        QTest::newRow("both alphabets") << QByteArray("+_-/AQ==") << photo;
        QTest::newRow("no padding") << QByteArray("+/+/AQ") << photo;
        QTest::newRow("line feeds") << QByteArray("+/\n+/A\nQ==") << photo;
        QTest::newRow("carriage returns and line feeds") << QByteArray("\r\n+/+/\r\nAQ==\r\n") << photo;
        QTest::newRow("carriage returns") << QByteArray("+/+/\rAQ\r") << photo;
        QTest::newRow("line break in the padding") << QByteArray("+/+/AQ=\n=") << photo;
        QTest::newRow("data URL") << QByteArray("data:image/jpeg;base64,+/+/AQ==") << photo;
        QTest::newRow("data URL in capitals") << QByteArray("DATA:image/JPEG;BASE64,+/+/AQ==") << photo;
        QTest::newRow("data URL with a parameter") << QByteArray("data:image/png;charset=x;base64,+/+/AQ") << photo;
        QTest::newRow("data URL with nothing") << QByteArray("data:image/png;base64,") << QByteArray();
        QTest::newRow("unused bits set") << QByteArray("Zh==") << QByteArray("f");
    }
    void readsTolerantly() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, expected);
        const auto decoded = decodeBase64(view(text));
        QCOMPARE(outcome(decoded), QByteArray("ok"));
        QCOMPARE(*decoded, bytesOf(expected));
    }

    void refuses_data() {
        QTest::addColumn<QByteArray>("text");
        for (const char* text : {"!!!!",
                                 "A",
                                 "AAAAA",
                                 "AAAA=A==",
                                 "A=AA",
                                 "=AAA",
                                 "====",
                                 "=",
                                 "AA=",
                                 "AAA==",
                                 "AAAA=",
                                 "AAAA====",
                                 "AA AA",
                                 " AAAA",
                                 "AAAA ",
                                 "\tAAAA",
                                 "AAA\xC3\xA9",
                                 "AA.A",
                                 "AAAA~",
                                 "http://example.org/a.jpg",
                                 "/etc/passwd.",
                                 "data:text/plain;base64,AAAA",
                                 "data:image/png,AAAA",
                                 "data:image/png;base64;AAAA",
                                 "AAA\x80",
                                 "AAA@AAAA",
                                 "AAA[AAAA",
                                 "AAA`AAAA",
                                 "AAA{AAAA",
                                 "AAA:AAAA",
                                 "AAA*AAAA",
                                 "AAA,AAAA"})
            QTest::newRow(text) << QByteArray(text);
        QTest::newRow("NUL") << QByteArray("AA\0A", 4);
        QTest::newRow("NUL at the end") << QByteArray("AAAA\0", 5);
    }
    void refuses() {
        QFETCH(QByteArray, text);
        QCOMPARE(outcome(decodeBase64(view(text))), QByteArray("image_not_base64"));
        // The same behind text that is decoded in bulk.
        const auto bulk = encodeBase64(countingBytes(96));
        QCOMPARE(outcome(decodeBase64(bulk + text.toStdString())), QByteArray("image_not_base64"));
    }

    // Each byte at each place of a text long enough for the bulk kernel and the tail.
    void everyByteAtEveryPlaceIsJudgedAlike() {
        const std::string good = encodeBase64(countingBytes(102));
        for (std::size_t place = 0; place < good.size(); ++place) {
            for (int byte = 0; byte < 256; ++byte) {
                std::string text = good;
                text[place] = static_cast<char>(byte);
                const bool isCharacter = (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') ||
                                         (byte >= '0' && byte <= '9') || byte == '+' || byte == '/' || byte == '-' ||
                                         byte == '_';
                const bool isPadding = byte == '=' && place + 1 == good.size();
                const bool isBreak =
                    byte == '\n' || byte == '\r'; // one character less: 135, no multiple of 4, 3 bytes of tail
                QCOMPARE(decodeBase64(text).has_value(), isCharacter || isPadding || isBreak);
            }
        }
    }

    void anyBytesComeBack() {
        QVERIFY(rc::check("decode(encode(x)) = x, in all the forms that are accepted", [](const Bytes& small) {
            Bytes bytes = countingBytes(*rc::gen::element<std::size_t>(0, 40, 4'000)); // past the bulk kernel's blocks
            bytes.insert(bytes.end(), small.begin(), small.end());
            const auto text = encodeBase64(bytes);
            RC_ASSERT(decodeBase64(text).value() == bytes);
            RC_ASSERT(decodeBase64(unpadded(text)).value() == bytes);
            RC_ASSERT(decodeBase64(urlSafe(text)).value() == bytes);
            RC_ASSERT(decodeBase64(inLines(text, 76, "\r\n")).value() == bytes);
            RC_ASSERT(
                decodeBase64(inLines(urlSafe(unpadded(text)), *rc::gen::inRange<std::size_t>(1, 100), "\n")).value() ==
                bytes);
        }));
    }

    void agreesWithQt() {
        QVERIFY(rc::check("the same bytes as QByteArray::fromBase64", [](const Bytes& bytes) {
            const QByteArray plain(reinterpret_cast<const char*>(bytes.data()), static_cast<qsizetype>(bytes.size()));
            RC_ASSERT(encodeBase64(bytes) == plain.toBase64().toStdString());
            RC_ASSERT(decodeBase64(view(plain.toBase64())).value() == bytes);
        }));
    }

    void largePhotosComeBack() {
        const auto bytes = countingBytes(26u << 20);
        const auto text = encodeBase64(bytes);
        QVERIFY(decodeBase64(text).value() == bytes);
        QVERIFY(decodeBase64(inLines(text, 76, "\n")).value() == bytes);
    }

    void aBufferIsUsedAgain() {
        Bytes buffer;
        QVERIFY(decodeBase64(encodeBase64(countingBytes(5'000)), buffer).has_value());
        QCOMPARE(buffer, countingBytes(5'000));
        QVERIFY(decodeBase64("Zm9v", buffer).has_value());
        QCOMPARE(buffer, bytesOf("foo"));
        QVERIFY(!decodeBase64("!!!!", buffer).has_value());
        QVERIFY(decodeBase64("", buffer).has_value());
        QVERIFY(buffer.empty());
    }
};

QTEST_GUILESS_MAIN(Base64Test)
#include "base64_test.moc"
