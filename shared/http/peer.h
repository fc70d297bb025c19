#pragma once

#include "shared/base/error.h"

#include <QtNetwork/QHostAddress>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fremis::http {

/// The other end of a connection.
struct Peer {
    std::string address; ///< without port; an IPv4-mapped address as IPv4
    bool isLoopback = false;
    bool isTrusted = false; ///< a proxy whose X-Forwarded-For counts
};

/// The addresses and subnets of proxies.
class TrustedPeers {
public:
    TrustedPeers() = default;
    /// Fails with Reason::InvalidConfig on text that is neither an address nor a subnet.
    [[nodiscard]] static base::Result<TrustedPeers> create(const std::vector<std::string>& texts);
    [[nodiscard]] bool contain(const QHostAddress& address) const;

private:
    std::vector<std::pair<QHostAddress, int>> m_subnets;
};

/// Who is at the other end of `descriptor`; an empty address when the connection is gone already.
[[nodiscard]] Peer peerOf(int descriptor, const TrustedPeers& trusted);

/// The last address of an X-Forwarded-For value, the one the trusted peer itself saw; empty when it is no address.
[[nodiscard]] std::string forwardedAddress(std::string_view value);

} // namespace fremis::http
