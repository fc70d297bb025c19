#include "tests/contract/http_fixture.h"

#include <QtCore/QDebug>
#include <QtCore/QtGlobal>

#include <unistd.h>

#include <fstream>
#include <stdexcept>

namespace fremis::test {

namespace {

void echo(http::Request&& request, const http::Reply& reply) {
    reply.text("application/json", std::move(request.body));
}

} // namespace

http::ServerOptions HttpFixture::quickOptions() {
    http::ServerOptions options;
    options.address = "127.0.0.1";
    options.threads = 2;
    return options;
}

HttpFixture::HttpFixture(http::ServerOptions options, http::AccessHooks access, http::RequestObserver observer)
    : m_pool("test", 2, 10'000) {
    auto started = http::Server::start(std::move(options), routes(), std::move(access), std::move(observer));
    if (!started)
        qFatal("the test server does not start: %s", started.error().message.c_str());
    m_server = std::move(*started);
}

HttpFixture::~HttpFixture() {
    m_server.reset();
    m_pool.stop();
}

std::vector<http::Route> HttpFixture::routes() {
    const auto sync = [this](http::Request&&, const http::Reply& reply) {
        ++m_handled;
        reply.json("{\"ok\":true}");
    };
    const auto echoHere = [this](http::Request&& request, const http::Reply& reply) {
        ++m_handled;
        echo(std::move(request), reply);
    };
    const auto echoFromPool = [this](http::Request&& request, const http::Reply& reply) {
        ++m_handled;
        const auto shared = std::make_shared<http::Request>(std::move(request));
        if (!m_pool.tryRun([shared, reply](int) { echo(std::move(*shared), reply); }))
            reply.fail({base::Reason::Overloaded, "full", {}});
    };
    const auto hold = [this](http::Request&&, http::Reply reply) {
        ++m_handled;
        const std::lock_guard lock(m_mutex);
        m_held.push_back(std::move(reply));
    };
    const auto block = [](std::size_t size) {
        return [size](http::Request&&, const http::Reply& reply) { reply.text("text/plain", std::string(size, 'b')); };
    };
    const auto text = [](http::Request&&, const http::Reply& reply) {
        reply.text("text/plain; version=0.0.4", "metric 1\n");
    };
    const auto drop = [](http::Request&&, const http::Reply&) {};
    const auto raise = [](http::Request&&, const http::Reply&) { throw std::runtime_error("a handler's defect"); };
    const auto item = [](http::Request&& request, const http::Reply& reply) {
        reply.json("{\"id\":\"" + std::string(request.parameter("id")) + "\"}");
    };
    const auto twice = [](http::Request&&, const http::Reply& reply) {
        reply.json("{\"answer\":\"first\"}");
        reply.json("{\"answer\":\"second\"}");
    };
    return {{"GET", "/sync", "", sync, 0},
            {"POST", "/echo", "", echoHere, 0},
            {"POST", "/pool", "", echoFromPool, 0},
            {"POST", "/hold", "", hold, 0},
            {"GET", "/big", "", block(8 << 20), 0},
            {"GET", "/text", "", text, 0},
            {"GET", "/medium", "", block(100 << 10), 0},
            {"GET", "/drop", "", drop, 0},
            {"GET", "/throw", "", raise, 0},
            {"POST", "/small", "", echoHere, 100},
            {"POST", "/items/{id}/go", "", item, 0},
            {"GET", "/twice", "", twice, 0},
            {"GET", "/v1/healthcheck", "", sync, 0},
            {"POST", "/v1/face/enrollment", "enrol", echoHere, 0}};
}

std::size_t HttpFixture::held() const {
    const std::lock_guard lock(m_mutex);
    return m_held.size();
}

void HttpFixture::release() {
    const std::lock_guard lock(m_mutex);
    for (const http::Reply& reply : m_held)
        reply.json("{\"held\":true}");
    m_held.clear();
}

bool HttpFixture::heldClientIsGone() const {
    const std::lock_guard lock(m_mutex);
    return !m_held.empty() && m_held.front().clientGone();
}

bool HttpFixture::works() const {
    RawClient fresh = client();
    const auto response = fresh.ask(requestText("GET", "/sync"));
    return response && response->status == 200;
}

std::size_t residentBytes() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return 0;
#else
    std::ifstream statm("/proc/self/statm");
    std::size_t total = 0;
    std::size_t resident = 0;
    statm >> total >> resident;
    return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
#endif
}

} // namespace fremis::test
