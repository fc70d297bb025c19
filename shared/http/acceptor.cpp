#include "shared/http/acceptor.h"

#include "shared/base/log.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace fremis::http {

namespace {

constexpr int kBacklog = 1024;
// Connections per wake-up, so that a flood of new ones does not starve the loop's own.
constexpr int kAcceptsAtOnce = 64;
// Waiting clients stay in the kernel's backlog meanwhile.
constexpr std::chrono::milliseconds kRetryAfter{100};

} // namespace

Acceptor::Acceptor(SharedState& shared, HandOver handOver) : m_shared(shared), m_handOver(std::move(handOver)) {
    m_retry.setSingleShot(true);
    m_retry.setInterval(kRetryAfter);
    connect(&m_retry, &QTimer::timeout, this, [this] { m_notifier->setEnabled(true); });
    m_listener.setListenBacklogSize(kBacklog);
}

base::Result<std::uint16_t> Acceptor::start(const std::string& address, std::uint16_t port) {
    const QHostAddress host(QString::fromStdString(address));
    if (host.isNull())
        return base::fail(base::Reason::InvalidConfig, "not an IP address: " + address);
    if (!m_listener.listen(host == QHostAddress::AnyIPv6 ? QHostAddress(QHostAddress::Any) : host, port)) {
        const auto problem = m_listener.serverError();
        const bool taken =
            problem == QAbstractSocket::AddressInUseError || problem == QAbstractSocket::SocketResourceError;
        return base::fail(taken ? base::Reason::Overloaded : base::Reason::InvalidConfig,
                          "cannot listen on " + address + " port " + std::to_string(port),
                          m_listener.errorString().toStdString());
    }
    m_listener.pauseAccepting();
    m_notifier = std::make_unique<QSocketNotifier>(m_listener.socketDescriptor(), QSocketNotifier::Read);
    connect(m_notifier.get(), &QSocketNotifier::activated, this, &Acceptor::acceptSome);
    return m_listener.serverPort();
}

void Acceptor::acceptSome() {
    for (int i = 0; i < kAcceptsAtOnce; ++i) {
        const int descriptor =
            ::accept4(static_cast<int>(m_listener.socketDescriptor()), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (descriptor >= 0) {
            m_failing = false;
            admit(descriptor);
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            return;
        } else if (errno != ECONNABORTED && errno != EINTR && errno != EPROTO) { // those are one client's trouble
            return pause(errno);
        }
    }
}

void Acceptor::pause(int cause) {
    if (!std::exchange(m_failing, true))
        base::log(base::LogLevel::Warning, "accept_failed", {{"reason", std::generic_category().message(cause)}});
    m_notifier->setEnabled(false);
    m_retry.start();
}

void Acceptor::admit(int descriptor) {
    Peer peer = peerOf(descriptor, m_shared.trusted);
    if (peer.address.empty()) {
        ::close(descriptor);
        return;
    }
    const bool exempt = peer.isTrusted || (peer.isLoopback && m_shared.limits.loopbackIsExempt);
    const auto verdict = m_shared.counter.enter(peer.address, exempt);
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
