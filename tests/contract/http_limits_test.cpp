#include "shared/base/clock.h"
#include "tests/contract/http_fixture.h"

#include <QtTest>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <thread>

namespace http = fremis::http;
using namespace std::chrono_literals;
using fremis::test::HttpFixture;
using fremis::test::RawClient;
using fremis::test::requestText;
using fremis::test::residentBytes;

namespace {

/// The product's limits with short times: the same code, a patient test.
http::ServerOptions shortTimes() {
    auto options = HttpFixture::quickOptions();
    options.limits.headTime = 300ms;
    options.limits.requestTime = 1'500ms;
    options.limits.slowBodyGrace = 300ms;
    options.limits.slowBodyRate = 100'000;
    options.limits.answerTime = 500ms;
    options.limits.idleTime = 600ms;
    options.limits.lingerTime = 300ms;
    options.limits.tick = 20ms;
    return options;
}

/// Connections that have each been served once, from 127.0.0.`source`.
std::vector<RawClient> servedClients(const HttpFixture& fixture, std::size_t count, std::uint8_t source) {
    std::vector<RawClient> clients;
    for (std::size_t i = 0; i < count; ++i) {
        RawClient client(fixture.port(), 0, source);
        const auto response = client.ask(requestText("GET", "/sync"));
        if (response && response->status == 200)
            clients.push_back(std::move(client));
    }
    return clients;
}

bool isToldOverloadedAndClosed(RawClient& client) {
    const auto refused = client.ask(requestText("GET", "/sync"));
    return refused && refused->status == 503 && refused->member("error") == "overloaded" &&
           !refused->header("Retry-After").empty() && client.closedByPeer();
}

/// Sends `piece` every 10 ms until an answer or the connection's end comes; the answer, if any.
std::optional<fremis::test::RawResponse> drip(RawClient& client, std::string_view piece) {
    const auto deadline = std::chrono::steady_clock::now() + 10s;
    while (std::chrono::steady_clock::now() < deadline) {
        if (auto response = client.read(10ms))
            return response;
        if (!client.send(piece))
            return client.read(1s);
    }
    return std::nullopt;
}

} // namespace

