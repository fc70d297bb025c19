#include "coordinator/cluster/write_queue.h"

#include "shared/base/log.h"

namespace fremis::coordinator {
namespace {

constexpr std::size_t kRecordOverhead = 256; ///< in memory, beside its bytes
constexpr std::size_t kMovedAtOnce = 512;
constexpr std::chrono::seconds kStalledUnhealthy{10};
constexpr std::chrono::seconds kStalledOver{20};

base::Error stopped() {
    return {base::Reason::NotReady, "the write queue is stopping", {}};
}

} // namespace

WriteQueue::WriteQueue(std::unique_ptr<QueueStore> store, const base::Clock& clock, Limits limits, Post post)
    : m_store(std::move(store)), m_clock(clock), m_limits(limits), m_post(std::move(post)),
      m_opening(m_store->opening()), m_thread([this] { work(); }) {}

WriteQueue::WriteQueue(std::unique_ptr<QueueStore> store, const base::Clock& clock, Limits limits, Post post, Wake wake)
    : m_store(std::move(store)), m_clock(clock), m_limits(limits), m_post(std::move(post)),
      m_wakeOwner(std::move(wake)), m_opening(m_store->opening()) {}

WriteQueue::~WriteQueue() {
    stop();
}

void WriteQueue::stop() {
    {
        const std::lock_guard lock(m_mutex);
        m_stopping = true;
    }
    m_wake.notify_one();
    if (m_thread.joinable())
        m_thread.join();
}

std::string WriteQueue::trouble() const {
    const auto health = m_store->health();
    if (health.mustExit)
        return "the write queue has failed";
    return health.stalled > kStalledUnhealthy ? "a write to the queue hangs" : "";
}

bool WriteQueue::isOver() const {
    const auto health = m_store->health();
    return health.mustExit || health.stalled > kStalledOver;
}

std::size_t WriteQueue::waitingBytes() const {
    const std::lock_guard lock(m_mutex);
    return m_waitingBytes;
}

/// Takes `call` when there is room for it.
std::optional<base::Error> WriteQueue::enqueue(Call& call, std::size_t bytes) {
    {
        const std::lock_guard lock(m_mutex);
        if (m_stopping)
            return stopped();
        if (m_calls.size() >= m_limits.waitingCalls || (bytes > 0 && m_waitingBytes + bytes > m_limits.waitingBytes))
            return base::Error{base::Reason::Overloaded, "too many writes wait for the write queue", {}};
        m_waitingBytes += bytes;
        m_calls.push_back(std::move(call));
    }
    m_wakeOwner ? m_wakeOwner() : m_wake.notify_one();
    return std::nullopt;
}

void WriteQueue::append(std::vector<QueueRecord> records, Done<std::vector<Placed>> done) {
    std::size_t bytes = 0;
    for (const auto& record : records)
        bytes += record.bytes.size() + kRecordOverhead;
    Call call = Append{std::move(records), bytes, done};
    if (auto refusal = enqueue(call, bytes))
        answer<std::vector<Placed>>(done, tl::unexpected(std::move(*refusal)));
}

void WriteQueue::next(const storage::NodeId& target, Sequence after, std::size_t limit,
                      Done<std::vector<QueueEntry>> done) {
    call<std::vector<QueueEntry>>([=](QueueStore& store) { return store.next(target, after, limit); }, std::move(done));
}

void WriteQueue::confirm(const storage::NodeId& target, std::vector<Sequence> sequences, Done<void> done) {
    call<void>([target, list = std::move(sequences)](QueueStore& store) { return store.confirm(target, list); },
               std::move(done));
}

void WriteQueue::park(const storage::NodeId& target, Sequence sequence, std::string reason, Done<void> done) {
    call<void>([=, text = std::move(reason)](QueueStore& store) { return store.park(target, sequence, text); },
               std::move(done));
}

void WriteQueue::stats(Done<QueueStats> done) {
    call<QueueStats>([](QueueStore& store) { return store.stats(); }, std::move(done));
}

void WriteQueue::move(const storage::NodeId& target, const hashing::PartitionSet& partitions,
                      std::vector<storage::NodeId> to, Done<void> done) {
    Call call = Job([=, this, to = std::move(to)](QueueStore& store) {
        moveFrom(store, {target, partitions, to, done}, 0);
    });
    if (auto refusal = enqueue(call, 0))
        answer<void>(done, tl::unexpected(std::move(*refusal)));
}

/// One commit of a move, and behind what waits by then the next one; also while stopping, for it has been accepted.
void WriteQueue::moveFrom(QueueStore& store, const Move& move, Sequence after) {
    const auto goOn = store.move(move.target, move.partitions, move.to, after, kMovedAtOnce);
    if (!goOn)
        return answer<void>(move.done, tl::unexpected(goOn.error()));
    if (!*goOn)
        return answer<void>(move.done, {});
    const std::lock_guard lock(m_mutex);
    m_calls.push_back(Job([this, move, next = **goOn](QueueStore& again) { moveFrom(again, move, next); }));
}

void WriteQueue::work() {
    using SteadyClock = std::chrono::steady_clock;
    auto tidyAt = SteadyClock::now(); // what was left to erase by the process before
    std::unique_lock lock(m_mutex);
    while (true) {
        m_wake.wait_until(lock, tidyAt, [this] { return m_stopping || !m_calls.empty(); });
        if (m_calls.empty() && m_stopping)
            return;
        serve(lock);
        lock.unlock();
        if (SteadyClock::now() >= tidyAt)
            tidyAt = SteadyClock::now() + (tidy() ? SteadyClock::duration::zero() : m_limits.tidyEvery);
        lock.lock();
    }
}

bool WriteQueue::workOnce() {
    std::unique_lock lock(m_mutex);
    serve(lock);
    return !m_calls.empty();
}

/// The next call, or the appends that wait next; nothing when none waits. The lock is given up meanwhile.
void WriteQueue::serve(std::unique_lock<std::mutex>& lock) {
    if (m_calls.empty())
        return;
    if (std::holds_alternative<Append>(m_calls.front())) {
        auto appends = takeAppends();
        lock.unlock();
        commit(std::move(appends));
    } else {
        const auto job = std::move(std::get<Job>(m_calls.front()));
        m_calls.pop_front();
        lock.unlock();
        job(*m_store);
        tellMarked();
    }
    lock.lock();
}

/// The appends at the front that fit into one commit, one at least. m_mutex is held.
std::vector<WriteQueue::Append> WriteQueue::takeAppends() {
    std::vector<Append> taken;
    std::size_t records = 0;
    std::size_t bytes = 0;
    while (!m_calls.empty()) {
        auto* append = std::get_if<Append>(&m_calls.front());
        if (!append)
            break;
        records += append->records.size();
        bytes += append->bytes;
        if (!taken.empty() && (records > m_limits.batchRecords || bytes > m_limits.batchBytes))
            break;
        taken.push_back(std::move(*append));
        m_calls.pop_front();
    }
    return taken;
}

void WriteQueue::commit(std::vector<Append> appends) {
    std::vector<QueueRecord> records;
    std::size_t bytes = 0;
    std::vector<std::size_t> sizes;
    for (auto& append : appends) {
        sizes.push_back(append.records.size());
        bytes += append.bytes;
        std::move(append.records.begin(), append.records.end(), std::back_inserter(records));
    }
    const auto placed = m_store->append(records, m_clock.sinceEpoch());
    tellMarked();
    {
        const std::lock_guard lock(m_mutex);
        m_waitingBytes -= bytes;
    }
    std::size_t at = 0;
    for (std::size_t i = 0; i < appends.size(); at += sizes[i++]) {
        if (!placed) {
            answer<std::vector<Placed>>(appends[i].done, tl::unexpected(placed.error()));
            continue;
        }
        const auto from = placed->begin() + static_cast<std::ptrdiff_t>(at);
        answer<std::vector<Placed>>(appends[i].done,
                                    std::vector<Placed>(from, from + static_cast<std::ptrdiff_t>(sizes[i])));
    }
}

void WriteQueue::tellMarked() {
    auto marked = m_store->takeMarked();
    if (m_post && !marked.empty())
        m_post([this, nodes = std::move(marked)] { onMarked(nodes); });
}

/// True: there is more to do.
bool WriteQueue::tidy() {
    const auto more = m_store->tidy();
    if (!more && !m_store->health().mustExit)
        base::log(base::LogLevel::Warning, "write_queue_tidying_failed", {{"why", more.error().detail}});
    return more && *more;
}

} // namespace fremis::coordinator
