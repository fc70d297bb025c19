#pragma once

#include "console/client/transport.h"

#include <tl/expected.hpp>

#include <functional>

namespace fremis::console {

/// Why a call gave no result.
struct CallFailure {
    enum class Kind {
        NoAnswer,   ///< see `transport`
        Refused,    ///< an HTTP error with the project's error body: `token` is what programs compare
        NotOffered, ///< 404 or 405: this program does not have the endpoint
        Unreadable, ///< an answer that makes no sense
        NotSent,    ///< refused here, before anything was sent
    };
    Kind kind = Kind::NoAnswer;
    TransportError transport = TransportError::None;
    int status = 0;      ///< HTTP status, 0 without an answer
    QString token;       ///< the reply's `error`, like "config_changed"
    QString description; ///< one line for people
    QString requestId;
    QByteArray body;        ///< of the reply, cut after 64 KiB, secrets never come back in it
    QByteArray fingerprint; ///< of a refused certificate

    [[nodiscard]] bool isTimeout() const { return transport == TransportError::TimedOut; }
};

template<class T> using CallResult = tl::expected<T, CallFailure>;
template<class T> using CallDone = std::function<void(CallResult<T>)>;

/// One finished request, for the log and the "last 50 polls" of a node. Holds no secret, no image and no id in a body.
struct CallRecord {
    Instant startedAt{0};
    Milliseconds took{0};
    QString method;
    QString url;    ///< without credentials; values of the query cut out
    int status = 0; ///< 0: no answer
    QString error;  ///< token or transport's words; empty when all went well
    qint64 sentBytes = 0;
    qint64 receivedBytes = 0;
};

} // namespace fremis::console
