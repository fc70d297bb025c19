#include "server/app/models_command.h"

#include "server/app/model_pack_path.h"
#include "server/vision/model_pack.h"
#include "shared/app/service.h"

#include <QStandardPaths>

#include <unistd.h>

#include <cstdio>

namespace fremis::app {

namespace fs = std::filesystem;

namespace {

constexpr const char* kHelp =
    "usage: fremis_n_app models fetch [DIR] [--pack ID]... [--from FILE.tgz]...\n"
    "       fremis_n_app models check [--model-pack DIR]\n\n"
    "fetch: installs model packs into DIR/ID, each file checked against its pinned SHA-256 sum. Without DIR: for root\n"
    "/var/lib/fremis-n/model-packs, for others their data folder; servers look into both.\n"
    "  --pack ID         fp-mfn512 (default) or dlib128; may be repeated\n"
    "  --from FILE       a package file that was fetched on another machine, instead of the network\n"
    "check: verifies a pack and runs its models once.\n"
    "  --model-pack DIR  folder or name of the pack (default fp-mfn512)\n";

int usageError(const std::string& what) {
    std::fprintf(stderr, "fremis_n_app models: %s; see fremis_n_app models --help\n", what.c_str());
    return kUsageError;
}

/// The script that fetches: beside an installed program, else in the source tree that this one was built in.
fs::path fetchScript() {
    std::error_code error;
    const auto folder = fs::read_symlink("/proc/self/exe", error).parent_path();
    for (const auto* place : {"../lib/fremis-n/fetch-model-pack", "../../../packaging/linux/fetch-model-pack"})
        if (fs::exists(folder / place, error))
            return (folder / place).lexically_normal();
    return {};
}

std::string defaultTarget() {
    if (::geteuid() == 0)
        return "/var/lib/fremis-n/model-packs";
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation).toStdString() +
           "/fremis-n/model-packs";
}

int fetch(std::span<const std::string> arguments) {
    const auto script = fetchScript();
    if (script.empty()) {
        std::fputs("fremis_n_app models: the program fetch-model-pack is not installed\n", stderr);
        return 1;
    }
    std::vector<std::string> line{script.string()};
    bool hasTarget = false;
    bool hasPack = false;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const bool takesValue = arguments[i] == "--pack" || arguments[i] == "--from";
        hasPack = hasPack || arguments[i] == "--pack";
        hasTarget = hasTarget || !arguments[i].starts_with("-");
        line.push_back(arguments[i]);
        if (takesValue && i + 1 < arguments.size())
            line.push_back(arguments[++i]);
    }
    if (!hasTarget)
        line.push_back(defaultTarget());
    if (!hasPack)
        line.insert(line.end(), {"--pack", "fp-mfn512"});
    std::vector<char*> argv;
    for (auto& argument : line)
        argv.push_back(argument.data());
    argv.push_back(nullptr);
    ::execv(argv[0], argv.data());
    std::perror("fremis_n_app models: cannot run fetch-model-pack");
    return 1;
}

int check(std::span<const std::string> arguments) {
    std::string name = "fp-mfn512";
    if (arguments.size() == 2 && arguments[0] == "--model-pack")
        name = arguments[1];
    else if (!arguments.empty())
        return usageError("check takes --model-pack DIR and nothing else");
    const auto folder = findModelPack(name, "/var/lib/fremis-n", currentEnvironment());
    const auto pack = folder ? vision::ModelPack::load(*folder) : tl::unexpected(folder.error());
    if (!pack) {
        std::fprintf(stderr, "fremis_n_app models: %s\n", pack.error().message.c_str());
        return kBadConfiguration;
    }
    std::printf("%s: %s, embeddings of %d numbers in the space %s, licence %s\n", folder->c_str(), pack->id().c_str(),
                pack->dim(), pack->space().c_str(), pack->licence().c_str());
    return 0;
}

} // namespace

int runModelsCommand(std::span<const std::string> arguments) {
    if (arguments.empty())
        return usageError("fetch or check is expected");
    if (arguments[0] == "--help") {
        std::fputs(kHelp, stdout);
        return 0;
    }
    if (arguments[0] == "fetch")
        return fetch(arguments.subspan(1));
    if (arguments[0] == "check")
        return check(arguments.subspan(1));
    return usageError("unknown command '" + arguments[0].substr(0, 60) + "'");
}

} // namespace fremis::app
