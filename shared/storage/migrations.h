#pragma once

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

} // namespace fremis::storage
