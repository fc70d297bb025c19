#pragma once

#include "shared/storage/postgres/pg_session.h"

#include <cstddef>

struct pg_conn;

namespace fremis::storage {

/// Reads the stream of COPY … TO STDOUT (FORMAT BINARY) that arrives in pieces of any size. Format: PostgreSQL manual,
/// COPY, "Binary Format": a header, then for each row the number of its fields and for each field its length and bytes,
/// all big-endian; -1 instead of a number of fields ends it.
class PgCopyParser {
public:
    explicit PgCopyParser(int fields) : m_fields(static_cast<std::size_t>(fields)) {}

    /// Fields of one row; they point into the piece, or into the parser, until the next call.
    using Row = std::span<const std::span<const std::byte>>;
    /// Calls `each(row)` for every row that `piece` completes, until it answers false. False: the stream is broken.
    template<class Each> [[nodiscard]] bool feed(std::span<const std::byte> piece, Each each);
    [[nodiscard]] bool atEnd() const { return m_atEnd; }

private:
    enum class Step { Row, End, NeedMore, Broken };
    /// Takes one row off the front of `bytes`.
    [[nodiscard]] Step next(std::span<const std::byte>& bytes);
    [[nodiscard]] Step header(std::span<const std::byte>& bytes);

    std::vector<std::span<const std::byte>> m_fields;
    std::vector<std::byte> m_rest; ///< an unfinished row
    bool m_headerSeen = false;
    bool m_atEnd = false;
};

template<class Each> bool PgCopyParser::feed(std::span<const std::byte> piece, Each each) {
    // The server sends whole rows, so `piece` is normally parsed where it lies.
    const bool joined = !m_rest.empty();
    if (joined)
        m_rest.insert(m_rest.end(), piece.begin(), piece.end());
    auto bytes = joined ? std::span<const std::byte>(m_rest) : piece;
    while (!m_atEnd) {
        const auto step = next(bytes);
        if (step == Step::Broken)
            return false;
        if (step == Step::End)
            m_atEnd = true;
        if (step != Step::Row)
            break;
        if (!each(Row(m_fields)))
            return true;
    }
    m_rest = std::vector<std::byte>(bytes.begin(), bytes.end());
    return true;
}

/// A column of a row.
[[nodiscard]] std::int64_t pgInteger(std::span<const std::byte> field); ///< of 2, 4 or 8 bytes; 0 for others
[[nodiscard]] double pgDouble(std::span<const std::byte> field);
[[nodiscard]] inline std::string_view pgText(std::span<const std::byte> field) {
    return {reinterpret_cast<const char*>(field.data()), field.size()};
}

/// A COPY under way on a connection of its own, straight on libpq: libpqxx 6.4 reads COPY as text only and its
/// stream_from has an uninitialised member. Thread: one at a time.
class PgCopy {
public:
    /// Connects and starts `query`, a COPY … TO STDOUT (FORMAT BINARY). The rows are those of this moment.
    [[nodiscard]] static base::Result<PgCopy> start(const PgParameters& parameters, const std::string& query);
    /// Calls `each(row)` until the end or until it answers false.
    template<class Each> [[nodiscard]] base::Status read(int fields, Each each);

private:
    struct Finish {
        void operator()(pg_conn* connection) const;
    };
    /// The next piece; empty at the end. It is valid until the next call.
    [[nodiscard]] base::Result<std::span<const std::byte>> piece();
    [[nodiscard]] base::Error lastError() const;

    std::unique_ptr<pg_conn, Finish> m_connection;
    struct Free {
        void operator()(char* buffer) const;
    };
    std::unique_ptr<char, Free> m_buffer;
};

template<class Each> base::Status PgCopy::read(int fields, Each each) {
    PgCopyParser parser(fields);
    bool wanted = true;
    while (wanted) {
        const auto bytes = piece();
        if (!bytes)
            return tl::unexpected(bytes.error());
        if (bytes->empty() && parser.atEnd())
            return {};
        const bool sound = parser.feed(*bytes, [&](PgCopyParser::Row row) { return wanted = each(row); });
        if (!sound || bytes->empty())
            return base::fail(base::Reason::CorruptData, "the database sent rows that cannot be read");
    }
    return {}; // the caller has enough; closing the connection ends the COPY
}

} // namespace fremis::storage
