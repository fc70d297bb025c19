#include "shared/http/peer.h"

#include "shared/http/syntax.h"

#include <sys/socket.h>

#include <algorithm>

namespace fremis::http {

namespace {

QHostAddress unmapped(const QHostAddress& address) {
    bool isIpv4 = false;
    const quint32 ipv4 = address.toIPv4Address(&isIpv4); // also for ::ffff:a.b.c.d
    return isIpv4 ? QHostAddress(ipv4) : address;
}

} // namespace

base::Result<TrustedPeers> TrustedPeers::create(const std::vector<std::string>& texts) {
    TrustedPeers peers;
    for (const std::string& text : texts) {
        const auto subnet = QHostAddress::parseSubnet(QString::fromStdString(text));
        if (subnet.first.isNull())
            return base::fail(base::Reason::InvalidConfig, "not an address or subnet: " + text);
        peers.m_subnets.push_back(subnet);
    }
    return peers;
}

bool TrustedPeers::contain(const QHostAddress& address) const {
    return std::any_of(m_subnets.begin(), m_subnets.end(),
                       [&](const auto& subnet) { return address.isInSubnet(subnet); });
}

Peer peerOf(int descriptor, const TrustedPeers& trusted) {
    sockaddr_storage storage{};
    socklen_t size = sizeof storage;
    if (::getpeername(descriptor, reinterpret_cast<sockaddr*>(&storage), &size) != 0)
        return {};
    const QHostAddress address = unmapped(QHostAddress(reinterpret_cast<const sockaddr*>(&storage)));
    return {address.toString().toStdString(), address.isLoopback(), trusted.contain(address)};
}

std::string forwardedAddress(std::string_view value) {
    const std::size_t comma = value.rfind(',');
    const std::string_view last = trimmed(comma == std::string_view::npos ? value : value.substr(comma + 1));
    const QHostAddress address(QString::fromUtf8(last.data(), static_cast<qsizetype>(last.size())));
    return address.isNull() ? std::string() : unmapped(address).toString().toStdString();
}

} // namespace fremis::http
