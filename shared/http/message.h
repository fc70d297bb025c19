#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fremis::http {

struct Header {
    std::string name;
    std::string value;
};

/// True when two header names or tokens are the same but for ASCII case.
[[nodiscard]] bool sameToken(std::string_view a, std::string_view b);

/// One complete request that passed the framing rules. Plain data: move it to whatever thread does the work.
struct Request {
    std::string method; ///< as sent; "HEAD" reaches the handler of the GET route as "HEAD"
    std::string path;   ///< percent-decoded once, not normalised
    std::string target; ///< as sent, path and query
    std::vector<std::pair<std::string, std::string>> query;      ///< decoded, in order; "+" is a space
    std::vector<std::pair<std::string, std::string>> parameters; ///< the {name} segments of the route's path
    std::vector<Header> headers;                                 ///< in order, values trimmed
    std::string body;
    std::string requestId;
    std::string peerAddress;                          ///< of the socket
    std::string clientAddress;                        ///< the peer, or whom a trusted proxy names in X-Forwarded-For
    std::string principal;                            ///< whatever the access hook put here: who asks
    bool peerIsLoopback = false;                      ///< of the socket
    bool encrypted = false;                           ///< came over TLS
    std::chrono::steady_clock::time_point received{}; ///< first byte of the request

    /// The first header of that name, or nullptr.
    [[nodiscard]] const std::string* header(std::string_view name) const;
    /// The first query value of that name, or nullptr.
    [[nodiscard]] const std::string* queryValue(std::string_view name) const;
    /// The value of a {name} segment; empty when the route has none.
    [[nodiscard]] std::string_view parameter(std::string_view name) const;
};

/// What goes back. Length, request id, date and connection headers are the server's business.
struct Answer {
    int status = 200;
    std::string contentType = "application/json";
    std::string body;
    std::vector<Header> headers;
};

} // namespace fremis::http
