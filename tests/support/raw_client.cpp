#include "tests/support/raw_client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>

namespace fremis::test {

namespace {

using Clock = std::chrono::steady_clock;

bool sameName(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
        const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; };
        return lower(x) == lower(y);
    });
}

sockaddr_in loopbackAddress(std::uint8_t lastByte, std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl((INADDR_LOOPBACK & ~0xffU) | lastByte);
    return address;
}

/// Status line and headers; false when they are not HTTP.
bool parseHead(std::string_view head, RawResponse& response) {
    if (!head.starts_with("HTTP/1.1 ") || head.size() < 12)
        return false;
    if (std::from_chars(head.data() + 9, head.data() + 12, response.status).ec != std::errc())
        return false;
    std::size_t at = head.find("\r\n");
    while (at != std::string_view::npos && at + 2 < head.size()) {
        const std::string_view line = head.substr(at + 2, head.find("\r\n", at + 2) - at - 2);
        const std::size_t colon = line.find(": ");
        if (colon == std::string_view::npos)
            return false;
        response.headers.emplace_back(line.substr(0, colon), line.substr(colon + 2));
        at = head.find("\r\n", at + 2);
    }
    return true;
}

} // namespace

std::string RawResponse::header(std::string_view name) const {
    for (const auto& [known, value] : headers) {
        if (sameName(known, name))
            return value;
    }
    return {};
}

std::string RawResponse::member(std::string_view name) const {
    const std::string key = "\"" + std::string(name) + "\":\"";
    const std::size_t at = body.find(key);
    return at == std::string::npos ? std::string()
                                   : body.substr(at + key.size(), body.find('"', at + key.size()) - at - key.size());
}

RawClient::RawClient(std::uint16_t port, int receiveBuffer, std::uint8_t source) {
    const int made = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (made < 0)
        return;
    const int on = 1;
    ::setsockopt(made, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (receiveBuffer > 0)
        ::setsockopt(made, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, sizeof receiveBuffer);
    ::setsockopt(made, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
    const sockaddr_in from = loopbackAddress(source, 0);
    const sockaddr_in address = loopbackAddress(1, port);
    if (::bind(made, reinterpret_cast<const sockaddr*>(&from), sizeof from) != 0 ||
        ::connect(made, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
        ::close(made);
    else
        m_descriptor = made;
}

RawClient::~RawClient() {
    close();
}

RawClient::RawClient(RawClient&& other) noexcept
    : m_descriptor(std::exchange(other.m_descriptor, -1)), m_received(std::move(other.m_received)) {}

bool RawClient::waitFor(short events, TimePoint deadline) const {
    const auto left = std::chrono::ceil<Milliseconds>(deadline - Clock::now());
    pollfd entry{m_descriptor, events, 0};
    return left.count() >= 0 && ::poll(&entry, 1, static_cast<int>(left.count())) > 0;
}

bool RawClient::send(std::string_view bytes, Milliseconds patience) {
    const auto deadline = Clock::now() + patience;
    while (!bytes.empty()) {
        const ssize_t sent = ::send(m_descriptor, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent > 0)
            bytes.remove_prefix(static_cast<std::size_t>(sent));
        else if ((errno != EAGAIN && errno != EWOULDBLOCK) || !waitFor(POLLOUT, deadline))
            return false;
    }
    return true;
}

RawClient::Got RawClient::receive(TimePoint deadline) {
    std::array<char, 65536> buffer;
    if (!waitFor(POLLIN, deadline))
        return Got::Timeout;
    const ssize_t got = ::recv(m_descriptor, buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (got <= 0)
        return Got::End;
    m_received.append(buffer.data(), static_cast<std::size_t>(got));
    return Got::Bytes;
}

std::optional<RawResponse> RawClient::read(Milliseconds patience, bool toHead) {
    const auto deadline = Clock::now() + patience;
    std::size_t end = 0;
    while ((end = m_received.find("\r\n\r\n")) == std::string::npos) {
        if (receive(deadline) != Got::Bytes)
            return std::nullopt;
    }
    RawResponse response;
    if (!parseHead(std::string_view(m_received).substr(0, end), response))
        return std::nullopt;
    m_received.erase(0, end + 4);
    const std::string length = response.header("Content-Length");
    if (toHead || response.status < 200 || response.status == 204)
        return response;
    std::size_t wanted = std::string::npos;
    if (!length.empty() && std::from_chars(length.data(), length.data() + length.size(), wanted).ec != std::errc())
        return std::nullopt;
    while (m_received.size() < wanted) {
        const Got got = receive(deadline);
        if (got == Got::End && length.empty())
            break;
        if (got != Got::Bytes)
            return std::nullopt;
    }
    response.body = m_received.substr(0, wanted);
    m_received.erase(0, response.body.size());
    return response;
}

std::optional<RawResponse> RawClient::ask(std::string_view bytes, Milliseconds patience, bool toHead) {
    send(bytes, patience); // a server may answer and close before it has all: the answer counts
    return read(patience, toHead);
}

std::string RawClient::readAll(Milliseconds patience) {
    const auto deadline = Clock::now() + patience;
    while (receive(deadline) == Got::Bytes) {
    }
    return std::exchange(m_received, {});
}

std::string RawClient::readSome(std::size_t most, Milliseconds patience) {
    if (m_received.empty() && waitFor(POLLIN, Clock::now() + patience)) {
        std::string taken(most, '\0');
        const ssize_t got = ::recv(m_descriptor, taken.data(), most, MSG_DONTWAIT);
        taken.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
        return taken;
    }
    std::string taken = m_received.substr(0, most);
    m_received.erase(0, taken.size());
    return taken;
}

bool RawClient::closedByPeer(Milliseconds patience) {
    return m_received.empty() && receive(Clock::now() + patience) == Got::End;
}

void RawClient::halfClose() {
    ::shutdown(m_descriptor, SHUT_WR);
}

void RawClient::close() {
    if (m_descriptor >= 0)
        ::close(std::exchange(m_descriptor, -1));
}

void RawClient::reset() {
    const linger now{1, 0};
    ::setsockopt(m_descriptor, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    close();
}

std::string requestText(std::string_view method, std::string_view target, std::string_view body,
                        std::string_view extra) {
    std::string text;
    text.append(method).append(" ").append(target).append(" HTTP/1.1\r\nHost: localhost\r\n");
    if (!body.empty())
        text.append("Content-Type: application/json\r\nContent-Length: ")
            .append(std::to_string(body.size()))
            .append("\r\n");
    return text.append(extra).append("\r\n").append(body);
}

} // namespace fremis::test
