#include "coordinator/app/coordinator_options.h"

#include <array>

namespace fremis::coordinator {

using app::Flag;
using app::ParsedOptions;
using base::fail;
using base::Reason;

namespace {

constexpr std::array kCoordinatorFlags{
    Flag{"config-path", "FILE", "config.yml: which worker owns which partitions (required)"},
    Flag{"check-config", nullptr, "check config.yml and leave"},
    Flag{"allow-partial-search", nullptr, "answer searches of a cluster with gaps, marked as incomplete"},
    Flag{"write-acks", "RULE", "replicas that must hold a write before its 200: one (default), majority or all"},
    Flag{"queue-limit-bytes", "N", "most bytes of queued writes (default: 8 GiB, never over 80 % of the disk)"},
    Flag{"max-workers", "N", "accepted for compatibility; a coordinator runs no models"},
    Flag{"data-dir", "DIR", "queue of writes that replicas missed (default: the user's data folder)"},
};

std::vector<Flag> allFlags() {
    std::vector<Flag> flags(kCoordinatorFlags.begin(), kCoordinatorFlags.end());
    flags.insert(flags.end(), app::kServerFlags.begin(), app::kServerFlags.end());
    return flags;
}

std::string helpText() {
    return "usage: fremis_n_app coordinator --config-path FILE [FLAG VALUE | FLAG=VALUE]...\n\n"
           "Makes many workers look like one: the same API, each face on the workers that own its partition.\n"
           "SIGHUP reads the config again; a file that cannot be used never replaces a good one.\n\n" +
           app::helpLines(allFlags()) +
           "\nSecrets given as flags are wiped from the argument list at start. Environment: FREMISN_ACCESS_KEY,\n"
           "FREMISN_SECRET_KEY.\n";
}

base::Status takeCoordinatorOptions(const app::GivenFlags& given, CoordinatorOptions& options) {
    if (!given.has("config-path"))
        return fail(Reason::InvalidParams, "--config-path is required");
    options.configPath = given.text("config-path");
    options.checkConfig = given.has("check-config");
    options.allowPartialSearch = given.has("allow-partial-search");
    if (!given.has("data-dir"))
        options.dataDir /= "coordinator"; // beside a worker's data, not among it
    int ignored = 0;
    constexpr std::uint64_t kLeastQueue = 4096;
    constexpr std::uint64_t kMostQueue = 1ULL << 50;
    return app::takeNumber<int>(given, "max-workers", 1, 256, ignored)
        .and_then([&] {
            return app::takeNumber<std::uint64_t>(given, "queue-limit-bytes", kLeastQueue, kMostQueue,
                                                  options.queueLimitBytes);
        })
        .and_then([&] {
            return app::takeWord(given, "write-acks",
                                 {{"one", WriteAcks::One}, {"majority", WriteAcks::Majority}, {"all", WriteAcks::All}},
                                 options.writeAcks);
        });
}

} // namespace

base::Result<ParsedOptions<CoordinatorOptions>> parseCoordinatorOptions(std::span<const std::string> arguments,
                                                                        const app::Environment& environment) {
    const auto given = app::GivenFlags::parse(arguments, allFlags());
    if (!given)
        return tl::unexpected(given.error());
    if (given->has("help"))
        return ParsedOptions<CoordinatorOptions>{std::nullopt, helpText()};
    if (given->has("version"))
        return ParsedOptions<CoordinatorOptions>{std::nullopt, "fremis_n_app " FREMIS_VERSION "\n"};
    CoordinatorOptions options;
    auto taken = app::takeServerOptions(*given, environment, options);
    if (taken && !options.printRoutes)
        taken = takeCoordinatorOptions(*given, options);
    if (!taken)
        return tl::unexpected(taken.error());
    return ParsedOptions<CoordinatorOptions>{std::move(options), {}};
}

} // namespace fremis::coordinator
