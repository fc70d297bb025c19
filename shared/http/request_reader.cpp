#include "shared/http/request_reader.h"

#include "shared/http/syntax.h"
#include "shared/http/target.h"

#include <algorithm>
#include <utility>

namespace fremis::http {

using base::Reason;

namespace {

// A method's name ends somewhere: bytes that are no request at all are refused on sight, not when the line limit is
// reached.
constexpr std::size_t kLongestMethod = 32;
constexpr std::size_t kEagerBody = 4 * 1024 * 1024;
constexpr std::size_t kFirstBody = 64 * 1024;
constexpr std::size_t kExtensionsPerBody = 16;
constexpr std::size_t kLineEnd = 2; // CRLF

bool startsNoRequest(std::string_view beginning) {
    const std::string_view part = beginning.substr(0, kLongestMethod + 1);
    const std::string_view method = part.substr(0, part.find(' '));
    return method.size() > kLongestMethod || !std::all_of(method.begin(), method.end(), isTokenChar);
}

} // namespace

RequestReader::Step RequestReader::feed(std::string_view bytes) {
    const std::size_t offered = bytes.size();
    const bool headWasDone = m_state >= State::HeadDone;
    while (advance(bytes)) {
        if (!headWasDone && m_state == State::HeadDone)
            return {Event::Head, offered - bytes.size()};
    }
    const Event event = m_state == State::Failed     ? Event::Failed
                        : m_state == State::Complete ? Event::Complete
                                                     : Event::NeedMore;
    return {event, offered - bytes.size()};
}

bool RequestReader::advance(std::string_view& bytes) {
    switch (m_state) {
    case State::Start:
        return readStart(bytes);
    case State::RequestLine:
        return readRequestLine(bytes);
    case State::Headers:
        return readHeaderLine(bytes);
    case State::HeadDone:
        m_state = m_framing.chunked ? State::ChunkSize : State::FixedBody;
        m_remaining = m_framing.length;
        return true;
    case State::FixedBody:
        return readFixedBody(bytes);
    case State::ChunkSize:
        return readChunkSize(bytes);
    case State::ChunkData:
        return readChunkData(bytes);
    case State::ChunkEnd:
        return readChunkEnd(bytes);
    case State::Trailers:
        return readTrailerLine(bytes);
    case State::Complete:
    case State::Failed:
        return false;
    }
    return false;
}

void RequestReader::refuse(Reason reason, std::string message) {
    m_state = State::Failed;
    m_error = base::Error{reason, std::move(message), {}};
    m_line.clear();
    m_line.shrink_to_fit();
}

/// The next line, without its CRLF, into m_taken. The view lives until the next call.
RequestReader::Line RequestReader::takeLine(std::string_view& bytes, std::size_t limit, Reason bareLf, Reason tooLong) {
    if (std::exchange(m_lineDone, false))
        m_line.clear();
    const std::size_t newline = bytes.find('\n');
    const std::size_t found = newline == std::string_view::npos ? bytes.size() : newline + 1;
    if (m_line.size() + found > limit + 2) {
        refuse(tooLong, tooLong == Reason::UriTooLong ? "the request line is too long" : "the line is too long");
        return Line::Refused;
    }
    std::string_view line = bytes.substr(0, found);
    if (!m_line.empty() || newline == std::string_view::npos) {
        m_line.append(line);
        line = m_line;
    }
    bytes.remove_prefix(found);
    if (newline == std::string_view::npos)
        return Line::Partial;
    if (line.size() < 2 || line[line.size() - 2] != '\r') {
        refuse(bareLf, "a line ends in LF without CR");
        return Line::Refused;
    }
    m_lineDone = !m_line.empty();
    m_taken = line.substr(0, line.size() - 2);
    return Line::Whole;
}

/// RFC 9112 section 2.2: one empty line before the request line is overlooked, as some clients end a body with CRLF.
bool RequestReader::readStart(std::string_view& bytes) {
    if (bytes.empty())
        return false;
    if (!started() && bytes.front() != '\r') {
        m_state = State::RequestLine;
        return true;
    }
    if (m_skippedEmptyLine) {
        refuse(Reason::BadRequestLine, "empty lines before the request line");
        return false;
    }
    switch (takeLine(bytes, 0, Reason::BadRequestLine, Reason::BadRequestLine)) {
    case Line::Whole:
        m_skippedEmptyLine = true;
        return true;
    case Line::Partial:
        if (m_line.size() < 2)
            return false;
        refuse(Reason::BadRequestLine, "CR without LF");
        return false;
    case Line::Refused:
        return false;
    }
    return false;
}

bool RequestReader::readRequestLine(std::string_view& bytes) {
    // Before the length is looked at, so that the answer does not depend on how the bytes were cut.
    const bool inPieces = !m_line.empty() && !m_lineDone;
    const std::string joined =
        inPieces ? m_line.substr(0, kLongestMethod + 1).append(bytes.substr(0, kLongestMethod)) : "";
    if (startsNoRequest(inPieces ? joined : bytes)) {
        refuse(Reason::BadRequestLine, "this is not an HTTP request");
        return false;
    }
    if (takeLine(bytes, m_limits.requestLine, Reason::BadRequestLine, Reason::UriTooLong) != Line::Whole)
        return false;
    if (!parseRequestLine(m_taken))
        return false;
    m_state = State::Headers;
    return true;
}

bool RequestReader::parseRequestLine(std::string_view line) {
    const std::size_t first = line.find(' ');
    const std::size_t last = line.rfind(' ');
    if (first == std::string_view::npos || first == last) {
        refuse(Reason::BadRequestLine, "the request line is not: method, target, version");
        return false;
    }
    const std::string_view method = line.substr(0, first);
    const std::string_view target = line.substr(first + 1, last - first - 1);
    const std::string_view version = line.substr(last + 1);
    if (!isToken(method) || method.size() > kLongestMethod || target.empty() || !isVisibleAscii(target)) {
        refuse(Reason::BadRequestLine, "the request line is not: method, target, version");
        return false;
    }
    if (version != "HTTP/1.1" && version != "HTTP/1.0") {
        refuse(Reason::BadRequestLine, "the version is not HTTP/1.1 or HTTP/1.0");
        return false;
    }
    m_framing.minorVersion = version.back() - '0';
    m_request.method = method;
    auto parsed = parseTarget(target);
    if (!parsed) {
        refuse(Reason::BadUri, "the request target has a bad escape, an encoded NUL or a fragment");
        return false;
    }
    m_request.target = target;
    m_request.path = std::move(parsed->path);
    m_request.query = std::move(parsed->query);
    return true;
}

/// For a line without its CRLF.
std::size_t RequestReader::roomInBlock() const {
    return m_limits.headerBlock - std::min(m_limits.headerBlock, m_blockBytes + kLineEnd);
}

bool RequestReader::countField(std::size_t lineBytes) {
    m_blockBytes += lineBytes + kLineEnd;
    if (++m_blockFields <= m_limits.headerFields)
        return true;
    refuse(Reason::HeadersTooLarge, "too many header fields");
    return false;
}

bool RequestReader::readHeaderLine(std::string_view& bytes) {
    if (takeLine(bytes, roomInBlock(), Reason::BadHeader, Reason::HeadersTooLarge) != Line::Whole)
        return false;
    if (m_taken.empty())
        return finishHead();
    Header field;
    if (!countField(m_taken.size()) || !parseField(m_taken, field))
        return false;
    m_request.headers.push_back(std::move(field));
    return true;
}

/// Trailers are held to the rules of headers and dropped: nothing here needs them, and merging them is a known
/// smuggling path.
bool RequestReader::readTrailerLine(std::string_view& bytes) {
    if (takeLine(bytes, roomInBlock(), Reason::BadHeader, Reason::HeadersTooLarge) != Line::Whole)
        return false;
    if (m_taken.empty()) {
        m_state = State::Complete;
        return false;
    }
    Header dropped;
    return countField(m_taken.size()) && parseField(m_taken, dropped);
}

bool RequestReader::parseField(std::string_view line, Header& field) {
    const std::size_t colon = line.find(':');
    const std::string_view name = line.substr(0, std::min(colon, line.size()));
    // A name with a blank covers folding (the line starts with one) and "name :" as well.
    if (colon == std::string_view::npos || !isToken(name)) {
        refuse(Reason::BadHeader, "a header line is not: name, colon, value");
        return false;
    }
    const std::string_view value = trimmed(line.substr(colon + 1));
    if (!isFieldValue(value)) {
        refuse(Reason::BadHeader, "a header value has control bytes");
        return false;
    }
    field.name = name;
    field.value = value;
    return true;
}

bool RequestReader::finishHead() {
    if (!readHost() || !readCodings() || !readLength() || !readConnection())
        return false;
    m_state = State::HeadDone;
    return true;
}

bool RequestReader::readHost() {
    std::size_t hosts = 0;
    for (const Header& field : m_request.headers) {
        if (!sameToken(field.name, "host"))
            continue;
        ++hosts;
        if (!isHostValue(field.value)) {
            refuse(Reason::BadHeader, "the Host header is not a host");
            return false;
        }
    }
    if (hosts == 1 || (hosts == 0 && m_framing.minorVersion == 0))
        return true;
    refuse(Reason::BadHeader, hosts == 0 ? "no Host header" : "several Host headers");
    return false;
}

bool RequestReader::readCodings() {
    std::vector<std::string_view> codings;
    bool present = false;
    for (const Header& field : m_request.headers) {
        if (!sameToken(field.name, "transfer-encoding"))
            continue;
        present = true;
        forEachListItem(field.value, [&](std::string_view item) { codings.push_back(item); });
    }
    if (!present)
        return true;
    const auto isChunked = [](std::string_view coding) { return sameToken(coding, "chunked"); };
    const bool withLength = m_request.header("content-length") != nullptr;
    const auto firstChunked = std::find_if(codings.begin(), codings.end(), isChunked);
    if (withLength || m_framing.minorVersion == 0 || codings.empty() ||
        (firstChunked != codings.end() && firstChunked + 1 != codings.end())) {
        refuse(Reason::BadFraming, withLength ? "Content-Length and Transfer-Encoding together"
                                              : "chunked is not the last transfer coding, or HTTP/1.0 uses one");
        return false;
    }
    if (codings.size() != 1 || firstChunked == codings.end()) {
        refuse(Reason::TransferEncoding, "the only transfer coding served is chunked");
        return false;
    }
    m_framing.chunked = true;
    return true;
}

bool RequestReader::readLength() {
    const std::string* length = nullptr;
    for (const Header& field : m_request.headers) {
        if (!sameToken(field.name, "content-length"))
            continue;
        const bool digits = !field.value.empty() && std::all_of(field.value.begin(), field.value.end(), isDigit);
        if (length || !digits) {
            refuse(Reason::BadFraming,
                   length ? "several Content-Length headers" : "Content-Length is not plain digits");
            return false;
        }
        length = &field.value;
    }
    if (!length)
        return true;
    // Saturates just above any limit, so a number of any length is only "too large".
    for (const char digit : *length)
        m_framing.length =
            std::min<std::uint64_t>(m_framing.length * 10 + static_cast<std::uint64_t>(digit - '0'), 1ULL << 56);
    if (m_framing.length <= m_bodyLimit)
        return true;
    refuse(Reason::BodyTooLarge, "the body is too large");
    return false;
}

bool RequestReader::readConnection() {
    m_framing.keepAlive = m_framing.minorVersion == 1;
    for (const Header& field : m_request.headers) {
        if (sameToken(field.name, "connection")) {
            forEachListItem(field.value, [&](std::string_view item) {
                if (sameToken(item, "close"))
                    m_framing.keepAlive = false;
            });
        } else if (m_framing.minorVersion == 1 && sameToken(field.name, "expect")) {
            if (!sameToken(field.value, "100-continue")) {
                refuse(Reason::Expectation, "the only expectation met is 100-continue");
                return false;
            }
            m_framing.expectContinue = true;
        }
    }
    return true;
}

bool RequestReader::limitBody(std::size_t bytes) {
    m_bodyLimit = std::min(m_bodyLimit, bytes);
    return m_framing.length <= m_bodyLimit;
}

/// A declared length is a claim: memory follows the bytes that came, and only a mid-sized body is reserved whole.
void RequestReader::appendBody(std::string_view& bytes, std::uint64_t& remaining) {
    std::string& body = m_request.body;
    const std::size_t count = static_cast<std::size_t>(std::min<std::uint64_t>(remaining, bytes.size()));
    if (body.size() + count > body.capacity() && m_framing.length <= kEagerBody && m_framing.length > body.capacity())
        body.reserve(body.empty()
                         ? static_cast<std::size_t>(std::min<std::uint64_t>(m_framing.length, kFirstBody + count))
                         : static_cast<std::size_t>(m_framing.length));
    body.append(bytes.substr(0, count));
    bytes.remove_prefix(count);
    remaining -= count;
}

bool RequestReader::readFixedBody(std::string_view& bytes) {
    appendBody(bytes, m_remaining);
    if (m_remaining == 0)
        m_state = State::Complete;
    return false;
}

bool RequestReader::readChunkSize(std::string_view& bytes) {
    constexpr std::size_t kSizeDigits = 8;
    if (takeLine(bytes, kSizeDigits + m_limits.chunkExtension, Reason::BadFraming, Reason::BadFraming) != Line::Whole)
        return false;
    if (!parseChunkLine(m_taken)) {
        refuse(Reason::BadFraming, "the chunk size line is malformed");
        return false;
    }
    if (m_remaining > m_bodyLimit - std::min(m_bodyLimit, m_request.body.size())) {
        refuse(Reason::BodyTooLarge, "the body is too large");
        return false;
    }
    m_blockBytes = m_blockFields = 0;
    m_state = m_remaining == 0 ? State::Trailers : State::ChunkData;
    return true;
}

/// chunk-size [ chunk-ext ]: 1 to 8 hex digits; extensions are skipped, but must look like some.
bool RequestReader::parseChunkLine(std::string_view line) {
    std::size_t digits = 0;
    m_remaining = 0;
    for (; digits < line.size() && hexDigit(line[digits]) >= 0; ++digits) {
        if (digits == 8)
            return false;
        m_remaining = m_remaining * 16 + static_cast<std::uint64_t>(hexDigit(line[digits]));
    }
    const std::string_view extension = line.substr(digits);
    m_extensionBytes += extension.size();
    if (digits == 0 || m_extensionBytes > kExtensionsPerBody * m_limits.chunkExtension)
        return false;
    const std::string_view inner = trimmed(extension);
    return extension.empty() || (!inner.empty() && inner.front() == ';' && isFieldValue(extension));
}

bool RequestReader::readChunkData(std::string_view& bytes) {
    appendBody(bytes, m_remaining);
    if (m_remaining > 0)
        return false;
    m_state = State::ChunkEnd;
    return true;
}

bool RequestReader::readChunkEnd(std::string_view& bytes) {
    if (takeLine(bytes, 0, Reason::BadFraming, Reason::BadFraming) != Line::Whole)
        return false;
    m_state = State::ChunkSize;
    return true;
}

Request RequestReader::takeRequest() {
    Request taken = std::move(m_request);
    m_request = Request{};
    m_framing = Framing{};
    m_bodyLimit = m_limits.body;
    m_state = State::Start;
    m_skippedEmptyLine = false;
    m_line = std::string();
    m_lineDone = false;
    m_taken = {};
    m_blockBytes = m_blockFields = m_extensionBytes = 0;
    m_remaining = 0;
    return taken;
}

} // namespace fremis::http
