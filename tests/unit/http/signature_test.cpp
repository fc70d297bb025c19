#include "shared/http/signature.h"

#include <QtTest>

namespace http = fremis::http;
using fremis::base::Reason;
using namespace std::chrono_literals;

namespace {

constexpr std::string_view kSecret = "TEST_SECRET";
constexpr std::int64_t kTime = 1767225600;

class FixedClock final : public fremis::base::Clock {
public:
    std::chrono::milliseconds now{std::chrono::seconds(kTime)};
    [[nodiscard]] std::chrono::milliseconds sinceEpoch() const override { return now; }
    [[nodiscard]] std::chrono::steady_clock::time_point steady() const override { return {}; }
};

const http::SignedParts kParts{"GET", "/v1/face/enrollments?limit=2&keyspace=default", ""};

http::SignatureFields signedAt(std::int64_t time, const std::string& nonce) {
    return {"key-1", time, nonce, http::sign(kSecret, kParts, time, nonce)};
}

/// The reason of a failure; nothing for success.
std::optional<Reason> reasonOf(const fremis::base::Status& status) {
    return status ? std::nullopt : std::optional(status.error().reason);
}

} // namespace

class SignatureTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void publishedVectorsCompareEqual() {
        const http::SignedParts removal{"POST", "/v1/face/delete-enrollment",
                                        R"({"keyspace":"default","face_ids":["1234567891"]})"};
        QCOMPARE(http::sign(kSecret, removal, kTime, "n0nce-0000000001"),
                 std::string("5895ff3347e4108e5d50896dc5b6739e3284bde02541fe44bf147c068f7bfd2f"));
        QCOMPARE(http::sign(kSecret, kParts, kTime, "n0nce-0000000002"),
                 std::string("199b7ff2f89eb3be24620629db118b3c65d9442588e278fd78ffceb1609ee425"));
    }

    void orderOfTheQueryDoesNotMatter() {
        http::SignedParts swapped = kParts;
        swapped.target = "/v1/face/enrollments?keyspace=default&limit=2";
        QCOMPARE(http::sign(kSecret, swapped, kTime, "n0nce-0000000002"),
                 http::sign(kSecret, kParts, kTime, "n0nce-0000000002"));
    }

    void aMadeHeaderIsReadBackAndVerifies() {
        const FixedClock clock;
        http::NonceCache nonces;
        const auto fields = http::parseAuthorization(http::authorizationFor("key-1", kSecret, kParts, kTime));
        QVERIFY(fields.has_value());
        QCOMPARE(fields->credential, std::string("key-1"));
        QVERIFY(http::verify(*fields, kSecret, kParts, clock, nonces).has_value());
    }

    void malformedHeadersAreRefused_data() {
        QTest::addColumn<QByteArray>("value");
        const QByteArray good = QByteArray::fromStdString(http::authorizationFor("key-1", kSecret, kParts, kTime));
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("another scheme") << QByteArray("Bearer abc");
        QTest::newRow("only the scheme") << QByteArray("FREMISN-HMAC-SHA256");
        QTest::newRow("field twice") << good + ", Nonce=0123456789abcdef";
        QTest::newRow("unknown field") << good + ", Extra=1";
        QTest::newRow("signed timestamp") << QByteArray(good).replace("Timestamp=", "Timestamp=-");
        QTest::newRow("timestamp with letters") << QByteArray(good).replace("Timestamp=", "Timestamp=1x");
        QTest::newRow("timestamp beyond 64 bits")
            << QByteArray(good).replace("Timestamp=", "Timestamp=99999999999999999999");
        QTest::newRow("short nonce") << QByteArray(
                                            "FREMISN-HMAC-SHA256 Credential=a, Timestamp=1, Nonce=short, Signature=") +
                                            QByteArray(64, 'a');
        QTest::newRow("upper-case signature")
            << QByteArray("FREMISN-HMAC-SHA256 Credential=a, Timestamp=1, Nonce=0123456789abcdef, Signature=") +
                   QByteArray(64, 'A');
        QTest::newRow("no credential") << QByteArray(
                                              "FREMISN-HMAC-SHA256 Timestamp=1, Nonce=0123456789abcdef, Signature=") +
                                              QByteArray(64, 'a');
    }
    void malformedHeadersAreRefused() {
        QFETCH(QByteArray, value);
        const auto fields = http::parseAuthorization(value.toStdString());
        QVERIFY(!fields.has_value());
        QCOMPARE(fields.error().reason, Reason::Unauthorized);
    }

    void anyChangeOfWhatIsSignedIsRefused_data() {
        QTest::addColumn<QByteArray>("method");
        QTest::addColumn<QByteArray>("target");
        QTest::addColumn<QByteArray>("body");
        const QByteArray target(kParts.target.data(), static_cast<qsizetype>(kParts.target.size()));
        QTest::newRow("method") << QByteArray("POST") << target << QByteArray();
        QTest::newRow("path") << QByteArray("GET") << QByteArray("/v1/face/enrollment?limit=2&keyspace=default")
                              << QByteArray();
        QTest::newRow("query") << QByteArray("GET") << QByteArray("/v1/face/enrollments?limit=3&keyspace=default")
                               << QByteArray();
        QTest::newRow("body") << QByteArray("GET") << target << QByteArray("x");
    }
    void anyChangeOfWhatIsSignedIsRefused() {
        QFETCH(QByteArray, method);
        QFETCH(QByteArray, target);
        QFETCH(QByteArray, body);
        const FixedClock clock;
        http::NonceCache nonces;
        const http::SignedParts changed{method.constData(), target.constData(), body.constData()};
        QCOMPARE(reasonOf(http::verify(signedAt(kTime, "0123456789abcdef"), kSecret, changed, clock, nonces)),
                 Reason::Unauthorized);
        QCOMPARE(reasonOf(http::verify(signedAt(kTime, "0123456789abcdef"), "OTHER", kParts, clock, nonces)),
                 Reason::Unauthorized);
        QCOMPARE(reasonOf(http::verify(signedAt(kTime, "0123456789abcdef"), kSecret, kParts, clock, nonces)),
                 std::nullopt);
    }

    void theWindowIsFiveMinutesBothWays() {
        const FixedClock clock;
        http::NonceCache nonces;
        const auto at = [&](std::int64_t offset, const std::string& nonce) {
            return reasonOf(http::verify(signedAt(kTime + offset, nonce), kSecret, kParts, clock, nonces));
        };
        QCOMPARE(at(-300, "nonce-0000000001"), std::nullopt);
        QCOMPARE(at(300, "nonce-0000000002"), std::nullopt);
        QCOMPARE(at(-301, "nonce-0000000003"), Reason::ClockSkew);
        QCOMPARE(at(301, "nonce-0000000004"), Reason::ClockSkew);
    }

    void aNonceWorksOnceAsLongAsItsSignatureCould() {
        FixedClock clock;
        http::NonceCache nonces;
        const auto ahead = signedAt(kTime + 300, "0123456789abcdef");
        QCOMPARE(reasonOf(http::verify(ahead, kSecret, kParts, clock, nonces)), std::nullopt);
        QCOMPARE(reasonOf(http::verify(ahead, kSecret, kParts, clock, nonces)), Reason::Replayed);
        clock.now += 600s; // the last second in which this timestamp is inside the window
        QCOMPARE(reasonOf(http::verify(ahead, kSecret, kParts, clock, nonces)), Reason::Replayed);
        clock.now += 1s;
        QCOMPARE(reasonOf(http::verify(ahead, kSecret, kParts, clock, nonces)), Reason::ClockSkew);
    }

    void aWrongSignatureSpendsNoNonce() {
        const FixedClock clock;
        http::NonceCache nonces;
        auto forged = signedAt(kTime, "0123456789abcdef");
        forged.signature = std::string(64, '0');
        QCOMPARE(reasonOf(http::verify(forged, kSecret, kParts, clock, nonces)), Reason::Unauthorized);
        QCOMPARE(reasonOf(http::verify(signedAt(kTime, "0123456789abcdef"), kSecret, kParts, clock, nonces)),
                 std::nullopt);
    }

    void aFullNonceCacheRefusesAndForgetsWithTime() {
        http::NonceCache nonces(2);
        QVERIFY(nonces.use("a", "one", 1000).has_value());
        QVERIFY(nonces.use("a", "two", 1000).has_value());
        QCOMPARE(reasonOf(nonces.use("a", "three", 1600)), Reason::Overloaded);
        QCOMPARE(reasonOf(nonces.use("a", "three", 1601)), std::nullopt);
        QCOMPARE(reasonOf(nonces.use("b", "three", 1601)), std::nullopt); // another credential's nonce is another nonce
    }

    void constantTimeComparisonComparesContent() {
        QVERIFY(http::equalInConstantTime("abc", "abc"));
        QVERIFY(!http::equalInConstantTime("abc", "abd"));
        QVERIFY(!http::equalInConstantTime("abc", "ab"));
    }
};

QTEST_GUILESS_MAIN(SignatureTest)
#include "signature_test.moc"
