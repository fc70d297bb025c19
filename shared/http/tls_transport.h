#pragma once

#include "shared/base/error.h"
#include "shared/http/server.h"
#include "shared/http/transport.h"

#include <openssl/types.h>

#include <memory>
#include <string>

namespace fremis::http {

/// Certificate, key and settings of a TLS listener: 1.2 and 1.3, ALPN http/1.1. Thread: any.
class TlsContext {
public:
    /// Fails with Reason::InvalidConfig when the files do not read or do not belong together.
    [[nodiscard]] static base::Result<std::shared_ptr<TlsContext>> create(const TlsFiles& files);
    /// Null when memory is short.
    [[nodiscard]] std::unique_ptr<Transport> accept(int descriptor) const;

private:
    struct Free {
        void operator()(SSL_CTX* context) const;
    };
    std::unique_ptr<SSL_CTX, Free> m_context;
};

/// The handshake happens inside read() and write().
class TlsTransport final : public Transport {
public:
    TlsTransport(int descriptor, SSL* session) : Transport(descriptor), m_session(session) {}

    [[nodiscard]] IoResult read(std::span<char> into) override;
    [[nodiscard]] IoResult write(std::string_view head, std::string_view body) override;
    [[nodiscard]] bool hasBuffered() const override;
    [[nodiscard]] bool wantsWrite() const override { return m_wantsWrite; }
    [[nodiscard]] bool established() const override;
    void finishWriting() override;

private:
    struct Free {
        void operator()(SSL* session) const;
    };
    [[nodiscard]] IoResult resultOf(int returned, std::size_t bytes);
    [[nodiscard]] IoResult writeOne(std::string_view bytes);

    std::unique_ptr<SSL, Free> m_session;
    bool m_wantsWrite = false;
};

} // namespace fremis::http
