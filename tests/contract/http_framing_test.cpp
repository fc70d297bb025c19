#include "tests/contract/http_fixture.h"

#include <QtTest>

#include <cstring>

using namespace std::chrono_literals;
using fremis::test::HttpFixture;
using fremis::test::requestText;

namespace {

QByteArray bytesOf(std::string_view text) {
    return {text.data(), static_cast<qsizetype>(text.size())};
}

/// A POST to the enrolment route with the given header lines and nothing added but Host.
QByteArray post(std::string_view headers, std::string_view body = {}) {
    return bytesOf("POST /v1/face/enrollment HTTP/1.1\r\nHost: a\r\n" + std::string(headers) + "\r\n" +
                   std::string(body));
}

QByteArray get(std::string_view target, std::string_view method = "GET") {
    return bytesOf(requestText(method, target));
}

} // namespace

/// Raw bytes to status, token and what becomes of the connection.
class HttpFramingTest : public QObject {
    Q_OBJECT

    HttpFixture m_fixture;

private Q_SLOTS:
    void everyInputHasItsAnswer_data();
    void everyInputHasItsAnswer();

    void aRefusedRequestHidesNoOther_data() {
        QTest::addColumn<QByteArray>("head");
        QTest::newRow("negative length") << QByteArray("Content-Length: -5\r\n");
        QTest::newRow("length of letters") << QByteArray("Content-Length: abc\r\n");
        QTest::newRow("length 2^64-1") << QByteArray("Content-Length: 18446744073709551615\r\n");
        QTest::newRow("length and coding") << QByteArray("Content-Length: 4\r\nTransfer-Encoding: chunked\r\n");
        QTest::newRow("two lengths") << QByteArray("Content-Length: 0\r\nContent-Length: 44\r\n");
        QTest::newRow("coding after gzip") << QByteArray("Transfer-Encoding: gzip, chunked\r\n");
        QTest::newRow("blank before colon") << QByteArray("Content-Length : 44\r\n");
        QTest::newRow("refused type") << QByteArray("Content-Type: text/plain\r\nContent-Length: 47\r\n");
        QTest::newRow("unmet expectation") << QByteArray("Expect: nothing\r\nContent-Length: 47\r\n");
    }
    /// Request smuggling: the bytes after a request whose end is in doubt must never be taken for a request.
    void aRefusedRequestHidesNoOther() {
        QFETCH(QByteArray, head);
        const int before = m_fixture.handled();
        auto client = m_fixture.client();
        const QByteArray smuggled = post(head.toStdString(), requestText("POST", "/echo", "{}"));
        client.send(smuggled.toStdString());
        const std::string all = client.readAll(5s);
        QCOMPARE(bytesOf(all).count("HTTP/1.1 "), 1);
        QCOMPARE(m_fixture.handled(), before);
    }

    void aBodyCutShortIsNotApplied() {
        const int before = m_fixture.handled();
        {
            auto client = m_fixture.client();
            client.send(post("Content-Length: 10\r\n", "{\"a\":").toStdString());
            client.halfClose();
            QVERIFY(client.closedByPeer());
        }
        {
            auto client = m_fixture.client();
            client.send(post("Transfer-Encoding: chunked\r\n", "5\r\n{\"a\":\r\n").toStdString());
            client.halfClose();
            QVERIFY(client.closedByPeer());
        }
        QCOMPARE(m_fixture.handled(), before);
    }

    void bodiesGrowToTheLimitAndNoFurther_data() {
        QTest::addColumn<QByteArray>("end");
        QTest::addColumn<int>("status");
        QTest::newRow("36 MiB") << QByteArray("0\r\n\r\n") << 200;
        QTest::newRow("one byte more") << QByteArray("1\r\nx\r\n0\r\n\r\n") << 413;
    }
    void bodiesGrowToTheLimitAndNoFurther() {
        QFETCH(QByteArray, end);
        QFETCH(int, status);
        const std::size_t limit = 36 * 1024 * 1024;
        const std::string block(1024 * 1024, 'x');
        auto client = m_fixture.client();
        client.send(post("Transfer-Encoding: chunked\r\n").toStdString());
        for (std::size_t sent = 0; sent < limit; sent += block.size())
            QVERIFY(client.send("100000\r\n" + block + "\r\n"));
        const auto response = client.ask(end.toStdString());
        QVERIFY(response.has_value());
        QCOMPARE(response->status, status);
        QVERIFY(status == 200 || client.closedByPeer());
        QVERIFY(m_fixture.works());
    }
};

