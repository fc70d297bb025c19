#include "shared/http/server.h"

#include "shared/http/acceptor.h"
#include "shared/http/event_loop.h"

#include <QtCore/QEventLoop>

#include <pthread.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <future>
#include <thread>

namespace fremis::http {

namespace {

/// One thread with its event loop. std::thread rather than QThread: ThreadSanitizer sees its start and its join.
class LoopThread {
public:
    using Started = std::function<void(EventLoop&)>;

    [[nodiscard]] static base::Result<std::unique_ptr<LoopThread>> create(SharedState& shared) {
        auto mailbox = Mailbox::create();
        if (!mailbox)
            return tl::unexpected(mailbox.error());
        const int poll = ::epoll_create1(EPOLL_CLOEXEC);
        if (poll < 0)
            return base::fail(base::Reason::Overloaded, "no descriptor left for an event loop");
        return std::unique_ptr<LoopThread>(new LoopThread(shared, std::move(*mailbox), poll));
    }

    ~LoopThread() {
        m_mailbox->post([this] { m_events->quit(); });
        m_thread.join();
    }

    /// Runs `act` on the loop. Thread: any.
    void post(std::function<void(LoopThread&)> act) {
        m_mailbox->post([this, act = std::move(act)] { act(*this); });
    }

    // On the loop's thread only.
    [[nodiscard]] EventLoop& loop() { return *m_loop; }
    [[nodiscard]] std::unique_ptr<Acceptor>& acceptor() { return m_acceptor; }

private:
    LoopThread(SharedState& shared, std::shared_ptr<Mailbox> mailbox, int poll)
        : m_mailbox(std::move(mailbox)), m_thread([this, &shared, poll] { run(shared, poll); }) {}

    void run(SharedState& shared, int poll) {
        pthread_setname_np(pthread_self(), "http-loop");
        // OpenSSL writes to sockets without MSG_NOSIGNAL.
        sigset_t broken;
        sigemptyset(&broken);
        sigaddset(&broken, SIGPIPE);
        pthread_sigmask(SIG_BLOCK, &broken, nullptr);
        QEventLoop events;
        EventLoop loop(shared, m_mailbox, poll);
        m_events = &events;
        m_loop = &loop;
        events.exec();
        m_acceptor.reset();
    }

    const std::shared_ptr<Mailbox> m_mailbox;
    QEventLoop* m_events = nullptr;
    EventLoop* m_loop = nullptr;
    std::unique_ptr<Acceptor> m_acceptor;
    std::thread m_thread; // last: it uses the members above
};

} // namespace

class Server::Impl {
public:
    Impl(const Limits& limits, RouteTable routes) : m_shared(limits, std::move(routes)) {}
    ~Impl() { stopAccepting(); }

    [[nodiscard]] base::Status start(const ServerOptions& options) {
        for (int i = 0; i < std::max(1, options.threads); ++i) {
            auto thread = LoopThread::create(m_shared);
            if (!thread)
                return tl::unexpected(thread.error());
            m_threads.push_back(std::move(*thread));
        }
        std::promise<base::Result<std::uint16_t>> listening;
        m_threads.front()->post([&](LoopThread& thread) {
            thread.acceptor() = std::make_unique<Acceptor>(m_shared, [this](int descriptor, Peer peer, auto verdict) {
                handOver(descriptor, std::move(peer), verdict);
            });
            listening.set_value(thread.acceptor()->start(options.address, options.port));
        });
        const auto port = listening.get_future().get();
        if (!port)
            return tl::unexpected(port.error());
        m_port = *port;
        return {};
    }

    void drain(std::chrono::milliseconds patience) {
        const auto deadline = std::chrono::steady_clock::now() + patience;
        stopAccepting();
        for (const auto& thread : m_threads)
            thread->post([](LoopThread& loopThread) { loopThread.loop().drain(); });
        [[maybe_unused]] const bool inTime = m_shared.counter.waitUntilNone(deadline);
        m_threads.clear(); // cuts what is left
    }

    [[nodiscard]] SharedState& shared() { return m_shared; }
    [[nodiscard]] std::uint16_t port() const { return m_port; }

private:
    /// Thread: the acceptor's. Connections go round the loops: few long ones then load all of them alike.
    void handOver(int descriptor, Peer peer, ConnectionCounter::Verdict verdict) {
        m_next = (m_next + 1) % m_threads.size();
        m_threads[m_next]->post([descriptor, who = std::move(peer), verdict](LoopThread& thread) mutable {
            thread.loop().adopt(descriptor, std::move(who), verdict);
        });
    }

    void stopAccepting() {
        if (m_threads.empty())
            return;
        std::promise<void> stopped;
        m_threads.front()->post([&stopped](LoopThread& thread) {
            thread.acceptor().reset();
            stopped.set_value();
        });
        stopped.get_future().wait();
    }

    SharedState m_shared;
    std::uint16_t m_port = 0;
    std::size_t m_next = 0;
    std::vector<std::unique_ptr<LoopThread>> m_threads;
};

base::Result<std::unique_ptr<Server>> Server::start(ServerOptions options, std::vector<Route> routes,
                                                    AccessHooks access, RequestObserver observer) {
    auto table = RouteTable::create(std::move(routes));
    if (!table)
        return tl::unexpected(table.error());
    auto impl = std::make_unique<Impl>(options.limits, std::move(*table));
    SharedState& shared = impl->shared();
    shared.access = std::move(access);
    shared.observer = std::move(observer);
    auto trusted = TrustedPeers::create(options.trustedPeers);
    if (!trusted)
        return tl::unexpected(trusted.error());
    shared.trusted = std::move(*trusted);
    if (options.tls) {
        auto tls = TlsContext::create(*options.tls);
        if (!tls)
            return tl::unexpected(tls.error());
        shared.tls = std::move(*tls);
    }
    if (auto started = impl->start(options); !started)
        return tl::unexpected(started.error());
    return std::unique_ptr<Server>(new Server(std::move(impl)));
}

Server::Server(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
Server::~Server() = default;

std::uint16_t Server::port() const {
    return m_impl->port();
}

void Server::drain(std::chrono::milliseconds patience) {
    m_impl->drain(patience);
}

std::vector<RouteInfo> Server::routes() const {
    std::vector<RouteInfo> infos;
    for (const auto& route : m_impl->shared().routes.routes())
        infos.push_back({route->method, route->path, route->right});
    return infos;
}

std::size_t Server::connections() const {
    return m_impl->shared().counter.count();
}

} // namespace fremis::http
