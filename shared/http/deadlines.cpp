#include "shared/http/deadlines.h"

#include <vector>

namespace fremis::http {

Deadlines::Deadlines() : m_thread([this] { work(); }) {}

Deadlines::~Deadlines() {
    {
        const std::scoped_lock lock(m_mutex);
        m_stopping = true;
    }
    m_wake.notify_all();
    m_thread.join();
}

void Deadlines::watch(std::weak_ptr<const Reply> reply, TimePoint deadline, Late late) {
    // The thread looks every quarter of a second, so a new entry need not wake it.
    const std::scoped_lock lock(m_mutex);
    m_entries.emplace(deadline, Entry{std::move(reply), std::move(late)});
}

void Deadlines::work() {
    std::unique_lock lock(m_mutex);
    while (!m_stopping) {
        m_wake.wait_for(lock, std::chrono::milliseconds(250));
        std::vector<Entry> due;
        const auto end = m_entries.upper_bound(std::chrono::steady_clock::now());
        for (auto entry = m_entries.begin(); entry != end; ++entry)
            due.push_back(std::move(entry->second));
        m_entries.erase(m_entries.begin(), end);
        lock.unlock();
        for (const auto& entry : due)
            if (const auto reply = entry.reply.lock())
                reply->fail(entry.late());
        due.clear();
        lock.lock();
    }
}

} // namespace fremis::http
