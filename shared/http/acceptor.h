#pragma once

#include "shared/base/error.h"
#include "shared/http/shared_state.h"

#include <QtCore/QSocketNotifier>
#include <QtCore/QTimer>
#include <QtNetwork/QTcpServer>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace fremis::http {

/// Takes connections from the listening socket and hands their descriptors on. QTcpServer resolves the address and
/// listens, but does not accept: when descriptors run out, 6.4 neither pauses nor tells (its engine keeps the first
/// error it ever met), it spins. Thread: its event loop.
class Acceptor final : public QObject {
    Q_OBJECT

public:
    /// Takes over a non-blocking descriptor that the counter let in.
    using HandOver = std::function<void(int descriptor, Peer peer, ConnectionCounter::Verdict verdict)>;

    Acceptor(SharedState& shared, HandOver handOver);
    /// Fails with Reason::InvalidConfig (no address of ours) or Reason::Overloaded (port taken, no descriptors).
    [[nodiscard]] base::Result<std::uint16_t> start(const std::string& address, std::uint16_t port);

private:
    void acceptSome();
    void pause(int cause);
    void admit(int descriptor);

    SharedState& m_shared;
    const HandOver m_handOver;
    QTcpServer m_listener;
    std::unique_ptr<QSocketNotifier> m_notifier;
    QTimer m_retry;
    bool m_failing = false; ///< accept() fails since the last connection; logged once
};

} // namespace fremis::http
