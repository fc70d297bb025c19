#pragma once

#include "shared/base/error.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fremis::app {

struct PartitionRange {
    int start = 0;
    int end = 255; ///< inclusive
};

enum class StorageKind { Sqlite, Postgres };
enum class IndexKind { Flat, Sq8, Hnsw };
enum class ClientAuth { Off, Required };

/// Everything `fremis_n_app httpserver` is told by flags, files and environment. Secrets live here only.
struct WorkerOptions {
    std::string listenAddress = "0.0.0.0";
    std::uint16_t listenPort = 4005;
    std::optional<std::uint16_t> monitoringPort;
    bool monitoringTls = false;  ///< the monitoring port speaks HTTPS too
    bool metricsNeedKey = false; ///< /metrics asks for a client key with the right "metrics"
    StorageKind storage = StorageKind::Sqlite;
    std::filesystem::path dataDir;
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
    ClientAuth clientAuth = ClientAuth::Off;
    std::filesystem::path clientKeysFile;
    std::filesystem::path tlsCertificate;
    std::filesystem::path tlsKey;
    std::optional<std::uint64_t> maxEnrollments;
    std::optional<std::uint64_t> maxKeyspaces;
    std::string accessKey;
    std::string secretKey;
    bool verbose = false;
    bool printRoutes = false;
    bool secretsInArguments = false; ///< a warning is due
};

/// What a command line asks for: a run with options, or a text to print and leave.
struct ParsedWorkerOptions {
    std::optional<WorkerOptions> options;
    std::string textToPrint; ///< of --help and --version
};

using Environment = std::map<std::string, std::string>;

/// Reads `arguments` (without the program and the subcommand). Errors are usage errors: one line for standard error,
/// exit 2.
[[nodiscard]] base::Result<ParsedWorkerOptions> parseWorkerOptions(const std::vector<std::string>& arguments,
                                                                   const Environment& environment);

/// Overwrites the values of secret flags in the process's own argument list, so that `ps` and /proc do not show them.
/// Call first thing in main, on a copy's original. Returns true when there was one.
bool wipeSecretArguments(int argc, char** argv);

[[nodiscard]] Environment currentEnvironment();

} // namespace fremis::app
