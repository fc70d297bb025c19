#include "server/app/model_pack_path.h"

#include <QStandardPaths>

namespace fremis::app {

base::Result<std::filesystem::path> findModelPack(const std::string& folderOrName, const std::filesystem::path& dataDir,
                                                  const Environment& environment) {
    namespace fs = std::filesystem;
    const auto isPack = [](const fs::path& folder) {
        std::error_code ignored;
        return fs::exists(folder / "pack.yaml", ignored);
    };
    if (folderOrName.find('/') != std::string::npos || isPack(folderOrName)) {
        if (isPack(folderOrName))
            return fs::path(folderOrName);
        return base::fail(base::Reason::BadModelPack, "no pack.yaml in " + folderOrName);
    }
    std::vector<fs::path> places;
    if (const auto found = environment.find("FREMISN_MODEL_PACKS"); found != environment.end())
        places.emplace_back(found->second);
    places.push_back(dataDir / "model-packs");
    places.push_back(fs::path(QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation).toStdString()) /
                     "fremis-n/model-packs");
    places.emplace_back("/var/lib/fremis-n/model-packs");
    places.emplace_back("/usr/share/fremis-n/model-packs");
    std::string tried;
    for (const auto& place : places) {
        if (isPack(place / folderOrName))
            return place / folderOrName;
        tried += (tried.empty() ? "" : ", ") + place.string();
    }
    return base::fail(base::Reason::BadModelPack, "no model pack '" + folderOrName + "' in " + tried +
                                                      ": fetch it with `fremis_n_app models fetch`, or give its folder "
                                                      "with --model-pack or FREMISN_MODEL_PACKS");
}

} // namespace fremis::app
