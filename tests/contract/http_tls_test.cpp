#include "tests/contract/http_fixture.h"
#include "tests/support/certificate.h"

#include <QSslConfiguration>
#include <QSslSocket>
#include <QTemporaryDir>
#include <QtTest>

namespace http = fremis::http;
using namespace std::chrono_literals;
using fremis::test::HttpFixture;
using fremis::test::makeCertificate;
using fremis::test::requestText;

namespace {

constexpr int kPatienceMs = 10'000;

/// Sends `text` and reads until one answer with `Content-Length` is whole.
QByteArray ask(QSslSocket& socket, const QByteArray& text) {
    socket.write(text);
    QByteArray all;
    while (true) {
        const qsizetype end = all.indexOf("\r\n\r\n");
        const qsizetype field = all.indexOf("Content-Length: ");
        if (end >= 0 && field >= 0 &&
            all.size() >= end + 4 + all.mid(field + 16, all.indexOf('\r', field) - field - 16).toLongLong())
            return all;
        if (socket.bytesAvailable() == 0 && !socket.waitForReadyRead(kPatienceMs))
            return all;
        all += socket.readAll();
    }
}

QByteArray bytesOf(const std::string& text) {
    return QByteArray::fromStdString(text);
}

} // namespace

class HttpTlsTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    http::ServerOptions m_options;

    [[nodiscard]] static bool connectTo(QSslSocket& socket, const HttpFixture& fixture,
                                        QSsl::SslProtocol protocol = QSsl::SecureProtocols) {
        auto configuration = socket.sslConfiguration();
        configuration.setPeerVerifyMode(QSslSocket::VerifyNone);
        configuration.setProtocol(protocol);
        configuration.setAllowedNextProtocols({QByteArrayLiteral("h2"), QByteArrayLiteral("http/1.1")});
        socket.setSslConfiguration(configuration);
        socket.connectToHostEncrypted(QStringLiteral("127.0.0.1"), fixture.port());
        return socket.waitForEncrypted(kPatienceMs);
    }

private Q_SLOTS:
    void initTestCase() {
        m_options = HttpFixture::quickOptions();
        m_options.tls = makeCertificate(m_folder.path().toStdString());
    }

    void requestsAreServedOverBothVersions_data() {
        QTest::addColumn<QSsl::SslProtocol>("protocol");
        QTest::newRow("TLS 1.2") << QSsl::TlsV1_2;
        QTest::newRow("TLS 1.3") << QSsl::TlsV1_3;
    }
    void requestsAreServedOverBothVersions() {
        QFETCH(QSsl::SslProtocol, protocol);
        HttpFixture fixture(m_options);
        QSslSocket socket;
        QVERIFY(connectTo(socket, fixture, protocol));
        QCOMPARE(socket.sessionProtocol(), protocol);
        QCOMPARE(socket.sslConfiguration().nextNegotiatedProtocol(), QByteArrayLiteral("http/1.1"));
        for (const char* path : {"/echo", "/pool"}) {
            const std::string body(300'000, 'x'); // more than one read and one record
            const QByteArray answer = ask(socket, bytesOf(requestText("POST", path, body)));
            QVERIFY(answer.startsWith("HTTP/1.1 200 OK\r\n"));
            QVERIFY(answer.endsWith(bytesOf(body)));
        }
        QVERIFY(ask(socket, bytesOf(requestText("GET", "/big"))).size() > 8 * 1024 * 1024);
    }

    void pipelinedRequestsDoNotWaitForTheNextRecord() {
        HttpFixture fixture(m_options);
        QSslSocket socket;
        QVERIFY(connectTo(socket, fixture));
        QByteArray all;
        for (int i = 0; i < 20; ++i)
            all += bytesOf(requestText("POST", "/pool", std::string(20'000, 'a')));
        socket.write(all);
        qsizetype got = 0;
        while (got < 20 * 20'000 && socket.waitForReadyRead(kPatienceMs))
            got += socket.readAll().count('a');
        QVERIFY(got >= 20 * 20'000);
    }

    void plainTextIsNotAnswered() {
        HttpFixture fixture(m_options);
        auto plain = fixture.client();
        QVERIFY(plain.send(requestText("GET", "/sync")));
        QVERIFY(plain.readAll(5s).find("HTTP/1.1") == std::string::npos);
        QSslSocket socket;
        QVERIFY(connectTo(socket, fixture));
        QVERIFY(ask(socket, bytesOf(requestText("GET", "/sync"))).startsWith("HTTP/1.1 200"));
    }

    void aHandshakeThatStallsIsCut() {
        auto options = m_options;
        options.limits.headTime = 200ms;
        options.limits.tick = 20ms;
        HttpFixture fixture(options);
        auto silent = fixture.client();
        auto partial = fixture.client();
        QVERIFY(partial.send(std::string_view("\x16\x03\x01", 3)));
        QVERIFY(silent.closedByPeer());
        QVERIFY(partial.closedByPeer());
    }

    void clientsThatLeaveAmidTheHandshakeHarmNobody() {
        HttpFixture fixture(m_options);
        for (int i = 0; i < 500; ++i) {
            auto client = fixture.client();
            client.send(std::string_view("\x16\x03\x01\x00\xff\x01", static_cast<std::size_t>(1 + i % 6)));
            if (i % 2 == 0)
                client.reset();
        }
        QTRY_COMPARE(fixture.server().connections(), 0u);
        QSslSocket socket;
        QVERIFY(connectTo(socket, fixture));
        QVERIFY(ask(socket, bytesOf(requestText("GET", "/sync"))).startsWith("HTTP/1.1 200"));
    }

    void aKeyOfAnotherCertificateIsRefusedAtStart() {
        QTemporaryDir other;
        auto options = m_options;
        options.tls->privateKey = makeCertificate(other.path().toStdString()).privateKey;
        const auto started = http::Server::start(options, {});
        QVERIFY(!started.has_value());
        QCOMPARE(started.error().reason, fremis::base::Reason::InvalidConfig);
    }
};

QTEST_GUILESS_MAIN(HttpTlsTest)
#include "http_tls_test.moc"
