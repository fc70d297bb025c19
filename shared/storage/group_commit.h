#pragma once

#include "shared/storage/enrollment_store.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace fremis::storage {

/// Joins the writes of many callers into few transactions: while one is on its way to the disk the next ones gather.
/// One thread commits and answers, in the order of submission, so a caller that changes its index in `done` keeps it in
/// the order of the store. Thread: any.
class GroupCommit {
public:
    struct Limits {
        std::size_t batch = 256;    ///< operations of one transaction
        std::size_t waiting = 4096; ///< operations that wait; beyond it submit() refuses
    };
    using Done = std::function<void(const base::Result<Outcome>&)>;

    explicit GroupCommit(EnrollmentStore& store) : GroupCommit(store, Limits()) {}
    GroupCommit(EnrollmentStore& store, Limits limits);
    ~GroupCommit();
    GroupCommit(const GroupCommit&) = delete;
    GroupCommit& operator=(const GroupCommit&) = delete;

    /// False: full or stopping, `done` will not be called; answer "overloaded". Otherwise `done` is called exactly
    /// once, in the committing thread, when the write is durable or refused; it must not throw or block for long.
    [[nodiscard]] bool submit(Operation operation, Done done);
    /// submit() and wait. Overloaded when submit() refuses.
    [[nodiscard]] base::Result<Outcome> commit(Operation operation);
    [[nodiscard]] std::size_t waiting() const;
    /// Refuses new writes, finishes the accepted ones. Idempotent.
    void stop();

private:
    struct Entry {
        Operation operation;
        Done done;
    };
    void work();
    void commitBatch(std::vector<Entry> batch);
    [[nodiscard]] base::Result<Outcome> commitOne(const Operation& operation);

    EnrollmentStore& m_store;
    const Limits m_limits;
    mutable std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<Entry> m_entries;
    bool m_stopping = false;
    std::thread m_thread;
};

} // namespace fremis::storage
