#pragma once

#include "shared/base/error.h"

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace fremis::routing {

/// Where a node listens: "host:port" or "[v6]:port". Two spellings of one place compare equal: host names and IPv6 digits
/// are compared in lower case, IPv6 in its shortest form. The spelling the operator chose is kept for display.
class Address {
public:
    /// Fails with Reason::InvalidConfig and a message that names the fault (no port, port out of range, bare IPv6, ...).
    [[nodiscard]] static base::Result<Address> parse(std::string_view text);

    [[nodiscard]] const std::string& text() const { return m_text; } ///< as written
    [[nodiscard]] const std::string& key() const { return m_key; }   ///< normal form, the identity
    [[nodiscard]] const std::string& host() const { return m_host; } ///< normal form, without brackets
    [[nodiscard]] std::uint16_t port() const { return m_port; }

    /// 0.0.0.0, [::], localhost, 127.0.0.0/8 or [::1]: reaches only the machine of whoever reads it.
    [[nodiscard]] bool isLocal() const;
    /// True when a process listening at `listener` would be reached through this address.
    [[nodiscard]] bool reaches(const Address& listener) const;

    friend bool operator==(const Address& a, const Address& b) { return a.m_key == b.m_key; }
    friend std::strong_ordering operator<=>(const Address& a, const Address& b) { return a.m_key <=> b.m_key; }

private:
    std::string m_text;
    std::string m_key;
    std::string m_host;
    std::uint16_t m_port = 0;
};

} // namespace fremis::routing
