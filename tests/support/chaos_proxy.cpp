#include "tests/support/chaos_proxy.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace fremis::test {

namespace {

constexpr std::size_t kMostWaiting = 8u << 20; ///< bytes of one direction; beyond it nothing more is taken
constexpr int kLookEvery = 5;                  ///< ms, for delays and new behaviour

sockaddr_in addressOf(const std::string& host, int port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    inet_pton(AF_INET, host.c_str(), &address.sin_addr);
    return address;
}

int newSocket() {
    const int made = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const int on = 1;
    setsockopt(made, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return made;
}

void closeSocket(int socket, bool reset) {
    if (socket < 0)
        return;
    if (reset) {
        const linger now{1, 0};
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    }
    ::close(socket);
}

} // namespace

base::Result<std::unique_ptr<ChaosProxy>> ChaosProxy::create(const std::string& address,
                                                             const std::vector<int>& ports) {
    std::unique_ptr<ChaosProxy> proxy(new ChaosProxy);
    for (const int port : ports) {
        const Listener listener{newSocket(), port};
        proxy->m_listeners.push_back(listener);
        const int on = 1;
        setsockopt(listener.socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
        const auto place = addressOf(address, port);
        if (::bind(listener.socket, reinterpret_cast<const sockaddr*>(&place), sizeof place) != 0 ||
            ::listen(listener.socket, 256) != 0)
            return base::fail(base::Reason::Internal, "cannot listen on " + address, std::strerror(errno));
    }
    proxy->m_thread = std::thread([raw = proxy.get()] { raw->run(); });
    return proxy;
}

ChaosProxy::~ChaosProxy() {
    m_stopping = true;
    if (m_thread.joinable())
        m_thread.join();
    for (const auto& listener : m_listeners)
        closeSocket(listener.socket, false);
}

void ChaosProxy::set(const Behaviour& behaviour) {
    const std::scoped_lock lock(m_mutex);
    m_behaviour = behaviour;
}

void ChaosProxy::resetAll() {
    m_resetAll = true;
}

void ChaosProxy::run() {
    while (!m_stopping) {
        std::vector<pollfd> wanted;
        for (const auto& listener : m_listeners)
            wanted.push_back({listener.socket, POLLIN, 0});
        for (const auto& link : m_links) { // a negative one is looked past
            wanted.push_back({link.there.ended ? -1 : link.client, POLLIN, 0});
            wanted.push_back({link.back.ended ? -1 : link.server, POLLIN, 0});
        }
        ::poll(wanted.data(), wanted.size(), kLookEvery);
        for (const auto& listener : m_listeners)
            accept(listener);
        const bool resets = m_resetAll.exchange(false);
        Behaviour behaviour;
        {
            const std::scoped_lock lock(m_mutex);
            behaviour = m_behaviour;
        }
        m_links.remove_if([&](Link& link) {
            const bool goesOn = !resets && pump(link, behaviour);
            if (!goesOn)
                close(link, resets || link.passedBack >= behaviour.resetAfter.value_or(SIZE_MAX));
            return !goesOn;
        });
    }
    for (auto& link : m_links)
        close(link, true);
    m_links.clear();
}

void ChaosProxy::accept(const Listener& listener) {
    for (;;) {
        const int client = ::accept4(listener.socket, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (client < 0)
            return;
        Behaviour behaviour;
        {
            const std::scoped_lock lock(m_mutex);
            behaviour = m_behaviour;
        }
        const int server = newSocket();
        const auto place = addressOf("127.0.0.1", listener.port);
        const bool reached =
            ::connect(server, reinterpret_cast<const sockaddr*>(&place), sizeof place) == 0 || errno == EINPROGRESS;
        if (behaviour.refuses || !reached) {
            closeSocket(client, true);
            closeSocket(server, true);
            continue;
        }
        const int on = 1;
        setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        m_links.push_back({client, server, {}, {}, 0});
    }
}

bool ChaosProxy::pump(Link& link, const Behaviour& behaviour) {
    std::size_t passedThere = 0;
    if (!receive(link.client, link.there, behaviour.delay) || !receive(link.server, link.back, behaviour.delay))
        return false;
    if (!behaviour.stallsThere && !forward(link.there, link.server, passedThere))
        return false;
    if (!behaviour.stallsBack && !forward(link.back, link.client, link.passedBack))
        return false;
    if (link.passedBack >= behaviour.resetAfter.value_or(SIZE_MAX))
        return false;
    return !(link.there.closed && link.back.closed);
}

/// False: the connection broke.
bool ChaosProxy::receive(int from, Direction& into, std::chrono::milliseconds delay) {
    std::size_t waiting = 0;
    for (const auto& piece : into.waiting)
        waiting += piece.bytes.size();
    std::array<char, 65536> buffer;
    while (!into.ended && waiting < kMostWaiting) {
        const auto got = ::recv(from, buffer.data(), buffer.size(), 0);
        if (got < 0)
            return errno == EAGAIN || errno == EINTR || errno == ENOTCONN;
        if (got == 0)
            into.ended = true;
        else
            into.waiting.push_back({Clock::now() + delay, std::string(buffer.data(), static_cast<std::size_t>(got))});
        waiting += static_cast<std::size_t>(got);
    }
    return true;
}

/// False: the connection broke.
bool ChaosProxy::forward(Direction& from, int to, std::size_t& passed) {
    while (!from.waiting.empty() && from.waiting.front().due <= Clock::now()) {
        auto& piece = from.waiting.front();
        const auto sent = ::send(to, piece.bytes.data(), piece.bytes.size(), MSG_NOSIGNAL);
        if (sent < 0)
            return errno == EAGAIN || errno == EINTR;
        passed += static_cast<std::size_t>(sent);
        piece.bytes.erase(0, static_cast<std::size_t>(sent));
        if (!piece.bytes.empty())
            return true;
        from.waiting.pop_front();
    }
    if (from.ended && from.waiting.empty() && !from.closed) {
        ::shutdown(to, SHUT_WR);
        from.closed = true;
    }
    return true;
}

void ChaosProxy::close(Link& link, bool reset) {
    closeSocket(link.client, reset);
    closeSocket(link.server, reset);
}

} // namespace fremis::test
