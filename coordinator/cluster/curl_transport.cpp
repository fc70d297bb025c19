#include "coordinator/cluster/curl_transport.h"

#include "shared/http/signature.h"
#include "shared/wire/internal.h"

#include <QSocketNotifier>

#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <array>

namespace fremis::coordinator {

namespace {

constexpr long kConnectMilliseconds = 1'000;
constexpr long kIdleSeconds = 45; // a worker closes idle connections after 60 s
constexpr long kMaxConnectionsPerNode = 64;
/// Kept open at once, idle or not. By itself libcurl keeps four for each call under way, so at the end of a search that
/// asked many workers it would close the connections of most.
constexpr long kMaxConnections = 512;
constexpr std::size_t kMaxHandles = 256; ///< kept for the next calls
constexpr int kEventsAtOnce = 64;

std::size_t append(char* data, std::size_t size, std::size_t count, void* answer) {
    auto& body = *static_cast<std::string*>(answer);
    const auto bytes = size * count;
    if (body.size() + bytes > CurlTransport::kMaxAnswer)
        return 0; // ends the transfer
    body.append(data, bytes);
    return bytes;
}

struct FreeList {
    void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};

CallFailure failureOf(CURL* easy, CURLcode code) {
    CallFailure failure;
    failure.why = curl_easy_strerror(code);
    double untilSent = 0; // 0: the request never set out
    curl_easy_getinfo(easy, CURLINFO_PRETRANSFER_TIME, &untilSent);
    if (code == CURLE_COULDNT_CONNECT || code == CURLE_COULDNT_RESOLVE_HOST || untilSent <= 0) {
        failure.kind = CallFailure::Kind::NotSent;
        failure.refused = code == CURLE_COULDNT_CONNECT;
    } else {
        failure.kind = code == CURLE_OPERATION_TIMEDOUT ? CallFailure::Kind::TimedOut : CallFailure::Kind::Lost;
    }
    return failure;
}

} // namespace

struct CurlTransport::Transfer {
    CallId id = 0;
    Call call;
    std::function<void(CallResult)> done;
    Easy easy;
    std::unique_ptr<curl_slist, FreeList> headers;
    std::string answer;

    void addHeader(const std::string& line) {
        auto* const longer = curl_slist_append(headers.get(), line.c_str());
        (void)headers.release();
        headers.reset(longer);
    }
};

// The sockets hang on an epoll descriptor of our own, the only one that Qt knows: under GLib each change of what a
// notifier waits for wakes the event loop once more, and there are six for each call.
CurlTransport::CurlTransport(const base::Clock& clock, KeyPair keys)
    : m_clock(clock), m_keys(std::move(keys)), m_poll(::epoll_create1(EPOLL_CLOEXEC)),
      m_notifier(std::make_unique<QSocketNotifier>(m_poll, QSocketNotifier::Read)) {
    static const CURLcode once = curl_global_init(CURL_GLOBAL_DEFAULT);
    (void)once;
    m_multi.reset(curl_multi_init());
    curl_multi_setopt(m_multi.get(), CURLMOPT_SOCKETFUNCTION, onSocket);
    curl_multi_setopt(m_multi.get(), CURLMOPT_SOCKETDATA, this);
    curl_multi_setopt(m_multi.get(), CURLMOPT_TIMERFUNCTION, onTimer);
    curl_multi_setopt(m_multi.get(), CURLMOPT_TIMERDATA, this);
    curl_multi_setopt(m_multi.get(), CURLMOPT_MAX_HOST_CONNECTIONS, kMaxConnectionsPerNode);
    curl_multi_setopt(m_multi.get(), CURLMOPT_MAXCONNECTS, kMaxConnections);
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(m_notifier.get(), &QSocketNotifier::activated, this, &CurlTransport::onReady);
    m_ended.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &CurlTransport::onTime);
    connect(&m_ended, &QTimer::timeout, this, &CurlTransport::finishEnded);
}

CurlTransport::~CurlTransport() {
    for (auto& [id, transfer] : m_transfers)
        curl_multi_remove_handle(m_multi.get(), transfer->easy.get());
    m_transfers.clear();
    m_multi.reset(); // calls onSocket for connections that are still open
    m_notifier.reset();
    ::close(m_poll);
}

Transport::CallId CurlTransport::send(Call call, std::function<void(CallResult)> done) {
    auto transfer = std::make_unique<Transfer>();
    transfer->id = ++m_last;
    transfer->call = std::move(call);
    transfer->done = std::move(done);
    if (m_handles.empty()) {
        transfer->easy.reset(curl_easy_init());
    } else {
        transfer->easy = std::move(m_handles.back());
        m_handles.pop_back();
    }
    setUp(*transfer);
    curl_multi_add_handle(m_multi.get(), transfer->easy.get());
    m_transfers.emplace(m_last, std::move(transfer));
    // On its way before the next call is made ready, not after another round of the event loop.
    int running = 0;
    curl_multi_socket_action(m_multi.get(), CURL_SOCKET_TIMEOUT, 0, &running);
    if (static_cast<std::size_t>(running) < m_transfers.size())
        m_ended.start(); // nobody may be told before this returns
    return m_last;
}

