#include "console/client/connection_check.h"

#include <QHostInfo>
#include <QNetworkProxy>
#include <QTimer>

#include <algorithm>

namespace fremis::console {

using namespace Qt::StringLiterals;
using Kind = CheckStep::Kind;
using State = CheckStep::State;

ConnectionCheck::ConnectionCheck(ClusterClient& client, QObject* parent) : QObject(parent), m_client(client) {}

bool ConnectionCheck::isGood() const {
    return !m_isRunning && !m_steps.empty() && std::none_of(m_steps.begin(), m_steps.end(), [](const CheckStep& one) {
        return one.state == State::Failed || one.state == State::Skipped;
    });
}

CheckStep& ConnectionCheck::step(Kind kind) {
    return *std::find_if(m_steps.begin(), m_steps.end(), [kind](const CheckStep& one) { return one.kind == kind; });
}

void ConnectionCheck::settle(Kind kind, State state, const QString& text) {
    step(kind).state = state;
    step(kind).text = text;
    Q_EMIT changed();
}

void ConnectionCheck::start(const Profile& profile) {
    cancel();
    m_profile = profile;
    m_steps.clear();
    if (profile.coordinators.isEmpty()) {
        m_steps.push_back({Kind::Name, {}, State::Failed, tr("The profile names no coordinator."), {}});
        m_isRunning = true;
        return finish();
    }
    m_base = profile.coordinators.first();
    for (const auto kind : {Kind::Name, Kind::Tcp, Kind::Tls, Kind::Health, Kind::Auth})
        m_steps.push_back({kind, m_base.host(), State::Waiting, {}, {}});
    m_isRunning = true;
    lookUp();
}

void ConnectionCheck::cancel() {
    ++m_run;
    m_socket.reset();
    m_isRunning = false;
}

void ConnectionCheck::finish() {
    m_isRunning = false;
    Q_EMIT changed();
    Q_EMIT finished();
}

void ConnectionCheck::stopHere() {
    for (auto& one : m_steps)
        if (one.state == State::Waiting)
            one.state = State::Skipped;
    finish();
}

void ConnectionCheck::lookUp() {
    settle(Kind::Name, State::Running, {});
    QHostInfo::lookupHost(m_base.host(), this, [this, run = m_run](const QHostInfo& info) {
        if (run != m_run)
            return;
        if (info.error() != QHostInfo::NoError || info.addresses().isEmpty()) {
            settle(Kind::Name, State::Failed, info.errorString());
            return stopHere();
        }
        settle(Kind::Name, State::Ok, info.addresses().first().toString());
        connectTcp();
    });
}

void ConnectionCheck::connectTcp() {
    settle(Kind::Tcp, State::Running, {});
    m_socket = std::make_unique<QTcpSocket>();
    m_socket->setProxy(QNetworkProxy::NoProxy);
    const auto fail = [this](const QString& text) {
        m_socket->disconnect(this);
        m_socket.release()->deleteLater(); // it may be calling this
        settle(Kind::Tcp, State::Failed, text);
        stopHere();
    };
    connect(m_socket.get(), &QTcpSocket::errorOccurred, this, [this, fail] { fail(m_socket->errorString()); });
    connect(m_socket.get(), &QTcpSocket::connected, this, [this] {
        m_socket->disconnect(this);
        m_socket.release()->deleteLater();
        settle(Kind::Tcp, State::Ok, {});
        askHealth();
    });
    QTimer::singleShot(m_client.timeout(), m_socket.get(), [fail] { fail(tr("No connection in time.")); });
    const int usualPort = m_base.scheme() == "https"_L1 ? 443 : 80;
    m_socket->connectToHost(m_base.host(), static_cast<quint16>(m_base.port(usualPort)));
}

void ConnectionCheck::askHealth() {
    const bool isTls = m_base.scheme() == "https"_L1;
    settle(Kind::Tls, isTls ? State::Running : State::Warning,
           isTls ? QString() : tr("The connection is not encrypted."));
    m_client.health(m_base, this, [this, run = m_run, isTls](const CallResult<Health>& health) {
        if (run != m_run)
            return;
        if (!health && health.error().transport == TransportError::Tls) {
            step(Kind::Tls).fingerprint = health.error().fingerprint;
            settle(Kind::Tls, State::Failed, textOf(health.error()));
            return stopHere();
        }
        if (isTls)
            settle(Kind::Tls, State::Ok, {});
        if (!health) {
            settle(Kind::Health, State::Failed, textOf(health.error()));
            return stopHere();
        }
        const auto version = health->version.isEmpty() ? tr("It answers.") : tr("Version %1.").arg(health->version);
        const bool isReady = health->state.isEmpty() || health->state == "ACTIVE"_L1;
        settle(Kind::Health, isReady ? State::Ok : State::Warning, isReady ? version : health->state);
        askStatus();
    });
}

void ConnectionCheck::askStatus() {
    settle(Kind::Auth, State::Running, {});
    m_client.clusterStatus(m_base, this, [this, run = m_run](const CallResult<ClusterStatus>& status) {
        if (run != m_run)
            return;
        if (!status && status.error().kind == CallFailure::Kind::NotOffered) {
            settle(Kind::Auth, State::Warning, tr("It does not report its cluster."));
            return askWorkers(m_profile.manualNodes);
        }
        if (!status) {
            settle(Kind::Auth, State::Failed, textOf(status.error()));
            return stopHere();
        }
        const bool isOpen = status->clientAuth != "required"_L1;
        settle(Kind::Auth, isOpen ? State::Warning : State::Ok,
               isOpen ? tr("Clients need no key: it is open.") : QString());
        askNodes();
    });
}

void ConnectionCheck::askNodes() {
    m_client.clusterNodes(m_base, this, [this, run = m_run](const CallResult<ClusterNodes>& nodes) {
        if (run != m_run)
            return;
        auto addresses = m_profile.manualNodes;
        if (nodes)
            for (const auto& node : nodes->nodes)
                if (!addresses.contains(node.address))
                    addresses.append(node.address);
        askWorkers(addresses);
    });
}

void ConnectionCheck::askWorkers(const QStringList& addresses) {
    m_workersLeft = static_cast<int>(addresses.size());
    if (addresses.isEmpty())
        return finish();
    const auto first = m_steps.size();
    for (const auto& address : addresses)
        m_steps.push_back({Kind::Worker, address, State::Running, {}, {}});
    Q_EMIT changed();
    for (std::size_t at = first; at < m_steps.size(); ++at)
        m_client.health(m_profile.urlOf(m_steps[at].subject), this,
                        [this, run = m_run, at](const CallResult<Health>& health) {
                            if (run == m_run)
                                workerAnswered(at, health);
                        });
}

void ConnectionCheck::workerAnswered(std::size_t at, const CallResult<Health>& health) {
    auto& worker = m_steps[at];
    // A worker out of reach from here is still known by way of the coordinator.
    worker.state = health ? State::Ok : State::Warning;
    worker.text = health ? health->state : textOf(health.error());
    if (!health)
        worker.fingerprint = health.error().fingerprint;
    if (--m_workersLeft == 0)
        return finish();
    Q_EMIT changed();
}

} // namespace fremis::console
