#pragma once

#include "coordinator/cluster/queue_store.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <variant>

namespace fremis::coordinator {

/// Owns a QueueStore and the one thread that uses it. Calls return at once; answers come through `done`, exactly once
/// each. While one commit is on its way to the disk the next appends gather and share the next one. Order of calls is
/// kept. Thread: any.
class WriteQueue {
public:
    struct Limits {
        std::size_t batchRecords = 1024;             ///< of one commit
        std::size_t batchBytes = 8 * 1024 * 1024;    ///< of one commit, but for a single append beyond it
        std::size_t waitingBytes = 64 * 1024 * 1024; ///< of appends that wait; beyond: Overloaded
        std::size_t waitingCalls = 16 * 1024;        ///< of any kind; beyond: Overloaded
        std::chrono::milliseconds tidyEvery{5000};   ///< how long deleted bytes stay on the disk
    };
    /// Runs a function where answers are wanted, e.g. in an event loop. Must not run it before it returns.
    using Post = std::function<void(std::function<void()>)>;
    template<class T> using Done = std::function<void(base::Result<T>)>;

    /// Without `post` answers come in the queue's thread and must neither block nor throw; those of refused calls
    /// (Overloaded; NotReady after stop()) come in the caller's.
    WriteQueue(std::unique_ptr<QueueStore> store, const base::Clock& clock, Limits limits, Post post = {});
    WriteQueue(std::unique_ptr<QueueStore> store, const base::Clock& clock, Post post = {})
        : WriteQueue(std::move(store), clock, Limits(), std::move(post)) {}
    /// Without a thread, for worlds of one thread: `wake` is called with each call that is accepted, and workOnce()
    /// does the work. Nothing is tidied; what was not worked off when the queue is destroyed is lost, as in a crash.
    using Wake = std::function<void()>;
    WriteQueue(std::unique_ptr<QueueStore> store, const base::Clock& clock, Limits limits, Post post, Wake wake);
    ~WriteQueue();
    WriteQueue(const WriteQueue&) = delete;
    WriteQueue& operator=(const WriteQueue&) = delete;

    // As in QueueStore. The records of one append share a commit: all or none.
    void append(std::vector<QueueRecord> records, Done<std::vector<Placed>> done);
    void next(const storage::NodeId& target, Sequence after, std::size_t limit, Done<std::vector<QueueEntry>> done);
    void confirm(const storage::NodeId& target, std::vector<Sequence> sequences, Done<void> done);
    void park(const storage::NodeId& target, Sequence sequence, std::string reason, Done<void> done);
    void stats(Done<QueueStats> done);
    /// All of it: other calls come between its commits.
    void move(const storage::NodeId& target, const hashing::PartitionSet& partitions, std::vector<storage::NodeId> to,
              Done<void> done);
    /// Any other call of the store: `ask(store)` runs in the queue's thread and its answer goes to `done`.
    template<class T> void call(std::function<base::Result<T>(QueueStore&)> ask, Done<T> done);

    /// Called through `post`, before the answer of an append that marked them, with targets that the queue has given
    /// up: they need a full resync. Set it where answers come.
    std::function<void(const std::vector<storage::NodeId>&)> onMarked = [](const auto&) {};

    [[nodiscard]] const QueueOpening& opening() const { return m_opening; }
    [[nodiscard]] storage::StoreHealth health() const { return m_store->health(); } ///< never blocks
    /// Why it cannot be relied on now, a line for people: a write has failed for good, or has been hanging for more
    /// than 10 s. Empty: it can. Never blocks.
    [[nodiscard]] std::string trouble() const;
    /// The process has to end, as no write can be promised any more: one has failed for good, or has been hanging for
    /// more than 20 s. To be asked now and then. Never blocks.
    [[nodiscard]] bool isOver() const;
    [[nodiscard]] std::size_t waitingBytes() const;
    /// Of a queue without a thread: does the next call, or the commit of the appends that wait next. True: more wait.
    bool workOnce();
    /// Refuses new calls, finishes the accepted ones, joins. Idempotent.
    void stop();

private:
    struct Append {
        std::vector<QueueRecord> records;
        std::size_t bytes;
        Done<std::vector<Placed>> done;
    };
    struct Move {
        storage::NodeId target;
        hashing::PartitionSet partitions;
        std::vector<storage::NodeId> to;
        Done<void> done;
    };
    using Job = std::function<void(QueueStore&)>;
    using Call = std::variant<Append, Job>;

    template<class T> void answer(const Done<T>& done, base::Result<T> result);
    [[nodiscard]] std::optional<base::Error> enqueue(Call& call, std::size_t bytes);
    void moveFrom(QueueStore& store, const Move& move, Sequence after);
    void work();
    void serve(std::unique_lock<std::mutex>& lock);
    [[nodiscard]] std::vector<Append> takeAppends();
    void commit(std::vector<Append> appends);
    void tellMarked();
    [[nodiscard]] bool tidy();

    const std::unique_ptr<QueueStore> m_store;
    const base::Clock& m_clock;
    const Limits m_limits;
    const Post m_post;
    const Wake m_wakeOwner; ///< none: a thread works
    const QueueOpening m_opening;
    mutable std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<Call> m_calls;
    std::size_t m_waitingBytes = 0;
    bool m_stopping = false;
    std::thread m_thread;
};

template<class T> void WriteQueue::answer(const Done<T>& done, base::Result<T> result) {
    if (!m_post)
        return done(std::move(result));
    m_post([done, result = std::move(result)]() mutable { done(std::move(result)); });
}

template<class T> void WriteQueue::call(std::function<base::Result<T>(QueueStore&)> ask, Done<T> done) {
    Call call = Job([this, ask = std::move(ask), done](QueueStore& store) { answer<T>(done, ask(store)); });
    if (auto refusal = enqueue(call, 0))
        answer<T>(done, tl::unexpected(*refusal));
}

} // namespace fremis::coordinator