void CurlTransport::cancel(CallId call) {
    const auto found = m_transfers.find(call);
    if (found == m_transfers.end())
        return;
    curl_multi_remove_handle(m_multi.get(), found->second->easy.get());
    m_transfers.erase(found);
}

void CurlTransport::setUp(Transfer& transfer) {
    auto* const easy = transfer.easy.get();
    const auto& call = transfer.call;
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(call.deadline - m_clock.steady()).count();
    const long patience = std::clamp<long>(static_cast<long>(left), 1, 120'000);
    curl_easy_setopt(easy, CURLOPT_URL, ("http://" + call.authority + call.target).c_str());
    curl_easy_setopt(easy, CURLOPT_PATH_AS_IS, 1L);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_PROXY, "");
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http");
    curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, std::min(patience, kConnectMilliseconds));
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, patience);
    curl_easy_setopt(easy, CURLOPT_MAXAGE_CONN, kIdleSeconds);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, &transfer);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, append);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, &transfer.answer);
    transfer.addHeader("Expect:");
    transfer.addHeader(std::string(wire::internal::kDeadlineHeader) + ": " + std::to_string(patience));
    if (!call.requestId.empty())
        transfer.addHeader("X-Request-Id: " + call.requestId);
    for (const auto& header : call.headers)
        transfer.addHeader(header.name + ": " + header.value);
    if (!m_keys.accessKey.empty())
        transfer.addHeader("Authorization: " + authorization(call));
    if (call.method == "POST") {
        transfer.addHeader("Content-Type: application/json");
        curl_easy_setopt(easy, CURLOPT_POSTFIELDS, call.body.data());
        curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(call.body.size()));
    } else if (call.method != "GET") {
        curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, call.method.c_str());
    }
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, transfer.headers.get());
}

std::string CurlTransport::authorization(const Call& call) const {
    const auto now = std::chrono::duration_cast<std::chrono::seconds>(m_clock.sinceEpoch()).count();
    return http::authorizationFor(m_keys.accessKey, m_keys.secretKey, {call.method, call.target, call.body}, now);
}

int CurlTransport::onSocket(CURL*, curl_socket_t socket, int what, void* self, void* watched) {
    auto& transport = *static_cast<CurlTransport*>(self);
    epoll_event event{};
    event.data.fd = socket;
    if (what == CURL_POLL_IN || what == CURL_POLL_INOUT)
        event.events |= EPOLLIN;
    if (what == CURL_POLL_OUT || what == CURL_POLL_INOUT)
        event.events |= EPOLLOUT;
    if (what == CURL_POLL_REMOVE)
        return ::epoll_ctl(transport.m_poll, EPOLL_CTL_DEL, socket, &event), 0;
    ::epoll_ctl(transport.m_poll, watched ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, socket, &event);
    curl_multi_assign(transport.m_multi.get(), socket, self); // `watched` from now on
    return 0;
}

int CurlTransport::onTimer(CURLM*, long milliseconds, void* self) {
    auto& timer = static_cast<CurlTransport*>(self)->m_timer;
    if (milliseconds < 0)
        timer.stop();
    else
        timer.start(static_cast<int>(milliseconds));
    return 0;
}

void CurlTransport::onReady() {
    std::array<epoll_event, kEventsAtOnce> events; // written by epoll_wait()
    const int count = ::epoll_wait(m_poll, events.data(), kEventsAtOnce, 0);
    int running = 0;
    for (int i = 0; i < count; ++i) {
        const epoll_event& event = events[static_cast<std::size_t>(i)];
        // An error shows when the socket is read.
        const int what = (event.events & EPOLLOUT ? CURL_CSELECT_OUT : 0) |
                         (event.events & ~std::uint32_t{EPOLLOUT} ? CURL_CSELECT_IN : 0);
        curl_multi_socket_action(m_multi.get(), event.data.fd, what, &running);
    }
    finishEnded();
}

void CurlTransport::onTime() {
    int running = 0;
    curl_multi_socket_action(m_multi.get(), CURL_SOCKET_TIMEOUT, 0, &running);
    finishEnded();
}

void CurlTransport::finishEnded() {
    int left = 0;
    while (const CURLMsg* const message = curl_multi_info_read(m_multi.get(), &left)) {
        if (message->msg != CURLMSG_DONE)
            continue;
        auto* const easy = message->easy_handle;
        const auto code = message->data.result;
        Transfer* ended = nullptr;
        curl_easy_getinfo(easy, CURLINFO_PRIVATE, &ended);
        CallResult result = tl::unexpected(CallFailure());
        if (code == CURLE_OK) {
            long status = 0;
            curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
            result = Response{static_cast<int>(status), std::move(ended->answer)};
        } else {
            result = tl::unexpected(failureOf(easy, code));
        }
        curl_multi_remove_handle(m_multi.get(), easy);
        const auto node = m_transfers.extract(ended->id);
        keepHandle(std::move(node.mapped()->easy));
        node.mapped()->done(std::move(result)); // may send and cancel others
    }
}

void CurlTransport::keepHandle(Easy easy) {
    if (m_handles.size() >= kMaxHandles)
        return;
    curl_easy_reset(easy.get());
    m_handles.push_back(std::move(easy));
}

} // namespace fremis::coordinator
