#include "console/client/call.h"

#include "console/client/cluster_client.h"
#include "console/client/json_reader.h"

#include <QCoreApplication>

namespace fremis::console {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype kMostKeptBody = 64 * 1024;

/// The project's own error body; the original's has no `error`.
void takeErrorBody(CallFailure& failure, const QByteArray& body) {
    const auto read = readJson(body, [&failure](const JsonReader& json) {
        failure.token = json.text("error"_L1);
        failure.description = json.text("description"_L1);
        failure.requestId = json.text("request_id"_L1);
        return true;
    });
    if (!read)
        failure.description.clear();
}

QString transportText(const CallFailure& failure) {
    switch (failure.transport) {
    case TransportError::TimedOut:
        return QCoreApplication::translate("CallFailure", "No answer in time.");
    case TransportError::Tls:
        return QCoreApplication::translate("CallFailure", "The certificate was not accepted: %1")
            .arg(failure.description);
    case TransportError::TooLarge:
        return QCoreApplication::translate("CallFailure", "The answer is too large.");
    case TransportError::Cancelled:
        return QCoreApplication::translate("CallFailure", "Cancelled.");
    default:
        return QCoreApplication::translate("CallFailure", "No answer: %1").arg(failure.description);
    }
}

} // namespace

CallFailure failureOf(const HttpReply& reply) {
    CallFailure failure;
    failure.transport = reply.error;
    failure.status = reply.status;
    failure.fingerprint = reply.fingerprint;
    if (reply.status == 0) {
        failure.description = reply.errorText;
        return failure;
    }
    takeErrorBody(failure, reply.body);
    // A face that is not there is an answer of the endpoint; without a token, or with that of the router, the endpoint
    // itself is missing.
    const bool isRouters =
        failure.token.isEmpty() || failure.token == "not_found"_L1 || failure.token == "method_not_allowed"_L1;
    const bool isMissing = (reply.status == 404 || reply.status == 405 || reply.status == 501) && isRouters;
    failure.kind = isMissing ? CallFailure::Kind::NotOffered : CallFailure::Kind::Refused;
    failure.body = reply.body.left(kMostKeptBody);
    return failure;
}

QString textOf(const CallFailure& failure) {
    switch (failure.kind) {
    case CallFailure::Kind::NoAnswer:
        return transportText(failure);
    case CallFailure::Kind::NotOffered:
        return QCoreApplication::translate("CallFailure", "This program does not offer that (HTTP %1).")
            .arg(failure.status);
    case CallFailure::Kind::Unreadable:
        return QCoreApplication::translate("CallFailure", "The answer makes no sense: %1").arg(failure.description);
    case CallFailure::Kind::NotSent:
        return failure.description;
    case CallFailure::Kind::Refused:
        break;
    }
    return failure.description.isEmpty()
               ? QCoreApplication::translate("CallFailure", "Refused with HTTP %1.").arg(failure.status)
               : QCoreApplication::translate("CallFailure", "%1 (HTTP %2)")
                     .arg(failure.description)
                     .arg(failure.status);
}

} // namespace fremis::console
