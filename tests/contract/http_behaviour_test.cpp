#include "tests/contract/http_fixture.h"

#include <QtTest>

#include <chrono>
#include <thread>

namespace http = fremis::http;
using namespace std::chrono_literals;
using fremis::test::HttpFixture;
using fremis::test::RawClient;
using fremis::test::RawResponse;
using fremis::test::requestText;

namespace {

/// What the observer saw, copied out.
struct Seen {
    std::string method, route, requestId, client;
    int status;
    std::size_t bytesIn;
};

class Observations {
public:
    void add(const http::RequestRecord& record) {
        const std::lock_guard lock(m_mutex);
        m_seen.push_back({std::string(record.method), std::string(record.route), std::string(record.requestId),
                          std::string(record.clientAddress), record.status, record.bytesIn});
    }
    [[nodiscard]] std::vector<Seen> all() const {
        const std::lock_guard lock(m_mutex);
        return m_seen;
    }

private:
    mutable std::mutex m_mutex;
    std::vector<Seen> m_seen;
};

} // namespace

/// How a client sees the server when both behave.
class HttpBehaviourTest : public QObject {
    Q_OBJECT

    HttpFixture m_fixture;

private Q_SLOTS:
    void headHasTheLengthOfGetAndNoBody() {
        auto client = m_fixture.client();
        const auto got = client.ask(requestText("GET", "/sync"));
        const auto head = client.ask(requestText("HEAD", "/sync"), 5s, true);
        QVERIFY(got && head);
        QCOMPARE(head->status, 200);
        QCOMPARE(head->header("Content-Length"), got->header("Content-Length"));
        QCOMPARE(head->header("Content-Length"), std::to_string(got->body.size()));
        const auto missing = client.ask(requestText("HEAD", "/nothing"), 5s, true);
        QCOMPARE(missing->status, 404);
        QCOMPARE(client.ask(requestText("GET", "/sync"))->body, got->body); // nothing was left on the wire
    }

    void wrongMethodsAreToldTheRightOnes() {
        auto client = m_fixture.client();
        QCOMPARE(client.ask(requestText("DELETE", "/sync"))->header("Allow"), std::string("GET, HEAD, OPTIONS"));
        QCOMPARE(client.ask(requestText("GET", "/items/7/go"))->header("Allow"), std::string("OPTIONS, POST"));
        QCOMPARE(client.ask(requestText("OPTIONS", "*"))->header("Allow"), std::string("GET, HEAD, OPTIONS, POST"));
    }

    void continueComesWithinFiftyMilliseconds() {
        // The fastest of several: a loaded machine may be late, a server that waits is late every time.
        auto fastest = std::chrono::steady_clock::duration::max();
        for (int i = 0; i < 20; ++i) {
            auto client = m_fixture.client();
            const auto began = std::chrono::steady_clock::now();
            const auto first =
                client.ask("POST /pool HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n");
            fastest = std::min(fastest, std::chrono::steady_clock::now() - began);
            QVERIFY(first.has_value());
            QCOMPARE(first->status, 100);
            const auto second = client.ask("{}");
            QVERIFY(second.has_value());
            QCOMPARE(second->status, 200);
            QCOMPARE(second->body, std::string("{}"));
        }
        QVERIFY(fastest < 50ms);
    }

    void continueIsSparedWhenTheBodyIsThere() {
        auto client = m_fixture.client();
        QCOMPARE(client.ask(requestText("POST", "/echo", "{}", "Expect: 100-continue\r\n"))->status, 200);
    }

    void continueIsNotSentForWhatWillBeRefused_data() {
        QTest::addColumn<QByteArray>("target");
        QTest::addColumn<QByteArray>("headers");
        QTest::addColumn<int>("status");
        QTest::newRow("unknown path") << QByteArray("/nothing") << QByteArray("Content-Length: 10000000\r\n") << 404;
        QTest::newRow("wrong method") << QByteArray("/sync") << QByteArray("Content-Length: 10000000\r\n") << 405;
        QTest::newRow("type") << QByteArray("/echo")
                              << QByteArray("Content-Length: 10000000\r\nContent-Type: text/plain\r\n") << 415;
        QTest::newRow("size") << QByteArray("/echo") << QByteArray("Content-Length: 100000000\r\n") << 413;
        QTest::newRow("size of the route") << QByteArray("/small") << QByteArray("Content-Length: 101\r\n") << 413;
    }
    void continueIsNotSentForWhatWillBeRefused() {
        QFETCH(QByteArray, target);
        QFETCH(QByteArray, headers);
        QFETCH(int, status);
        auto client = m_fixture.client();
        const auto response =
            client.ask("POST " + target.toStdString() + " HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n" +
                       headers.toStdString() + "\r\n");
        QVERIFY(response.has_value());
        QCOMPARE(response->status, status);
        QVERIFY(client.closedByPeer());
    }

