#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fremis::test {

/// One HTTP response as it came off the wire.
struct RawResponse {
    int status = 0;
    std::vector<std::pair<std::string, std::string>> headers;
    std::string body;

    /// The first header of that name (any case), or "".
    [[nodiscard]] std::string header(std::string_view name) const;
    /// The value of a string member of a flat JSON body, unescaped not; "" when absent.
    [[nodiscard]] std::string member(std::string_view name) const;
};

/// A TCP client that sends exactly the bytes it is told to and never helps: no header is added, nothing is retried.
/// Every wait has a deadline. Thread: one.
class RawClient {
public:
    using Milliseconds = std::chrono::milliseconds;
    static constexpr Milliseconds kPatience{10'000};

    /// Connects to 127.0.0.1. `receiveBuffer`: SO_RCVBUF in bytes, 0 = the system's. `source`: the last byte of the
    /// 127.0.0.x to connect from; many short connections from one address run out of ports.
    explicit RawClient(std::uint16_t port, int receiveBuffer = 0, std::uint8_t source = 1);
    ~RawClient();
    RawClient(const RawClient&) = delete;
    RawClient& operator=(const RawClient&) = delete;
    RawClient(RawClient&& other) noexcept;

    [[nodiscard]] bool connected() const { return m_descriptor >= 0; }
    [[nodiscard]] int descriptor() const { return m_descriptor; }

    /// False when the peer closed or took nothing for `patience`.
    bool send(std::string_view bytes, Milliseconds patience = kPatience);
    /// The next response, framed by Content-Length or by the connection's end; nothing on close, garbage or after
    /// `patience`. 1xx responses are returned like others. `toHead`: the response has no body whatever its
    /// Content-Length says.
    [[nodiscard]] std::optional<RawResponse> read(Milliseconds patience = kPatience, bool toHead = false);
    /// send() then read().
    [[nodiscard]] std::optional<RawResponse> ask(std::string_view bytes, Milliseconds patience = kPatience,
                                                 bool toHead = false);
    /// All bytes until the peer closes or `patience` ends.
    [[nodiscard]] std::string readAll(Milliseconds patience = kPatience);
    /// At most `most` bytes that are there or come within `patience`.
    [[nodiscard]] std::string readSome(std::size_t most, Milliseconds patience = kPatience);
    /// True when the peer closes (FIN or RST) within `patience` without another byte.
    [[nodiscard]] bool closedByPeer(Milliseconds patience = kPatience);

    /// Sends FIN and goes on reading.
    void halfClose();
    /// Closes with FIN.
    void close();
    /// Closes with RST.
    void reset();

private:
    using TimePoint = std::chrono::steady_clock::time_point;
    enum class Got { Bytes, End, Timeout };
    [[nodiscard]] bool waitFor(short events, TimePoint deadline) const;
    [[nodiscard]] Got receive(TimePoint deadline);

    int m_descriptor = -1;
    std::string m_received; ///< read from the socket, not handed out
};

/// A request with Host and, for a non-empty body, Content-Length and Content-Type: application/json. `extra`: whole
/// header lines with CRLF.
[[nodiscard]] std::string requestText(std::string_view method, std::string_view target, std::string_view body = {},
                                      std::string_view extra = {});

} // namespace fremis::test
