#include "shared/http/event_loop.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <charconv>
#include <ctime>
#include <random>

namespace fremis::http {

namespace {

constexpr std::uint64_t kMailboxId = 0;
constexpr int kEventsAtOnce = 64;
// Rounds before Qt's other events get their turn.
constexpr int kRoundsAtOnce = 8;

std::string randomPrefix() {
    std::random_device entropy;
    std::array<char, 16> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), entropy() | 0x10000000U, 16).ptr;
    return std::string(digits.data(), end) + "-";
}

} // namespace

EventLoop::EventLoop(SharedState& shared, std::shared_ptr<Mailbox> mailbox, int poll)
    : m_shared(shared), m_mailbox(std::move(mailbox)), m_poll(poll), m_notifier(poll, QSocketNotifier::Read),
      m_idPrefix(randomPrefix()) {
    m_mailbox->own();
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = kMailboxId;
    ::epoll_ctl(m_poll, EPOLL_CTL_ADD, m_mailbox->descriptor(), &event);
    connect(&m_notifier, &QSocketNotifier::activated, this, &EventLoop::onReady);
    connect(&m_timer, &QTimer::timeout, this, &EventLoop::onTick);
    m_timer.setTimerType(Qt::CoarseTimer);
    m_timer.setInterval(m_shared.limits.tick);
}

EventLoop::~EventLoop() {
    m_mailbox->close();
    forEach([](Connection& connection) { connection.closeNow(); });
    m_buried.clear();
    m_notifier.setEnabled(false);
    ::close(m_poll);
}

void EventLoop::adopt(int descriptor, Peer peer, ConnectionCounter::Verdict verdict) {
    const int on = 1;
    ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    // Also ends what the kernel still tries to deliver after a close.
    const auto patience = static_cast<unsigned int>(m_shared.limits.answerTime.count());
    ::setsockopt(descriptor, IPPROTO_TCP, TCP_USER_TIMEOUT, &patience, sizeof patience);
    auto transport = m_shared.tls ? m_shared.tls->accept(descriptor) : std::make_unique<Transport>(descriptor);
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = ++m_lastConnection;
    if (!transport || ::epoll_ctl(m_poll, EPOLL_CTL_ADD, descriptor, &event) != 0) {
        m_shared.counter.leave(peer.address, verdict);
        return;
    }
    auto& connection = m_connections[m_lastConnection];
    connection = std::make_unique<Connection>(*this, m_lastConnection, std::move(transport), std::move(peer), verdict);
    if (!m_timer.isActive())
        m_timer.start();
    if (verdict == ConnectionCounter::Verdict::Refuse)
        connection->refuseAtOnce();
}

void EventLoop::drain() {
    m_draining = true;
    forEach([](Connection& connection) { connection.closeIfIdle(); });
    m_buried.clear();
}

std::string EventLoop::freshRequestId() {
    std::array<char, 20> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), ++m_lastId, 16).ptr;
    return m_idPrefix + std::string(digits.data(), end);
}

std::string_view EventLoop::httpDate() {
    if (const std::time_t now = std::time(nullptr); now != m_dateSecond) {
        m_dateSecond = now;
        std::tm parts{};
        ::gmtime_r(&now, &parts);
        std::array<char, 40> text{};
        m_date.assign(text.data(), std::strftime(text.data(), text.size(), "%a, %d %b %Y %H:%M:%S GMT", &parts));
    }
    return m_date;
}

std::shared_ptr<ReplyState> EventLoop::replyFor(std::uint64_t connection, std::uint64_t request,
                                                std::string requestId) {
    return std::make_shared<ReplyState>(m_mailbox, *this, connection, request, std::move(requestId));
}

void EventLoop::watch(const Connection& connection, std::uint32_t events) {
    epoll_event event{};
    event.events = events;
    event.data.u64 = connection.id();
    ::epoll_ctl(m_poll, EPOLL_CTL_MOD, connection.descriptor(), &event);
}

void EventLoop::resumeLater(std::uint64_t connection) {
    m_mailbox->post([this, connection] {
        if (Connection* found = find(connection))
            found->resume();
    });
}

void EventLoop::bury(std::uint64_t connection) {
    const auto found = m_connections.find(connection);
    if (found == m_connections.end())
        return;
    // Its own code is still running: it goes with the next round, or with the next tick when no round is due.
    m_buried.push_back(std::move(found->second));
    m_connections.erase(found);
}

void EventLoop::take(std::uint64_t connection, std::uint64_t request, Answer answer) {
    if (Connection* found = find(connection))
        found->takeAnswer(request, std::move(answer));
}

template<class Act> void EventLoop::forEach(Act act) {
    std::vector<std::uint64_t> ids; // acting may close connections
    ids.reserve(m_connections.size());
    for (const auto& [id, connection] : m_connections)
        ids.push_back(id);
    for (const std::uint64_t id : ids) {
        if (Connection* connection = find(id))
            act(*connection);
    }
}

Connection* EventLoop::find(std::uint64_t id) {
    const auto found = m_connections.find(id);
    return found == m_connections.end() ? nullptr : found->second.get();
}

void EventLoop::onReady() {
    std::array<epoll_event, kEventsAtOnce> events; // written by epoll_wait()
    int handled = 0;
    for (int round = 0; round < kRoundsAtOnce; ++round) {
        const int count = ::epoll_wait(m_poll, events.data(), kEventsAtOnce, 0);
        for (int i = 0; i < count; ++i) {
            const epoll_event& event = events[static_cast<std::size_t>(i)];
            if (event.data.u64 == kMailboxId)
                m_mailbox->runAll();
            else if (Connection* connection = find(event.data.u64))
                connection->onEvents(event.events);
        }
        endRound();
        handled += count;
        // Under load the next events are there already; for a single client another look would be a wasted system call.
        if (count < 1 || (count < 2 && !m_busy))
            break;
    }
    m_busy = handled > 1;
}

void EventLoop::endRound() {
    for (const std::uint64_t id : m_unsent) {
        if (Connection* connection = find(id))
            connection->flush();
    }
    m_unsent.clear();
    m_buried.clear();
}

void EventLoop::onTick() {
    const auto now = std::chrono::steady_clock::now();
    forEach([now](Connection& connection) { connection.onTick(now); });
    endRound();
    if (m_connections.empty())
        m_timer.stop();
}

} // namespace fremis::http