    /// The answer to a body that nobody reads must reach a client that is still sending it.
    void anEarlyRefusalSurvivesTheRestOfTheBody() {
        for (int i = 0; i < 20; ++i) {
            auto client = m_fixture.client();
            const std::string body(4 * 1024 * 1024, 'x');
            const auto response = client.ask(requestText("POST", "/nothing", body));
            QVERIFY(response.has_value());
            QCOMPARE(response->status, 404);
        }
    }

    void pipelinedRequestsAreAnsweredInOrder() {
        auto client = m_fixture.client();
        std::string all = requestText("POST", "/hold", "{}");
        for (int i = 0; i < 50; ++i)
            all += requestText("POST", i % 2 == 0 ? "/echo" : "/pool", "{\"n\":" + std::to_string(i) + "}");
        QVERIFY(client.send(all));
        QTRY_COMPARE(m_fixture.held(), 1u);
        QVERIFY(client.readSome(1, 20ms).empty()); // the fast ones wait for the slow one
        m_fixture.release();
        QCOMPARE(client.read()->body, std::string("{\"held\":true}"));
        for (int i = 0; i < 50; ++i)
            QCOMPARE(client.read()->body, "{\"n\":" + std::to_string(i) + "}");
    }

    void onlyOneRequestOfAConnectionIsInFlight() {
        auto client = m_fixture.client();
        QVERIFY(client.send(requestText("POST", "/hold", "{}") + requestText("POST", "/hold", "{}")));
        QTRY_COMPARE(m_fixture.held(), 1u);
        QVERIFY(client.send(requestText("POST", "/hold", "{}")));
        QVERIFY(m_fixture.works());
        QCOMPARE(m_fixture.held(), 1u);
        for (int i = 0; i < 3; ++i) {
            QTRY_COMPARE(m_fixture.held(), 1u);
            m_fixture.release();
            QVERIFY(client.read().has_value());
        }
    }

    void aHalfClosedClientIsStillAnswered() {
        for (const char* path : {"/echo", "/pool", "/hold"}) {
            auto client = m_fixture.client();
            QVERIFY(client.send(requestText("POST", path, "{}")));
            client.halfClose();
            if (std::string_view(path) == "/hold") {
                QTRY_COMPARE(m_fixture.held(), 1u);
                m_fixture.release();
            }
            const auto response = client.read();
            QVERIFY(response.has_value());
            QCOMPARE(response->status, 200);
            QVERIFY(client.closedByPeer());
        }
    }

    void oldAndClosingClientsAreServedThenClosed() {
        auto old = m_fixture.client();
        QCOMPARE(old.ask("GET /sync HTTP/1.0\r\n\r\n")->status, 200);
        QVERIFY(old.closedByPeer());
        auto closing = m_fixture.client();
        QCOMPARE(closing.ask(requestText("POST", "/pool", "{}", "Connection: close\r\n"))->body, std::string("{}"));
        QVERIFY(closing.closedByPeer());
    }

