#pragma once

#include "shared/base/work_pool.h"
#include "shared/http/server.h"
#include "tests/support/raw_client.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <vector>

namespace fremis::test {

/// A small real server with handlers of every kind:
///   GET  /sync             answers at once                       POST /echo     answers with the body, from the loop
///   POST /pool             answers with the body, from a pool    POST /hold     answers when release() is called
///   GET  /big, /medium     8 MiB, 100 KiB                        GET  /text     text/plain
///   GET  /drop, /throw     never answers, throws                 POST /small    like /echo, body at most 100 bytes
///   POST /items/{id}/go    answers with the id                   GET  /twice    answers twice
///   POST /v1/face/enrollment, GET and HEAD /v1/healthcheck: as /echo and /sync, for the corpus
class HttpFixture {
public:
    static http::ServerOptions quickOptions();

    explicit HttpFixture(http::ServerOptions options = quickOptions(), http::AccessHooks access = {},
                         http::RequestObserver observer = {});
    ~HttpFixture();
    HttpFixture(const HttpFixture&) = delete;
    HttpFixture& operator=(const HttpFixture&) = delete;

    [[nodiscard]] std::uint16_t port() const { return m_server->port(); }
    [[nodiscard]] http::Server& server() { return *m_server; }
    [[nodiscard]] RawClient client(int receiveBuffer = 0) const { return RawClient(port(), receiveBuffer); }
    /// Requests whose handler ran.
    [[nodiscard]] int handled() const { return m_handled.load(); }
    /// Replies that /hold keeps; release() answers them from a foreign thread.
    [[nodiscard]] std::size_t held() const;
    void release();
    [[nodiscard]] bool heldClientIsGone() const;
    /// Drops the server, as its owner would at exit.
    void stop() { m_server.reset(); }
    /// A good request on a fresh connection is answered 200.
    [[nodiscard]] bool works() const;

private:
    [[nodiscard]] std::vector<http::Route> routes();

    base::WorkPool m_pool;
    std::atomic<int> m_handled{0};
    mutable std::mutex m_mutex;
    std::vector<http::Reply> m_held;
    std::unique_ptr<http::Server> m_server; // last: its threads use the members above
};

/// Resident memory of this process in bytes; always 0 under a sanitizer, whose own bookkeeping would be measured.
[[nodiscard]] std::size_t residentBytes();

} // namespace fremis::test
