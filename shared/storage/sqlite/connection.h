#pragma once

#include "shared/base/error.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

struct sqlite3;
struct sqlite3_stmt;

namespace fremis::storage {

/// A prepared statement. Binding goes by position from 1; texts and blobs that are bound must outlive the step. The
/// first error sticks until reset() and is what run() and next() return. Thread: that of its connection.
class SqliteStatement {
public:
    SqliteStatement() = default;

    SqliteStatement& bind(int position, std::int64_t value);
    SqliteStatement& bind(int position, double value);
    SqliteStatement& bind(int position, std::string_view text);
    SqliteStatement& bind(int position, std::span<const std::byte> blob);
    SqliteStatement& bindNull(int position);

    /// True: a row is there. At the end, and at an error, the statement is reset.
    [[nodiscard]] base::Result<bool> next();
    /// For statements without rows.
    [[nodiscard]] base::Status run();
    /// Ends the statement early; needed when next() has not yet answered false.
    void reset();

    [[nodiscard]] std::int64_t integer(int column) const;
    [[nodiscard]] double real(int column) const;
    [[nodiscard]] std::string_view text(int column) const; ///< until the next step
    [[nodiscard]] std::span<const std::byte> blob(int column) const;
    [[nodiscard]] bool isNull(int column) const;

private:
    friend class SqliteConnection;
    struct Finalize {
        void operator()(sqlite3_stmt* statement) const;
    };
    SqliteStatement& note(int code);

    std::unique_ptr<sqlite3_stmt, Finalize> m_statement;
    int m_code = 0;
};

/// An SQLite connection with extended result codes. Thread: one at a time.
class SqliteConnection {
public:
    enum class Access { ReadOnly, ReadWriteCreate };
    [[nodiscard]] static base::Result<SqliteConnection> open(const std::string& file, Access access,
                                                             const std::string& vfs);

    /// One or more statements without parameters.
    [[nodiscard]] base::Status execute(const std::string& sql);
    [[nodiscard]] base::Result<SqliteStatement> prepare(std::string_view sql);
    /// Calls `each(row)` for the rows of a query without parameters, until it answers false.
    template<class Each> [[nodiscard]] base::Status query(std::string_view sql, Each each);
    /// The first column of the first row.
    [[nodiscard]] base::Result<std::int64_t> integer(std::string_view sql);
    [[nodiscard]] int changes() const;
    /// True when the last failure came from what the file says and not from the disk, from memory or from locks.
    [[nodiscard]] bool contentIsToBlame() const;
    /// Moves the whole WAL into the database and cuts the WAL to length 0. False: a reader is in the way.
    [[nodiscard]] base::Result<bool> checkpointTruncate();

private:
    struct Close {
        void operator()(sqlite3* database) const;
    };
    std::unique_ptr<sqlite3, Close> m_database;
};

template<class Each> base::Status SqliteConnection::query(std::string_view sql, Each each) {
    auto statement = prepare(sql);
    if (!statement)
        return tl::unexpected(statement.error());
    while (true) {
        auto row = statement->next();
        if (!row)
            return tl::unexpected(row.error());
        if (!*row || !each(*statement))
            return {};
    }
}

/// True for an error that came from a failed fsync: the system may have thrown away what it could not write, so nothing
/// later on that file can be trusted.
[[nodiscard]] bool isSyncFailure(const base::Error& error);

} // namespace fremis::storage
