#include "shared/http/acceptor.h"

#include "shared/base/log.h"

#include <fcntl.h>
#include <unistd.h>

#include <utility>

namespace fremis::http {

namespace {

constexpr int kBacklog = 1024;
// QTcpServer stops accepting on the first error, most often because descriptors have run out. Waiting clients stay in the
// kernel's backlog meanwhile.
constexpr std::chrono::milliseconds kRetryAfter{100};

} // namespace

Acceptor::Acceptor(SharedState& shared, HandOver handOver) : m_shared(shared), m_handOver(std::move(handOver)) {
    m_retry.setSingleShot(true);
    m_retry.setInterval(kRetryAfter);
    connect(&m_retry, &QTimer::timeout, this, &QTcpServer::resumeAccepting);
    connect(this, &QTcpServer::acceptError, this, [this] {
        if (!std::exchange(m_failing, true))
            base::log(base::LogLevel::Warning, "accept_failed", {{"reason", errorString().toStdString()}});
        m_retry.start();
    });
    setListenBacklogSize(kBacklog);
}

base::Result<std::uint16_t> Acceptor::start(const std::string& address, std::uint16_t port) {
    const QHostAddress host(QString::fromStdString(address));
    if (host.isNull())
        return base::fail(base::Reason::InvalidConfig, "not an IP address: " + address);
    if (!listen(host == QHostAddress::AnyIPv6 ? QHostAddress(QHostAddress::Any) : host, port)) {
        const bool taken = serverError() == QAbstractSocket::AddressInUseError ||
                           serverError() == QAbstractSocket::SocketResourceError;
        return base::fail(taken ? base::Reason::Overloaded : base::Reason::InvalidConfig,
                          "cannot listen on " + address + " port " + std::to_string(port), errorString().toStdString());
    }
    return serverPort();
}

void Acceptor::incomingConnection(qintptr given) {
    const int descriptor = static_cast<int>(given);
    m_failing = false;
    Peer peer = peerOf(descriptor, m_shared.trusted);
    // QTcpServer leaves it to QTcpSocket to make descriptors non-blocking.
    if (peer.address.empty() || ::fcntl(descriptor, F_SETFL, O_NONBLOCK) != 0) {
        ::close(descriptor);
        return;
    }
    const auto verdict = m_shared.counter.enter(peer.address, peer.isLoopback || peer.isTrusted);
    // A refusal in TLS would need the handshake first, which is the costly part.
    const bool silent = verdict == ConnectionCounter::Verdict::Refuse && m_shared.tls;
    if (silent)
        m_shared.counter.leave(peer.address, verdict);
    if (silent || verdict == ConnectionCounter::Verdict::Drop) {
        ::close(descriptor);
        return;
    }
    m_handOver(descriptor, std::move(peer), verdict);
}

} // namespace fremis::http
