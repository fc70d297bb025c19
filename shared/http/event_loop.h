#pragma once

#include "shared/http/connection.h"
#include "shared/http/dispatcher.h"
#include "shared/http/mailbox.h"
#include "shared/http/reply_state.h"
#include "shared/http/shared_state.h"

#include <QtCore/QObject>
#include <QtCore/QSocketNotifier>
#include <QtCore/QTimer>

#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace fremis::http {

/// The connections of one thread, on that thread's Qt event loop. All their sockets hang on one epoll descriptor, the
/// only thing that Qt polls: an idle connection costs the loop nothing. Thread: the one that constructs it.
class EventLoop final : public QObject, public AnswerSink {
    Q_OBJECT

public:
    /// `poll`: an epoll descriptor, taken over. `mailbox`: becomes this thread's.
    EventLoop(SharedState& shared, std::shared_ptr<Mailbox> mailbox, int poll);
    ~EventLoop() override;

    /// Starts serving a connected, non-blocking socket that the counter let in with `verdict`.
    void adopt(int descriptor, Peer peer, ConnectionCounter::Verdict verdict);
    /// Closes what is idle; everything else closes after its answer.
    void drain();
    [[nodiscard]] bool draining() const { return m_draining; }

    // For the connections.
    [[nodiscard]] SharedState& shared() { return m_shared; }
    [[nodiscard]] Dispatcher& dispatcher() { return m_dispatcher; }
    [[nodiscard]] std::span<char> readBuffer() { return m_readBuffer; }
    [[nodiscard]] std::string freshRequestId();
    [[nodiscard]] std::string_view httpDate();
    [[nodiscard]] std::shared_ptr<ReplyState> replyFor(std::uint64_t connection, std::uint64_t request,
                                                       std::string requestId);
    /// Which of EPOLLIN and EPOLLOUT wake the connection.
    void watch(const Connection& connection, std::uint32_t events);
    /// Sends the connection's answer when all events of this round are handled: answers that go out together wake a
    /// client once.
    void flushSoon(std::uint64_t connection) { m_unsent.push_back(connection); }
    /// Lets the connection go on with bytes it holds, on the next round.
    void resumeLater(std::uint64_t connection);
    /// The connection has let go of its socket; it is destroyed on the next round.
    void bury(std::uint64_t connection);

    void take(std::uint64_t connection, std::uint64_t request, Answer answer) override;

private:
    void onReady();
    void onTick();
    void endRound();
    [[nodiscard]] Connection* find(std::uint64_t id);
    template<class Act> void forEach(Act act);

    SharedState& m_shared;
    const std::shared_ptr<Mailbox> m_mailbox;
    const int m_poll;
    QSocketNotifier m_notifier;
    QTimer m_timer;
    Dispatcher m_dispatcher;
    std::unordered_map<std::uint64_t, std::unique_ptr<Connection>> m_connections;
    std::vector<std::unique_ptr<Connection>> m_buried;
    std::vector<std::uint64_t> m_unsent;
    std::uint64_t m_lastConnection = 0;
    std::array<char, 64 * 1024> m_readBuffer;
    bool m_draining = false;
    bool m_busy = false; ///< the last wake-up had more than one event
    std::string m_idPrefix;
    std::uint64_t m_lastId = 0;
    std::time_t m_dateSecond = 0;
    std::string m_date;
};

} // namespace fremis::http
