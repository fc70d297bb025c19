#include "server/app/worker_command.h"

#include "server/app/worker.h"
#include "server/app/worker_options.h"
#include "shared/app/service.h"

#include <cstdio>

namespace fremis::app {

namespace {

int printRoutes() {
    for (const auto& route : api::clientRoutes(nullptr))
        std::printf("%s %s\n", route.method.c_str(), route.path.c_str());
    return 0;
}

} // namespace

int runWorkerCommand(std::span<const std::string> arguments) {
    const auto parsed = parseWorkerOptions({arguments.begin(), arguments.end()}, currentEnvironment());
    if (!parsed) {
        std::fprintf(stderr, "fremis_n_app httpserver: %s\n", parsed.error().message.c_str());
        return kUsageError;
    }
    if (!parsed->options) {
        std::fputs(parsed->textToPrint.c_str(), stdout);
        return 0;
    }
    if (parsed->options->printRoutes)
        return printRoutes();
    return runService(parsed->options->verbose, [&](StopRequest stop) -> base::Result<std::unique_ptr<Service>> {
        return Worker::start(*parsed->options, std::move(stop));
    });
}

} // namespace fremis::app
