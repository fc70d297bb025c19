#include "shared/storage/sqlite/connection.h"

#include <sqlite3.h>

#include <cerrno>

namespace fremis::storage {
namespace {

constexpr std::string_view kSyncFailed = "a sync to disk failed";

base::Reason reasonOf(int code, int systemError) {
    switch (code & 0xff) {
    case SQLITE_FULL:
        return base::Reason::StorageFull;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return base::Reason::BadStore;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return base::Reason::NotReady;
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
        // A full disk shows as an I/O error where SQLite extends its shared-memory file.
        return systemError == ENOSPC || systemError == EDQUOT ? base::Reason::StorageFull : base::Reason::Internal;
    default:
        return base::Reason::Internal;
    }
}

std::string_view messageOf(base::Reason reason, int code) {
    if (code == SQLITE_IOERR_FSYNC || code == SQLITE_IOERR_DIR_FSYNC)
        return kSyncFailed;
    switch (reason) {
    case base::Reason::StorageFull:
        return "the disk of the store is full";
    case base::Reason::BadStore:
        return "the store's file is damaged";
    case base::Reason::NotReady:
        return "the store is busy";
    default:
        return "the store failed";
    }
}

/// SQLite's own text names tables and columns, never values.
tl::unexpected<base::Error> failOf(sqlite3* database, int code) {
    const auto reason = reasonOf(code, database ? sqlite3_system_errno(database) : 0);
    return base::fail(reason, std::string(messageOf(reason, code)),
                      "sqlite " + std::to_string(code) + ": " +
                          (database ? sqlite3_errmsg(database) : sqlite3_errstr(code)));
}

} // namespace

bool isSyncFailure(const base::Error& error) {
    return error.message == kSyncFailed;
}

void SqliteStatement::Finalize::operator()(sqlite3_stmt* statement) const {
    sqlite3_finalize(statement);
}

SqliteStatement& SqliteStatement::note(int code) {
    if (m_code == SQLITE_OK)
        m_code = code;
    return *this;
}

SqliteStatement& SqliteStatement::bind(int position, std::int64_t value) {
    return note(sqlite3_bind_int64(m_statement.get(), position, value));
}

SqliteStatement& SqliteStatement::bind(int position, double value) {
    return note(sqlite3_bind_double(m_statement.get(), position, value));
}

SqliteStatement& SqliteStatement::bind(int position, std::string_view text) {
    return note(sqlite3_bind_text64(m_statement.get(), position, text.data() ? text.data() : "", text.size(),
                                    SQLITE_STATIC, SQLITE_UTF8));
}

SqliteStatement& SqliteStatement::bind(int position, std::span<const std::byte> blob) {
    return note(sqlite3_bind_blob64(m_statement.get(), position, blob.data(), blob.size(), SQLITE_STATIC));
}

SqliteStatement& SqliteStatement::bindNull(int position) {
    return note(sqlite3_bind_null(m_statement.get(), position));
}

base::Result<bool> SqliteStatement::next() {
    auto code = m_code == SQLITE_OK ? sqlite3_step(m_statement.get()) : m_code;
    if (code == SQLITE_ROW)
        return true;
    auto* database = sqlite3_db_handle(m_statement.get());
    if (code != SQLITE_DONE) {
        auto failure = failOf(database, code);
        reset();
        return failure;
    }
    reset();
    return false;
}

base::Status SqliteStatement::run() {
    auto row = next();
    if (!row)
        return tl::unexpected(row.error());
    if (*row)
        reset();
    return {};
}

void SqliteStatement::reset() {
    m_code = SQLITE_OK;
    sqlite3_reset(m_statement.get());
}

std::int64_t SqliteStatement::integer(int column) const {
    return sqlite3_column_int64(m_statement.get(), column);
}
double SqliteStatement::real(int column) const {
    return sqlite3_column_double(m_statement.get(), column);
}

std::string_view SqliteStatement::text(int column) const {
    const auto* data = reinterpret_cast<const char*>(sqlite3_column_text(m_statement.get(), column));
    return {data ? data : "", static_cast<std::size_t>(sqlite3_column_bytes(m_statement.get(), column))};
}

std::span<const std::byte> SqliteStatement::blob(int column) const {
    const auto* data = static_cast<const std::byte*>(sqlite3_column_blob(m_statement.get(), column));
    return {data, static_cast<std::size_t>(sqlite3_column_bytes(m_statement.get(), column))};
}

bool SqliteStatement::isNull(int column) const {
    return sqlite3_column_type(m_statement.get(), column) == SQLITE_NULL;
}

void SqliteConnection::Close::operator()(sqlite3* database) const {
    sqlite3_close_v2(database);
}

base::Result<SqliteConnection> SqliteConnection::open(const std::string& file, Access access, const std::string& vfs) {
    const int flags = (access == Access::ReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE) |
                      SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
    sqlite3* database = nullptr;
    const int code = sqlite3_open_v2(file.c_str(), &database, flags, vfs.empty() ? nullptr : vfs.c_str());
    SqliteConnection connection;
    connection.m_database.reset(database);
    if (code != SQLITE_OK)
        return failOf(database, code);
    sqlite3_busy_timeout(database, 5000);
    return connection;
}

base::Status SqliteConnection::execute(const std::string& sql) {
    const int code = sqlite3_exec(m_database.get(), sql.c_str(), nullptr, nullptr, nullptr);
    if (code != SQLITE_OK)
        return failOf(m_database.get(), code);
    return {};
}

base::Result<SqliteStatement> SqliteConnection::prepare(std::string_view sql) {
    sqlite3_stmt* raw = nullptr;
    const int code = sqlite3_prepare_v3(m_database.get(), sql.data(), static_cast<int>(sql.size()),
                                        SQLITE_PREPARE_PERSISTENT, &raw, nullptr);
    if (code != SQLITE_OK)
        return failOf(m_database.get(), code);
    SqliteStatement statement;
    statement.m_statement.reset(raw);
    return statement;
}

base::Result<std::int64_t> SqliteConnection::integer(std::string_view sql) {
    auto statement = prepare(sql);
    if (!statement)
        return tl::unexpected(statement.error());
    auto row = statement->next();
    if (!row)
        return tl::unexpected(row.error());
    return *row ? statement->integer(0) : 0;
}

int SqliteConnection::changes() const {
    return sqlite3_changes(m_database.get());
}

bool SqliteConnection::contentIsToBlame() const {
    switch (sqlite3_errcode(m_database.get()) & 0xff) {
    case SQLITE_OK:
    case SQLITE_ROW:
    case SQLITE_DONE:
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
    case SQLITE_FULL:
    case SQLITE_NOMEM:
    case SQLITE_PERM:
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PROTOCOL:
        return false;
    default:
        return true;
    }
}

base::Result<bool> SqliteConnection::checkpointTruncate() {
    sqlite3_busy_timeout(m_database.get(), 0); // a long bulk read must not hold up the writes that wait behind this
    const int code = sqlite3_wal_checkpoint_v2(m_database.get(), nullptr, SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr);
    sqlite3_busy_timeout(m_database.get(), 5000);
    if ((code & 0xff) == SQLITE_BUSY || (code & 0xff) == SQLITE_LOCKED)
        return false;
    if (code != SQLITE_OK)
        return failOf(m_database.get(), code);
    return true;
}

} // namespace fremis::storage