    void requestIdsAreTakenOverWhenTheyAreIds_data() {
        QTest::addColumn<QByteArray>("given");
        QTest::addColumn<bool>("taken");
        QTest::newRow("plain") << QByteArray("Abc-1._z") << true;
        QTest::newRow("64 bytes") << QByteArray(64, 'a') << true;
        QTest::newRow("65 bytes") << QByteArray(65, 'a') << false;
        QTest::newRow("blank") << QByteArray("a b") << false;
        QTest::newRow("quote") << QByteArray("a\"b") << false;
        QTest::newRow("empty") << QByteArray() << false;
    }
    void requestIdsAreTakenOverWhenTheyAreIds() {
        QFETCH(QByteArray, given);
        QFETCH(bool, taken);
        auto client = m_fixture.client();
        const std::string header = "X-Request-Id: " + given.toStdString() + "\r\n";
        const auto first = client.ask(requestText("GET", "/sync", {}, header));
        const auto second = client.ask(requestText("GET", "/nothing", {}, header));
        for (const auto* response : {&*first, &*second}) {
            QCOMPARE(response->header("X-Request-Id") == given.toStdString(), taken);
            QVERIFY(!response->header("X-Request-Id").empty());
        }
        if (!taken)
            QVERIFY(first->header("X-Request-Id") != second->header("X-Request-Id"));
    }

    void handlersThatDoNotAnswerOrThrowGiveInternal() {
        auto client = m_fixture.client();
        for (const char* path : {"/drop", "/throw"}) {
            const auto response = client.ask(requestText("GET", path));
            QVERIFY(response.has_value());
            QCOMPARE(response->status, 500);
            QCOMPARE(response->member("error"), std::string("internal"));
        }
        QVERIFY(client.ask(requestText("GET", "/sync")).has_value());
    }

    void theFirstOfTwoAnswersCounts() {
        auto client = m_fixture.client();
        QCOMPARE(client.ask(requestText("GET", "/twice"))->member("answer"), std::string("first"));
        QCOMPARE(client.ask(requestText("GET", "/sync"))->body, std::string("{\"ok\":true}"));
    }

    void otherTypesAndParametersReachTheirPlace() {
        auto client = m_fixture.client();
        const auto text = client.ask(requestText("GET", "/text"));
        QCOMPARE(text->header("Content-Type"), std::string("text/plain; version=0.0.4"));
        QCOMPARE(text->body, std::string("metric 1\n"));
        QCOMPARE(client.ask(requestText("POST", "/items/a%20b/go"))->member("id"), std::string("a b"));
    }

    void largeBodiesAndAnswersPassUnchanged() {
        auto client = m_fixture.client();
        std::string body(3 * 1024 * 1024 + 17, '\0');
        for (std::size_t i = 0; i < body.size(); ++i)
            body[i] = static_cast<char>('a' + i * 7919 % 26);
        for (const char* path : {"/echo", "/pool"}) {
            const auto response = client.ask(requestText("POST", path, body));
            QVERIFY(response.has_value());
            QVERIFY(response->body == body);
        }
        QCOMPARE(client.ask(requestText("GET", "/big"))->body.size(), 8u * 1024 * 1024);
    }

    void aResetTellsTheHandlerThatItsClientIsGone() {
        auto client = m_fixture.client();
        QVERIFY(client.send(requestText("POST", "/hold", "{}")));
        QTRY_COMPARE(m_fixture.held(), 1u);
        QVERIFY(!m_fixture.heldClientIsGone());
        client.reset();
        QTRY_VERIFY(m_fixture.heldClientIsGone());
        m_fixture.release(); // to nobody
        QVERIFY(m_fixture.works());
    }

    void accessIsCheckedBetweenMethodAndType() {
        const auto refuseWithoutKey = [](http::Request& request, const http::Route& route) -> fremis::base::Status {
            if (!route.right.empty() && !request.header("Authorization"))
                return fremis::base::fail(fremis::base::Reason::Unauthorized, "no key");
            request.principal = "key-1";
            return {};
        };
        const auto refuseBody = [](http::Request& request, const http::Route&) -> fremis::base::Status {
            if (request.body == "{\"bad\":1}")
                return fremis::base::fail(fremis::base::Reason::Forbidden, request.principal);
            return {};
        };
        HttpFixture fixture(HttpFixture::quickOptions(), {refuseWithoutKey, refuseBody});
        auto client = fixture.client();
        QCOMPARE(client.ask(requestText("GET", "/sync"))->status, 200);
        QCOMPARE(client.ask(requestText("DELETE", "/v1/face/enrollment"))->status, 405);
        const auto denied = client.ask(
            "POST /v1/face/enrollment HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\n");
        QCOMPARE(denied->status, 401); // before the type and without waiting for the body
        QVERIFY(!denied->header("WWW-Authenticate").empty());
        auto allowed = fixture.client();
        QCOMPARE(allowed.ask(requestText("POST", "/v1/face/enrollment", "{\"ok\":1}", "Authorization: x\r\n"))->status,
                 200);
        const auto forbidden =
            allowed.ask(requestText("POST", "/v1/face/enrollment", "{\"bad\":1}", "Authorization: x\r\n"));
        QCOMPARE(forbidden->status, 403);
        QCOMPARE(forbidden->member("description"), std::string("key-1")); // the hooks share the request
        QCOMPARE(allowed.ask(requestText("GET", "/sync"))->status, 200);
        QCOMPARE(fixture.handled(), 3);
    }

