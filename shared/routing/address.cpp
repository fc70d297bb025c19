#include "shared/routing/address.h"

#include "shared/routing/range.h"

#include <algorithm>

#ifdef _WIN32
#include <ws2tcpip.h>
#else
#include <arpa/inet.h>
#endif

namespace fremis::routing {

namespace {

using base::fail;
using base::Reason;

constexpr std::size_t kMaxHostBytes = 253; // RFC 1035, section 2.3.4, without the root label
constexpr std::size_t kMaxLabelBytes = 63;

bool isAlnum(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::string lower(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return out;
}

bool isLabel(std::string_view label) {
    return !label.empty() && label.size() <= kMaxLabelBytes && label.front() != '-' && label.back() != '-' &&
           std::all_of(label.begin(), label.end(), [](char c) { return isAlnum(c) || c == '-' || c == '_'; });
}

bool isIpv4(const std::string& host) {
    in_addr unused{};
    return inet_pton(AF_INET, host.c_str(), &unused) == 1;
}

bool isHostName(std::string_view host) {
    if (host.empty() || host.size() > kMaxHostBytes)
        return false;
    std::string_view rest = host;
    std::string_view label;
    for (;;) {
        const auto dot = rest.find('.');
        label = rest.substr(0, dot);
        if (!isLabel(label))
            return false;
        if (dot == std::string_view::npos)
            break;
        rest.remove_prefix(dot + 1);
    }
    // A name whose last label is a number is an IPv4 address to every resolver (RFC 1123, section 2.1).
    const bool numeric = std::all_of(label.begin(), label.end(), [](char c) { return c >= '0' && c <= '9'; });
    return !numeric || isIpv4(std::string(host));
}

// The shortest form of an IPv6 address, its zone ("%eth0") kept; empty when it is none.
std::string normalIpv6(std::string_view host) {
    const auto percent = host.find('%');
    const std::string_view zone = percent == std::string_view::npos ? std::string_view{} : host.substr(percent);
    if (!zone.empty() && (zone.size() == 1 || !isLabel(zone.substr(1))))
        return {};
    in6_addr address{};
    if (inet_pton(AF_INET6, std::string(host.substr(0, percent)).c_str(), &address) != 1)
        return {};
    char text[INET6_ADDRSTRLEN] = {};
    inet_ntop(AF_INET6, &address, text, sizeof text);
    return text + std::string(zone);
}

struct Parts {
    std::string_view host;
    std::string_view port;
    bool bracketed = false;
};

base::Result<Parts> split(std::string_view text) {
    if (text.find("://") != std::string_view::npos)
        return fail(Reason::InvalidConfig, "write host:port, without a scheme");
    if (text.front() == '[') {
        const auto close = text.find(']');
        if (close == std::string_view::npos)
            return fail(Reason::InvalidConfig, "the bracket of the IPv6 address is not closed");
        if (close + 1 >= text.size() || text[close + 1] != ':')
            return fail(Reason::InvalidConfig, "no port; write [v6]:port");
        return Parts{text.substr(1, close - 1), text.substr(close + 2), true};
    }
    const auto colon = text.find(':');
    if (colon == std::string_view::npos)
        return fail(Reason::InvalidConfig, "no port; write host:port");
    if (text.find(':', colon + 1) != std::string_view::npos) {
        const bool v6 = !normalIpv6(text).empty() || !normalIpv6(text.substr(0, text.rfind(':'))).empty();
        return fail(Reason::InvalidConfig, v6 ? "an IPv6 address needs brackets; write \"[v6]:port\""
                                              : "more than one colon; write host:port");
    }
    return Parts{text.substr(0, colon), text.substr(colon + 1), false};
}

} // namespace

base::Result<Address> Address::parse(std::string_view text) {
    constexpr int kMaxPort = 65535;
    if (text.empty())
        return fail(Reason::InvalidConfig, "empty; write host:port");
    if (std::any_of(text.begin(), text.end(), [](char c) { return c == ' ' || c == '\t'; }))
        return fail(Reason::InvalidConfig, "a blank in it");
    const auto parts = split(text);
    if (!parts)
        return tl::unexpected(parts.error());
    const auto port = parsePlainDecimal(parts->port);
    if (!port || *port < 1 || *port > kMaxPort)
        return fail(Reason::InvalidConfig, "the port must be a plain number 1..65535");
    Address address;
    address.m_text = std::string(text);
    address.m_port = static_cast<std::uint16_t>(*port);
    if (parts->bracketed)
        address.m_host = normalIpv6(parts->host);
    else if (isHostName(parts->host))
        address.m_host = lower(parts->host);
    if (address.m_host.empty())
        return fail(Reason::InvalidConfig, parts->bracketed ? "not an IPv6 address between the brackets" : "not a host name");
    address.m_key = parts->bracketed ? "[" + address.m_host + "]" : address.m_host;
    address.m_key += ":" + std::to_string(*port);
    return address;
}

bool Address::isLocal() const {
    return m_host == "0.0.0.0" || m_host == "::" || m_host == "localhost" || m_host == "::1" ||
           (m_host.starts_with("127.") && isIpv4(m_host));
}

bool Address::reaches(const Address& listener) const {
    if (m_port != listener.m_port)
        return false;
    // A listener on any address of its machine is met by every local name of it.
    return m_host == listener.m_host || (isLocal() && listener.isLocal());
}

} // namespace fremis::routing
