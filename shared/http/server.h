#pragma once

#include "shared/base/error.h"
#include "shared/http/limits.h"
#include "shared/http/message.h"
#include "shared/http/reply.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fremis::http {

/// Thread: the connection's event loop. Parse, decide, hand the work to a pool and return within about a millisecond:
/// every connection of that loop waits meanwhile. Must not throw; what escapes is logged and answered 500.
using Handler = std::function<void(Request&&, Reply)>;

struct Route {
    std::string method; ///< upper case; a GET route serves HEAD too, OPTIONS is answered by the server
    std::string path;   ///< compared byte for byte; a segment "{id}" takes any one non-empty segment
    std::string right;  ///< what a caller must be allowed to do; the access hooks read it, "" = open
    Handler handler;
    std::size_t maxBody = 0; ///< 0 = Limits::body
};

struct RouteInfo {
    std::string method, path, right;
};

/// May set request.principal. A failure is the answer; with Reason::Unauthorized the answer carries WWW-Authenticate.
/// Thread: any event loop, several at once.
using AccessHook = std::function<base::Status(Request&, const Route&)>;

struct AccessHooks {
    AccessHook head;  ///< before the body is read (request.body is empty): refuse what needs no body to be refused
    AccessHook whole; ///< with the body, right before the handler: signatures over the body
};

/// One answered request, for metrics and the access log. Views live for the call only. Thread: any event loop.
struct RequestRecord {
    std::string_view method; ///< "" when the request line was not readable
    std::string_view route;  ///< the route's path as declared, "" when none matched
    int status;
    std::chrono::microseconds duration; ///< first byte of the request to the answer's hand-over to the socket
    std::size_t bytesIn, bytesOut;      ///< bodies only
    std::string_view requestId;
    std::string_view clientAddress;
};
using RequestObserver = std::function<void(const RequestRecord&)>;

/// PEM files; TLS 1.2 and 1.3.
struct TlsFiles {
    std::string certificateChain;
    std::string privateKey;
};

struct ServerOptions {
    std::string address = "0.0.0.0"; ///< an IP address; "::" takes both families
    std::uint16_t port = 0;          ///< 0 = any free port
    int threads = 1;                 ///< event loops
    Limits limits;
    std::vector<std::string> trustedPeers; ///< addresses or subnets ("10.0.0.0/8") of proxies
    std::optional<TlsFiles> tls;
};

/// An HTTP/1.1 server: strict framing, limits and time-outs in front of Qt HttpServer's dispatch.
/// resources/decisions/http-server.md tells how and why. It runs on its own threads; a QCoreApplication must exist.
/// Thread: construct, drain and destroy from one.
class Server {
public:
    /// Fails with Reason::InvalidConfig (address, TLS files or a route table that make no sense) or Reason::Overloaded
    /// (the port is taken, no descriptors left).
    [[nodiscard]] static base::Result<std::unique_ptr<Server>>
    start(ServerOptions options, std::vector<Route> routes, AccessHooks access = {}, RequestObserver observer = {});
    /// Closes everything at once. Answers given later are dropped.
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    [[nodiscard]] std::uint16_t port() const;
    /// Stops accepting, closes idle connections, lets requests in flight be answered; what is left after `patience` is
    /// cut.
    void drain(std::chrono::milliseconds patience);
    [[nodiscard]] std::vector<RouteInfo> routes() const;
    /// Connections open now.
    [[nodiscard]] std::size_t connections() const;

private:
    class Impl;
    explicit Server(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace fremis::http
