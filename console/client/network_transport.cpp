#include "console/client/network_transport.h"

#include <QCryptographicHash>
#include <QElapsedTimer>
#include <QFile>
#include <QHostAddress>
#include <QNetworkProxy>
#include <QNetworkReply>
#include <QPointer>
#include <QSslConfiguration>
#include <QSslError>
#include <QTimer>

namespace fremis::console {

using namespace Qt::StringLiterals;

namespace {

constexpr int kCallsPerProgram = 3;

bool isThisComputer(const QString& host) {
    return host.compare("localhost"_L1, Qt::CaseInsensitive) == 0 || QHostAddress(host).isLoopback();
}

QString programOf(const QUrl& url) {
    return url.scheme() + u"://"_s + url.authority(QUrl::FullyEncoded);
}

TransportError errorOf(QNetworkReply::NetworkError error) {
    switch (error) {
    case QNetworkReply::TimeoutError:
    case QNetworkReply::OperationCanceledError:
        return TransportError::TimedOut;
    case QNetworkReply::SslHandshakeFailedError:
        return TransportError::Tls;
    case QNetworkReply::ConnectionRefusedError:
    case QNetworkReply::HostNotFoundError:
    case QNetworkReply::NetworkSessionFailedError:
    case QNetworkReply::UnknownNetworkError:
        return TransportError::Refused;
    default:
        return TransportError::Cut;
    }
}

} // namespace

struct NetworkTransport::Waiting {
    HttpRequest request;
    QPointer<QObject> context;
    Done done;
};

struct NetworkTransport::Running {
    std::shared_ptr<Waiting> asked;
    QString program;
    QElapsedTimer timer;
    QByteArray fingerprint;
    QString tlsProblem;
    std::optional<TransportError> ended; ///< by us
};

NetworkTransport::NetworkTransport(QObject* parent) : Transport(parent) {
    m_direct.setProxy(QNetworkProxy::NoProxy);
    for (auto* manager : {&m_direct, &m_network}) {
        manager->setRedirectPolicy(QNetworkRequest::ManualRedirectPolicy);
        manager->setAutoDeleteReplies(false);
    }
}

NetworkTransport::~NetworkTransport() {
    for (const auto& [reply, running] : m_replies)
        reply->disconnect(this);
}

bool NetworkTransport::setTrust(const TlsTrust& trust, QString* problem) {
    m_trust = trust;
    m_authorities.clear();
    m_trustBroken = false;
    m_direct.clearConnectionCache();
    m_network.clearConnectionCache();
    if (trust.caFile.isEmpty())
        return true;
    m_authorities = QSslCertificate::fromPath(trust.caFile, QSsl::Pem);
    m_trustBroken = m_authorities.isEmpty();
    if (m_trustBroken && problem)
        *problem = tr("%1 holds no certificate that can be read.").arg(trust.caFile);
    return !m_trustBroken;
}

void NetworkTransport::send(HttpRequest request, QObject* context, Done done) {
    auto waiting = std::make_shared<Waiting>(Waiting{std::move(request), context, std::move(done)});
    const auto program = programOf(waiting->request.url);
    m_queues[program].append(std::move(waiting));
    // Not from inside this call: the answer to a malformed request would come at once.
    QTimer::singleShot(0, this, [this, program] { start(program); });
}

void NetworkTransport::start(const QString& program) {
    auto& queue = m_queues[program];
    while (!queue.isEmpty() && m_running.value(program) < kCallsPerProgram) {
        const auto next = queue.takeFirst();
        if (next->context)
            sendNow(next);
    }
    if (queue.isEmpty())
        m_queues.remove(program);
}

void NetworkTransport::sendNow(std::shared_ptr<Waiting> waiting) {
    const auto& asked = waiting->request;
    QNetworkRequest request(asked.url);
    for (const auto& [name, value] : asked.headers)
        request.setRawHeader(name, value);
    request.setAttribute(QNetworkRequest::CookieLoadControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::CookieSaveControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::CacheLoadControlAttribute, QNetworkRequest::AlwaysNetwork);
    if (m_trustBroken || !m_authorities.isEmpty()) {
        auto tls = QSslConfiguration::defaultConfiguration();
        tls.setCaCertificates(m_authorities);
        request.setSslConfiguration(tls);
    }
    auto& manager = isThisComputer(asked.url.host()) ? m_direct : m_network;
    auto running = std::make_shared<Running>();
    running->program = programOf(asked.url);
    running->asked = std::move(waiting);
    running->timer.start();
    ++m_running[running->program];
    watch(manager.sendCustomRequest(request, running->asked->request.method, running->asked->request.body), running);
}

void NetworkTransport::watch(QNetworkReply* reply, const std::shared_ptr<Running>& running) {
    m_replies.emplace(reply, running);
    // Qt's transfer time-out begins anew with each byte; this one bounds the whole answer.
    QTimer::singleShot(running->asked->request.timeout, reply, [reply, running] {
        running->ended = TransportError::TimedOut;
        reply->abort();
    });
    connect(reply, &QNetworkReply::sslErrors, this, [this, reply, running](const QList<QSslError>& errors) {
        const auto certificate = reply->sslConfiguration().peerCertificate();
        running->fingerprint = certificate.digest(QCryptographicHash::Sha256);
        running->tlsProblem = errors.isEmpty() ? QString() : errors.first().errorString();
        if (!m_trust.fingerprint.isEmpty() && running->fingerprint == m_trust.fingerprint)
            reply->ignoreSslErrors(errors);
    });
    connect(reply, &QNetworkReply::downloadProgress, reply, [reply, running](qint64 received) {
        if (received <= kMaxReplyBytes)
            return;
        running->ended = TransportError::TooLarge;
        reply->abort();
    });
    connect(reply, &QNetworkReply::finished, this, [this, reply, running] { finish(reply, running); });
    connect(running->asked->context, &QObject::destroyed, reply, [reply, running] {
        running->ended = TransportError::Cancelled;
        reply->abort();
    });
}

void NetworkTransport::finish(QNetworkReply* reply, const std::shared_ptr<Running>& running) {
    HttpReply answer;
    answer.took = Milliseconds(running->timer.elapsed());
    answer.status = reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    const bool isWhole = reply->error() == QNetworkReply::NoError ||
                         (answer.status >= 400 && reply->error() >= QNetworkReply::ContentAccessDenied);
    if (isWhole && !running->ended && answer.status > 0) {
        answer.body = reply->readAll();
        for (const auto& [name, value] : reply->rawHeaderPairs())
            answer.headers.append({name, value});
    } else {
        answer.status = 0;
        answer.error = running->ended.value_or(errorOf(reply->error()));
        answer.errorText = running->tlsProblem.isEmpty() ? reply->errorString() : running->tlsProblem;
        answer.fingerprint = running->fingerprint;
    }
    m_replies.erase(reply);
    reply->deleteLater();
    if (--m_running[running->program] == 0)
        m_running.remove(running->program);
    start(running->program);
    if (running->asked->context)
        running->asked->done(std::move(answer));
}

void NetworkTransport::abortAll() {
    const auto queues = std::exchange(m_queues, {});
    const auto replies = m_replies;
    for (const auto& [reply, running] : replies) {
        running->ended = TransportError::Cancelled;
        reply->abort();
    }
    for (const auto& queue : queues)
        for (const auto& waiting : queue) {
            HttpReply cancelled;
            cancelled.error = TransportError::Cancelled;
            if (waiting->context)
                waiting->done(std::move(cancelled));
        }
}

} // namespace fremis::console
