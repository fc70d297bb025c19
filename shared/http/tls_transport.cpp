#include "shared/http/tls_transport.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <unistd.h>

#include <array>

namespace fremis::http {

namespace {

/// RFC 7301: a client that offers protocols gets http/1.1 or no connection.
int chooseProtocol(SSL*, const unsigned char** chosen, unsigned char* chosenSize, const unsigned char* offered,
                   unsigned int offeredSize, void*) {
    static constexpr std::array<unsigned char, 9> kOurs{8, 'h', 't', 't', 'p', '/', '1', '.', '1'};
    unsigned char* match = nullptr;
    if (SSL_select_next_proto(&match, chosenSize, kOurs.data(), kOurs.size(), offered, offeredSize) !=
        OPENSSL_NPN_NEGOTIATED)
        return SSL_TLSEXT_ERR_ALERT_FATAL;
    *chosen = match;
    return SSL_TLSEXT_ERR_OK;
}

} // namespace

void TlsContext::Free::operator()(SSL_CTX* context) const {
    SSL_CTX_free(context);
}

void TlsTransport::Free::operator()(SSL* session) const {
    SSL_free(session);
}

base::Result<std::shared_ptr<TlsContext>> TlsContext::create(const TlsFiles& files) {
    auto made = std::make_shared<TlsContext>();
    made->m_context.reset(SSL_CTX_new(TLS_server_method()));
    SSL_CTX* context = made->m_context.get();
    const bool usable = context && SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) == 1 &&
                        SSL_CTX_use_certificate_chain_file(context, files.certificateChain.c_str()) == 1 &&
                        SSL_CTX_use_PrivateKey_file(context, files.privateKey.c_str(), SSL_FILETYPE_PEM) == 1 &&
                        SSL_CTX_check_private_key(context) == 1;
    if (!usable) {
        std::array<char, 256> text{};
        ERR_error_string_n(ERR_get_error(), text.data(), text.size());
        ERR_clear_error();
        return base::fail(base::Reason::InvalidConfig, "the TLS certificate or key is not usable", text.data());
    }
    SSL_CTX_set_mode(context,
                     SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
    // Renegotiation lets a client make us work for nothing; a missing close_notify is a plain end, the framing tells
    // truncation.
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_IGNORE_UNEXPECTED_EOF | SSL_OP_NO_COMPRESSION);
    SSL_CTX_set_alpn_select_cb(context, chooseProtocol, nullptr);
    return made;
}

std::unique_ptr<Transport> TlsContext::accept(int descriptor) const {
    SSL* session = SSL_new(m_context.get());
    if (!session || SSL_set_fd(session, descriptor) != 1) {
        SSL_free(session);
        ::close(descriptor);
        return nullptr;
    }
    SSL_set_accept_state(session);
    return std::make_unique<TlsTransport>(descriptor, session);
}

IoResult TlsTransport::resultOf(int returned, std::size_t bytes) {
    m_wantsWrite = false;
    if (returned == 1)
        return {IoResult::Kind::Done, bytes};
    switch (SSL_get_error(m_session.get(), returned)) {
    case SSL_ERROR_WANT_READ:
        return {IoResult::Kind::Again};
    case SSL_ERROR_WANT_WRITE:
        m_wantsWrite = true;
        return {IoResult::Kind::Again};
    case SSL_ERROR_ZERO_RETURN:
        return {IoResult::Kind::End};
    default:
        ERR_clear_error();
        return {IoResult::Kind::Broken};
    }
}

IoResult TlsTransport::read(std::span<char> into) {
    std::size_t got = 0;
    ERR_clear_error();
    const int returned = SSL_read_ex(m_session.get(), into.data(), into.size(), &got);
    return resultOf(returned, got);
}

IoResult TlsTransport::writeOne(std::string_view bytes) {
    std::size_t sent = 0;
    ERR_clear_error();
    const int returned = SSL_write_ex(m_session.get(), bytes.data(), bytes.size(), &sent);
    return resultOf(returned, sent);
}

IoResult TlsTransport::write(std::string_view head, std::string_view body) {
    std::size_t sent = 0;
    for (const std::string_view piece : {head, body}) {
        std::size_t done = 0;
        while (done < piece.size()) {
            const IoResult result = writeOne(piece.substr(done));
            if (result.kind != IoResult::Kind::Done)
                return sent > 0 && result.kind == IoResult::Kind::Again ? IoResult{IoResult::Kind::Done, sent} : result;
            done += result.bytes;
            sent += result.bytes;
        }
    }
    return {IoResult::Kind::Done, sent};
}

bool TlsTransport::hasBuffered() const {
    return SSL_has_pending(m_session.get()) == 1;
}

bool TlsTransport::established() const {
    return SSL_is_init_finished(m_session.get()) == 1;
}

void TlsTransport::finishWriting() {
    ERR_clear_error();
    SSL_shutdown(m_session.get()); // sends close_notify; the peer's is awaited by the lingering reads
    ERR_clear_error();
    Transport::finishWriting();
}

} // namespace fremis::http
