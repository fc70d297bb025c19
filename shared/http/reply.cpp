#include "shared/http/reply.h"

#include "shared/http/answer_writer.h"
#include "shared/http/reply_state.h"

namespace fremis::http {

ReplyState::ReplyState(std::shared_ptr<Mailbox> mailbox, AnswerSink& sink, std::uint64_t connection,
                       std::uint64_t request, std::string requestId)
    : m_mailbox(std::move(mailbox)), m_sink(sink), m_connection(connection), m_request(request),
      m_requestId(std::move(requestId)) {}

ReplyState::~ReplyState() {
    if (!m_answered.load()) // the usual case pays for no error body
        send(errorAnswer({base::Reason::Internal, "the request was dropped without an answer", {}}, m_requestId));
}

void ReplyState::send(Answer answer) {
    if (m_answered.exchange(true))
        return;
    m_mailbox->deliver([&sink = m_sink, connection = m_connection, request = m_request,
                        answer = std::move(answer)]() mutable { sink.take(connection, request, std::move(answer)); });
}

void Reply::send(Answer answer) const {
    m_state->send(std::move(answer));
}

void Reply::json(std::string body, int status, std::vector<Header> extra) const {
    send({status, "application/json", std::move(body), std::move(extra)});
}

void Reply::text(std::string contentType, std::string body, int status) const {
    send({status, std::move(contentType), std::move(body), {}});
}

void Reply::fail(const base::Error& error, std::string_view extraMembers, std::vector<Header> extra) const {
    send(errorAnswer(error, requestId(), extraMembers, std::move(extra)));
}

bool Reply::clientGone() const {
    return m_state->gone();
}

const std::string& Reply::requestId() const {
    return m_state->requestId();
}

} // namespace fremis::http
