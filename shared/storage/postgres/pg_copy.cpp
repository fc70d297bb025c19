#include "shared/storage/postgres/pg_copy.h"

#include <libpq-fe.h>

#include <bit>
#include <cstring>

namespace fremis::storage {
namespace {

constexpr std::string_view kSignature("PGCOPY\n\377\r\n\0", 11);
/// A row of ours is some kilobytes; a length beyond this is damage, not data to wait for.
constexpr std::int32_t kMaxFieldBytes = 64 << 20;

template<class T> T bigEndian(std::span<const std::byte> bytes) {
    std::make_unsigned_t<T> value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i)
        value = static_cast<std::make_unsigned_t<T>>(value << 8 | static_cast<std::uint8_t>(bytes[i]));
    return static_cast<T>(value);
}

} // namespace

std::int64_t pgInteger(std::span<const std::byte> field) {
    switch (field.size()) {
    case 2:
        return bigEndian<std::int16_t>(field);
    case 4:
        return bigEndian<std::int32_t>(field);
    case 8:
        return bigEndian<std::int64_t>(field);
    default:
        return 0;
    }
}

double pgDouble(std::span<const std::byte> field) {
    return std::bit_cast<double>(pgInteger(field));
}

PgCopyParser::Step PgCopyParser::header(std::span<const std::byte>& bytes) {
    constexpr std::size_t kSize = 11 + 4 + 4;
    if (bytes.size() < kSize)
        return Step::NeedMore;
    const auto extension = bigEndian<std::int32_t>(bytes.subspan(15));
    if (std::memcmp(bytes.data(), kSignature.data(), kSignature.size()) != 0 || extension < 0 ||
        extension > kMaxFieldBytes)
        return Step::Broken;
    if (bytes.size() < kSize + static_cast<std::size_t>(extension))
        return Step::NeedMore;
    bytes = bytes.subspan(kSize + static_cast<std::size_t>(extension));
    m_headerSeen = true;
    return Step::Row;
}

PgCopyParser::Step PgCopyParser::next(std::span<const std::byte>& bytes) {
    if (!m_headerSeen)
        if (const auto step = header(bytes); step != Step::Row)
            return step;
    auto rest = bytes;
    if (rest.size() < 2)
        return Step::NeedMore;
    const auto count = bigEndian<std::int16_t>(rest);
    rest = rest.subspan(2);
    if (count == -1)
        return Step::End;
    if (count != static_cast<int>(m_fields.size()))
        return Step::Broken;
    for (auto& field : m_fields) {
        if (rest.size() < 4)
            return Step::NeedMore;
        const auto size =
            std::max(bigEndian<std::int32_t>(rest), 0); // NULL (-1) has no bytes; our columns are NOT NULL
        if (size > kMaxFieldBytes)
            return Step::Broken;
        rest = rest.subspan(4);
        if (rest.size() < static_cast<std::size_t>(size))
            return Step::NeedMore;
        field = rest.first(static_cast<std::size_t>(size));
        rest = rest.subspan(static_cast<std::size_t>(size));
    }
    bytes = rest;
    return Step::Row;
}

void PgCopy::Finish::operator()(pg_conn* connection) const {
    PQfinish(connection);
}
void PgCopy::Free::operator()(char* buffer) const {
    PQfreemem(buffer);
}

base::Result<PgCopy> PgCopy::start(const PgParameters& parameters, const std::string& query) {
    std::vector<const char*> keywords;
    std::vector<const char*> values;
    for (const auto& [keyword, value] : parameters) {
        keywords.push_back(keyword.c_str());
        values.push_back(value.c_str());
    }
    keywords.push_back(nullptr);
    values.push_back(nullptr);
    PgCopy copy;
    copy.m_connection.reset(PQconnectdbParams(keywords.data(), values.data(), 0));
    if (!copy.m_connection || PQstatus(copy.m_connection.get()) != CONNECTION_OK)
        return tl::unexpected(copy.lastError());
    auto* result = PQexec(copy.m_connection.get(), query.c_str());
    const bool started = PQresultStatus(result) == PGRES_COPY_OUT;
    PQclear(result);
    if (!started)
        return tl::unexpected(copy.lastError());
    return copy;
}

base::Result<std::span<const std::byte>> PgCopy::piece() {
    char* buffer = nullptr;
    const int size = PQgetCopyData(m_connection.get(), &buffer, 0);
    m_buffer.reset(buffer);
    if (size > 0)
        return std::as_bytes(std::span(buffer, static_cast<std::size_t>(size)));
    if (size == -1) { // the end of the data; whether it was the right end is in the result
        auto* result = PQgetResult(m_connection.get());
        const bool good = PQresultStatus(result) == PGRES_COMMAND_OK;
        PQclear(result);
        if (good)
            return std::span<const std::byte>();
    }
    return tl::unexpected(lastError());
}

base::Error PgCopy::lastError() const {
    std::string_view text = m_connection ? PQerrorMessage(m_connection.get()) : "no memory";
    return {base::Reason::NotReady, "the rows could not be read from the database",
            std::string(text.substr(0, text.find('\n')))};
}

} // namespace fremis::storage
