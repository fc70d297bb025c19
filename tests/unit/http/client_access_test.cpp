#include "shared/http/client_access.h"

#include <QTemporaryDir>
#include <QtTest>

#include <fstream>

using namespace fremis;
using base::Reason;

namespace {

class FixedClock final : public base::Clock {
public:
    std::chrono::milliseconds now{1'767'225'600'000};
    std::chrono::milliseconds sinceEpoch() const override { return now; }
    std::chrono::steady_clock::time_point steady() const override { return {}; }
};

const std::string kSecret = "a secret of the tests";

std::vector<http::ClientKey> keys() {
    return {{"reader", kSecret, {"search"}, {"default"}},
            {"writer", "another secret of the tests", {"enrol", "delete"}, {}}};
}

http::Route route(const std::string& right) {
    return {"POST", "/v1/face/recognition", right, {}, 0};
}

http::Request request(const std::string& authorization, bool loopback = true) {
    http::Request made;
    made.method = "POST";
    made.path = made.target = "/v1/face/recognition";
    made.body = "{}";
    made.peerIsLoopback = loopback;
    if (!authorization.empty())
        made.headers.push_back({"authorization", authorization});
    return made;
}

/// What the server would answer: both checks, one after the other.
base::Status check(http::ClientAccess& access, http::Request& asked, const std::string& right) {
    const auto hooks = access.hooks();
    return hooks.head(asked, route(right)).and_then([&] { return hooks.whole(asked, route(right)); });
}

Reason reasonOf(const base::Status& status) {
    return status ? Reason::Internal : status.error().reason;
}

std::string signature(const http::Request& asked, const std::string& id, const std::string& secret,
                      std::int64_t timestamp = 1'767'225'600) {
    return http::authorizationFor(id, secret, {asked.method, asked.target, asked.body}, timestamp);
}

} // namespace

class ClientAccessTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void routesWithoutARightAreOpen() {
        const FixedClock clock;
        http::ClientAccess access(keys(), clock);
        auto asked = request({});
        QVERIFY(check(access, asked, "").has_value());
    }
    void aBearerKeyWorksOnLoopbackOrTlsOnly() {
        const FixedClock clock;
        http::ClientAccess access(keys(), clock);
        auto local = request("Bearer " + kSecret);
        QVERIFY(check(access, local, "search").has_value());
        QCOMPARE(local.principal, std::string("reader"));
        auto lowerCase = request("bearer " + kSecret);
        QVERIFY(check(access, lowerCase, "search").has_value());
        auto remote = request("Bearer " + kSecret, false);
        QCOMPARE(reasonOf(check(access, remote, "search")), Reason::Unauthorized);
        auto encrypted = request("Bearer " + kSecret, false);
        encrypted.encrypted = true;
        QVERIFY(check(access, encrypted, "search").has_value());
    }
    void aSignedRequestWorksOnce() {
        const FixedClock clock;
        http::ClientAccess access(keys(), clock);
        auto asked = request({}, false);
        asked.headers.push_back({"Authorization", signature(asked, "reader", kSecret)});
        auto again = asked;
        QVERIFY(check(access, asked, "search").has_value());
        QCOMPARE(asked.principal, std::string("reader"));
        QCOMPARE(reasonOf(check(access, again, "search")), Reason::Replayed);
    }
    void everythingElseIsRefusedAlike_data() {
        QTest::addColumn<QByteArray>("authorization");
        const auto asked = request({});
        QTest::newRow("no header") << QByteArray();
        QTest::newRow("empty bearer") << QByteArray("Bearer ");
        QTest::newRow("wrong bearer") << QByteArray("Bearer nonsense");
        QTest::newRow("another scheme") << QByteArray("Basic YTpi");
        QTest::newRow("unknown key") << QByteArray::fromStdString(signature(asked, "nobody", kSecret));
        QTest::newRow("wrong secret") << QByteArray::fromStdString(signature(asked, "reader", "not the secret at all"));
    }
    void everythingElseIsRefusedAlike() {
        QFETCH(QByteArray, authorization);
        const FixedClock clock;
        http::ClientAccess access(keys(), clock);
        auto asked = request(authorization.toStdString());
        const auto status = check(access, asked, "search");
        QCOMPARE(reasonOf(status), Reason::Unauthorized);
        QCOMPARE(status.error().message, std::string("a valid key is needed"));
    }
    void twoAuthorizationHeadersAreRefused() {
        const FixedClock clock;
        http::ClientAccess access(keys(), clock);
        auto asked = request("Bearer " + kSecret);
        asked.headers.push_back({"Authorization", "Bearer " + kSecret});
        QCOMPARE(reasonOf(check(access, asked, "search")), Reason::Unauthorized);
    }
    void aStaleTimestampIsClockSkew() {
        const FixedClock clock;
        http::ClientAccess access(keys(), clock);
        auto asked = request({});
        asked.headers.push_back({"Authorization", signature(asked, "reader", kSecret, 1'767'225'600 - 360)});
        QCOMPARE(reasonOf(check(access, asked, "search")), Reason::ClockSkew);
    }
    void aChangedBodyIsUnauthorized() {
        const FixedClock clock;
        http::ClientAccess access(keys(), clock);
        auto asked = request({});
        asked.headers.push_back({"Authorization", signature(asked, "reader", kSecret)});
        asked.body = "{ }";
        QCOMPARE(reasonOf(check(access, asked, "search")), Reason::Unauthorized);
    }
    void eachRightIsNeededForItsRoutes_data() {
        QTest::addColumn<QString>("right");
        QTest::addColumn<bool>("readerMay");
        QTest::addColumn<bool>("writerMay");
        QTest::newRow("search") << QStringLiteral("search") << true << false;
        QTest::newRow("enrol") << QStringLiteral("enrol") << false << true;
        QTest::newRow("delete") << QStringLiteral("delete") << false << true;
        QTest::newRow("keyspaces") << QStringLiteral("keyspace-admin") << false << false;
        QTest::newRow("embed") << QStringLiteral("embed") << false << false;
        QTest::newRow("metrics") << QStringLiteral("metrics") << false << false;
        QTest::newRow("operator") << QStringLiteral("operator") << false << false;
    }
    void eachRightIsNeededForItsRoutes() {
        QFETCH(QString, right);
        QFETCH(bool, readerMay);
        QFETCH(bool, writerMay);
        const FixedClock clock;
        http::ClientAccess access(keys(), clock);
        for (const auto& [secret, may] :
             {std::pair(kSecret, readerMay), {std::string("another secret of the tests"), writerMay}}) {
            auto asked = request("Bearer " + secret);
            const auto status = check(access, asked, right.toStdString());
            QCOMPARE(status.has_value(), may);
            if (!may)
                QCOMPARE(reasonOf(status), Reason::Forbidden);
        }
    }
    void keysAreBoundToKeyspaces() {
        const FixedClock clock;
        const http::ClientAccess access(keys(), clock);
        const auto name = [](const char* text) { return *base::KeyspaceName::parse(text); };
        QVERIFY(access.mayUse("reader", name("default")).has_value());
        QCOMPARE(reasonOf(access.mayUse("reader", name("employee"))), Reason::Forbidden);
        QVERIFY(access.mayUse("writer", name("employee")).has_value());
        QVERIFY(!access.mayUse("", name("default")).has_value());
    }
    void keyFilesAreReadStrictly_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("accepted");
        QTest::newRow("one key") << QByteArray("keys:\n  - {id: a, secret: \"0123456789abcdef\", rights: [search]}\n")
                                 << true;
        QTest::newRow("short secret") << QByteArray("keys:\n  - {id: a, secret: short, rights: [search]}\n") << false;
        QTest::newRow("unknown right") << QByteArray(
                                              "keys:\n  - {id: a, secret: \"0123456789abcdef\", rights: [fly]}\n")
                                       << false;
        QTest::newRow("id twice")
            << QByteArray(
                   "keys:\n  - {id: a, secret: \"0123456789abcdef\"}\n  - {id: a, secret: \"0123456789abcdef\"}\n")
            << false;
        QTest::newRow("no secret") << QByteArray("keys:\n  - {id: a}\n") << false;
        QTest::newRow("no keys") << QByteArray("keys: []\n") << false;
        QTest::newRow("not YAML") << QByteArray("keys: [\n") << false;
    }
    void keyFilesAreReadStrictly() {
        QFETCH(QByteArray, text);
        QFETCH(bool, accepted);
        const QTemporaryDir dir;
        const auto file = dir.filePath(QStringLiteral("keys.yml")).toStdString();
        std::ofstream(file) << text.toStdString();
        const auto loaded = http::loadClientKeys(file);
        QCOMPARE(loaded.has_value(), accepted);
        if (!accepted)
            QVERIFY(loaded.error().message.find("0123456789abcdef") == std::string::npos);
    }
};

QTEST_GUILESS_MAIN(ClientAccessTest)
#include "client_access_test.moc"
