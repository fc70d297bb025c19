#pragma once

#include "console/client/demo_world.h"
#include "console/client/profile.h"

#include <QHash>
#include <QObject>
#include <QTcpServer>
#include <QTcpSocket>

#include <functional>
#include <memory>
#include <vector>

namespace fremis::test {

/// How a program of a FakeCluster treats the connection itself, beyond what a scenario can say.
enum class Mischief {
    None,
    NotHttp,   ///< answers with bytes that are no HTTP
    HalfReply, ///< cuts the connection inside the body
    Drip,      ///< sends a byte now and then, for ever
    Huge,      ///< a JSON of 5 MB around the real answer
    WrongType, ///< HTML with status 200
};

/// A cluster scripted by a scenario, on sockets of this computer: a coordinator and workers, each on a port of its own.
/// Wrong things happen as on a network: dead programs refuse connections, hanging ones take the request and say
/// nothing. Thread: the one that made it; needs its event loop.
class FakeCluster : public QObject {
    Q_OBJECT
public:
    explicit FakeCluster(console::DemoScenario scenario, const base::Clock& clock, QObject* parent = nullptr);
    ~FakeCluster() override;

    [[nodiscard]] console::DemoWorld& world() { return *m_world; }
    /// Leads to the coordinator.
    [[nodiscard]] console::Profile profile() const;
    [[nodiscard]] QUrl coordinatorUrl() const;
    [[nodiscard]] QString address(int worker) const; ///< "127.0.0.1:port"
    /// `worker`: 0 is the first; -1 the coordinator.
    void setMischief(int worker, Mischief mischief);
    void setFault(int worker, console::DemoFault fault, console::Milliseconds delay = console::Milliseconds(1500));

    /// Requests that arrived whole, "GET /v1/healthcheck" and such; of all programs.
    [[nodiscard]] const QStringList& requests() const { return m_requests; }
    [[nodiscard]] const QList<console::HttpRequest>& received() const { return m_received; }
    /// Most requests that one program had in hand at one time.
    [[nodiscard]] int mostAtOnce() const { return m_mostAtOnce; }

private:
    struct Program {
        std::unique_ptr<QTcpServer> server;
        quint16 port = 0;
        Mischief mischief = Mischief::None;
        int inHand = 0;
    };
    void accept(std::size_t program);
    void read(std::size_t program, QTcpSocket* socket);
    void handle(std::size_t program, QTcpSocket* socket, const console::HttpRequest& request);
    void write(std::size_t program, QTcpSocket* socket, const console::HttpReply& reply);
    void followFaults();

    std::vector<Program> m_programs; ///< the coordinator first
    std::unique_ptr<console::DemoWorld> m_world;
    QHash<QTcpSocket*, QByteArray> m_buffers;
    QStringList m_requests;
    QList<console::HttpRequest> m_received;
    int m_mostAtOnce = 0;
};

} // namespace fremis::test
