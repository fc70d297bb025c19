#pragma once

#include "shared/base/error.h"

#include <atomic>
#include <chrono>
#include <deque>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace fremis::test {

/// A bad network between a client and a server on this machine: it listens at a loopback address of its own, at the
/// server's port numbers, and passes everything on to 127.0.0.1, as badly as it is told. Thread: any.
class ChaosProxy {
public:
    /// `address`: 127.x.y.z. Fails when one of the ports is taken there.
    [[nodiscard]] static base::Result<std::unique_ptr<ChaosProxy>> create(const std::string& address,
                                                                          const std::vector<int>& ports);
    ~ChaosProxy();
    ChaosProxy(const ChaosProxy&) = delete;
    ChaosProxy& operator=(const ChaosProxy&) = delete;

    struct Behaviour {
        bool refuses = false;                    ///< new connections are reset
        bool stallsThere = false;                ///< what clients send stays here, in silence, until this ends
        bool stallsBack = false;                 ///< what the server sends does
        std::chrono::milliseconds delay{0};      ///< of each piece, each way
        std::optional<std::size_t> resetAfter{}; ///< a connection is reset after so many bytes of the server's
    };
    /// For connections that are open too.
    void set(const Behaviour& behaviour);
    /// Resets all connections that are open now.
    void resetAll();

private:
    using Clock = std::chrono::steady_clock;
    struct Piece {
        Clock::time_point due;
        std::string bytes;
    };
    struct Direction {
        std::deque<Piece> waiting;
        bool ended = false;  ///< nothing more comes
        bool closed = false; ///< and the other side has been told so
    };
    struct Link {
        int client = -1;
        int server = -1;
        Direction there;
        Direction back;
        std::size_t passedBack = 0;
    };
    struct Listener {
        int socket = -1;
        int port = 0;
    };
    ChaosProxy() = default;
    void run();
    void accept(const Listener& listener);
    /// False: the link is over.
    [[nodiscard]] bool pump(Link& link, const Behaviour& behaviour);
    [[nodiscard]] static bool receive(int from, Direction& into, std::chrono::milliseconds delay);
    [[nodiscard]] static bool forward(Direction& from, int to, std::size_t& passed);
    static void close(Link& link, bool reset);

    std::vector<Listener> m_listeners;
    std::list<Link> m_links; ///< of the thread
    std::atomic<bool> m_stopping{false};
    std::atomic<bool> m_resetAll{false};
    std::mutex m_mutex; ///< guards the next one
    Behaviour m_behaviour;
    std::thread m_thread;
};

} // namespace fremis::test
