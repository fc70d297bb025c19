#include "tests/support/http_client.h"

#include <QJsonDocument>

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>

namespace fremis::test {

namespace {

using SteadyTime = std::chrono::steady_clock::time_point;

std::string lower(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
        text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r'))
        text.remove_suffix(1);
    return text;
}

base::Status waitFor(int socket, short events, SteadyTime deadline) {
    for (;;) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
        if (left.count() <= 0)
            return base::fail(base::Reason::RequestTimeout, "no answer before the deadline");
        pollfd entry{socket, events, 0};
        const int ready = poll(&entry, 1, static_cast<int>(left.count()));
        if (ready > 0)
            return {};
        if (ready < 0 && errno != EINTR)
            return base::fail(base::Reason::Internal, "poll failed", std::strerror(errno));
    }
}

} // namespace

std::string HttpResponse::header(std::string_view name) const {
    const auto found = std::find_if(headers.begin(), headers.end(), [name](const auto& h) { return h.first == name; });
    return found == headers.end() ? std::string() : found->second;
}

QJsonObject HttpResponse::json() const {
    return QJsonDocument::fromJson(QByteArray::fromStdString(body)).object();
}

/// One request and its answer on a connected socket.
class HttpClient::Exchange {
public:
    Exchange(int socket, SteadyTime deadline) : m_socket(socket), m_deadline(deadline) {}

