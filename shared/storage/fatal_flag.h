#pragma once

#include "shared/storage/enrollment_store.h"

#include <mutex>

namespace fremis::storage {

/// The one way from "this store can no longer promise anything" to the process's exit, and the clock of the write under
/// way. Thread: any.
class FatalFlag {
public:
    /// The first reason stays.
    void raise(const std::string& why) {
        const std::lock_guard lock(m_mutex);
        if (m_why.empty())
            m_why = why;
        m_raised.store(true);
    }
    [[nodiscard]] bool isRaised() const { return m_raised.load(); }
    [[nodiscard]] tl::unexpected<base::Error> refusal() const {
        const std::lock_guard lock(m_mutex);
        return base::fail(base::Reason::Internal, "the store has failed and must be opened again", m_why);
    }

    /// Marks a write as under way while it lives.
    class Watch {
    public:
        explicit Watch(FatalFlag& flag) : m_flag(flag) { m_flag.m_started.store(now()); }
        ~Watch() { m_flag.m_started.store(0); }
        Watch(const Watch&) = delete;
        Watch& operator=(const Watch&) = delete;

    private:
        FatalFlag& m_flag;
    };

    [[nodiscard]] StoreHealth health() const {
        StoreHealth health;
        health.mustExit = isRaised();
        if (health.mustExit) {
            const std::lock_guard lock(m_mutex);
            health.why = m_why;
        }
        if (const auto started = m_started.load(); started != 0)
            health.stalled = std::chrono::milliseconds(std::max<std::int64_t>(0, now() - started));
        return health;
    }

private:
    static std::int64_t now() {
        using namespace std::chrono;
        return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
    }

    mutable std::mutex m_mutex;
    std::string m_why;
    std::atomic<bool> m_raised{false};
    std::atomic<std::int64_t> m_started{0}; ///< 0: no write under way
};

} // namespace fremis::storage
