#pragma once

#include "console/client/transport.h"

#include <QTimer>

namespace fremis::console::ui {

/// Where there is nobody to ask, as beside a recorded snapshot: every request is refused. Thread: GUI.
class NoTransport final : public Transport {
    Q_OBJECT

public:
    using Transport::Transport;
    void send(HttpRequest, QObject* context, Done done) override {
        QTimer::singleShot(0, context, [done = std::move(done)] {
            HttpReply reply;
            reply.error = TransportError::Refused;
            reply.errorText = tr("A snapshot answers no requests.");
            done(std::move(reply));
        });
    }
    void abortAll() override {}
};

} // namespace fremis::console::ui
