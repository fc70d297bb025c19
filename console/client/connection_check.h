#pragma once

#include "console/client/cluster_client.h"
#include "console/client/profile.h"

#include <QObject>
#include <QTcpSocket>

#include <vector>

namespace fremis::console {

/// One line of a connection test.
struct CheckStep {
    enum class Kind { Name, Tcp, Tls, Health, Auth, Worker };
    enum class State { Waiting, Running, Ok, Warning, Failed, Skipped };
    Kind kind = Kind::Name;
    QString subject; ///< host, address
    State state = State::Waiting;
    QString text;           ///< what was found, translated
    QByteArray fingerprint; ///< of a certificate that was not accepted
};

/// Tries a profile step by step: name, TCP, TLS, health, access, then each worker. A step that fails skips what depends
/// on it. Thread: GUI.
class ConnectionCheck : public QObject {
    Q_OBJECT
public:
    /// `client` outlives it, and its transport trusts what the profile says.
    explicit ConnectionCheck(ClusterClient& client, QObject* parent = nullptr);

    /// Begins anew with the profile's first coordinator.
    void start(const Profile& profile);
    void cancel();
    [[nodiscard]] const std::vector<CheckStep>& steps() const { return m_steps; }
    [[nodiscard]] bool isRunning() const { return m_isRunning; }
    [[nodiscard]] bool isGood() const; ///< ended, and nothing failed

Q_SIGNALS:
    void changed();
    void finished();

private:
    void lookUp();
    void connectTcp();
    void askHealth();
    void askStatus();
    void askNodes();
    void askWorkers(const QStringList& addresses);
    void workerAnswered(std::size_t step, const CallResult<Health>& health);
    CheckStep& step(CheckStep::Kind kind);
    void settle(CheckStep::Kind kind, CheckStep::State state, const QString& text);
    void stopHere();
    void finish();

    ClusterClient& m_client;
    Profile m_profile;
    QUrl m_base;
    std::vector<CheckStep> m_steps;
    std::unique_ptr<QTcpSocket> m_socket;
    int m_workersLeft = 0;
    quint64 m_run = 0;
    bool m_isRunning = false;
};

} // namespace fremis::console
