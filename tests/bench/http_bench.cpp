// The HTTP server against plain Qt HttpServer, in pairs (A B A B …) on one machine: only the ratios mean something.
//   cmake --preset bench && cmake --build build/bench --target http_bench && build/bench/bin/http_bench
#include "shared/http/server.h"
#include "tests/support/raw_client.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QEventLoop>
#include <QtHttpServer/QHttpServer>

#include <malloc.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <future>
#include <thread>

using namespace fremis;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using test::RawClient;
using test::requestText;

namespace {

constexpr int kPairs = 5;
constexpr int kConnections = 16;
constexpr int kIdle = 5'000;
constexpr auto kRun = 700ms;

struct Measured {
    double perSecond = 0;
    double serverMicros = 0; ///< CPU per request, the client's share taken off
    double medianMicros = 0;
};

double secondsOf(const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

double cpuOf(int who) {
    rusage usage{};
    ::getrusage(who, &usage);
    return secondsOf(usage.ru_utime) + secondsOf(usage.ru_stime);
}

/// Plain Qt HttpServer with responder handlers, on a thread of its own.
class PlainServer {
public:
    PlainServer() {
        std::promise<std::uint16_t> listening;
        m_thread = std::thread([this, &listening] {
            QEventLoop events;
            QHttpServer server;
            server.route(QStringLiteral("/small"), [](QHttpServerResponder&& responder) {
                responder.write(QByteArrayLiteral("{\"ok\":true}"), QByteArrayLiteral("application/json"));
            });
            server.route(QStringLiteral("/size"),
                         [](const QHttpServerRequest& request, QHttpServerResponder&& responder) {
                             responder.write("{\"bytes\":" + QByteArray::number(request.body().size()) + '}',
                                             QByteArrayLiteral("application/json"));
                         });
            m_events = &events;
            listening.set_value(server.listen(QHostAddress::LocalHost));
            events.exec();
        });
        m_port = listening.get_future().get();
    }
    ~PlainServer() {
        QMetaObject::invokeMethod(m_events, &QEventLoop::quit, Qt::QueuedConnection);
        m_thread.join();
    }
    [[nodiscard]] std::uint16_t port() const { return m_port; }

private:
    QEventLoop* m_events = nullptr;
    std::uint16_t m_port = 0;
    std::thread m_thread;
};

std::unique_ptr<http::Server> guardedServer() {
    http::ServerOptions options;
    options.address = "127.0.0.1";
    options.limits.connections = kIdle + 100;
    auto started = http::Server::start(
        options,
        {{"GET", "/small", "", [](http::Request&&, const http::Reply& reply) { reply.json("{\"ok\":true}"); }, 0},
         {"POST", "/size", "",
          [](http::Request&& request, const http::Reply& reply) {
              reply.json("{\"bytes\":" + std::to_string(request.body.size()) + "}");
          },
          0}});
    if (!started)
        qFatal("%s", started.error().message.c_str());
    return std::move(*started);
}

/// One connection of the load: sends, waits for as many bytes as the first answer had, sends again.
struct Loaded {
    RawClient client;
    std::size_t answerSize = 0;
    std::size_t toSend = 0, toRead = 0;
    Clock::time_point began{};
};

std::size_t firstAnswer(RawClient& client, const std::string& text) {
    client.send(text);
    std::string all;
    while (all.find("}") == std::string::npos)
        all += client.readSome(4096);
    return all.size();
}

void push(Loaded& one, const std::string& text) {
    const std::size_t sent = text.size() - one.toSend;
    const ssize_t now = ::send(one.client.descriptor(), text.data() + sent, one.toSend, MSG_NOSIGNAL | MSG_DONTWAIT);
    one.toSend -= now > 0 ? static_cast<std::size_t>(now) : 0;
}

Measured load(std::uint16_t port, const std::string& text, int connections) {
    std::vector<Loaded> all;
    const int poll = ::epoll_create1(EPOLL_CLOEXEC);
    for (int i = 0; i < connections; ++i) {
        all.push_back({RawClient(port)});
        all.back().answerSize = firstAnswer(all.back().client, text);
        epoll_event event{};
        event.events = EPOLLIN | EPOLLOUT | EPOLLET;
        event.data.u32 = static_cast<std::uint32_t>(i);
        ::epoll_ctl(poll, EPOLL_CTL_ADD, all.back().client.descriptor(), &event);
    }
    const auto start = [&text](Loaded& one) {
        one.toSend = text.size();
        one.toRead = one.answerSize;
        one.began = Clock::now();
        push(one, text);
    };
    std::vector<double> micros;
    std::array<epoll_event, 64> events{};
    std::array<char, 65536> buffer{};
    const double cpuBefore = cpuOf(RUSAGE_SELF) - cpuOf(RUSAGE_THREAD);
    const auto began = Clock::now();
    for (Loaded& one : all)
        start(one);
    while (Clock::now() - began < kRun) {
        const int count = ::epoll_wait(poll, events.data(), 64, 100);
        for (int i = 0; i < count; ++i) {
            Loaded& one = all[events[static_cast<std::size_t>(i)].data.u32];
            if (one.toSend > 0)
                push(one, text);
            const ssize_t got = ::recv(one.client.descriptor(), buffer.data(), buffer.size(), MSG_DONTWAIT);
            one.toRead -= std::min(one.toRead, got > 0 ? static_cast<std::size_t>(got) : 0);
            if (one.toRead == 0) {
                micros.push_back(std::chrono::duration<double, std::micro>(Clock::now() - one.began).count());
                start(one);
            }
        }
    }
    const double seconds = std::chrono::duration<double>(Clock::now() - began).count();
    const double cpu = cpuOf(RUSAGE_SELF) - cpuOf(RUSAGE_THREAD) - cpuBefore;
    ::close(poll);
    std::nth_element(micros.begin(), micros.begin() + static_cast<std::ptrdiff_t>(micros.size() / 2), micros.end());
    return {static_cast<double>(micros.size()) / seconds, cpu / static_cast<double>(micros.size()) * 1e6,
            micros[micros.size() / 2]};
}

Measured medianOf(std::vector<Measured> runs) {
    const auto middle = [&runs](double Measured::*field) {
        std::sort(runs.begin(), runs.end(),
                  [field](const Measured& a, const Measured& b) { return a.*field < b.*field; });
        return runs[runs.size() / 2].*field;
    };
    return {middle(&Measured::perSecond), middle(&Measured::serverMicros), middle(&Measured::medianMicros)};
}

void compare(const char* name, std::uint16_t plain, std::uint16_t guarded, const std::string& text, int connections) {
    std::vector<Measured> a, b;
    for (int pair = 0; pair < kPairs; ++pair) {
        a.push_back(load(plain, text, connections));
        b.push_back(load(guarded, text, connections));
    }
    const Measured p = medianOf(a);
    const Measured g = medianOf(b);
    std::printf("%-28s plain %8.0f/s %7.1f us CPU, p50 %7.1f us | guarded %8.0f/s %7.1f us CPU, p50 %7.1f us | rate "
                "%.2f, CPU %.2f\n",
                name, p.perSecond, p.serverMicros, p.medianMicros, g.perSecond, g.serverMicros, g.medianMicros,
                g.perSecond / p.perSecond, g.serverMicros / p.serverMicros);
}

/// Median latency at one connection, without and with thousands of idle ones.
void idleCost(std::uint16_t port) {
    const std::string text = requestText("GET", "/small");
    std::vector<Measured> alone, among;
    for (int pair = 0; pair < 3; ++pair) {
        alone.push_back(load(port, text, 1));
        std::vector<RawClient> idle;
        for (int i = 0; i < kIdle; ++i)
            idle.emplace_back(port);
        among.push_back(load(port, text, 1));
    }
    const double before = medianOf(alone).medianMicros;
    const double after = medianOf(among).medianMicros;
    std::printf("guarded: p50 %.1f us alone, %.1f us among %d idle connections: x %.2f\n", before, after, kIdle,
                after / before);
}

} // namespace

int main(int argc, char** argv) {
    ::mallopt(M_MMAP_THRESHOLD, 1 << 30); // as the product does: large bodies reuse memory
    ::mallopt(M_TRIM_THRESHOLD, 1 << 30);
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    const QCoreApplication app(argc, argv);
    const PlainServer plain;
    const auto guarded = guardedServer();
    const std::uint16_t port = guarded->port();
    compare("GET, 16 connections", plain.port(), port, requestText("GET", "/small"), kConnections);
    compare("GET, 1 connection", plain.port(), port, requestText("GET", "/small"), 1);
    compare("POST 64 KiB, 16 connections", plain.port(), port, requestText("POST", "/size", std::string(64 << 10, 'x')),
            kConnections);
    compare("POST 1 MiB, 16 connections", plain.port(), port, requestText("POST", "/size", std::string(1 << 20, 'x')),
            kConnections);
    idleCost(port);
    return 0;
}