void HttpFramingTest::everyInputHasItsAnswer_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("token");
    QTest::addColumn<bool>("kept");
    const auto row = [](const char* name, const QByteArray& bytes, int status, const char* token, bool kept = false) {
        QTest::newRow(name) << bytes << status << QString::fromLatin1(token) << kept;
    };
    const std::string chunkedBody = "2\r\n{}\r\n0\r\n\r\n";

    row("good", post("Content-Length: 2\r\n", "{}"), 200, "", true);
    row("good, chunked", post("Transfer-Encoding: chunked\r\n", chunkedBody), 200, "", true);
    row("length and coding", post("Content-Length: 2\r\nTransfer-Encoding: chunked\r\n", chunkedBody), 400,
        "bad_framing");
    row("length 0 and coding", post("Content-Length: 0\r\nTransfer-Encoding: chunked\r\n", chunkedBody), 400,
        "bad_framing");
    row("length +5", post("Content-Length: +5\r\n", "{ \t }"), 400, "bad_framing");
    row("length -1", post("Content-Length: -1\r\n"), 400, "bad_framing");
    row("length 0x10", post("Content-Length: 0x10\r\n"), 400, "bad_framing");
    row("length list", post("Content-Length: 5 , 5\r\n"), 400, "bad_framing");
    row("length 10^20", post("Content-Length: 100000000000000000000\r\n"), 413, "body_too_large");
    row("gzip, chunked", post("Transfer-Encoding: gzip, chunked\r\n"), 501, "transfer_encoding");
    row("xchunked", post("Transfer-Encoding: xchunked\r\n"), 501, "transfer_encoding");
    row("chunked, gzip", post("Transfer-Encoding: chunked, gzip\r\n"), 400, "bad_framing");
    const auto chunk = [&](const std::string& extension) {
        return post("Transfer-Encoding: chunked\r\n", "2" + extension + "\r\n{}\r\n0\r\n\r\n");
    };
    row("chunk extension of 1 KiB", chunk(";" + std::string(1023, 'e')), 200, "", true);
    row("chunk extension over 1 KiB", chunk(";" + std::string(1100, 'e')), 400, "bad_framing");
    row("chunk size of 9 digits", post("Transfer-Encoding: chunked\r\n", "000000002\r\n{}\r\n0\r\n\r\n"), 400,
        "bad_framing");
    row("coding, blank before colon", post("Transfer-Encoding : chunked\r\n"), 400, "bad_header");
    row("length above the limit, expectation", post("Content-Length: 37748737\r\nExpect: 100-continue\r\n"), 413,
        "body_too_large");
    row("length above the route's limit", bytesOf(requestText("POST", "/small", std::string(101, ' '))), 413,
        "body_too_large");
    row("expectation unknown", post("Content-Length: 2\r\nExpect: 200-ok\r\n"), 417, "expectation");

    const std::size_t lineFrame = std::strlen("GET / HTTP/1.1");
    row("line of 8 KiB", get("/" + std::string(8 * 1024 - lineFrame, 'a')), 404, "not_found", true);
    row("line of 8 KiB and a byte", get("/" + std::string(8 * 1024 - lineFrame + 1, 'a')), 414, "uri_too_long");
    row("line of 9 KiB", get("/" + std::string(9 * 1024, 'a')), 414, "uri_too_long");
    const std::size_t blockFrame = std::strlen("Host: localhost\r\nX: \r\n");
    const auto paddedGet = [](std::size_t value) {
        return bytesOf(requestText("GET", "/sync", {}, "X: " + std::string(value, 'a') + "\r\n"));
    };
    row("headers of 32 KiB", paddedGet(32 * 1024 - blockFrame), 200, "", true);
    row("headers of 32 KiB and a byte", paddedGet(32 * 1024 - blockFrame + 1), 431, "headers_too_large");
    row("field of 40 KiB", post("X: " + std::string(40 * 1024, 'a') + "\r\n"), 431, "headers_too_large");
    const auto fieldsGet = [](int fields) { // Host is one of them
        std::string others;
        for (int i = 1; i < fields; ++i)
            others += "X: 1\r\n";
        return bytesOf(requestText("GET", "/sync", {}, others));
    };
    row("100 fields", fieldsGet(100), 200, "", true);
    row("101 fields", fieldsGet(101), 431, "headers_too_large");
    std::string many;
    for (int i = 0; i < 10'000; ++i)
        many += "X: 1\r\n";
    row("10,000 fields", post(many), 431, "headers_too_large");
    row("bare LF on the first line", "GET /sync HTTP/1.1\nHost: a\n\n", 400, "bad_request_line");
    row("bare LF in headers", "GET /sync HTTP/1.1\r\nHost: a\n\n", 400, "bad_header");
    row("folding", post("X: 1\r\n 2\r\n"), 400, "bad_header");
    row("NUL in a header", post(std::string_view("X: 1\0 2\r\n", 9)), 400, "bad_header");
    row("name with blank", post("X Y: 1\r\n"), 400, "bad_header");
    row("no Host", "GET /sync HTTP/1.1\r\n\r\n", 400, "bad_header");
    row("two Hosts", "GET /sync HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400, "bad_header");
    row("HTTP/1.0 without Host", "GET /sync HTTP/1.0\r\n\r\n", 200, "");
    row("HTTP/1.0 that asks to be kept", "GET /sync HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", 200, "");
    row("HTTP/9.9", "GET /sync HTTP/9.9\r\nHost: a\r\n\r\n", 400, "bad_request_line");
    row("HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400, "bad_request_line");
    row("TLS hello", bytesOf(std::string_view("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11)), 400,
        "bad_request_line");
    row("Connection: upgrade alone", bytesOf(requestText("GET", "/sync", {}, "Connection: upgrade\r\n")), 200, "",
        true);
    row("Upgrade to something",
        bytesOf(requestText("GET", "/sync", {}, "Connection: upgrade\r\nUpgrade: websocket\r\n")), 200, "", true);
    row("Connection: close", bytesOf(requestText("GET", "/sync", {}, "Connection: close\r\n")), 200, "");

    for (const char* method : {"PUT", "DELETE", "PATCH", "TRACE", "CONNECT", "GET", "get", "HEAD2"})
        row(method, get("/v1/face/enrollment", method), 405, "method_not_allowed", true);
    row("method override", bytesOf(requestText("GET", "/sync", {}, "X-HTTP-Method-Override: DELETE\r\n")), 200, "",
        true);
    row("address override", bytesOf(requestText("GET", "/sync", {}, "X-Original-URL: /nothing\r\n")), 200, "", true);
    row("wrong method with a body", bytesOf(requestText("PUT", "/v1/face/enrollment", "{}")), 405,
        "method_not_allowed");
    row("OPTIONS *", get("*", "OPTIONS"), 204, "", true);
    row("OPTIONS on a path", get("/v1/face/enrollment", "OPTIONS"), 204, "", true);
    row("OPTIONS on no path", get("/nothing", "OPTIONS"), 404, "not_found", true);
    row("GET *", get("*"), 404, "not_found", true);
    row("trailing slash", get("/v1/face/enrollment/", "POST"), 404, "not_found", true);
    row("double slash", get("//v1/face/enrollment", "POST"), 404, "not_found", true);
    row("other case", get("/v1/FACE/enrollment", "POST"), 404, "not_found", true);
    row("query", bytesOf(requestText("POST", "/v1/face/enrollment?x=1", "{}")), 200, "", true);
    row("escape", bytesOf(requestText("POST", "/v1/%66ace/enrollment", "{}")), 200, "", true);
    row("escaped twice", get("/v1/%2566ace/enrollment", "POST"), 404, "not_found", true);
    row("dot segments", get("/v1/../etc/passwd"), 404, "not_found", true);
    row("escaped dot segments", get("/%2e%2e/%2e%2e/etc/passwd"), 404, "not_found", true);
    row("escaped backslashes", get("/..%5c..%5cwindows"), 404, "not_found", true);
    row("absolute form", get("http://example.org/sync"), 404, "not_found", true);
    row("encoded NUL", get("/%00"), 400, "bad_uri");
    row("bad escape", get("/%zz"), 400, "bad_uri");
    row("gzip", post("Content-Encoding: gzip\r\nContent-Length: 4\r\n", "\x1f\x8b\x08\x01"), 415,
        "unsupported_encoding");
    row("identity", post("Content-Encoding: identity\r\nContent-Length: 2\r\n", "{}"), 200, "", true);
    for (const char* type :
         {"text/plain", "multipart/form-data; boundary=x", "application/xml", "application/jsonx", "json"})
        row(type, post("Content-Type: " + std::string(type) + "\r\nContent-Length: 2\r\n", "{}"), 415,
            "unsupported_media_type");
    for (const char* type :
         {"application/json", "APPLICATION/JSON; charset=utf-8", "application/problem+json", "text/json", ""})
        row(qPrintable(QStringLiteral("type '%1'").arg(QLatin1String(type))),
            post("Content-Type: " + std::string(type) + "\r\nContent-Length: 2\r\n", "{}"), 200, "", true);
    row("no type", post("Content-Length: 2\r\n", "{}"), 200, "", true);
    row("text/plain without body", post("Content-Type: text/plain\r\n"), 200, "", true);
}

void HttpFramingTest::everyInputHasItsAnswer() {
    QFETCH(QByteArray, bytes);
    QFETCH(int, status);
    QFETCH(QString, token);
    QFETCH(bool, kept);
    auto client = m_fixture.client();
    const auto response = client.ask(bytes.toStdString());
    QVERIFY(response.has_value());
    QCOMPARE(response->status, status);
    QVERIFY(!response->header("X-Request-Id").empty());
    QCOMPARE(QString::fromStdString(response->member("error")), token);
    if (status >= 400) {
        QCOMPARE(response->header("Content-Type"), std::string("application/json"));
        QCOMPARE(response->member("code"), std::to_string(status));
        QCOMPARE(response->member("request_id"), response->header("X-Request-Id"));
        for (const char* name : {"message", "description"})
            QVERIFY(!response->member(name).empty());
    }
    if (status == 405 || status == 204)
        QVERIFY(!response->header("Allow").empty());
    if (kept) {
        const auto next = client.ask(requestText("GET", "/sync"));
        QVERIFY(next.has_value());
        QCOMPARE(next->status, 200);
    } else {
        QCOMPARE(response->header("Connection"), std::string("close"));
        QVERIFY(client.closedByPeer());
    }
    QVERIFY(m_fixture.works());
}

QTEST_GUILESS_MAIN(HttpFramingTest)
#include "http_framing_test.moc"
