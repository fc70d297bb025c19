#include "shared/http/answer_writer.h"
#include "shared/http/route_table.h"

#include <QtTest>

namespace http = fremis::http;
using fremis::base::Reason;

namespace {

const http::Handler kNothing = [](http::Request&&, http::Reply) {};

http::Route route(std::string method, std::string path) {
    return {std::move(method), std::move(path), {}, kNothing, 0};
}

http::RouteTable table() {
    auto made =
        http::RouteTable::create({route("GET", "/v1/face/enrollment"), route("POST", "/v1/face/enrollment"),
                                  route("POST", "/v1/cluster/moves/{id}/pause"), route("GET", "/v1/cluster/moves/{id}"),
                                  route("GET", "/v1/cluster/moves/all")});
    return std::move(*made);
}

} // namespace

class RouteTableTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void pathsAreComparedByteForByte_data() {
        QTest::addColumn<QByteArray>("path");
        QTest::addColumn<bool>("known");
        QTest::newRow("as declared") << QByteArray("/v1/face/enrollment") << true;
        QTest::newRow("trailing slash") << QByteArray("/v1/face/enrollment/") << false;
        QTest::newRow("double slash") << QByteArray("//v1/face/enrollment") << false;
        QTest::newRow("case") << QByteArray("/v1/FACE/enrollment") << false;
        QTest::newRow("dots") << QByteArray("/v1/x/../face/enrollment") << false;
        QTest::newRow("absolute form") << QByteArray("http://a/v1/face/enrollment") << false;
        QTest::newRow("root") << QByteArray("/") << false;
        QTest::newRow("asterisk") << QByteArray("*") << false;
        QTest::newRow("empty parameter") << QByteArray("/v1/cluster/moves//pause") << false;
        QTest::newRow("parameter with slash") << QByteArray("/v1/cluster/moves/a/b/pause") << false;
    }
    void pathsAreComparedByteForByte() {
        QFETCH(QByteArray, path);
        QFETCH(bool, known);
        QCOMPARE(table().find("POST", path.toStdString()).pathKnown, known);
    }

    void parametersAreTakenFromTheirSegments() {
        const auto routes = table();
        const auto found = routes.find("POST", "/v1/cluster/moves/7 b/pause");
        QVERIFY(found.route != nullptr);
        QCOMPARE(found.parameters.size(), 1u);
        QCOMPARE(found.parameters.front().first, std::string("id"));
        QCOMPARE(found.parameters.front().second, std::string("7 b"));
    }

    void aPlainPathWinsOverAPattern() {
        const auto routes = table();
        QCOMPARE(routes.find("GET", "/v1/cluster/moves/all").route->path, std::string("/v1/cluster/moves/all"));
        QCOMPARE(routes.find("GET", "/v1/cluster/moves/one").route->path, std::string("/v1/cluster/moves/{id}"));
    }

    void aMissingMethodNamesTheOthers() {
        const auto routes = table();
        const auto found = routes.find("DELETE", "/v1/face/enrollment");
        QVERIFY(found.pathKnown && !found.route);
        QCOMPARE(found.allow, std::string("GET, HEAD, OPTIONS, POST"));
        QVERIFY(routes.find("HEAD", "/v1/face/enrollment").route != nullptr);
        QVERIFY(routes.find("HEAD", "/v1/cluster/moves/7/pause").route == nullptr);
    }

    void senselessRoutesAreRefused() {
        const auto refused = [](std::vector<http::Route> routes) {
            const auto made = http::RouteTable::create(std::move(routes));
            return !made && made.error().reason == Reason::InvalidConfig;
        };
        QVERIFY(refused({route("GET", "/a"), route("GET", "/a")}));
        QVERIFY(refused({route("GET", "/a/{b}"), route("GET", "/a/{b}")}));
        QVERIFY(refused({route("GET", "a")}));
        QVERIFY(refused({route("get", "/a")}));
        QVERIFY(refused({{"GET", "/a", {}, {}, 0}}));
    }

    void headersThatWouldBreakTheFramingAreLeftOut() {
        const http::Answer answer{
            200, "application/json", "{}", {{"X-Good", "1"}, {"X-Bad", "1\r\nX-Split: 2"}, {"X Bad", "1"}}};
        const std::string head = http::headOf(answer, {"id", "date", true});
        QVERIFY(head.find("X-Good: 1\r\n") != std::string::npos);
        QVERIFY(head.find("Bad") == std::string::npos);
        QVERIFY(head.find("Split") == std::string::npos);
    }

    void everyErrorBodyHasItsFiveMembers() {
        for (const auto& info : fremis::base::reasonTable()) {
            const auto answer = http::errorAnswer({info.reason, {}, {}}, "r-1");
            const auto object = QJsonDocument::fromJson(QByteArray::fromStdString(answer.body)).object();
            for (const char* name : {"code", "message", "description", "error", "request_id"})
                QVERIFY2(!object.value(QLatin1String(name)).toString().isEmpty(), answer.body.c_str());
            QCOMPARE(object.value(QLatin1String("code")).toString().toInt(), info.status);
            QVERIFY2(http::reasonPhrase(info.status) != "Unknown", answer.body.c_str());
        }
    }
};

QTEST_GUILESS_MAIN(RouteTableTest)
#include "route_table_test.moc"
