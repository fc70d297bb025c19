#include "shared/http/transport.h"

#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace fremis::http {

namespace {

IoResult failed() {
    const bool later = errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
    return {later ? IoResult::Kind::Again : IoResult::Kind::Broken, 0};
}

iovec pieceOf(std::string_view bytes) {
    return {const_cast<char*>(bytes.data()), bytes.size()}; // sendmsg only reads; its type serves both directions
}

} // namespace

Transport::~Transport() {
    ::close(m_descriptor);
}

IoResult Transport::read(std::span<char> into) {
    const ssize_t got = ::recv(m_descriptor, into.data(), into.size(), 0);
    if (got < 0)
        return failed();
    return {got == 0 ? IoResult::Kind::End : IoResult::Kind::Done, static_cast<std::size_t>(got)};
}

IoResult Transport::write(std::string_view head, std::string_view body) {
    std::array<iovec, 2> pieces{pieceOf(head), pieceOf(body)};
    msghdr message{};
    message.msg_iov = pieces.data();
    message.msg_iovlen = pieces.size();
    const ssize_t sent = ::sendmsg(m_descriptor, &message, MSG_NOSIGNAL);
    return sent < 0 ? failed() : IoResult{IoResult::Kind::Done, static_cast<std::size_t>(sent)};
}

void Transport::finishWriting() {
    ::shutdown(m_descriptor, SHUT_WR);
}

bool Transport::hasUndelivered() const {
    int bytes = 0;
    return ::ioctl(m_descriptor, SIOCOUTQ, &bytes) == 0 && bytes > 0;
}

void Transport::resetOnClose() const {
    const linger now{1, 0};
    ::setsockopt(m_descriptor, SOL_SOCKET, SO_LINGER, &now, sizeof now);
}

} // namespace fremis::http
