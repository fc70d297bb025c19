#pragma once

#include "console/client/demo_world.h"
#include "console/client/profile.h"

#include <QSet>

namespace fremis::console {

/// Requests to a cluster in memory; no byte leaves the program. Thread: GUI.
class DemoTransport final : public Transport {
    Q_OBJECT
public:
    DemoTransport(DemoScenario scenario, const base::Clock& clock, QObject* parent = nullptr);

    void send(HttpRequest request, QObject* context, Done done) override;
    void abortAll() override;

    /// Requests that will be answered without their time-out running off.
    [[nodiscard]] int underWay() const { return m_underWay; }
    [[nodiscard]] DemoWorld& world() { return m_world; }
    /// A profile that leads to this cluster.
    [[nodiscard]] Profile profile() const;

private:
    struct Pending;
    void finish(const std::shared_ptr<Pending>& pending, HttpReply reply);

    DemoWorld m_world;
    QSet<std::shared_ptr<Pending>> m_pending;
    int m_underWay = 0;
};

} // namespace fremis::console
