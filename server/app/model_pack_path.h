#pragma once

#include "server/app/worker_options.h"

namespace fremis::app {

/// The folder of a model pack given by folder or by name. A name is looked for in $FREMISN_MODEL_PACKS, in
/// `dataDir`/model-packs, in the user's and in the system's data folders. BadModelPack names the places that were
/// tried.
[[nodiscard]] base::Result<std::filesystem::path>
findModelPack(const std::string& folderOrName, const std::filesystem::path& dataDir, const Environment& environment);

} // namespace fremis::app