    void theObserverSeesEveryAnswer() {
        Observations seen;
        HttpFixture fixture(HttpFixture::quickOptions(), {},
                            [&seen](const http::RequestRecord& record) { seen.add(record); });
        auto client = fixture.client();
        QVERIFY(
            client
                .ask(requestText("POST", "/items/7/go?x=1", "{}", "X-Request-Id: r-1\r\nX-Forwarded-For: 9.9.9.9\r\n"))
                .has_value());
        QVERIFY(client.ask(requestText("GET", "/nothing")).has_value());
        QVERIFY(client.ask("nonsense\r\n").has_value());
        const auto all = seen.all();
        QCOMPARE(all.size(), 3u);
        QCOMPARE(all[0].route, std::string("/items/{id}/go"));
        QCOMPARE(all[0].requestId, std::string("r-1"));
        QCOMPARE(all[0].client, std::string("127.0.0.1")); // the peer is no trusted proxy
        QCOMPARE(all[0].bytesIn, 2u);
        QCOMPARE(all[1].status, 404);
        QCOMPARE(all[1].route, std::string());
        QCOMPARE(all[2].status, 400);
    }

    void aTrustedProxyNamesItsClient() {
        Observations seen;
        auto options = HttpFixture::quickOptions();
        options.trustedPeers = {"127.0.0.0/8"};
        HttpFixture fixture(options, {}, [&seen](const http::RequestRecord& record) { seen.add(record); });
        auto client = fixture.client();
        QVERIFY(client.ask(requestText("GET", "/sync", {}, "X-Forwarded-For: 1.1.1.1, 9.9.9.9\r\n")).has_value());
        QVERIFY(client.ask(requestText("GET", "/sync", {}, "X-Forwarded-For: nonsense\r\n")).has_value());
        QCOMPARE(seen.all()[0].client, std::string("9.9.9.9"));
        QCOMPARE(seen.all()[1].client, std::string("127.0.0.1"));
    }

    void repliesMayOutliveTheServer() {
        auto fixture = std::make_unique<HttpFixture>();
        auto client = fixture->client();
        QVERIFY(client.send(requestText("POST", "/hold", "{}")));
        QTRY_COMPARE(fixture->held(), 1u);
        fixture->stop();
        QVERIFY(client.closedByPeer());
        fixture->release();
    }

    void badStartsAreToldApart() {
        const auto reasonOf = [](http::ServerOptions options, std::vector<http::Route> routes = {}) {
            const auto started = http::Server::start(std::move(options), std::move(routes));
            return started ? std::nullopt : std::optional(started.error().reason);
        };
        auto options = HttpFixture::quickOptions();
        options.port = m_fixture.port();
        QCOMPARE(reasonOf(options), fremis::base::Reason::Overloaded);
        options.port = 0;
        QCOMPARE(reasonOf(options), std::nullopt);
        options.address = "no address";
        QCOMPARE(reasonOf(options), fremis::base::Reason::InvalidConfig);
        options.address = "192.0.2.1"; // reserved for documentation: not ours
        QCOMPARE(reasonOf(options), fremis::base::Reason::InvalidConfig);
        options = HttpFixture::quickOptions();
        options.trustedPeers = {"proxy"};
        QCOMPARE(reasonOf(options), fremis::base::Reason::InvalidConfig);
        options = HttpFixture::quickOptions();
        options.tls = http::TlsFiles{"/nowhere/cert.pem", "/nowhere/key.pem"};
        QCOMPARE(reasonOf(options), fremis::base::Reason::InvalidConfig);
    }
};

QTEST_GUILESS_MAIN(HttpBehaviourTest)
#include "http_behaviour_test.moc"
