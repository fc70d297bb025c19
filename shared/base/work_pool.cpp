#include "shared/base/work_pool.h"

#include <pthread.h>

namespace fremis::base {

WorkPool::WorkPool(std::string name, int threads, std::size_t capacity)
    : m_name(std::move(name)), m_capacity(capacity) {
    m_threads.reserve(static_cast<std::size_t>(threads));
    for (int thread = 0; thread < threads; ++thread)
        m_threads.emplace_back([this, thread] { work(thread); });
}

WorkPool::~WorkPool() {
    stop();
}

bool WorkPool::tryRun(std::function<void(int)> task) {
    {
        const std::scoped_lock lock(m_mutex);
        if (m_stopping || m_tasks.size() >= m_capacity)
            return false;
        m_tasks.push_back(std::move(task));
    }
    m_wake.notify_one();
    return true;
}

std::size_t WorkPool::waiting() const {
    const std::scoped_lock lock(m_mutex);
    return m_tasks.size();
}

void WorkPool::stop() {
    {
        const std::scoped_lock lock(m_mutex);
        m_stopping = true;
    }
    m_wake.notify_all();
    for (auto& thread : m_threads)
        if (thread.joinable())
            thread.join();
}

void WorkPool::work(int thread) {
    // The kernel keeps 15 characters of a thread's name.
    pthread_setname_np(pthread_self(), (m_name.substr(0, 12) + "-" + std::to_string(thread)).substr(0, 15).c_str());
    for (;;) {
        std::function<void(int)> task;
        {
            std::unique_lock lock(m_mutex);
            m_wake.wait(lock, [this] { return m_stopping || !m_tasks.empty(); });
            if (m_tasks.empty())
                return;
            task = std::move(m_tasks.front());
            m_tasks.pop_front();
        }
        task(thread);
    }
}

} // namespace fremis::base
