#pragma once

#include "console/client/transport.h"

#include <QHash>
#include <QList>
#include <QNetworkAccessManager>
#include <QSslCertificate>

#include <map>
#include <memory>

class QNetworkReply;

namespace fremis::console {

/// Whose certificates are accepted. There is no way to accept all.
struct TlsTrust {
    QString caFile;         ///< PEM, instead of the system's authorities; empty: those
    QByteArray fingerprint; ///< SHA-256 of one certificate that is accepted whoever signed it; empty: none
};

/// Requests over the network: no redirects, no cookies, no cache, no proxy to this computer itself, at most three
/// requests to one program at a time (the others wait in turn; their time-out begins when they are sent).
class NetworkTransport final : public Transport {
    Q_OBJECT
public:
    explicit NetworkTransport(QObject* parent = nullptr);
    ~NetworkTransport() override;

    /// For requests from now on. False with `problem` when the file cannot be read; then nothing is trusted.
    bool setTrust(const TlsTrust& trust, QString* problem = nullptr);

    void send(HttpRequest request, QObject* context, Done done) override;
    void abortAll() override;

private:
    struct Waiting;
    struct Running;
    void sendNow(std::shared_ptr<Waiting> waiting);
    void start(const QString& program);
    void finish(QNetworkReply* reply, const std::shared_ptr<Running>& running);
    void watch(QNetworkReply* reply, const std::shared_ptr<Running>& running);

    QNetworkAccessManager m_direct;  ///< without proxy: this computer
    QNetworkAccessManager m_network; ///< with the system's proxy
    TlsTrust m_trust;
    QList<QSslCertificate> m_authorities;
    bool m_trustBroken = false;
    QHash<QString, QList<std::shared_ptr<Waiting>>> m_queues;
    QHash<QString, int> m_running;
    std::map<QNetworkReply*, std::shared_ptr<Running>> m_replies;
};

} // namespace fremis::console
