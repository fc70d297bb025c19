#pragma once

#include "console/client/known.h"

#include <QByteArray>
#include <QList>
#include <QObject>
#include <QString>
#include <QUrl>

#include <functional>

namespace fremis::console {

using Header = std::pair<QByteArray, QByteArray>;

struct HttpRequest {
    QByteArray method = "GET";
    QUrl url;
    QByteArray body;
    QList<Header> headers;
    Milliseconds timeout{2000};
};

enum class TransportError {
    None,    ///< there is a status
    Refused, ///< nobody listens, no route, no such host
    TimedOut,
    Cut,      ///< the connection ended before the answer did, or what came is not HTTP
    Tls,      ///< the certificate was not accepted; HttpReply::fingerprint names it
    TooLarge, ///< the answer is larger than kMaxReplyBytes
    Cancelled,
};

/// Larger answers are cut off: more than any endpoint of a cluster at all limits sends.
inline constexpr qint64 kMaxReplyBytes = 64 * 1024 * 1024;

struct HttpReply {
    int status = 0; ///< 0: no answer, see `error`
    QByteArray body;
    QList<Header> headers;
    TransportError error = TransportError::None;
    QString errorText;      ///< one line for people
    QByteArray fingerprint; ///< SHA-256 of the peer's certificate, when TLS refused it
    Milliseconds took{0};

    [[nodiscard]] QByteArray header(QByteArrayView name) const; ///< empty when absent; names in any case
};

/// How requests travel: the network, or a cluster that exists in memory. Thread: that of the object; nothing blocks.
class Transport : public QObject {
    Q_OBJECT
public:
    using Done = std::function<void(HttpReply)>;
    using QObject::QObject;

    /// Calls `done` once, never from inside send(); not at all once `context` is gone.
    virtual void send(HttpRequest request, QObject* context, Done done) = 0;
    /// All requests under way end now: each `done` is called with TransportError::Cancelled before this returns.
    virtual void abortAll() = 0;
};

} // namespace fremis::console
