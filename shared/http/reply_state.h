#pragma once

#include "shared/http/mailbox.h"
#include "shared/http/message.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

namespace fremis::http {

/// Where answers end: the event loop that owns the connection.
class AnswerSink {
public:
    virtual ~AnswerSink() = default;
    /// Thread: the loop. `connection` may be gone, `request` may be answered: then the answer is dropped.
    virtual void take(std::uint64_t connection, std::uint64_t request, Answer answer) = 0;
};

/// What the copies of one Reply share. Knows its connection by number only, so it may outlive it. Thread: any.
class ReplyState {
public:
    /// `sink` lives at least until `mailbox` is closed.
    ReplyState(std::shared_ptr<Mailbox> mailbox, AnswerSink& sink, std::uint64_t connection, std::uint64_t request,
               std::string requestId);
    ~ReplyState();
    ReplyState(const ReplyState&) = delete;
    ReplyState& operator=(const ReplyState&) = delete;

    void send(Answer answer);
    void markGone() { m_gone.store(true); }
    [[nodiscard]] bool gone() const { return m_gone.load(); }
    [[nodiscard]] const std::string& requestId() const { return m_requestId; }

private:
    const std::shared_ptr<Mailbox> m_mailbox;
    AnswerSink& m_sink;
    const std::uint64_t m_connection;
    const std::uint64_t m_request;
    const std::string m_requestId;
    std::atomic<bool> m_answered{false};
    std::atomic<bool> m_gone{false};
};

} // namespace fremis::http
