#include "shared/storage/group_commit.h"

#include <future>

namespace fremis::storage {

GroupCommit::GroupCommit(EnrollmentStore& store, Limits limits)
    : m_store(store), m_limits(limits), m_thread([this] { work(); }) {}

GroupCommit::~GroupCommit() {
    stop();
}

bool GroupCommit::submit(Operation operation, Done done) {
    {
        const std::lock_guard lock(m_mutex);
        if (m_stopping || m_entries.size() >= m_limits.waiting)
            return false;
        m_entries.push_back({std::move(operation), std::move(done)});
    }
    m_wake.notify_one();
    return true;
}

base::Result<Outcome> GroupCommit::commit(Operation operation) {
    // Shared: set_value() may still be inside the promise when the waiting thread has woken up and left.
    const auto answer = std::make_shared<std::promise<base::Result<Outcome>>>();
    auto future = answer->get_future();
    if (!submit(std::move(operation), [answer](const base::Result<Outcome>& outcome) { answer->set_value(outcome); }))
        return base::fail(base::Reason::Overloaded, "too many writes are waiting");
    return future.get();
}

std::size_t GroupCommit::waiting() const {
    const std::lock_guard lock(m_mutex);
    return m_entries.size();
}

void GroupCommit::stop() {
    {
        const std::lock_guard lock(m_mutex);
        m_stopping = true;
    }
    m_wake.notify_one();
    if (m_thread.joinable())
        m_thread.join();
}

void GroupCommit::work() {
    std::unique_lock lock(m_mutex);
    while (true) {
        m_wake.wait(lock, [this] { return m_stopping || !m_entries.empty(); });
        if (m_entries.empty())
            return;
        const auto end = m_entries.begin() + static_cast<std::ptrdiff_t>(std::min(m_limits.batch, m_entries.size()));
        std::vector<Entry> batch(std::make_move_iterator(m_entries.begin()), std::make_move_iterator(end));
        m_entries.erase(m_entries.begin(), end);
        lock.unlock();
        commitBatch(std::move(batch));
        lock.lock();
    }
}

void GroupCommit::commitBatch(std::vector<Entry> batch) {
    std::vector<Operation> operations;
    operations.reserve(batch.size());
    for (auto& entry : batch)
        operations.push_back(std::move(entry.operation));
    const auto outcomes = m_store.commit(operations);
    // One operation that the engine cannot digest must not fail its neighbours, so each goes alone.
    const bool alone = !outcomes && outcomes.error().reason == base::Reason::Internal && batch.size() > 1 &&
                       !m_store.health().mustExit;
    for (std::size_t i = 0; i < batch.size(); ++i) {
        if (outcomes)
            batch[i].done((*outcomes)[i]);
        else if (alone)
            batch[i].done(commitOne(operations[i]));
        else
            batch[i].done(tl::unexpected(outcomes.error()));
    }
}

base::Result<Outcome> GroupCommit::commitOne(const Operation& operation) {
    auto outcomes = m_store.commit(std::span(&operation, 1));
    if (!outcomes)
        return tl::unexpected(outcomes.error());
    return std::move(outcomes->front());
}

} // namespace fremis::storage
