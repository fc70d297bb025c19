#pragma once

#include "coordinator/cluster/writes.h"
#include "shared/app/server_options.h"

namespace fremis::coordinator {

/// Everything `fremis_n_app coordinator` is told by flags, files and environment. Secrets live here only.
struct CoordinatorOptions : app::ServerOptions {
    std::filesystem::path configPath;
    bool allowPartialSearch = false;
    WriteAcks writeAcks = WriteAcks::One;
    std::uint64_t queueLimitBytes = QueueOptions().limitBytes;
    bool checkConfig = false;
};

/// Reads `arguments` (without the program and the subcommand). Errors are usage errors.
[[nodiscard]] base::Result<app::ParsedOptions<CoordinatorOptions>>
parseCoordinatorOptions(std::span<const std::string> arguments, const app::Environment& environment);

} // namespace fremis::coordinator
