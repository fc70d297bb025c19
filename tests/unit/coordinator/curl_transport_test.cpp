#include "coordinator/cluster/curl_transport.h"

#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>

using namespace fremis;
using namespace fremis::coordinator;
using namespace std::chrono_literals;

namespace {

/// Answers each request (without a body) with {} on a kept connection.
class Answerer {
public:
    Answerer() {
        QObject::connect(&m_server, &QTcpServer::newConnection, &m_server, [this] {
            while (auto* const socket = m_server.nextPendingConnection()) {
                ++connections;
                QObject::connect(socket, &QTcpSocket::readyRead, socket, [socket] {
                    if (socket->readAll().endsWith("\r\n\r\n"))
                        socket->write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
                });
            }
        });
        if (!m_server.listen(QHostAddress::LocalHost))
            qFatal("no port");
    }
    void hangUp() {
        for (auto* const socket : m_server.findChildren<QTcpSocket*>())
            socket->abort();
    }
    [[nodiscard]] std::string authority() const { return "127.0.0.1:" + std::to_string(m_server.serverPort()); }

    int connections = 0;

private:
    QTcpServer m_server;
};

Call callTo(const Answerer& answerer, std::chrono::milliseconds patience = 10s) {
    Call call;
    call.method = "GET";
    call.authority = answerer.authority();
    call.target = "/";
    call.deadline = std::chrono::steady_clock::now() + patience;
    return call;
}

} // namespace

class CurlTransportTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void connectionsToManyWorkersAreKept() {
        std::vector<std::unique_ptr<Answerer>> workers;
        for (int i = 0; i < 12; ++i)
            workers.push_back(std::make_unique<Answerer>());
        const base::SystemClock clock;
        CurlTransport transport(clock, {});
        int answers = 0;
        int calls = 0;
        for (int round = 0; round < 3; ++round)
            for (const auto& worker : workers) { // one at a time: all others are idle meanwhile
                transport.send(callTo(*worker),
                               [&answers](const CallResult& result) { answers += result && result->status == 200; });
                ++calls;
                QTRY_COMPARE(answers, calls);
            }
        for (const auto& worker : workers)
            QCOMPARE(worker->connections, 1);
    }

    void aConnectionThatWasClosedMeanwhileIsReplaced() {
        const base::SystemClock clock;
        CurlTransport transport(clock, {});
        Answerer worker;
        int answers = 0;
        for (int round = 1; round <= 3; ++round) {
            transport.send(callTo(worker),
                           [&answers](const CallResult& result) { answers += result && result->status == 200; });
            QTRY_COMPARE(answers, round);
            QCOMPARE(worker.connections, round);
            worker.hangUp();
        }
    }

    void nobodyListensIsTold() {
        auto call = callTo(Answerer());
        const base::SystemClock clock;
        CurlTransport transport(clock, {});
        bool refused = false;
        transport.send(std::move(call), [&refused](const CallResult& result) {
            refused = !result && result.error().refused && result.error().kind == CallFailure::Kind::NotSent;
        });
        QTRY_VERIFY(refused);
    }

    void anAnswerThatDoesNotComeEndsAtTheDeadline() {
        QTcpServer silent;
        QVERIFY(silent.listen(QHostAddress::LocalHost));
        const base::SystemClock clock;
        CurlTransport transport(clock, {});
        Call call;
        call.method = "GET";
        call.authority = "127.0.0.1:" + std::to_string(silent.serverPort());
        call.target = "/";
        call.deadline = std::chrono::steady_clock::now() + 50ms;
        bool timedOut = false;
        transport.send(std::move(call), [&timedOut](const CallResult& result) {
            timedOut = !result && result.error().kind == CallFailure::Kind::TimedOut;
        });
        QTRY_VERIFY(timedOut);
    }

    void aCancelledCallIsNeverAnswered() {
        const base::SystemClock clock;
        CurlTransport transport(clock, {});
        Answerer worker;
        bool cancelled = false;
        int answers = 0;
        const auto first = transport.send(callTo(worker), [&cancelled](const CallResult&) { cancelled = true; });
        transport.send(callTo(worker), [&answers](const CallResult&) { ++answers; });
        transport.cancel(first);
        QTRY_COMPARE(answers, 1);
        transport.send(callTo(worker), [&answers](const CallResult&) { ++answers; });
        QTRY_COMPARE(answers, 2);
        QVERIFY(!cancelled);
    }
};

QTEST_GUILESS_MAIN(CurlTransportTest)
#include "curl_transport_test.moc"
