#pragma once

#include "shared/base/error.h"
#include "shared/http/shared_state.h"

#include <QtCore/QTimer>
#include <QtNetwork/QTcpServer>

#include <cstdint>
#include <functional>
#include <string>

namespace fremis::http {

/// Takes connections from the listening socket and hands their descriptors on. Thread: its event loop.
class Acceptor final : public QTcpServer {
    Q_OBJECT

public:
    /// Takes over a descriptor that the counter let in.
    using HandOver = std::function<void(int descriptor, Peer peer, ConnectionCounter::Verdict verdict)>;

    Acceptor(SharedState& shared, HandOver handOver);
    /// Fails with Reason::InvalidConfig (no address of ours) or Reason::Overloaded (port taken, no descriptors).
    [[nodiscard]] base::Result<std::uint16_t> start(const std::string& address, std::uint16_t port);

protected:
    void incomingConnection(qintptr descriptor) override;

private:
    SharedState& m_shared;
    const HandOver m_handOver;
    QTimer m_retry;
    bool m_failing = false; ///< accept() fails since the last connection; logged once
};

} // namespace fremis::http
