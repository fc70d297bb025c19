#pragma once

#include "shared/http/connection_counter.h"
#include "shared/http/message.h"
#include "shared/http/peer.h"
#include "shared/http/request_reader.h"
#include "shared/http/server.h"
#include "shared/http/transport.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace fremis::http {

class EventLoop;
class ReplyState;

/// One client connection: reads a request, has it answered, then reads the next; never two at once, so answers keep the
/// order of the requests and a fast sender is held back by TCP. Thread: its event loop.
class Connection {
public:
    using TimePoint = std::chrono::steady_clock::time_point;

    Connection(EventLoop& loop, std::uint64_t id, std::unique_ptr<Transport> transport, Peer peer,
               ConnectionCounter::Verdict verdict);
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    [[nodiscard]] std::uint64_t id() const { return m_id; }
    [[nodiscard]] int descriptor() const { return m_transport->descriptor(); }

    void onEvents(std::uint32_t epollEvents);
    void onTick(TimePoint now);
    /// The answer to request number `request`; dropped unless that is the one in flight.
    void takeAnswer(std::uint64_t request, Answer answer);
    /// Hands what is to be sent to the kernel, as far as it takes it.
    void flush();
    /// Goes on with bytes that came early.
    void resume();
    /// 503 `overloaded`, then close.
    void refuseAtOnce();
    void closeIfIdle();
    void closeNow();

private:
    enum class Phase {
        Reading,   ///< no request in flight; perhaps a part of one has come
        InFlight,  ///< a handler owes an answer
        Answering, ///< the answer is not all with the kernel yet
        Lingering, ///< all is said; what still comes is dropped, so that a reset does not eat the answer
        Closed,
    };

    void readSome();
    void discardSome();
    void process(std::string_view bytes);
    void act(RequestReader::Event event, bool moreBytes);

    void onHead(bool moreBytes);
    void onComplete();
    [[nodiscard]] base::Status admit(std::vector<Header>& headers);
    [[nodiscard]] base::Status admitBody() const;
    void nameRequest();
    void describePeer(Request& request) const;
    void refuse(const base::Error& error, std::vector<Header> headers = {});
    void answer(Answer answer);
    void record(int status) const;
    [[nodiscard]] bool answerOptions();

    void answerSent();
    void finish();
    void watch(bool readable, bool writable);
    void closeWithReset();
    [[nodiscard]] bool tooSlow(TimePoint now) const;

    EventLoop& m_loop;
    const std::uint64_t m_id;
    std::unique_ptr<Transport> m_transport;
    const Peer m_peer;
    const ConnectionCounter::Verdict m_verdict;
    RequestReader m_reader;
    Phase m_phase = Phase::Reading;
    TimePoint m_phaseBegan;
    std::uint32_t m_watched;
    std::string m_early; ///< bytes behind the request in flight

    // The request that is read or in flight.
    std::uint64_t m_requestNumber = 0;
    TimePoint m_requestBegan{};
    TimePoint m_bodyBegan{};
    std::string m_method, m_requestId, m_clientAddress;
    const Route* m_route = nullptr;
    std::size_t m_bodyBytes = 0;
    bool m_keepAlive = true;
    std::weak_ptr<ReplyState> m_reply;

    // What goes out.
    std::string m_outHead, m_outBody;
    std::size_t m_outSent = 0;
};

} // namespace fremis::http