    [[nodiscard]] base::Status write(std::string_view bytes) const {
        while (!bytes.empty()) {
            const auto sent = ::send(m_socket, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
            if (sent > 0) {
                bytes.remove_prefix(static_cast<std::size_t>(sent));
                continue;
            }
            if (errno != EAGAIN && errno != EINTR)
                return base::fail(base::Reason::Internal, "send failed", std::strerror(errno));
            if (auto ready = waitFor(m_socket, POLLOUT, m_deadline); !ready)
                return ready;
        }
        return {};
    }

    [[nodiscard]] base::Result<HttpResponse> read(bool head) {
        HttpResponse response;
        do {
            const auto end = readUntil("\r\n\r\n");
            if (!end)
                return tl::unexpected(end.error());
            response = {};
            if (auto parsed = parseHead(std::string_view(m_buffer).substr(0, *end), response); !parsed)
                return tl::unexpected(parsed.error());
            m_buffer.erase(0, *end + 4);
        } while (response.status >= 100 && response.status < 200);
        keeps = lower(response.header("connection")) != "close";
        if (head || response.status == 204 || response.status == 304)
            return response;
        if (auto body = readBody(response); !body)
            return tl::unexpected(body.error());
        return response;
    }

    bool keeps = false;    ///< the connection may be used again
    bool gotBytes = false; ///< something of the answer came

private:
    /// Position of `mark` in the buffer, reading as needed.
    base::Result<std::size_t> readUntil(std::string_view mark) {
        for (;;) {
            if (const auto at = m_buffer.find(mark); at != std::string::npos)
                return at;
            const auto more = readSome();
            if (!more)
                return tl::unexpected(more.error());
            if (!*more)
                return base::fail(base::Reason::Internal, "connection closed within the answer",
                                  m_buffer.substr(0, 200));
        }
    }

    /// False at the end of the stream.
    base::Result<bool> readSome() {
        for (;;) {
            if (auto ready = waitFor(m_socket, POLLIN, m_deadline); !ready)
                return tl::unexpected(ready.error());
            std::array<char, 65536> chunk;
            const auto got = ::recv(m_socket, chunk.data(), chunk.size(), MSG_DONTWAIT);
            if (got > 0) {
                m_buffer.append(chunk.data(), static_cast<std::size_t>(got));
                gotBytes = true;
                return true;
            }
            if (got == 0)
                return false;
            if (errno != EAGAIN && errno != EINTR)
                return base::fail(base::Reason::Internal, "receive failed", std::strerror(errno));
        }
    }

    static base::Status parseHead(std::string_view head, HttpResponse& response) {
        const auto lineEnd = head.find("\r\n");
        const auto line = head.substr(0, lineEnd);
        if (!line.starts_with("HTTP/1.") || line.size() < 12)
            return base::fail(base::Reason::Internal, "not an HTTP answer", std::string(line));
        std::from_chars(line.data() + 9, line.data() + 12, response.status);
        while (head.size() > 0) {
            const auto end = head.find("\r\n");
            head = end == std::string_view::npos ? std::string_view() : head.substr(end + 2);
            const auto field = head.substr(0, head.find("\r\n"));
            if (const auto colon = field.find(':'); colon != std::string_view::npos)
                response.headers.emplace_back(lower(field.substr(0, colon)), trimmed(field.substr(colon + 1)));
        }
        return {};
    }

    base::Status readBody(HttpResponse& response) {
        if (lower(response.header("transfer-encoding")) == "chunked")
            return readChunks(response.body);
        const auto length = response.header("content-length");
        if (length.empty()) {
            keeps = false;
            return readToEnd(response.body);
        }
        return readExactly(static_cast<std::size_t>(std::strtoull(length.c_str(), nullptr, 10)), response.body);
    }

    base::Status readToEnd(std::string& body) {
        for (;;) {
            const auto more = readSome();
            if (!more)
                return tl::unexpected(more.error());
            if (!*more)
                break;
        }
        body = std::move(m_buffer);
        return {};
    }

    base::Status readExactly(std::size_t size, std::string& body) {
        while (m_buffer.size() < size) {
            const auto more = readSome();
            if (!more)
                return tl::unexpected(more.error());
            if (!*more)
                return base::fail(base::Reason::Internal, "connection closed within the body");
        }
        body.append(m_buffer, 0, size);
        m_buffer.erase(0, size);
        return {};
    }

    base::Status readChunks(std::string& body) {
        for (;;) {
            const auto end = readUntil("\r\n");
            if (!end)
                return tl::unexpected(end.error());
            const auto size = static_cast<std::size_t>(std::strtoull(m_buffer.c_str(), nullptr, 16));
            m_buffer.erase(0, *end + 2);
            if (auto chunk = readExactly(size, body); !chunk)
                return chunk;
            std::string lineEnd;
            if (auto after = readExactly(2, lineEnd); !after)
                return after;
            if (size == 0)
                return {};
        }
    }

    const int m_socket;
    const SteadyTime m_deadline;
    std::string m_buffer;
};

HttpClient::HttpClient(std::string host, int port) : m_host(std::move(host)), m_port(port) {}

HttpClient::~HttpClient() {
    close();
}

void HttpClient::close() {
    const std::scoped_lock lock(m_mutex);
    if (m_socket >= 0)
        ::close(m_socket);
    m_socket = -1;
}

int HttpClient::connectionsOpened() const {
    const std::scoped_lock lock(m_mutex);
    return m_opened;
}

base::Status HttpClient::connect() {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (const int code = getaddrinfo(m_host.c_str(), std::to_string(m_port).c_str(), &hints, &found); code != 0)
        return base::fail(base::Reason::Internal, "cannot resolve the host", gai_strerror(code));
    m_socket = ::socket(found->ai_family, found->ai_socktype | SOCK_CLOEXEC, found->ai_protocol);
    const bool connected = m_socket >= 0 && ::connect(m_socket, found->ai_addr, found->ai_addrlen) == 0;
    const int error = errno;
    freeaddrinfo(found);
    if (!connected) {
        if (m_socket >= 0)
            ::close(m_socket);
        m_socket = -1;
        return base::fail(base::Reason::NotReady, "cannot connect", std::strerror(error));
    }
    const int on = 1;
    setsockopt(m_socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    ++m_opened;
    return {};
}

base::Result<HttpResponse> HttpClient::send(std::string_view method, std::string_view target, std::string_view body,
                                            const HttpHeaders& headers) {
    std::string request;
    request.append(method).append(" ").append(target).append(" HTTP/1.1\r\nHost: ");
    request.append(m_host).append(":").append(std::to_string(m_port)).append("\r\n");
    for (const auto& [name, value] : headers)
        request.append(name).append(": ").append(value).append("\r\n");
    if (!body.empty() || method == "POST" || method == "PUT")
        request.append("Content-Length: ").append(std::to_string(body.size())).append("\r\n");
    request.append("\r\n").append(body);

    const std::scoped_lock lock(m_mutex);
    const auto deadline = std::chrono::steady_clock::now() + m_deadline;
    for (;;) {
        const bool fresh = m_socket < 0;
        if (fresh)
            if (auto connected = connect(); !connected)
                return tl::unexpected(connected.error());
        Exchange exchange(m_socket, deadline);
        auto response = exchange.write(request).and_then([&] { return exchange.read(method == "HEAD"); });
        if (response && exchange.keeps)
            return response;
        ::close(m_socket);
        m_socket = -1;
        const bool closedWhileIdle = !response && !fresh && !exchange.gotBytes;
        if (!closedWhileIdle || !m_repeats || response.error().reason == base::Reason::RequestTimeout)
            return response;
    }
}

base::Result<HttpResponse> HttpClient::get(std::string_view target) {
    return send("GET", target);
}

base::Result<HttpResponse> HttpClient::post(std::string_view target, const QJsonObject& body) {
    return send("POST", target, QJsonDocument(body).toJson(QJsonDocument::Compact).toStdString(),
                {{"Content-Type", "application/json"}});
}

} // namespace fremis::test
