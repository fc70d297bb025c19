#include "shared/http/request_reader.h"

#include <QtTest>

#include <rapidcheck.h>

namespace http = fremis::http;
using Event = http::RequestReader::Event;
using fremis::base::Reason;

namespace {

/// What a run of the reader over some bytes came to.
struct Outcome {
    std::vector<http::Request> requests;
    std::optional<Reason> refused;
    std::size_t consumed = 0;

    bool operator==(const Outcome& other) const {
        const auto same = [](const http::Request& a, const http::Request& b) {
            const auto sameHeader = [](const http::Header& x, const http::Header& y) {
                return x.name == y.name && x.value == y.value;
            };
            return a.method == b.method && a.target == b.target && a.path == b.path && a.query == b.query &&
                   a.body == b.body &&
                   std::equal(a.headers.begin(), a.headers.end(), b.headers.begin(), b.headers.end(), sameHeader);
        };
        return refused == other.refused &&
               std::equal(requests.begin(), requests.end(), other.requests.begin(), other.requests.end(), same);
    }
};

/// Feeds `bytes` in pieces of at most `piece` bytes.
Outcome read(std::string_view bytes, std::size_t piece = std::string_view::npos, const http::Limits& limits = {}) {
    http::RequestReader reader(limits);
    Outcome outcome;
    while (!outcome.refused) {
        std::string_view part = bytes.substr(outcome.consumed, piece);
        const bool last = outcome.consumed == bytes.size();
        bool more = true;
        while (more) {
            const auto step = reader.feed(part);
            part.remove_prefix(step.consumed);
            outcome.consumed += step.consumed;
            more = step.event == Event::Head || step.event == Event::Complete;
            if (step.event == Event::Complete)
                outcome.requests.push_back(reader.takeRequest());
            if (step.event == Event::Failed)
                outcome.refused = reader.error().reason;
        }
        if (last)
            break;
    }
    return outcome;
}

constexpr std::string_view kHost = "Host: a\r\n";

QByteArray bytesOf(std::string_view text) {
    return {text.data(), static_cast<qsizetype>(text.size())};
}

} // namespace

class RequestReaderTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aPlainRequestIsTakenApart() {
        const auto outcome = read("GET /v1/a%20b?x=1&y=%C3%A9+z&flag HTTP/1.1\r\nHost: h:80\r\nX-One:  two \t\r\n\r\n");
        QCOMPARE(outcome.requests.size(), 1u);
        const http::Request& request = outcome.requests.front();
        QCOMPARE(request.method, std::string("GET"));
        QCOMPARE(request.path, std::string("/v1/a b"));
        QCOMPARE(request.target, std::string("/v1/a%20b?x=1&y=%C3%A9+z&flag"));
        QCOMPARE(request.query.size(), 3u);
        QCOMPARE(*request.queryValue("y"), std::string("\xC3\xA9 z"));
        QCOMPARE(*request.queryValue("flag"), std::string());
        QVERIFY(request.queryValue("z") == nullptr);
        QCOMPARE(*request.header("x-oNE"), std::string("two"));
    }

    void bodiesOfBothFramingsAreRead() {
        const std::string text = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello"
                                 "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n"
                                 "3\r\nhel\r\n00000002;why=\"because\"\r\nlo\r\n0\r\nX-Trailer: dropped\r\n\r\n"
                                 "GET /next HTTP/1.1\r\nHost: a\r\n\r\n";
        const auto outcome = read(text);
        QCOMPARE(outcome.requests.size(), 3u);
        QCOMPARE(outcome.requests[0].body, std::string("hello"));
        QCOMPARE(outcome.requests[1].body, std::string("hello"));
        QVERIFY(outcome.requests[1].header("X-Trailer") == nullptr);
        QCOMPARE(outcome.requests[2].path, std::string("/next"));
        QCOMPARE(outcome.consumed, text.size());
    }

    void oneEmptyLineBeforeARequestIsOverlooked() {
        QCOMPARE(read("\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n").requests.size(), 1u);
        QCOMPARE(read("\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n").refused, Reason::BadRequestLine);
    }

    void connectionAndExpectationAreRead() {
        const auto framingOf = [](std::string_view headers, std::string_view version = "HTTP/1.1") {
            const http::Limits limits;
            http::RequestReader reader(limits);
            const std::string text =
                "POST / " + std::string(version) + "\r\nHost: a\r\n" + std::string(headers) + "\r\n";
            return reader.feed(text).event == Event::Head ? std::optional(reader.framing()) : std::nullopt;
        };
        QVERIFY(framingOf("")->keepAlive);
        QVERIFY(!framingOf("Connection: foo, Close\r\n")->keepAlive);
        QVERIFY(framingOf("Connection: upgrade\r\n")->keepAlive);
        QVERIFY(!framingOf("Connection: keep-alive\r\n", "HTTP/1.0")->keepAlive);
        QVERIFY(framingOf("Expect: 100-Continue\r\nContent-Length: 3\r\n")->expectContinue);
        QVERIFY(!framingOf("Expect: 200-ok\r\n", "HTTP/1.0")->expectContinue);
        QVERIFY(!framingOf("Expect: 200-ok\r\n").has_value());
        QVERIFY(framingOf("Transfer-Encoding: chunked\r\n")->hasBody());
        QVERIFY(!framingOf("Content-Length: 0\r\n")->hasBody());
    }

    void ambiguousOrMalformedRequestsAreRefused_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<Reason>("reason");
        const auto get = [](std::string_view headers) {
            return bytesOf("POST / HTTP/1.1\r\nHost: a\r\n" + std::string(headers) + "\r\n");
        };
        const auto chunks = [&](std::string_view body) {
            return get("Transfer-Encoding: chunked\r\n") + bytesOf(body);
        };
        const auto line = [](std::string_view first) { return bytesOf(std::string(first) + "\r\nHost: a\r\n\r\n"); };

        QTest::newRow("length and coding")
            << get("Content-Length: 3\r\nTransfer-Encoding: chunked\r\n") << Reason::BadFraming;
        QTest::newRow("length 0 and coding")
            << get("Transfer-Encoding: chunked\r\nContent-Length: 0\r\n") << Reason::BadFraming;
        QTest::newRow("two equal lengths") << get("Content-Length: 3\r\nContent-Length: 3\r\n") << Reason::BadFraming;
        QTest::newRow("length list") << get("Content-Length: 5 , 5\r\n") << Reason::BadFraming;
        QTest::newRow("length +5") << get("Content-Length: +5\r\n") << Reason::BadFraming;
        QTest::newRow("length -1") << get("Content-Length: -1\r\n") << Reason::BadFraming;
        QTest::newRow("length 0x10") << get("Content-Length: 0x10\r\n") << Reason::BadFraming;
        QTest::newRow("length abc") << get("Content-Length: abc\r\n") << Reason::BadFraming;
        QTest::newRow("length empty") << get("Content-Length:\r\n") << Reason::BadFraming;
        QTest::newRow("length 10^20") << get("Content-Length: 100000000000000000000\r\n") << Reason::BodyTooLarge;
        QTest::newRow("length 2^64-1") << get("Content-Length: 18446744073709551615\r\n") << Reason::BodyTooLarge;
        QTest::newRow("length 2^64") << get("Content-Length: 18446744073709551616\r\n") << Reason::BodyTooLarge;
        QTest::newRow("length above the limit") << get("Content-Length: 37748737\r\n") << Reason::BodyTooLarge;

        QTest::newRow("gzip, chunked") << get("Transfer-Encoding: gzip, chunked\r\n") << Reason::TransferEncoding;
        QTest::newRow("xchunked") << get("Transfer-Encoding: xchunked\r\n") << Reason::TransferEncoding;
        QTest::newRow("chunked, gzip") << get("Transfer-Encoding: chunked, gzip\r\n") << Reason::BadFraming;
        QTest::newRow("chunked twice") << get("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n")
                                       << Reason::BadFraming;
        QTest::newRow("no coding") << get("Transfer-Encoding: \r\n") << Reason::BadFraming;
        QTest::newRow("coding, blank before colon") << get("Transfer-Encoding : chunked\r\n") << Reason::BadHeader;
        QTest::newRow("coding in HTTP/1.0")
            << bytesOf("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n") << Reason::BadFraming;

        QTest::newRow("chunk size 9 digits") << chunks("000000001\r\na\r\n0\r\n\r\n") << Reason::BadFraming;
        QTest::newRow("chunk size no digit") << chunks("\r\na\r\n0\r\n\r\n") << Reason::BadFraming;
        QTest::newRow("chunk size 0x1") << chunks("0x1\r\na\r\n0\r\n\r\n") << Reason::BadFraming;
        QTest::newRow("chunk size -1") << chunks("-1\r\na\r\n0\r\n\r\n") << Reason::BadFraming;
        QTest::newRow("chunk size, then blank") << chunks("1 \r\na\r\n0\r\n\r\n") << Reason::BadFraming;
        QTest::newRow("chunk size, bare LF") << chunks("1\na\r\n0\r\n\r\n") << Reason::BadFraming;
        QTest::newRow("chunk longer than said") << chunks("1\r\nab\r\n0\r\n\r\n") << Reason::BadFraming;
        QTest::newRow("chunk ends in LF") << chunks("1\r\na\n0\r\n\r\n") << Reason::BadFraming;
        QTest::newRow("chunk extension of 2 KiB")
            << chunks("1;" + std::string(2048, 'e') + "\r\na\r\n0\r\n\r\n") << Reason::BadFraming;
        QTest::newRow("chunk extension with NUL")
            << chunks(std::string_view("1;a\0b\r\na\r\n0\r\n\r\n", 16)) << Reason::BadFraming;
        QTest::newRow("chunk of 4 GiB") << chunks("ffffffff\r\n") << Reason::BodyTooLarge;
        QTest::newRow("bad trailer") << chunks("0\r\nno colon\r\n\r\n") << Reason::BadHeader;

        QTest::newRow("no Host") << bytesOf("GET / HTTP/1.1\r\n\r\n") << Reason::BadHeader;
        QTest::newRow("two Hosts") << get("Host: b\r\n") << Reason::BadHeader;
        QTest::newRow("Host with path") << bytesOf("GET / HTTP/1.1\r\nHost: a/b\r\n\r\n") << Reason::BadHeader;
        QTest::newRow("bare LF in headers") << bytesOf("GET / HTTP/1.1\r\nHost: a\n\r\n") << Reason::BadHeader;
        QTest::newRow("bare LF ends headers") << bytesOf("GET / HTTP/1.1\r\nHost: a\r\n\n") << Reason::BadHeader;
        QTest::newRow("folding") << get("X: a\r\n b\r\n") << Reason::BadHeader;
        QTest::newRow("NUL in value") << get(std::string_view("X: a\0b\r\n", 8)) << Reason::BadHeader;
        QTest::newRow("CR in value") << get("X: a\rb\r\n") << Reason::BadHeader;
        QTest::newRow("DEL in value") << get("X: a\x7f\r\n") << Reason::BadHeader;
        QTest::newRow("name with blank") << get("X Y: a\r\n") << Reason::BadHeader;
        QTest::newRow("empty name") << get(": a\r\n") << Reason::BadHeader;
        QTest::newRow("no colon") << get("nonsense\r\n") << Reason::BadHeader;

        QTest::newRow("bare LF on the first line")
            << bytesOf("GET / HTTP/1.1\nHost: a\r\n\r\n") << Reason::BadRequestLine;
        QTest::newRow("HTTP/0.9") << line("GET /") << Reason::BadRequestLine;
        QTest::newRow("HTTP/2.0") << line("GET / HTTP/2.0") << Reason::BadRequestLine;
        QTest::newRow("HTTP/9.9") << line("GET / HTTP/9.9") << Reason::BadRequestLine;
        QTest::newRow("HTTP/1.10") << line("GET / HTTP/1.10") << Reason::BadRequestLine;
        QTest::newRow("lower-case version") << line("GET / http/1.1") << Reason::BadRequestLine;
        QTest::newRow("two blanks") << line("GET  / HTTP/1.1") << Reason::BadRequestLine;
        QTest::newRow("blank in target") << line("GET /a b HTTP/1.1") << Reason::BadRequestLine;
        QTest::newRow("blank at the end") << line("GET / HTTP/1.1 ") << Reason::BadRequestLine;
        QTest::newRow("tab as blank") << line("GET\t/\tHTTP/1.1") << Reason::BadRequestLine;
        QTest::newRow("bad method") << line("G(T / HTTP/1.1") << Reason::BadRequestLine;
        QTest::newRow("raw UTF-8 target") << line("GET /\xC3\xA9 HTTP/1.1") << Reason::BadRequestLine;
        QTest::newRow("TLS hello") << bytesOf(std::string_view("\x16\x03\x01\x02\x00\x01\x00", 7))
                                   << Reason::BadRequestLine;
        QTest::newRow("HTTP/2 preface") << bytesOf("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n") << Reason::BadRequestLine;
        QTest::newRow("CR alone") << bytesOf("\rGET / HTTP/1.1\r\n") << Reason::BadRequestLine;

        QTest::newRow("bad escape") << line("GET /%zz HTTP/1.1") << Reason::BadUri;
        QTest::newRow("cut escape") << line("GET /%2 HTTP/1.1") << Reason::BadUri;
        QTest::newRow("encoded NUL") << line("GET /%00 HTTP/1.1") << Reason::BadUri;
        QTest::newRow("bad escape in query") << line("GET /?a=%g0 HTTP/1.1") << Reason::BadUri;
        QTest::newRow("fragment") << line("GET /a#b HTTP/1.1") << Reason::BadUri;

        QTest::newRow("line of 9 KiB") << line("GET /" + std::string(9 * 1024, 'a') + " HTTP/1.1")
                                       << Reason::UriTooLong;
        QTest::newRow("line without end") << bytesOf("GET /" + std::string(9 * 1024, 'a')) << Reason::UriTooLong;
        QTest::newRow("field of 40 KiB") << get("X: " + std::string(40 * 1024, 'a') + "\r\n")
                                         << Reason::HeadersTooLarge;
        QTest::newRow("field without end")
            << bytesOf("GET / HTTP/1.1\r\nX: " + std::string(40 * 1024, 'a')) << Reason::HeadersTooLarge;
        std::string many;
        for (int i = 0; i < 10'000; ++i)
            many += "X: " + std::to_string(i) + "\r\n";
        QTest::newRow("10,000 fields") << get(many) << Reason::HeadersTooLarge;
        QTest::newRow("expectation") << get("Expect: 200-ok\r\n") << Reason::Expectation;
    }
    void ambiguousOrMalformedRequestsAreRefused() {
        QFETCH(QByteArray, bytes);
        QFETCH(Reason, reason);
        const std::string text = bytes.toStdString();
        const auto whole = read(text);
        QCOMPARE(whole.refused, reason);
        QCOMPARE(whole.requests.size(), 0u);
        const auto single = read(text, 1); // the cut must not matter
        QCOMPARE(single.refused, reason);
    }

    void limitsAreReachedExactly() {
        http::Limits limits;
        limits.requestLine = 30;
        limits.headerFields = 3;
        limits.body = 10;
        const auto padded = [](std::size_t length) {
            const std::string rest = "GET / HTTP/1.1";
            return "GET /" + std::string(length - rest.size(), 'a') + " HTTP/1.1\r\nHost: a\r\n\r\n";
        };
        QCOMPARE(read(padded(30), std::string_view::npos, limits).requests.size(), 1u);
        QCOMPARE(read(padded(31), std::string_view::npos, limits).refused, Reason::UriTooLong);
        QCOMPARE(
            read("GET / HTTP/1.1\r\nHost: a\r\nA: 1\r\nB: 2\r\n\r\n", std::string_view::npos, limits).requests.size(),
            1u);
        QCOMPARE(
            read("GET / HTTP/1.1\r\nHost: a\r\nA: 1\r\nB: 2\r\nC: 3\r\n\r\n", std::string_view::npos, limits).refused,
            Reason::HeadersTooLarge);
        const std::string head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
        QCOMPARE(read(head + "4\r\naaaa\r\n6\r\nbbbbbb\r\n0\r\n\r\n", std::string_view::npos, limits).requests.size(),
                 1u);
        QCOMPARE(read(head + "4\r\naaaa\r\n7\r\nbbbbbbb\r\n0\r\n\r\n", std::string_view::npos, limits).refused,
                 Reason::BodyTooLarge);
    }

    void aDeclaredLengthAloneTakesNoMemory() {
        const http::Limits limits;
        http::RequestReader reader(limits);
        const std::string text = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 37748736\r\n\r\n";
        QCOMPARE(reader.feed(text).event, Event::Head);
        QCOMPARE(reader.feed("x").event, Event::NeedMore);
        QVERIFY(reader.request().body.capacity() < 128 * 1024);
    }

    void nothingIsReadAfterARefusal() {
        const http::Limits limits;
        http::RequestReader reader(limits);
        QCOMPARE(reader.feed("BAD\r\n").event, Event::Failed);
        const auto step = reader.feed("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
        QCOMPARE(step.event, Event::Failed);
        QCOMPARE(step.consumed, 0u);
    }

    void cutsDoNotMatter() {
        QVERIFY(rc::check("any cut of any mix of requests gives the same messages", [] {
            const auto piece = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
                "GET /a HTTP/1.1\r\nHost: a\r\n\r\n", "POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody",
                "POST /c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1;x\r\nc\r\n0\r\nT: "
                "1\r\n\r\n",
                "\r\n", "X", "\n", "GET /", " HTTP/1.0\r\n", "Host: b\r\n", "Content-Length: 3\r\n", "0\r\n\r\n"));
            std::string text;
            for (const std::string& one : piece)
                text += one;
            const auto size = *rc::gen::inRange<std::size_t>(1, 20);
            RC_ASSERT(read(text, size) == read(text));
        }));
    }

    void randomBytesNeverGetThrough() {
        QVERIFY(rc::check("random bytes are refused or wait, never become a request",
                          [](const std::string& bytes) { RC_ASSERT(read(bytes).requests.empty()); }));
    }
};

QTEST_GUILESS_MAIN(RequestReaderTest)
#include "request_reader_test.moc"
