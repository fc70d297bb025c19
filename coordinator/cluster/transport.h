#pragma once

#include "shared/http/message.h"

#include <tl/expected.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace fremis::coordinator {

/// One HTTP request to another process. The transport adds the signature, the remaining time and the length.
struct Call {
    enum class Plane { Client, Internal };
    enum class Addressee {
        Known,   ///< the worker that the last probe found; another one at its address refuses
        Whoever, ///< of probes
    };
    std::string authority{}; ///< "host:port"; Cluster::call() fills it in
    std::string method = "POST";
    std::string target{};        ///< path and query
    Plane plane = Plane::Client; ///< of the peer that Cluster::call() is given
    Addressee addressee = Addressee::Known;
    std::string body{};
    std::string requestId{};
    std::vector<http::Header> headers{};
    std::chrono::steady_clock::time_point deadline{};
};

struct Response {
    int status = 0;
    std::string body;
};

struct CallFailure {
    enum class Kind {
        NotSent,  ///< no connection: surely nothing happened there
        TimedOut, ///< sent; the answer did not come in time
        Lost,     ///< sent, or in part; the connection broke
    };
    Kind kind = Kind::Lost;
    bool refused = false; ///< of NotSent: somebody answered that nobody listens there
    std::string why;      ///< for the log and the operator
};

using CallResult = tl::expected<Response, CallFailure>;

/// How the coordinator talks to its workers. Thread: the environment's.
class Transport {
public:
    using CallId = std::uint64_t;
    virtual ~Transport() = default;
    /// `done` is called once, never before send() returns, and not at all after cancel().
    virtual CallId send(Call call, std::function<void(CallResult)> done) = 0;
    /// A call that has ended is no error.
    virtual void cancel(CallId call) = 0;
};

} // namespace fremis::coordinator
