#include "shared/http/dispatcher.h"

#include "shared/base/log.h"

#include <QtHttpServer/QHttpServerRouterRule>
#include <QtNetwork/QTcpServer>

#include <sys/socket.h>

#include <algorithm>
#include <cstring>
#include <exception>

namespace fremis::http {

/// A socket without a socket: what Qt HttpServer reads from it are the canonical requests of the dispatcher.
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
        m_bytes = m_request.method + " " + route.path + " HTTP/1.1\r\n\r\n";
        m_read = 0;
        Q_EMIT readyRead();
        const bool ran = m_route == nullptr;
        m_route = nullptr;
        m_reply.reset();
        return ran;
    }

    [[nodiscard]] bool isFor(const Route& route) const { return m_route == &route; }

    void runHandler() {
        const Route& route = *std::exchange(m_route, nullptr);
        try {
            route.handler(std::move(m_request), std::move(*m_reply));
        } catch (const std::exception& thrown) {
            base::log(base::LogLevel::Error, "handler_threw", {{"route", route.path}, {"what", thrown.what()}});
        }
    }

    [[nodiscard]] qint64 bytesAvailable() const override {
        return QIODevice::bytesAvailable() + static_cast<qint64>(m_bytes.size() - m_read);
    }
    void disconnectFromHost() override {
    } // Qt's answer to a request that it cannot parse; pass() sees that no handler ran
    void close() override {}

protected:
    qint64 readData(char* data, qint64 maxSize) override {
        const std::size_t count = std::min(static_cast<std::size_t>(maxSize), m_bytes.size() - m_read);
        std::memcpy(data, m_bytes.data() + m_read, count);
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
    std::string m_bytes;
    std::size_t m_read = 0;
};

namespace {

/// The guard has found the route already, before it read the body; the rule only recognises it. That also spares the
/// regular expression that Qt would try per route and request.
class GuardedRule final : public QHttpServerRouterRule {
public:
    GuardedRule(const QString& path, const Route& route, const DispatchChannel& channel, RouterHandler handler)
        : QHttpServerRouterRule(path, QHttpServerRequest::Method::AnyKnown, std::move(handler)), m_route(route),
          m_channel(channel) {}

protected:
    bool matches(const QHttpServerRequest&, QRegularExpressionMatch*) const override {
        return m_channel.isFor(m_route);
    }

private:
    const Route& m_route;
    const DispatchChannel& m_channel;
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

Dispatcher::Dispatcher(const RouteTable& routes) : m_channel(new DispatchChannel) {
    for (const auto& route : routes.routes()) {
        m_server.route<GuardedRule>(QString::fromStdString(route->path), *route, *m_channel,
                                    [](QHttpServerResponder&& responder) {
                                        if (auto* channel = qobject_cast<DispatchChannel*>(responder.socket()))
                                            channel->runHandler();
                                    });
    }
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
