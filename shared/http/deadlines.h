#pragma once

#include "shared/base/error.h"
#include "shared/http/reply.h"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

namespace fremis::http {

/// Answers requests whose time is over, so that no client waits for a disk or a database that hangs. The work itself
/// goes on; its late answer is ignored. Thread: any.
class Deadlines {
public:
    using TimePoint = std::chrono::steady_clock::time_point;

    Deadlines();
    ~Deadlines();
    Deadlines(const Deadlines&) = delete;
    Deadlines& operator=(const Deadlines&) = delete;

    /// What to answer a request whose time is over.
    using Late = std::function<base::Error()>;
    /// The answer is what `late` says unless `reply` has gone (all its holders have answered and let go) before
    /// `deadline`. Thread of `late`: the watching one.
    void watch(std::weak_ptr<const Reply> reply, TimePoint deadline, Late late);

private:
    struct Entry {
        std::weak_ptr<const Reply> reply;
        Late late;
    };
    void work();

    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::multimap<TimePoint, Entry> m_entries;
    bool m_stopping = false;
    std::thread m_thread;
};

} // namespace fremis::http
