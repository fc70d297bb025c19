#include "shared/http/mailbox.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cstdint>

namespace fremis::http {

base::Result<std::shared_ptr<Mailbox>> Mailbox::create() {
    const int descriptor = ::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (descriptor < 0)
        return base::fail(base::Reason::Overloaded, "no descriptor left for a mailbox");
    return std::shared_ptr<Mailbox>(new Mailbox(descriptor));
}

Mailbox::~Mailbox() {
    ::close(m_descriptor);
}

bool Mailbox::post(Mail mail) {
    bool isFirst = false;
    {
        const std::lock_guard lock(m_mutex);
        if (m_closed)
            return false;
        isFirst = m_mail.empty();
        m_mail.push_back(std::move(mail));
    }
    // Not under the lock, or the owner wakes up only to wait for it. Cannot fail but for a full counter, which is as
    // good as a wake-up.
    const std::uint64_t one = 1;
    if (isFirst) [[maybe_unused]]
        const auto written = ::write(m_descriptor, &one, sizeof one);
    return true;
}

bool Mailbox::deliver(Mail mail) {
    if (std::this_thread::get_id() != m_owner.load())
        return post(std::move(mail));
    {
        const std::lock_guard lock(m_mutex);
        if (m_closed)
            return false;
    }
    mail();
    return true;
}

void Mailbox::runAll() {
    std::uint64_t count = 0;
    [[maybe_unused]] const auto got = ::read(m_descriptor, &count, sizeof count);
    std::deque<Mail> mail;
    {
        const std::lock_guard lock(m_mutex);
        mail.swap(m_mail);
    }
    for (Mail& one : mail) {
        one();
        one = nullptr; // what the mail held may post again when it goes: not under our lock
    }
}

void Mailbox::close() {
    std::deque<Mail> dropped;
    const std::lock_guard lock(m_mutex);
    m_closed = true;
    dropped.swap(m_mail);
}

} // namespace fremis::http
