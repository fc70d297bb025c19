#pragma once

#include "shared/storage/batch.h"
#include "shared/storage/sqlite/connection.h"

#include <filesystem>

namespace fremis::storage {

/// What a SQLite store keeps in memory, as one process owns the file. Reloaded when a transaction that changed it has
/// failed.
struct SqliteMeta {
    StoreIdentity identity;
    base::Version last;
    std::optional<EnrollmentStore::Space> space;
    std::int64_t spaceId = 0;
    KeyspaceRegistry keyspaces;
    std::array<base::Version, base::kPartitionCount> horizons{};
};

/// Opens the writing connection: makes, migrates and checks the file, sets the pragmas, counts the generation up.
[[nodiscard]] base::Result<SqliteConnection> openSqliteWriter(const std::filesystem::path& file, const std::string& vfs,
                                                              std::chrono::milliseconds now);
[[nodiscard]] base::Result<SqliteConnection> openSqliteReader(const std::filesystem::path& file,
                                                              const std::string& vfs);
[[nodiscard]] base::Result<SqliteMeta> loadSqliteMeta(SqliteConnection& connection);
/// A version in two columns, the stamp first.
[[nodiscard]] base::Version versionAt(const SqliteStatement& row, int column);
/// Writes what apply() changed in the registry.
[[nodiscard]] base::Status writeKeyspaces(SqliteConnection& connection, const KeyspaceRegistry& keyspaces);

} // namespace fremis::storage
