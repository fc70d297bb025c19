#pragma once

#include "shared/base/error.h"
#include "shared/http/message.h"

#include <string>
#include <string_view>
#include <vector>

namespace fremis::http {

/// The error body of every answer that is not 2xx. `extraMembers`: more members as JSON text without braces, or empty.
[[nodiscard]] Answer errorAnswer(const base::Error& error, std::string_view requestId,
                                 std::string_view extraMembers = {}, std::vector<Header> headers = {});

struct AnswerFacts {
    std::string_view requestId;
    std::string_view date; ///< IMF-fixdate
    bool keepAlive = true;
};

/// Status line and headers up to the empty line. Adds Retry-After to 429 and 503 and WWW-Authenticate to 401 when the
/// answer has none; a header whose name or value could break the framing is left out.
[[nodiscard]] std::string headOf(const Answer& answer, const AnswerFacts& facts);

[[nodiscard]] std::string_view reasonPhrase(int status);

/// The caller's request id is taken over when it has this form.
[[nodiscard]] bool isRequestId(std::string_view text);

} // namespace fremis::http
