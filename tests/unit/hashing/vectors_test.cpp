#include "shared/hashing/fixed_log2.h"
#include "shared/hashing/hash.h"
#include "shared/hashing/text.h"
#include "shared/hashing/vectors.h"

#include <QtTest>

#include <openssl/evp.h>

#include <bit>

using namespace fremis::hashing;

namespace {

std::string digestByOpenSsl(const char* name, std::string_view text) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    std::size_t size = 0;
    EVP_Q_digest(nullptr, name, nullptr, text.data(), text.size(), digest.data(), &size);
    return hexText(std::span(digest).first(size));
}

// log2 by squaring a 64-bit mantissa: 58 bits, one per step (Knuth, TAOCP 1, 1.2.2, exercise 25).
std::uint64_t negativeLog2Plainly(std::uint64_t score) {
    __extension__ using Wide = unsigned __int128;
    const std::uint64_t odd = 2 * (score >> 8) + 1;
    const int zeros = std::countl_zero(odd);
    std::uint64_t y = odd << zeros;
    std::uint64_t bits = 0;
    for (int i = 0; i < 58; ++i) {
        const Wide square = Wide{y} * y;
        const bool two = (square >> 127) != 0;
        bits = 2 * bits + (two ? 1 : 0);
        y = static_cast<std::uint64_t>(square >> (two ? 64 : 63));
    }
    return (static_cast<std::uint64_t>(zeros - 6) << 58) - bits;
}

} // namespace

class VectorsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyPublishedVectorIsMet_data() {
        QTest::addColumn<QString>("expected");
        QTest::addColumn<QString>("actual");
        const auto checks = checkVectors();
        QCOMPARE(checks.size(), std::size_t{43});
        for (const VectorCheck& check : checks)
            QTest::addRow("%s: %s", check.group.c_str(), check.name.c_str())
                << QString::fromStdString(check.expected) << QString::fromStdString(check.actual);
    }
    void everyPublishedVectorIsMet() {
        QFETCH(QString, expected);
        QFETCH(QString, actual);
        QCOMPARE(actual, expected);
    }

    // Every length around the one-block limit, so that both ways of computing SHA-1 meet.
    void sha1EqualsOpenSslForEachLength() {
        std::string text;
        for (int length = 0; length <= 300; ++length) {
            QCOMPARE(hexText(sha1(text)), digestByOpenSsl("SHA1", text));
            text.push_back(static_cast<char>(length * 7 + 1));
        }
    }
    void md5AndSha256EqualOpenSsl() {
        for (const std::string text : {"", "abc", "k4711"}) {
            QCOMPARE(hexText(md5(text)), digestByOpenSsl("MD5", text));
            QCOMPARE(hexText(sha256(text)), digestByOpenSsl("SHA256", text));
        }
    }
    void aBatchOfHashesEqualsThemOneByOne() {
        std::vector<std::string> texts;
        for (int i = 0; i < 64; ++i)
            texts.emplace_back(static_cast<std::size_t>(i), static_cast<char>('a' + i % 26));
        const std::vector<std::string_view> views(texts.begin(), texts.end());
        std::vector<std::uint64_t> hashes(views.size());
        h64Batch(views, hashes);
        for (std::size_t i = 0; i < views.size(); ++i)
            QCOMPARE(hashes[i], h64(views[i]));
    }
    void xxh64EqualsTheReferenceImplementation_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<quint64>("hash");
        QTest::newRow("empty") << QByteArray("") << quint64(0xef46db3751d8e999);
        QTest::newRow("one byte") << QByteArray("a") << quint64(0xd24ec4f1a98c6e5b);
        QTest::newRow("three bytes") << QByteArray("abc") << quint64(0x44bc2cf5ad770999);
        QTest::newRow("one stripe and a tail")
            << QByteArray("the quick brown fox jumps over the lazy dog 0123456789") << quint64(0xb98d13125e00e1fb);
        QTest::newRow("two stripes") << QByteArray("0123456789012345678901234567890123456789012345678901234567890123")
                                     << quint64(0xd502f0d566ce31d4);
    }
    void xxh64EqualsTheReferenceImplementation() {
        QFETCH(QByteArray, text);
        QFETCH(quint64, hash);
        QCOMPARE(quint64(xxh64(text.toStdString())), hash);
    }
    void aHashIsFoundByItsName() {
        for (const char* name : {"sha1", "md5", "xxh64"})
            QVERIFY(keyHashByName(name) != nullptr && keyHashByName(name)->name == name);
        QVERIFY(keyHashByName("crc32") == nullptr);
    }

    void theLogarithmErrsByLessThanTwoUnits() {
        const auto check = [](std::uint64_t score) {
            const std::uint64_t exact = negativeLog2Plainly(score);
            const std::uint64_t ours = negativeLog2(score);
            return ours - exact + 2 <= 4; // both may truncate by one
        };
        for (int bit = 8; bit < 64; ++bit)
            for (std::uint64_t around = 0; around < 64; ++around)
                QVERIFY(check((std::uint64_t{1} << bit) - (32u << 8) + (around << 8)));
        for (std::uint64_t i = 0; i < 200'000; ++i)
            QVERIFY(check(mix64(i)));
        const std::uint64_t ofHalf = negativeLog2(std::uint64_t{1} << 63); // u = 1/2 + 2^-57: a little less than 1
        QVERIFY(ofHalf < std::uint64_t{1} << 58 && ofHalf > (std::uint64_t{1} << 58) - 8);
    }
    // The definition counts on it: equal logarithms of different scores would be ties.
    void theLogarithmFallsStrictly() {
        for (std::uint64_t i = 0; i < 200'000; ++i) {
            const std::uint64_t score = mix64(i) & ~std::uint64_t{255};
            if (score != 0)
                QVERIFY(negativeLog2(score) < negativeLog2(score - 256));
        }
        const std::uint64_t top = ~std::uint64_t{255};
        for (std::uint64_t i = 0; i < 100'000; ++i)
            QVERIFY(negativeLog2(top - i * 256) < negativeLog2(top - (i + 1) * 256));
        QVERIFY(negativeLog2(~std::uint64_t{0}) > 0);
        QCOMPARE(negativeLog2(0), std::uint64_t{57} << 58);
    }
};

QTEST_GUILESS_MAIN(VectorsTest)
#include "vectors_test.moc"
