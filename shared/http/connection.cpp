#include "shared/http/connection.h"

#include "shared/http/answer_writer.h"
#include "shared/http/event_loop.h"
#include "shared/http/reply_state.h"
#include "shared/http/syntax.h"

#include <sys/epoll.h>

#include <algorithm>
#include <utility>

namespace fremis::http {

using base::Reason;
using Clock = std::chrono::steady_clock;

namespace {

// Reads per wake-up before other connections get their turn.
constexpr int kReadsAtOnce = 16;

/// No type at all, or any JSON: application/json, text/json, anything with the suffix +json; parameters do not matter.
bool isJsonType(std::string_view value) {
    const std::string_view type = trimmed(value.substr(0, value.find(';')));
    const std::string_view suffix = "+json";
    return type.empty() || sameToken(type, "application/json") || sameToken(type, "text/json") ||
           (type.size() > suffix.size() && sameToken(type.substr(type.size() - suffix.size()), suffix));
}

} // namespace

Connection::Connection(EventLoop& loop, std::uint64_t id, std::unique_ptr<Transport> transport, Peer peer,
                       ConnectionCounter::Verdict verdict)
    : m_loop(loop), m_id(id), m_transport(std::move(transport)), m_peer(std::move(peer)), m_verdict(verdict),
      m_reader(loop.shared().limits), m_phaseBegan(Clock::now()), m_watched(EPOLLIN) {}

Connection::~Connection() = default;

void Connection::closeNow() {
    if (m_phase == Phase::Closed)
        return;
    m_phase = Phase::Closed;
    if (const auto reply = m_reply.lock())
        reply->markGone();
    m_transport.reset();
    m_loop.shared().counter.leave(m_peer.address, m_verdict);
    m_loop.bury(m_id);
}

void Connection::closeWithReset() {
    m_transport->resetOnClose();
    closeNow();
}

void Connection::closeIfIdle() {
    if (m_phase == Phase::Reading && !m_reader.started())
        closeNow();
}

void Connection::watch(bool readable, bool writable) {
    const std::uint32_t events = (readable ? EPOLLIN : 0U) | (writable ? EPOLLOUT : 0U);
    if (events != m_watched)
        m_loop.watch(*this, m_watched = events);
}

void Connection::onEvents(std::uint32_t epollEvents) {
    // EPOLLHUP: both directions are closed. A peer that only finished sending shows as EPOLLIN and may still be
    // answered.
    if (epollEvents & (EPOLLERR | EPOLLHUP))
        return closeNow();
    if (!m_outHead.empty() && (epollEvents & EPOLLOUT))
        flush();
    if (m_phase == Phase::Reading)
        return readSome();
    if (m_phase == Phase::Lingering)
        return discardSome();
    // Bytes behind a request in flight stay in the kernel. Looked at only now, so that the usual client, which waits
    // for its answer, costs no system call.
    if (m_phase != Phase::Closed && (epollEvents & EPOLLIN))
        watch(false, m_phase == Phase::Answering);
}

void Connection::readSome() {
    const std::span<char> buffer = m_loop.readBuffer();
    for (int reads = 0; m_phase == Phase::Reading && reads < kReadsAtOnce; ++reads) {
        const IoResult got = m_transport->read(buffer);
        if (got.kind == IoResult::Kind::Again)
            return watch(true, m_transport->wantsWrite() || !m_outHead.empty());
        if (got.kind != IoResult::Kind::Done)
            return closeNow(); // also a message cut short: nothing of it is applied
        process(std::string_view(buffer.data(), got.bytes));
        if (got.bytes < buffer.size() && m_phase == Phase::Reading && !m_transport->hasBuffered())
            return;
    }
    if (m_phase == Phase::Reading && m_transport->hasBuffered())
        m_loop.resumeLater(m_id);
}

void Connection::discardSome() {
    const std::span<char> buffer = m_loop.readBuffer();
    for (int reads = 0; reads < kReadsAtOnce; ++reads) {
        const IoResult got = m_transport->read(buffer);
        if (got.kind == IoResult::Kind::Again)
            return watch(true, false);
        if (got.kind != IoResult::Kind::Done)
            return closeNow();
    }
}

void Connection::resume() {
    if (m_phase != Phase::Reading)
        return;
    process({});
    if (m_phase != Phase::Reading)
        return;
    watch(true, !m_outHead.empty());
    if (m_transport->hasBuffered())
        readSome();
}

void Connection::process(std::string_view bytes) {
    std::string early = std::exchange(m_early, {});
    if (!early.empty())
        bytes = early.append(bytes);
    while (m_phase == Phase::Reading) {
        if (!m_reader.started() && !bytes.empty())
            m_requestBegan = Clock::now();
        const auto step = m_reader.feed(bytes);
        bytes.remove_prefix(step.consumed);
        if (step.event == RequestReader::Event::NeedMore)
            break;
        act(step.event, !bytes.empty());
    }
    if (m_phase == Phase::InFlight || m_phase == Phase::Answering)
        m_early.assign(bytes);
}

void Connection::act(RequestReader::Event event, bool moreBytes) {
    switch (event) {
    case RequestReader::Event::Head:
        return onHead(moreBytes);
    case RequestReader::Event::Complete:
        return onComplete();
    case RequestReader::Event::Failed:
        nameRequest();
        m_keepAlive = false;
        return answer(errorAnswer(m_reader.error(), m_requestId));
    case RequestReader::Event::NeedMore:
        return;
    }
}

void Connection::nameRequest() {
    const Request& request = m_reader.request();
    m_method = request.method;
    m_route = nullptr;
    m_bodyBytes = 0;
    m_keepAlive = m_reader.framing().keepAlive;
    const std::string* given = request.header("X-Request-Id");
    m_requestId = given && isRequestId(*given) ? *given : m_loop.freshRequestId();
    const std::string* forwarded = m_peer.isTrusted ? request.header("X-Forwarded-For") : nullptr;
    m_clientAddress = forwarded ? forwardedAddress(*forwarded) : std::string();
    if (m_clientAddress.empty())
        m_clientAddress = m_peer.address;
}

void Connection::onHead(bool moreBytes) {
    nameRequest();
    if (m_method == "OPTIONS" && answerOptions())
        return;
    std::vector<Header> headers;
    if (const auto admitted = admit(headers); !admitted)
        return refuse(admitted.error(), std::move(headers));
    m_bodyBegan = Clock::now();
    if (m_reader.framing().expectContinue && m_reader.framing().hasBody() && !moreBytes) {
        m_outHead = "HTTP/1.1 100 Continue\r\n\r\n";
        flush();
    }
}

/// Everything that can be decided before the body: path and method, size, rights, media type, in this order.
base::Status Connection::admit(std::vector<Header>& headers) {
    Request& request = m_reader.request();
    auto found = m_loop.shared().routes.find(request.method, request.path);
    if (!found.pathKnown)
        return base::fail(Reason::NotFound, "there is nothing at this path");
    if (!found.route) {
        headers.push_back({"Allow", std::move(found.allow)});
        return base::fail(Reason::MethodNotAllowed, "this path does not have this method");
    }
    m_route = found.route;
    request.parameters = std::move(found.parameters);
    if (m_route->maxBody > 0 && !m_reader.limitBody(m_route->maxBody))
        return base::fail(Reason::BodyTooLarge, "the body is too large");
    describePeer(request);
    if (const auto& hook = m_loop.shared().access.head) {
        if (auto allowed = hook(request, *m_route); !allowed)
            return allowed;
    }
    return admitBody();
}

base::Status Connection::admitBody() const {
    if (!m_reader.framing().hasBody())
        return {};
    for (const Header& field : m_reader.request().headers) {
        if (sameToken(field.name, "content-encoding") && !sameToken(field.value, "identity"))
            return base::fail(Reason::UnsupportedEncoding, "content encodings are not served");
        if (sameToken(field.name, "content-type") && !isJsonType(field.value))
            return base::fail(Reason::UnsupportedMediaType, "the body must be JSON");
    }
    return {};
}

void Connection::describePeer(Request& request) const {
    request.requestId = m_requestId;
    request.peerAddress = m_peer.address;
    request.clientAddress = m_clientAddress;
    request.peerIsLoopback = m_peer.isLoopback;
    request.encrypted = m_loop.shared().tls != nullptr;
    request.received = m_requestBegan;
}

/// True when answered: "*" and every known path. Others go on to their 404.
bool Connection::answerOptions() {
    const RouteTable& routes = m_loop.shared().routes;
    std::string allow = routes.allMethods();
    if (m_reader.request().path != "*") {
        const auto found = routes.find("OPTIONS", m_reader.request().path);
        if (!found.pathKnown)
            return false;
        allow = found.allow;
    }
    Answer options;
    options.status = 204;
    options.headers.push_back({"Allow", std::move(allow)});
    if (m_reader.framing().hasBody())
        m_keepAlive = false;
    answer(std::move(options));
    return true;
}

/// An answer before the body was read ends the connection: waiting for up to 36 MiB only to drop them helps nobody.
void Connection::refuse(const base::Error& error, std::vector<Header> headers) {
    if (m_reader.framing().hasBody())
        m_keepAlive = false;
    answer(errorAnswer(error, m_requestId, {}, std::move(headers)));
}

void Connection::onComplete() {
    Request request = m_reader.takeRequest();
    m_bodyBytes = request.body.size();
    ++m_requestNumber;
    if (const auto& hook = m_loop.shared().access.whole) {
        if (const auto allowed = hook(request, *m_route); !allowed)
            return answer(errorAnswer(allowed.error(), m_requestId));
    }
    m_phase = Phase::InFlight;
    auto reply = m_loop.replyFor(m_id, m_requestNumber, m_requestId);
    m_reply = reply;
    m_loop.dispatcher().dispatch(*m_route, std::move(request), Reply(std::move(reply)));
}

void Connection::takeAnswer(std::uint64_t request, Answer given) {
    if (m_phase == Phase::InFlight && request == m_requestNumber)
        answer(std::move(given));
}

void Connection::answer(Answer answer) {
    m_keepAlive = m_keepAlive && !m_loop.draining();
    // A request answered from its head alone and without a body is complete: the reader goes on behind it.
    if (m_keepAlive && m_reader.inBody()) {
        [[maybe_unused]] const auto step = m_reader.feed({});
        [[maybe_unused]] const Request done = m_reader.takeRequest();
    }
    m_phase = Phase::Answering;
    m_phaseBegan = Clock::now();
    m_outHead += headOf(answer, {m_requestId, m_loop.httpDate(), m_keepAlive}); // behind a 100 that did not fit yet
    m_outBody = m_method == "HEAD" || answer.status == 204 ? std::string() : std::move(answer.body);
    record(answer.status);
    m_loop.flushSoon(m_id);
}

void Connection::record(int status) const {
    const auto& observer = m_loop.shared().observer;
    if (!observer)
        return;
    const auto spent = m_requestBegan == TimePoint{} ? Clock::duration{} : Clock::now() - m_requestBegan;
    observer({m_method, m_route ? std::string_view(m_route->path) : std::string_view(), status,
              std::chrono::duration_cast<std::chrono::microseconds>(spent), m_bodyBytes, m_outBody.size(), m_requestId,
              m_clientAddress});
}

void Connection::flush() {
    const std::size_t total = m_outHead.size() + m_outBody.size();
    while (m_outSent < total) {
        const std::string_view head = std::string_view(m_outHead).substr(std::min(m_outSent, m_outHead.size()));
        const std::size_t bodySent = m_outSent - std::min(m_outSent, m_outHead.size());
        const IoResult result = m_transport->write(head, std::string_view(m_outBody).substr(bodySent));
        if (result.kind == IoResult::Kind::Again)
            return watch((m_watched & EPOLLIN) != 0, true);
        if (result.kind != IoResult::Kind::Done)
            return closeNow();
        m_outSent += result.bytes;
    }
    m_outHead.clear();
    m_outBody = std::string();
    m_outSent = 0;
    if (m_phase == Phase::Answering)
        answerSent();
}

void Connection::answerSent() {
    if (!m_keepAlive || m_loop.draining())
        return finish();
    m_phase = Phase::Reading;
    m_phaseBegan = Clock::now();
    if (!m_early.empty() || m_transport->hasBuffered())
        return m_loop.resumeLater(m_id);
    watch(true, false);
}

void Connection::finish() {
    m_phase = Phase::Lingering;
    m_phaseBegan = Clock::now();
    m_early = std::string();
    m_transport->finishWriting();
    watch(true, false);
}

void Connection::refuseAtOnce() {
    m_requestId = m_loop.freshRequestId();
    m_clientAddress = m_peer.address;
    m_keepAlive = false;
    answer(errorAnswer({Reason::Overloaded, "too many connections", {}}, m_requestId));
}

bool Connection::tooSlow(TimePoint now) const {
    const Limits& limits = m_loop.shared().limits;
    if (now - m_requestBegan > limits.requestTime)
        return true;
    if (!m_reader.inBody())
        return now - m_requestBegan > limits.headTime;
    const auto inBody = std::chrono::duration_cast<std::chrono::milliseconds>(now - m_bodyBegan);
    const auto owed = limits.slowBodyRate * static_cast<std::size_t>(inBody.count()) / 1000;
    return inBody > limits.slowBodyGrace && m_reader.bodyBytes() < owed;
}

void Connection::onTick(TimePoint now) {
    const Limits& limits = m_loop.shared().limits;
    const auto inPhase = now - m_phaseBegan;
    switch (m_phase) {
    case Phase::Reading:
        if (!m_reader.started()) {
            const bool owesRequest = !m_transport->established() || m_reader.sawEmptyLine();
            if (inPhase > (owesRequest ? limits.headTime : limits.idleTime))
                closeNow();
            else if (inPhase > limits.answerTime && m_transport->hasUndelivered())
                closeWithReset(); // the last answer went to the kernel, and no further
        } else if (tooSlow(now)) {
            nameRequest();
            m_keepAlive = false;
            answer(errorAnswer({Reason::RequestTimeout, "the request took too long to arrive", {}}, m_requestId));
        }
        return;
    case Phase::Answering:
        if (inPhase > limits.answerTime)
            closeWithReset();
        return;
    case Phase::Lingering:
        if (inPhase > limits.lingerTime)
            closeNow();
        return;
    case Phase::InFlight:
    case Phase::Closed:
        return;
    }
}

} // namespace fremis::http
