#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace fremis::base {

/// A named pool of a fixed number of threads with a bounded queue. std threads and locks, not QThreadPool: the bound is
/// part of the contract and ThreadSanitizer sees every hand-over. Thread: any; construct and stop from one.
class WorkPool {
public:
    /// `capacity`: most tasks that wait, running ones not counted.
    WorkPool(std::string name, int threads, std::size_t capacity);
    ~WorkPool();
    WorkPool(const WorkPool&) = delete;
    WorkPool& operator=(const WorkPool&) = delete;

    /// False when the queue is full or the pool is stopping: the caller answers "overloaded". `task` gets the thread's
    /// number, 0..threads-1, and must not throw.
    [[nodiscard]] bool tryRun(std::function<void(int thread)> task);
    /// Tasks that wait now.
    [[nodiscard]] std::size_t waiting() const;
    [[nodiscard]] int threads() const { return static_cast<int>(m_threads.size()); }
    /// Refuses new tasks, finishes the accepted ones, joins. Idempotent.
    void stop();

private:
    void work(int thread);

    const std::string m_name;
    const std::size_t m_capacity;
    mutable std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<std::function<void(int)>> m_tasks;
    bool m_stopping = false;
    std::vector<std::thread> m_threads;
};

} // namespace fremis::base
