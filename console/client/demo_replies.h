#pragma once

#include "console/client/bytes.h"
#include "console/client/transport.h"
#include "shared/wire/replies.h"

#include <string>
#include <string_view>

/// What the answers of the demonstration share. Private to this library.
namespace fremis::console::demo {

[[nodiscard]] inline HttpReply json(const std::string& body, int status = 200) {
    HttpReply reply;
    reply.status = status;
    reply.body = QByteArray::fromStdString(body);
    reply.headers = {Header("Content-Type", "application/json")};
    return reply;
}

[[nodiscard]] inline HttpReply failure(const base::Error& error, std::string_view members = {}) {
    return json(wire::errorBody(error, "demo", members), error.status());
}

[[nodiscard]] inline HttpReply failure(base::Reason reason, std::string message) {
    return failure({reason, std::move(message), {}});
}

} // namespace fremis::console::demo
