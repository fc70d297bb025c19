#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace fremis::storage {

/// One file of resources/sql, compiled in. Numbers rise by one from 1; a file never changes once it has been released.
struct Migration {
    int number;
    std::string_view name;
    std::string_view sql;
};

[[nodiscard]] std::span<const Migration> sqliteMigrations();
[[nodiscard]] std::span<const Migration> postgresMigrations();

/// Logs that the store of an older program was brought up to date, and what a way back needs. From 0: a new store,
/// which is not worth a line.
void logMigrated(std::string_view store, std::int64_t from, std::int64_t to);

} // namespace fremis::storage
