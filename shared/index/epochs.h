#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>

namespace fremis::index {

/// Numbers the states of the index, and knows which of them somebody still looks at. Each write makes its changes under
/// the next number and then publishes it; a reader enters the published state. Thread: any; publish() from one at a
/// time.
class Epochs {
public:
    [[nodiscard]] std::uint64_t current() const { return m_current.load(std::memory_order_acquire); }
    void publish(std::uint64_t epoch) { m_current.store(epoch, std::memory_order_release); }

    /// Enters the current state; each enter() has its leave().
    [[nodiscard]] std::uint64_t enter() {
        const std::scoped_lock lock(m_mutex);
        const auto epoch = current();
        ++m_readers[epoch];
        return epoch;
    }
    void leave(std::uint64_t epoch) {
        const std::scoped_lock lock(m_mutex);
        const auto readers = m_readers.find(epoch);
        if (--readers->second == 0)
            m_readers.erase(readers);
    }
    /// No reader, present or future, sees a state before this one.
    [[nodiscard]] std::uint64_t oldestSeen() const {
        const std::scoped_lock lock(m_mutex);
        return m_readers.empty() ? current() : m_readers.begin()->first;
    }

private:
    std::atomic<std::uint64_t> m_current{1};
    mutable std::mutex m_mutex;
    std::map<std::uint64_t, int> m_readers;
};

} // namespace fremis::index
