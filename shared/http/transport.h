#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

namespace fremis::http {

struct IoResult {
    enum class Kind {
        Done,
        Again, ///< nothing can move now
        End,   ///< the peer has finished sending
        Broken,
    };
    Kind kind;
    std::size_t bytes = 0;
};

/// A non-blocking byte stream over one socket descriptor, plain or TLS. Raw descriptors because QTcpSocket closes both
/// directions when the peer closes one, so a half-closed client could never be answered. Thread: its event loop.
class Transport {
public:
    /// Takes the descriptor over.
    explicit Transport(int descriptor) : m_descriptor(descriptor) {}
    virtual ~Transport();
    Transport(const Transport&) = delete;
    Transport& operator=(const Transport&) = delete;

    [[nodiscard]] int descriptor() const { return m_descriptor; }

    [[nodiscard]] virtual IoResult read(std::span<char> into);
    /// `head` then `body` in one system call where that is possible; may take a part of either.
    [[nodiscard]] virtual IoResult write(std::string_view head, std::string_view body);
    /// Bytes were read from the socket that read() has not handed out: the descriptor will not become readable for
    /// them.
    [[nodiscard]] virtual bool hasBuffered() const { return false; }
    /// The last read() or write() waits for the socket to take bytes (a TLS handshake does).
    [[nodiscard]] virtual bool wantsWrite() const { return false; }
    /// True once application bytes can flow.
    [[nodiscard]] virtual bool established() const { return true; }
    /// No more bytes will be sent; reading goes on.
    virtual void finishWriting();
    /// True while the kernel holds bytes that the peer has not acknowledged.
    [[nodiscard]] bool hasUndelivered() const;
    /// Makes the close that follows a reset, which drops what the kernel still holds for a peer that does not read.
    void resetOnClose() const;

private:
    const int m_descriptor;
};

} // namespace fremis::http