/// Clients that are slow, many or endless.
class HttpLimitsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void slowHeadersAreCutWhileGoodClientsAreServed() {
        HttpFixture fixture(shortTimes());
        std::vector<RawClient> slow;
        for (int i = 0; i < 200; ++i) {
            slow.push_back(fixture.client());
            QVERIFY(slow.back().send("GET /sync HTTP/1.1\r\nHost: a\r\nX: "));
        }
        QVERIFY(fixture.works());
        for (RawClient& client : slow) {
            client.send("x"); // the total counts, not the gap
            const auto response = client.read();
            QVERIFY(response.has_value());
            QCOMPARE(response->status, 408);
            QCOMPARE(response->member("error"), std::string("request_timeout"));
            QVERIFY(client.closedByPeer());
        }
        QVERIFY(fixture.works());
    }

    void steadyDrippingDoesNotHelp_data() {
        QTest::addColumn<QByteArray>("head");
        QTest::addColumn<QByteArray>("drop");
        QTest::newRow("request line") << QByteArray("GET /") << QByteArray("a");
        QTest::newRow("headers") << QByteArray("GET / HTTP/1.1\r\nX: ") << QByteArray("a");
        QTest::newRow("body under the rate")
            << QByteArray("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 10000000\r\n\r\n") << QByteArray("a");
        QTest::newRow("chunks under the rate")
            << QByteArray("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
            << QByteArray("1\r\na\r\n");
        QTest::newRow("body over the rate, too long in all")
            << QByteArray("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 30000000\r\n\r\n")
            << QByteArray(5'000, 'a');
        QTest::newRow("trailers") << QByteArray(
                                         "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: ")
                                  << QByteArray("a");
    }
    void steadyDrippingDoesNotHelp() {
        QFETCH(QByteArray, head);
        QFETCH(QByteArray, drop);
        HttpFixture fixture(shortTimes());
        auto client = fixture.client();
        QVERIFY(client.send(head.toStdString()));
        const auto response = drip(client, drop.toStdString());
        QVERIFY(response.has_value());
        QCOMPARE(response->status, 408);
        QCOMPARE(fixture.handled(), 0);
        QVERIFY(fixture.works());
    }

    void silenceIsClosedWithoutAWord() {
        HttpFixture fixture(shortTimes());
        auto fresh = fixture.client();
        auto used = fixture.client();
        QVERIFY(used.ask(requestText("GET", "/sync")).has_value());
        QVERIFY(fresh.closedByPeer(5s));
        QVERIFY(used.closedByPeer(5s));
        QTRY_COMPARE(fixture.server().connections(), 0u);
    }

    void bytesThatStartNoRequestEndTheConnection_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("one byte, then silence") << QByteArray("G");
        QTest::newRow("one CR, then silence") << QByteArray("\r");
        QTest::newRow("empty line after a good request") << QByteArray("GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n\r\n");
        QTest::newRow("zeros") << QByteArray(100, '\0');
        QTest::newRow("letters without end") << QByteArray(1000, 'A');
        QTest::newRow("after a good request") << QByteArray("GET /sync HTTP/1.1\r\nHost: a\r\n\r\n\x01\x02");
    }
    void bytesThatStartNoRequestEndTheConnection() {
        QFETCH(QByteArray, bytes);
        auto options = shortTimes();
        options.limits.idleTime = 1h;
        HttpFixture fixture(options);
        auto client = fixture.client();
        QVERIFY(client.send(bytes.toStdString()));
        const std::string all = client.readAll(5s);
        QVERIFY(all.find("HTTP/1.1 4") != std::string::npos);
        QTRY_COMPARE(fixture.server().connections(), 0u);
        QVERIFY(fixture.works());
    }

    void aReaderThatStallsIsCut_data() {
        QTest::addColumn<QByteArray>("path");
        QTest::addColumn<int>("whole");
        QTest::newRow("more than the kernel takes") << QByteArray("/big") << 8 * 1024 * 1024;
        QTest::newRow("all of it with the kernel") << QByteArray("/medium") << 100 * 1024;
    }
    void aReaderThatStallsIsCut() {
        QFETCH(QByteArray, path);
        QFETCH(int, whole);
        auto options = shortTimes();
        options.limits.idleTime = 1h;
        HttpFixture fixture(options);
        auto client = fixture.client(4096);
        QVERIFY(client.send(requestText("GET", path.toStdString())));
        QVERIFY(client.readSome(1) == "H"); // the answer has begun; then nothing more is read
        QTRY_COMPARE_WITH_TIMEOUT(fixture.server().connections(), 0u, 10'000);
        QVERIFY(client.readAll(5s).size() < static_cast<std::size_t>(whole));
        QVERIFY(fixture.works());
    }

    void aSlowHandlerIsNotCut() {
        HttpFixture fixture(shortTimes());
        auto client = fixture.client();
        QVERIFY(client.send(requestText("POST", "/hold", "{}")));
        QTRY_COMPARE(fixture.held(), 1u);
        QVERIFY(!client.closedByPeer(2s)); // longer than every limit of shortTimes()
        fixture.release();
        QCOMPARE(client.read()->status, 200);
    }

    void theLimitsOfTheProductAreThoseOfTheContract() {
        const http::Limits limits;
        QCOMPARE(limits.requestLine, 8u * 1024);
        QCOMPARE(limits.headerBlock, 32u * 1024);
        QCOMPARE(limits.headerFields, 100u);
        QCOMPARE(limits.body, 36u * 1024 * 1024);
        QCOMPARE(limits.chunkExtension, 1024u);
        QCOMPARE(limits.connections, 1024u);
        QCOMPARE(limits.connectionsPerPeer, 64u);
        QCOMPARE(limits.slowBodyRate, 1024u);
        // A limit is noticed at the tick after it.
        QVERIFY(limits.headTime + limits.tick < 10s);
        QVERIFY(limits.requestTime + limits.tick < 60s);
        QVERIFY(limits.slowBodyGrace <= 10s);
        QVERIFY(limits.answerTime + limits.tick < 30s);
        QVERIFY(limits.idleTime <= 60s);
    }

    void aPeerHasSixtyFourConnectionsAtOnce() {
        auto options = HttpFixture::quickOptions();
        options.limits.loopbackIsExempt = false;
        HttpFixture fixture(options);
        auto ofOnePeer = servedClients(fixture, 64, 2);
        QCOMPARE(ofOnePeer.size(), 64u);
        RawClient surplus(fixture.port(), 0, 2);
        QVERIFY(isToldOverloadedAndClosed(surplus));
        QCOMPARE(servedClients(fixture, 64, 3).size(), 64u); // others have their own 64
        QCOMPARE(ofOnePeer.front().ask(requestText("GET", "/sync"))->status, 200);
        surplus.close();
        ofOnePeer.pop_back(); // makes room
        QTRY_COMPARE(fixture.server().connections(), 63u);
        QCOMPARE(servedClients(fixture, 1, 2).size(), 1u);
    }

    void trustedProxiesAndLoopbackMayHaveMore_data() {
        QTest::addColumn<bool>("loopbackIsExempt");
        QTest::newRow("a trusted proxy") << false;
        QTest::newRow("loopback") << true;
    }
    void trustedProxiesAndLoopbackMayHaveMore() {
        QFETCH(bool, loopbackIsExempt);
        auto options = HttpFixture::quickOptions();
        options.limits.loopbackIsExempt = loopbackIsExempt;
        options.trustedPeers = {"127.0.0.2/32"};
        HttpFixture fixture(options);
        QCOMPARE(servedClients(fixture, 200, loopbackIsExempt ? 3 : 2).size(), 200u);
    }

    void surplusConnectionsAreToldAndClosed() {
        auto options = HttpFixture::quickOptions();
        options.limits.connections = 10;
        HttpFixture fixture(options);
        std::vector<RawClient> clients;
        for (int i = 0; i < 10; ++i) {
            clients.push_back(fixture.client());
            QVERIFY(clients.back().ask(requestText("GET", "/sync")).has_value());
        }
        auto surplus = fixture.client();
        QVERIFY(isToldOverloadedAndClosed(surplus));
        QCOMPARE(clients.front().ask(requestText("GET", "/sync"))->status, 200);
        clients.clear();
        QTRY_VERIFY(fixture.works());
    }

    void descriptorsRunningOutIsSurvived() {
        HttpFixture fixture;
        // UBSan checks an object's type through a pipe, once for each type, and takes a pipe that cannot be made for a
        // wrong type. The server logs what happens here, with the time.
        QVERIFY(fremis::base::SystemClock().sinceEpoch() > 0ms);
        rlimit before{};
        QCOMPARE(::getrlimit(RLIMIT_NOFILE, &before), 0);
        // A free descriptor for the client, none for the server's side of it.
        auto client = fixture.client();
        QVERIFY(client.ask(requestText("GET", "/sync")).has_value());
        const int lowest = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
        const rlimit tight{static_cast<rlim_t>(lowest) + 1, before.rlim_max};
        ::close(lowest);
        QCOMPARE(::setrlimit(RLIMIT_NOFILE, &tight), 0);
        auto waiting = fixture.client();
        const bool sent = waiting.connected() && waiting.send(requestText("GET", "/sync"));
        const auto early = waiting.read(300ms);
        const auto others = client.ask(requestText("GET", "/sync"));
        QCOMPARE(::setrlimit(RLIMIT_NOFILE, &before), 0);
        QVERIFY(sent);
        QVERIFY(!early.has_value());
        QVERIFY(others.has_value()); // known connections went on
        const auto late = waiting.read();
        QVERIFY(late.has_value());
        QCOMPARE(late->status, 200);
    }

    void memoryStaysLowUnderEndlessInput() {
        HttpFixture fixture;
        QVERIFY(fixture.works());
        const std::size_t before = residentBytes();
        const std::string megabyte(1024 * 1024, 'h');
        for (int round = 0; round < 8; ++round) {
            std::vector<RawClient> clients;
            for (int i = 0; i < 8; ++i) {
                clients.push_back(fixture.client());
                clients.back().send("GET /sync HTTP/1.1\r\nHost: a\r\nX: ");
            }
            for (int sent = 0; sent < 64; ++sent) { // 64 MB each, as far as anyone takes them
                for (RawClient& client : clients)
                    client.send(megabyte, 0ms);
            }
            for (RawClient& client : clients)
                QCOMPARE(client.read()->status, 431);
        }
        QVERIFY(residentBytes() < before + 64u * 1024 * 1024);
        QVERIFY(fixture.works());
    }

    void bodiesThatNeverComeTakeNoMemory() {
        HttpFixture fixture;
        QVERIFY(fixture.works());
        const std::size_t before = residentBytes();
        std::vector<RawClient> clients;
        for (int i = 0; i < 500; ++i) {
            clients.push_back(fixture.client());
            QVERIFY(clients.back().send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 37748736\r\n\r\nx"));
        }
        QTRY_VERIFY(fixture.server().connections() >= 500u);
        QVERIFY(residentBytes() < before + 64u * 1024 * 1024);
    }

    void idleConnectionsAreServedWhenTheyWake() {
        HttpFixture fixture;
        std::vector<RawClient> clients;
        for (int i = 0; i < 900; ++i)
            clients.push_back(fixture.client());
        for (RawClient& client : clients)
            QCOMPARE(client.ask(requestText("GET", "/sync"))->status, 200);
    }

    void drainingAnswersWhatIsInFlightAndClosesTheRest() {
        HttpFixture fixture;
        auto idle = fixture.client();
        QVERIFY(idle.ask(requestText("GET", "/sync")).has_value());
        auto busy = fixture.client();
        QVERIFY(busy.send(requestText("POST", "/hold", "{}")));
        QTRY_COMPARE(fixture.held(), 1u);
        std::thread draining([&] { fixture.server().drain(10s); });
        const bool idleClosed = idle.closedByPeer(5s);
        fixture.release();
        const auto answered = busy.read();
        busy.close();
        draining.join();
        QVERIFY(idleClosed);
        QVERIFY(answered.has_value());
        QCOMPARE(answered->status, 200);
        QCOMPARE(answered->header("Connection"), std::string("close"));
        QVERIFY(!fixture.client().connected());
    }

    void drainingEndsAtItsDeadline() {
        HttpFixture fixture;
        auto stuck = fixture.client();
        QVERIFY(stuck.send(requestText("POST", "/hold", "{}")));
        QTRY_COMPARE(fixture.held(), 1u);
        fixture.server().drain(100ms);
        QVERIFY(stuck.closedByPeer());
    }
};

QTEST_GUILESS_MAIN(HttpLimitsTest)
#include "http_limits_test.moc"
