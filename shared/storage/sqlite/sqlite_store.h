#pragma once

#include "shared/storage/enrollment_store.h"

#include <filesystem>

namespace fremis::storage {

struct SqliteOptions {
    std::filesystem::path directory;    ///< made with mode 0700 when missing; holds store.db, its WAL and the lock
    std::string vfs;                    ///< name of a registered SQLite VFS; empty: the system's. Tests fail its calls
    const base::Clock* clock = nullptr; ///< null: the system's
};

/// Opens the store in a directory, makes or migrates it. BadStore: locked by another process, made by a newer program
/// or with another partition rule, or damaged.
[[nodiscard]] base::Result<std::unique_ptr<EnrollmentStore>> openSqlite(const SqliteOptions& options);

} // namespace fremis::storage
