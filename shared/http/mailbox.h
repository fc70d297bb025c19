#pragma once

#include "shared/base/error.h"

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace fremis::http {

/// Work for one event loop from any thread. A mutex and an eventfd, not queued signals: ThreadSanitizer sees the
/// hand-over, and an answer costs no QObject. Outlives its loop: mail for a closed box is dropped.
class Mailbox {
public:
    using Mail = std::function<void()>;

    /// Fails with Reason::Overloaded when no descriptor is left.
    [[nodiscard]] static base::Result<std::shared_ptr<Mailbox>> create();
    ~Mailbox();
    Mailbox(const Mailbox&) = delete;
    Mailbox& operator=(const Mailbox&) = delete;

    /// Runs `mail` on the owner's next round. False when the box is closed. Thread: any.
    bool post(Mail mail);
    /// Runs `mail` now when called on the owner's thread, else posts it. Thread: any.
    bool deliver(Mail mail);

    /// Owner only, from here on.
    void own() { m_owner = std::this_thread::get_id(); }
    [[nodiscard]] int descriptor() const { return m_descriptor; }
    void runAll();
    void close();

private:
    explicit Mailbox(int descriptor) : m_descriptor(descriptor) {}

    const int m_descriptor;
    std::atomic<std::thread::id> m_owner{};
    std::mutex m_mutex;
    std::deque<Mail> m_mail;
    bool m_closed = false;
};

} // namespace fremis::http
