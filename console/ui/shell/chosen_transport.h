#pragma once

#include "console/client/transport.h"

namespace fremis::console::ui {

/// Hands requests to one of several transports, so that a client lives through a change from network to demo. Thread:
/// GUI.
class ChosenTransport final : public Transport {
    Q_OBJECT

public:
    explicit ChosenTransport(Transport& first, QObject* parent = nullptr) : Transport(parent), m_chosen(&first) {}
    /// Running requests of the one before are ended.
    void choose(Transport& transport) {
        if (m_chosen != &transport)
            m_chosen->abortAll();
        m_chosen = &transport;
    }
    void send(HttpRequest request, QObject* context, Done done) override {
        m_chosen->send(std::move(request), context, std::move(done));
    }
    void abortAll() override { m_chosen->abortAll(); }

private:
    Transport* m_chosen;
};

} // namespace fremis::console::ui
