// The bytes of a connection, cut at random: the cut must not matter, and what gets through must be clean.
#include "shared/http/request_reader.h"
#include "shared/http/syntax.h"

#include <cstdlib>
#include <vector>

using namespace fremis;

namespace {

using Event = http::RequestReader::Event;

void require(bool fact) {
    if (!fact)
        std::abort();
}

struct Message {
    std::string method, target, path, body;
    std::vector<std::string> fields;
    std::size_t end; ///< bytes consumed when it was complete
    bool operator==(const Message&) const = default;
};

struct Outcome {
    std::vector<Message> messages;
    bool refused = false;
    base::Reason reason{};
    bool operator==(const Outcome&) const = default;
};

http::Limits smallLimits() {
    http::Limits limits;
    limits.requestLine = 256;
    limits.headerBlock = 1024;
    limits.headerFields = 12;
    limits.body = 512;
    limits.chunkExtension = 32;
    return limits;
}

Message clean(const http::Request& request, const http::Limits& limits, std::size_t end) {
    require(http::isToken(request.method) && http::isVisibleAscii(request.target));
    require(request.path.find('\0') == std::string::npos && request.body.size() <= limits.body);
    require(request.headers.size() <= limits.headerFields && request.target.size() <= limits.requestLine);
    Message message{request.method, request.target, request.path, request.body, {}, end};
    std::size_t lengths = 0;
    std::size_t codings = 0;
    for (const http::Header& field : request.headers) {
        require(http::isToken(field.name) && http::isFieldValue(field.value) &&
                http::trimmed(field.value) == field.value);
        lengths += http::sameToken(field.name, "content-length") ? 1 : 0;
        codings += http::sameToken(field.name, "transfer-encoding") ? 1 : 0;
        message.fields.push_back(field.name + ":" + field.value);
    }
    require(lengths + (codings > 0 ? 1 : 0) <= 1); // one reading of the length
    return message;
}

Outcome read(std::string_view bytes, std::size_t piece) {
    const http::Limits limits = smallLimits();
    http::RequestReader reader(limits);
    Outcome outcome;
    std::size_t consumed = 0;
    for (bool last = false; !last && !outcome.refused;) {
        std::string_view part = bytes.substr(consumed, piece);
        last = part.empty();
        for (bool more = true; more;) {
            const auto step = reader.feed(part);
            require(step.consumed <= part.size() && reader.bodyBytes() <= limits.body);
            require(step.event != Event::NeedMore || step.consumed == part.size());
            part.remove_prefix(step.consumed);
            consumed += step.consumed;
            more = step.event == Event::Head || step.event == Event::Complete;
            if (step.event == Event::Complete)
                outcome.messages.push_back(clean(reader.takeRequest(), limits, consumed));
            if (step.event == Event::Failed) {
                outcome.refused = true;
                outcome.reason = reader.error().reason;
            }
        }
    }
    return outcome;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0)
        return 0;
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    const Outcome whole = read(bytes, std::string_view::npos);
    require(whole == read(bytes, 1 + data[0] % 16U));
    // A message alone reads like the same message in company.
    std::size_t begin = 0;
    for (const Message& message : whole.messages) {
        const Outcome alone = read(bytes.substr(begin, message.end - begin), std::string_view::npos);
        require(alone.messages.size() == 1 && !alone.refused && alone.messages.front().body == message.body);
        begin = message.end;
    }
    return 0;
}
