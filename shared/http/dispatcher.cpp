#include "shared/http/dispatcher.h"

#include "shared/base/log.h"

#include <QtHttpServer/QHttpServerRouterRule>
#include <QtNetwork/QTcpServer>

#include <sys/socket.h>

#include <algorithm>
#include <cstring>
#include <exception>

namespace fremis::http {

namespace {

/// What Qt HttpServer gets to parse of each request. Path and method were judged by the guard, before it read the body.
constexpr std::string_view kCanonicalRequest = "GET / HTTP/1.1\r\n\r\n";

} // namespace

/// A socket without a socket: what Qt HttpServer reads from it is the canonical request, again and again.
class DispatchChannel final : public QTcpSocket {
    Q_OBJECT

public:
    DispatchChannel() {
        setOpenMode(QIODevice::ReadWrite);
        setSocketState(QAbstractSocket::ConnectedState);
        setPeerAddress(QHostAddress(QHostAddress::LocalHost));
    }

    /// True when a handler ran.
    bool pass(const Route& route, Request&& request, Reply reply) {
        m_route = &route;
        m_request = std::move(request);
        m_reply.emplace(std::move(reply));
        m_read = 0;
        Q_EMIT readyRead();
        const bool ran = m_route == nullptr;
        m_route = nullptr;
        m_reply.reset();
        return ran;
    }

    void runHandler() {
        const Route& route = *std::exchange(m_route, nullptr);
        try {
            route.handler(std::move(m_request), std::move(*m_reply));
        } catch (const std::exception& thrown) {
            base::log(base::LogLevel::Error, "handler_threw", {{"route", route.path}, {"what", thrown.what()}});
        }
    }

    [[nodiscard]] qint64 bytesAvailable() const override {
        return QIODevice::bytesAvailable() + static_cast<qint64>(kCanonicalRequest.size() - m_read);
    }
    void disconnectFromHost() override {
    } // Qt's answer to a request that it cannot parse; pass() sees that no handler ran
    void close() override {}

protected:
    qint64 readData(char* data, qint64 maxSize) override {
        const std::size_t count = std::min(static_cast<std::size_t>(maxSize), kCanonicalRequest.size() - m_read);
        std::memcpy(data, kCanonicalRequest.data() + m_read, count);
        m_read += count;
        return static_cast<qint64>(count);
    }
    qint64 readLineData(char* data, qint64 maxSize) override { return QIODevice::readLineData(data, maxSize); }
    qint64 skipData(qint64 maxSize) override { return QIODevice::skipData(maxSize); }
    qint64 writeData(const char*, qint64 size) override { return size; } // answers go through Reply

private:
    const Route* m_route = nullptr;
    Request m_request;
    std::optional<Reply> m_reply;
    std::size_t m_read = kCanonicalRequest.size();
};

namespace {

/// One rule for all routes: which one it is, the channel knows. Qt would try rule after rule, each with a regular
/// expression and several allocations.
class GuardedRule final : public QHttpServerRouterRule {
public:
    explicit GuardedRule(const QString& path, RouterHandler handler)
        : QHttpServerRouterRule(path, QHttpServerRequest::Method::AnyKnown, std::move(handler)) {}

protected:
    bool matches(const QHttpServerRequest&, QRegularExpressionMatch*) const override { return true; }
};

/// Hands the channel over as the one pending connection.
class ChannelServer final : public QTcpServer {
public:
    explicit ChannelServer(DispatchChannel* channel) {
        channel->setParent(this);
        // bind() wants a listening server. A socket that is neither bound nor listening passes for one and opens no
        // port.
        setSocketDescriptor(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
        pauseAccepting();
    }
    void connectChannel(DispatchChannel* channel) { addPendingConnection(channel); }
};

} // namespace

Dispatcher::Dispatcher() : m_channel(new DispatchChannel) {
    m_server.route<GuardedRule>(QStringLiteral("/"), [](QHttpServerResponder&& responder) {
        if (auto* channel = qobject_cast<DispatchChannel*>(responder.socket()))
            channel->runHandler();
    });
    auto* server = new ChannelServer(m_channel);
    m_server.bind(server); // m_server owns it from here
    server->connectChannel(m_channel);
}

Dispatcher::~Dispatcher() = default;

void Dispatcher::dispatch(const Route& route, Request&& request, Reply reply) {
    if (!m_channel->pass(route, std::move(request), std::move(reply)))
        base::log(base::LogLevel::Error, "request_not_dispatched", {{"route", route.path}});
}

} // namespace fremis::http

#include "dispatcher.moc"
