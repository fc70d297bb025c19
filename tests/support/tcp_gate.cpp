#include "tests/support/tcp_gate.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace fremis::test {
namespace {

sockaddr_in loopback(int port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    return address;
}

int connectTo(int port) {
    const int handle = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const auto address = loopback(port);
    if (::connect(handle, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        ::close(handle);
        return -1;
    }
    const int on = 1;
    ::setsockopt(handle, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return handle;
}

bool sendAll(int handle, std::string_view bytes) {
    while (!bytes.empty()) {
        const auto sent = ::send(handle, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent <= 0 && errno != EINTR)
            return false;
        bytes.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(sent, 0)));
    }
    return true;
}

} // namespace

base::Result<std::unique_ptr<TcpGate>> TcpGate::create(int serverPort) {
    std::unique_ptr<TcpGate> gate(new TcpGate);
    gate->m_serverPort = serverPort;
    gate->m_listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    auto address = loopback(0);
    socklen_t size = sizeof address;
    if (::bind(gate->m_listener, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
        ::listen(gate->m_listener, 64) != 0 ||
        ::getsockname(gate->m_listener, reinterpret_cast<sockaddr*>(&address), &size) != 0)
        return base::fail(base::Reason::Internal, "no port for the gate", std::strerror(errno));
    gate->m_port = ntohs(address.sin_port);
    gate->m_acceptor = std::thread([raw = gate.get()] { raw->accept(); });
    return gate;
}

TcpGate::~TcpGate() {
    m_stopping.store(true);
    if (m_listener >= 0)
        ::shutdown(m_listener, SHUT_RDWR);
    if (m_acceptor.joinable())
        m_acceptor.join();
    cutAll();
    for (auto& relay : m_relays) {
        relay.thread.join();
        ::close(relay.client);
        ::close(relay.server);
    }
    ::close(m_listener);
}

void TcpGate::setJudge(Judge judge) {
    const std::lock_guard lock(m_mutex);
    m_judge = std::move(judge);
}

void TcpGate::cutAll() {
    const std::lock_guard lock(m_mutex);
    for (const auto& relay : m_relays) { // only shut down: a descriptor is closed when its thread is gone
        ::shutdown(relay.client, SHUT_RDWR);
        ::shutdown(relay.server, SHUT_RDWR);
    }
}

void TcpGate::accept() {
    while (!m_stopping.load()) {
        const int client = ::accept4(m_listener, nullptr, nullptr, SOCK_CLOEXEC);
        if (client < 0)
            continue;
        const int server = m_open.load() ? connectTo(m_serverPort) : -1;
        if (server < 0) {
            ::close(client);
            continue;
        }
        const std::lock_guard lock(m_mutex);
        auto& relay = m_relays.emplace_back(Relay{client, server, {}});
        relay.thread = std::thread([this, client, server] { this->relay(client, server); });
    }
}

void TcpGate::relay(int client, int server) {
    while (pass(client, server)) {
    }
    ::shutdown(client, SHUT_RDWR);
    ::shutdown(server, SHUT_RDWR);
}

bool TcpGate::pass(int client, int server) {
    std::array<pollfd, 2> ends{pollfd{client, POLLIN, 0}, pollfd{server, POLLIN, 0}};
    if (::poll(ends.data(), ends.size(), -1) < 0)
        return errno == EINTR;
    std::array<char, 65536> buffer{};
    for (const auto& end : ends) {
        if (end.revents == 0)
            continue;
        const auto size = ::recv(end.fd, buffer.data(), buffer.size(), 0);
        if (size <= 0)
            return false;
        const std::string_view bytes(buffer.data(), static_cast<std::size_t>(size));
        const auto verdict = end.fd == client ? judge(bytes) : Verdict::Pass;
        if (verdict == Verdict::CutBefore)
            return false;
        if (verdict == Verdict::CutAfter)
            ::shutdown(client, SHUT_RDWR);
        if (!sendAll(end.fd == client ? server : client, bytes))
            return false;
        if (verdict == Verdict::CutAfter) {
            // Let the server finish: it is done when it has answered.
            (void)::recv(server, buffer.data(), buffer.size(), 0);
            return false;
        }
    }
    return true;
}

TcpGate::Verdict TcpGate::judge(std::string_view bytes) {
    const std::lock_guard lock(m_mutex);
    return m_judge ? m_judge(bytes) : Verdict::Pass;
}

} // namespace fremis::test
