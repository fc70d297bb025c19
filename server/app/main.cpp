#include "shared/app/flags.h"
#include "shared/app/subcommand.h"

#include <malloc.h>

#include <cstdio>
#include <string>
#include <vector>

using fremis::app::subcommands;

namespace {

void printUsage(std::FILE* out) {
    std::fputs("usage: fremis_n_app COMMAND [FLAG VALUE]...\n\ncommands:\n", out);
    for (const auto& command : subcommands())
        std::fprintf(out, "  %-12s %s\n", command.name, command.summary);
    std::fputs("\n`fremis_n_app COMMAND --help` tells more; `fremis_n_app --version` the version.\n", out);
}

// Megabyte bodies come and go; with glibc's defaults each one is mapped and unmapped, page by page. Blocks up to 4 MiB
// are kept for the next request; larger ones are rare and go back at once. glibc never trims the top of an arena that
// is not the first one by itself, so arenas are few and give back what exceeds 16 MiB when they free; a timer trims the
// rest.
void tuneAllocator() {
    mallopt(M_MMAP_THRESHOLD, 4 << 20);
    mallopt(M_TRIM_THRESHOLD, 16 << 20);
    mallopt(M_ARENA_MAX, 4);
}

} // namespace

int main(int argc, char** argv) {
    tuneAllocator();
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    fremis::app::wipeSecretArguments(argc, argv);
    const std::string name = arguments.empty() ? std::string() : arguments.front();
    for (const auto& command : subcommands())
        if (name == command.name)
            return command.run(std::span(arguments).subspan(1));
    if (name == "--help" || name == "help") {
        printUsage(stdout);
        return 0;
    }
    if (name == "--version") {
        std::puts("fremis_n_app " FREMIS_VERSION);
        return 0;
    }
    std::fprintf(stderr, "fremis_n_app: %s; see fremis_n_app --help\n",
                 name.empty() ? "no command given" : "unknown command");
    return 2;
}
