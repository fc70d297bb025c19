#include "shared/http/answer_writer.h"

#include "shared/http/signature.h"
#include "shared/http/syntax.h"
#include "shared/wire/replies.h"

#include <algorithm>
#include <array>

namespace fremis::http {

namespace {

struct Phrase {
    int status;
    std::string_view text;
};

constexpr std::array kPhrases{
    Phrase{200, "OK"},
    Phrase{204, "No Content"},
    Phrase{400, "Bad Request"},
    Phrase{401, "Unauthorized"},
    Phrase{403, "Forbidden"},
    Phrase{404, "Not Found"},
    Phrase{405, "Method Not Allowed"},
    Phrase{408, "Request Timeout"},
    Phrase{409, "Conflict"},
    Phrase{412, "Precondition Failed"},
    Phrase{413, "Content Too Large"},
    Phrase{414, "URI Too Long"},
    Phrase{415, "Unsupported Media Type"},
    Phrase{417, "Expectation Failed"},
    Phrase{421, "Misdirected Request"},
    Phrase{428, "Precondition Required"},
    Phrase{429, "Too Many Requests"},
    Phrase{431, "Request Header Fields Too Large"},
    Phrase{500, "Internal Server Error"},
    Phrase{501, "Not Implemented"},
    Phrase{503, "Service Unavailable"},
    Phrase{507, "Insufficient Storage"},
};

bool has(const std::vector<Header>& headers, std::string_view name) {
    return std::any_of(headers.begin(), headers.end(), [&](const Header& h) { return sameToken(h.name, name); });
}

void appendField(std::string& head, std::string_view name, std::string_view value) {
    head.append(name).append(": ").append(value).append("\r\n");
}

} // namespace

std::string_view reasonPhrase(int status) {
    const auto found =
        std::find_if(kPhrases.begin(), kPhrases.end(), [&](const Phrase& p) { return p.status == status; });
    return found == kPhrases.end() ? "Unknown" : found->text;
}

bool isRequestId(std::string_view text) {
    constexpr std::size_t kLongest = 64;
    return !text.empty() && text.size() <= kLongest && std::all_of(text.begin(), text.end(), [](char c) {
        return isAlpha(c) || isDigit(c) || c == '.' || c == '_' || c == '-';
    });
}

Answer errorAnswer(const base::Error& error, std::string_view requestId, std::string_view extraMembers,
                   std::vector<Header> headers) {
    return {error.status(), "application/json", wire::errorBody(error, requestId, extraMembers), std::move(headers)};
}

std::string headOf(const Answer& answer, const AnswerFacts& facts) {
    std::string head;
    head.reserve(256);
    head.append("HTTP/1.1 ")
        .append(std::to_string(answer.status))
        .append(" ")
        .append(reasonPhrase(answer.status))
        .append("\r\n");
    if (answer.status != 204) { // RFC 9110 section 8.6: a 204 has no Content-Length
        appendField(head, "Content-Type", answer.contentType);
        appendField(head, "Content-Length", std::to_string(answer.body.size()));
    }
    appendField(head, "X-Request-Id", facts.requestId);
    appendField(head, "Date", facts.date);
    for (const Header& header : answer.headers) {
        if (isToken(header.name) && isFieldValue(header.value))
            appendField(head, header.name, header.value);
    }
    if ((answer.status == 429 || answer.status == 503) && !has(answer.headers, "retry-after"))
        appendField(head, "Retry-After", "1");
    if (answer.status == 401 && !has(answer.headers, "www-authenticate"))
        appendField(head, "WWW-Authenticate", kSignatureScheme);
    if (!facts.keepAlive)
        appendField(head, "Connection", "close");
    head.append("\r\n");
    return head;
}

} // namespace fremis::http
