#include "server/app/worker_options.h"

#include <algorithm>
#include <thread>

namespace fremis::app {

namespace {

using base::fail;
using base::Reason;
using base::Result;
using base::Status;

constexpr std::array kWorkerFlags{
    Flag{"listen-port-internal", "PORT",
         "internal plane of a cluster; default: any free port, told by the health check"},
    Flag{"storage", "KIND", "sqlite (default) or postgres"},
    Flag{"data-dir", "DIR", "database file, snapshots (default: the user's data folder)"},
    Flag{"db-address", "HOST", "PostgreSQL host (default localhost)"},
    Flag{"db-port", "PORT", "PostgreSQL port (default 5432)"},
    Flag{"db-name", "NAME", "PostgreSQL database (default fremisn)"},
    Flag{"db-username", "NAME", "PostgreSQL user (default postgres)"},
    Flag{"db-password", "PASSWORD", "better: --db-password-file, FREMISN_DB_PASSWORD or PGPASSFILE"},
    Flag{"db-password-file", "FILE", "the PostgreSQL password in a file"},
    Flag{"partition-start", "N", "first partition of a range, 0..255 (default 0); the pair may be repeated", true},
    Flag{"partition-end", "N", "last partition of a range, inclusive (default 255)", true},
    Flag{"model-pack", "DIR", "folder or name of the model pack (default fp-mfn512)"},
    Flag{"max-workers", "N", "threads that run models (default: number of cores)"},
    Flag{"multi-face", "RULE", "largest (default): use the largest face; reject: refuse photos with several"},
    Flag{"quality-gate", "RULE", "enforce (default) or report: gates warn but never refuse"},
    Flag{"index", "KIND", "flat (default, exact), sq8 (exact, int8 scan) or hnsw (approximate)"},
    Flag{"float-rows", "PLACE", "with --index sq8: memory (default) or file, a nameless file in the data folder"},
    Flag{"max-enrollments", "N", "most faces; beyond it enrolment is 429"},
    Flag{"max-keyspaces", "N", "most keyspaces; beyond it creation is 429"},
};

std::vector<Flag> allFlags() {
    std::vector<Flag> flags(kWorkerFlags.begin(), kWorkerFlags.end());
    flags.insert(flags.end(), kServerFlags.begin(), kServerFlags.end());
    return flags;
}

std::string helpText() {
    return "usage: fremis_n_app httpserver [FLAG VALUE | FLAG=VALUE]...\n\n"
           "A worker: enrols, finds and deletes faces over REST. With no flag it keeps everything in the user's\n"
           "data folder (SQLite) and listens on port 4005.\n\n" +
           helpLines(allFlags()) +
           "\nSecrets given as flags are wiped from the argument list at start. Environment: FREMISN_ACCESS_KEY,\n"
           "FREMISN_SECRET_KEY, FREMISN_DB_PASSWORD, FREMISN_BATCH_SEARCH_MAX_SIZE (most searches joined into one "
           "pass;\n"
           "default 16), FREMISN_MODEL_PACKS (folder that holds packs by name).\n";
}

Status takePartitions(const GivenFlags& given, std::vector<PartitionRange>& target) {
    const auto starts = given.texts("partition-start");
    const auto ends = given.texts("partition-end");
    if (starts.empty() && ends.empty())
        return {};
    if (starts.size() != ends.size())
        return fail(Reason::InvalidParams, "--partition-start and --partition-end come in pairs");
    target.clear();
    for (std::size_t i = 0; i < starts.size(); ++i) {
        const auto start = numberOf<int>("--partition-start", starts[i], 0, 255);
        const auto end = numberOf<int>("--partition-end", ends[i], 0, 255);
        if (!start || !end)
            return tl::unexpected(start ? end.error() : start.error());
        if (*start > *end)
            return fail(Reason::InvalidParams, "the partition range " + starts[i] + "-" + ends[i] + " is reversed");
        for (const auto& range : target)
            if (*start <= range.end && range.start <= *end)
                return fail(Reason::InvalidParams,
                            "the partition range " + starts[i] + "-" + ends[i] + " overlaps another");
        target.push_back({*start, *end});
    }
    std::sort(target.begin(), target.end(), [](const auto& a, const auto& b) { return a.start < b.start; });
    return {};
}

Status takeInternalPort(const GivenFlags& given, WorkerOptions& options) {
    return takeNumber<std::uint16_t>(given, "listen-port-internal", 0, 65535, options.internalPort);
}

Status takeStorage(const GivenFlags& given, WorkerOptions& options) {
    if (auto taken = takeWord(given, "storage", {{"sqlite", StorageKind::Sqlite}, {"postgres", StorageKind::Postgres}},
                              options.storage);
        !taken)
        return taken;
    auto& database = options.database;
    if (given.has("db-address"))
        database.address = given.text("db-address");
    if (given.has("db-name"))
        database.name = given.text("db-name");
    if (given.has("db-username"))
        database.username = given.text("db-username");
    return takeNumber<std::uint16_t>(given, "db-port", 1, 65535, database.port);
}

Status takeWork(const GivenFlags& given, const Environment& environment, WorkerOptions& options) {
    options.maxWorkers = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    if (auto taken = takeNumber<int>(given, "max-workers", 1, 256, options.maxWorkers); !taken)
        return taken;
    if (auto taken = takeNumber<std::uint64_t>(given, "max-enrollments", 0, 1ULL << 53, options.maxEnrollments); !taken)
        return taken;
    if (auto taken = takeNumber<std::uint64_t>(given, "max-keyspaces", 0, 1ULL << 53, options.maxKeyspaces); !taken)
        return taken;
    if (auto taken = takeWord(given, "multi-face", {{"largest", false}, {"reject", true}}, options.rejectMultipleFaces);
        !taken)
        return taken;
    if (auto taken = takeWord(given, "quality-gate", {{"enforce", true}, {"report", false}}, options.enforceQuality);
        !taken)
        return taken;
    if (auto taken =
            takeWord(given, "index", {{"flat", IndexKind::Flat}, {"sq8", IndexKind::Sq8}, {"hnsw", IndexKind::Hnsw}},
                     options.index);
        !taken)
        return taken;
    if (auto taken = takeWord(given, "float-rows", {{"memory", false}, {"file", true}}, options.floatRowsInFile);
        !taken)
        return taken;
    if (options.floatRowsInFile && options.index != IndexKind::Sq8)
        return fail(Reason::InvalidParams, "--float-rows file needs --index sq8");
    if (given.has("model-pack"))
        options.modelPack = given.text("model-pack");
    if (const auto found = environment.find("FREMISN_BATCH_SEARCH_MAX_SIZE"); found != environment.end()) {
        const auto number = numberOf<int>("FREMISN_BATCH_SEARCH_MAX_SIZE", found->second, 1, 1024);
        if (!number)
            return fail(Reason::InvalidParams, "FREMISN_BATCH_SEARCH_MAX_SIZE takes a whole number from 1 to 1024");
        options.batchSearchMax = *number;
    }
    return {};
}

} // namespace

Result<ParsedOptions<WorkerOptions>> parseWorkerOptions(const std::vector<std::string>& arguments,
                                                        const Environment& environment) {
    auto given = GivenFlags::parse(arguments, allFlags());
    if (!given)
        return tl::unexpected(given.error());
    if (given->has("help"))
        return ParsedOptions<WorkerOptions>{std::nullopt, helpText()};
    if (given->has("version"))
        return ParsedOptions<WorkerOptions>{std::nullopt, "fremis_n_app " FREMIS_VERSION "\n"};
    WorkerOptions options;
    const auto taken =
        takeServerOptions(*given, environment, options)
            .and_then([&] { return takeInternalPort(*given, options); })
            .and_then([&] { return takeStorage(*given, options); })
            .and_then([&] { return takeWork(*given, environment, options); })
            .and_then([&] { return takePartitions(*given, options.partitions); })
            .and_then([&] {
                return takeSecret(*given, environment, "db-password", "FREMISN_DB_PASSWORD", options.database.password);
            })
            .and_then([&] {
                const auto file = secretFileOf(*given, environment, "db-password");
                return checkSecretFile(*given, file, options.openSecretFiles);
            });
    if (!taken)
        return tl::unexpected(taken.error());
    return ParsedOptions<WorkerOptions>{std::move(options), {}};
}

} // namespace fremis::app
