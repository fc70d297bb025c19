#include "coordinator/api/coordinator_api.h"
#include "coordinator/app/coordinator_service.h"
#include "shared/app/subcommand.h"

#include <cstdio>

using namespace fremis;

namespace {

int printRoutes() {
    for (const auto& route : coordinator::clientRoutes(nullptr))
        std::printf("%s %s\n", route.method.c_str(), route.path.c_str());
    return 0;
}

int checkConfig(const std::filesystem::path& file) {
    const auto config = routing::loadConfig(file);
    if (!config) {
        std::fprintf(stderr, "%s\n", config.error().message.c_str());
        return app::kBadConfiguration;
    }
    for (const auto& problem : config->warnings)
        std::printf("%s:%d: %s\n", file.c_str(), problem.line, problem.message.c_str());
    std::printf("%s: %zu nodes, epoch %s\n", file.c_str(), config->map.nodes().size(), config->epoch().c_str());
    return 0;
}

int runCoordinatorCommand(std::span<const std::string> arguments) {
    const auto parsed = coordinator::parseCoordinatorOptions(arguments, app::currentEnvironment());
    if (!parsed) {
        std::fprintf(stderr, "fremis_n_app coordinator: %s\n", parsed.error().message.c_str());
        return app::kUsageError;
    }
    if (!parsed->options) {
        std::fputs(parsed->textToPrint.c_str(), stdout);
        return 0;
    }
    const auto& options = *parsed->options;
    if (options.printRoutes)
        return printRoutes();
    if (options.checkConfig)
        return checkConfig(options.configPath);
    return app::runService(options.verbose, [&](app::StopRequest stop) -> base::Result<std::unique_ptr<app::Service>> {
        return coordinator::CoordinatorService::start(options, std::move(stop));
    });
}

const app::SubcommandRegistration
    s_coordinator({"coordinator", "one address for many workers: routes, replicates, merges", runCoordinatorCommand});

} // namespace
