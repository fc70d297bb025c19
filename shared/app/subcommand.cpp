#include "shared/app/subcommand.h"

#include <algorithm>
#include <string_view>

namespace fremis::app {

namespace {

std::vector<Subcommand>& registered() {
    static std::vector<Subcommand> commands;
    return commands;
}

} // namespace

SubcommandRegistration::SubcommandRegistration(const Subcommand& command) {
    registered().push_back(command);
}

std::vector<Subcommand> subcommands() {
    auto commands = registered();
    std::sort(commands.begin(), commands.end(),
              [](const auto& a, const auto& b) { return std::string_view(a.name) < b.name; });
    return commands;
}

} // namespace fremis::app
