#pragma once

#include "shared/base/error.h"
#include "shared/http/limits.h"
#include "shared/http/message.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace fremis::http {

/// What the head of a request says about the message around it.
struct Framing {
    int minorVersion = 1;
    bool chunked = false;
    std::uint64_t length = 0; ///< declared; 0 when chunked or absent
    bool keepAlive = true;
    bool expectContinue = false;

    [[nodiscard]] bool hasBody() const { return chunked || length > 0; }
};

/// Reads the requests of one connection from its bytes, however they are cut. Strict RFC 9112: what could be understood
/// in two ways is refused, and after a refusal the reader reads nothing any more. Pure: no sockets, no clock. Thread:
/// one.
class RequestReader {
public:
    enum class Event {
        NeedMore, ///< all bytes are used up
        Head,     ///< the head is complete: decide, then feed on (an empty view will do)
        Complete, ///< the message is complete: takeRequest(), then feed on with the next one
        Failed,   ///< refused: error(); the connection must close after the answer
    };
    struct Step {
        Event event;
        std::size_t consumed; ///< bytes of the view that belong to this message so far
    };

    explicit RequestReader(const Limits& limits) : m_limits(limits), m_bodyLimit(limits.body) {}

    [[nodiscard]] Step feed(std::string_view bytes);

    /// From Event::Head on, until takeRequest(). After Event::Failed whatever was read, perhaps nothing.
    [[nodiscard]] const Request& request() const { return m_request; }
    [[nodiscard]] Request& request() { return m_request; }
    [[nodiscard]] const Framing& framing() const { return m_framing; }
    [[nodiscard]] const base::Error& error() const { return m_error; }

    /// A smaller body limit for this message; call at Event::Head. False when the declared length is above it.
    [[nodiscard]] bool limitBody(std::size_t bytes);

    /// Hands the complete request out and makes ready for the next one.
    [[nodiscard]] Request takeRequest();

    /// True when a byte of the current message was read.
    [[nodiscard]] bool started() const { return m_state != State::Start || (!m_line.empty() && !m_lineDone); }
    /// True when nothing but an empty line was read of the current message.
    [[nodiscard]] bool sawEmptyLine() const { return m_skippedEmptyLine && !started(); }
    /// True between Event::Head and the end of the message.
    [[nodiscard]] bool inBody() const { return m_state >= State::HeadDone && m_state < State::Complete; }
    [[nodiscard]] std::size_t bodyBytes() const { return m_request.body.size(); }

private:
    enum class State {
        Start,
        RequestLine,
        Headers,
        HeadDone,
        FixedBody,
        ChunkSize,
        ChunkData,
        ChunkEnd,
        Trailers,
        Complete,
        Failed
    };
    enum class Line { Whole, Partial, Refused };

    /// One state's worth of work; true when the state machine can go on with the bytes that are left.
    bool advance(std::string_view& bytes);
    Line takeLine(std::string_view& bytes, std::size_t limit, base::Reason bareLf, base::Reason tooLong);
    void refuse(base::Reason reason, std::string message);

    bool readStart(std::string_view& bytes);
    bool readRequestLine(std::string_view& bytes);
    bool readHeaderLine(std::string_view& bytes);
    bool readTrailerLine(std::string_view& bytes);
    bool readFixedBody(std::string_view& bytes);
    bool readChunkSize(std::string_view& bytes);
    bool readChunkData(std::string_view& bytes);
    bool readChunkEnd(std::string_view& bytes);

    bool parseRequestLine(std::string_view line);
    bool parseField(std::string_view line, Header& field);
    [[nodiscard]] std::size_t roomInBlock() const;
    bool countField(std::size_t lineBytes);
    bool finishHead();
    bool readHost();
    bool readLength();
    bool readCodings();
    bool readConnection();
    bool parseChunkLine(std::string_view line);
    void appendBody(std::string_view& bytes, std::uint64_t& remaining);

    const Limits& m_limits;
    std::size_t m_bodyLimit;
    State m_state = State::Start;
    Request m_request;
    Framing m_framing;
    base::Error m_error;
    std::string m_line;       ///< a line that comes in pieces
    bool m_lineDone = false;  ///< m_line is whole and was handed out
    std::string_view m_taken; ///< the line takeLine() found
    bool m_skippedEmptyLine = false;
    std::size_t m_blockBytes = 0; ///< header or trailer lines so far
    std::size_t m_blockFields = 0;
    std::size_t m_extensionBytes = 0;
    std::uint64_t m_remaining = 0; ///< of the fixed body or the current chunk
};

} // namespace fremis::http
