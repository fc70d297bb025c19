#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>

namespace fremis::engine {

/// Decides, once, between a write that sets out and a client that has been told it was not done. Thread: any.
class WriteTicket {
public:
    /// True when the write may set out: from now on its outcome is open until it is known.
    [[nodiscard]] bool setOut() {
        auto expected = State::Waiting;
        return m_state.compare_exchange_strong(expected, State::SetOut) || expected == State::SetOut;
    }
    /// True when the write has not set out and never will.
    [[nodiscard]] bool giveUp() {
        auto expected = State::Waiting;
        return m_state.compare_exchange_strong(expected, State::GivenUp) || expected == State::GivenUp;
    }

private:
    enum class State { Waiting, SetOut, GivenUp };
    std::atomic<State> m_state = State::Waiting;
};

/// What a use case knows of the request it serves. A value.
struct RequestContext {
    std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
    std::function<bool()> clientGone = [] { return false; }; ///< Thread: any
    std::string requestId;
    std::shared_ptr<WriteTicket> ticket; ///< of a request that writes after long work; may be none

    /// True when nobody waits for the answer any more: costly work may be dropped.
    [[nodiscard]] bool abandoned() const { return clientGone() || std::chrono::steady_clock::now() > deadline; }
};

} // namespace fremis::engine
