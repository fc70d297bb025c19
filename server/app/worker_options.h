#pragma once

#include "shared/app/server_options.h"

namespace fremis::app {

struct PartitionRange {
    int start = 0;
    int end = 255; ///< inclusive
};

enum class StorageKind { Sqlite, Postgres };
enum class IndexKind { Flat, Sq8, Hnsw };

/// Everything `fremis_n_app httpserver` is told by flags, files and environment. Secrets live here only.
struct WorkerOptions : ServerOptions {
    std::uint16_t internalPort = 0; ///< 0: any free one
    StorageKind storage = StorageKind::Sqlite;
    struct Database {
        std::string address = "localhost";
        std::uint16_t port = 5432;
        std::string name = "fremisn";
        std::string username = "postgres";
        std::string password;
    } database;
    std::vector<PartitionRange> partitions = {PartitionRange{}};
    std::string modelPack = "fp-mfn512";
    int maxWorkers = 1;
    bool rejectMultipleFaces = false;
    bool enforceQuality = true;
    IndexKind index = IndexKind::Flat;
    bool floatRowsInFile = false; ///< of sq8
    int batchSearchMax = 16;
    std::optional<std::uint64_t> maxEnrollments;
    std::optional<std::uint64_t> maxKeyspaces;
};

/// Reads `arguments` (without the program and the subcommand). Errors are usage errors.
[[nodiscard]] base::Result<ParsedOptions<WorkerOptions>> parseWorkerOptions(const std::vector<std::string>& arguments,
                                                                            const Environment& environment);

} // namespace fremis::app
