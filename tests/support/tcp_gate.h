#pragma once

#include "shared/base/error.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>

namespace fremis::test {

/// A relay between a client and a server on 127.0.0.1 that can refuse, cut and look at what passes. Thread: any.
class TcpGate {
public:
    enum class Verdict {
        Pass,
        CutBefore, ///< the bytes do not reach the server; the connection is closed on both sides
        CutAfter,  ///< the bytes reach the server; the client sees its connection closed and never the answer
    };
    /// Asked for each piece that a client sends, in the relay's thread.
    using Judge = std::function<Verdict(std::string_view bytes)>;

    [[nodiscard]] static base::Result<std::unique_ptr<TcpGate>> create(int serverPort);
    ~TcpGate();
    TcpGate(const TcpGate&) = delete;
    TcpGate& operator=(const TcpGate&) = delete;

    [[nodiscard]] int port() const { return m_port; }
    void setJudge(Judge judge);
    /// New connections are closed at once while shut.
    void setOpen(bool open) { m_open.store(open); }
    /// Closes all connections that are open now.
    void cutAll();

private:
    struct Relay {
        int client = -1;
        int server = -1;
        std::thread thread;
    };
    TcpGate() = default;
    void accept();
    void relay(int client, int server);
    [[nodiscard]] bool pass(int client, int server);
    [[nodiscard]] Verdict judge(std::string_view bytes);

    int m_listener = -1;
    int m_port = 0;
    int m_serverPort = 0;
    std::atomic<bool> m_open{true};
    std::atomic<bool> m_stopping{false};
    std::mutex m_mutex; ///< guards what follows
    Judge m_judge;
    std::list<Relay> m_relays;
    std::thread m_acceptor;
};

} // namespace fremis::test
