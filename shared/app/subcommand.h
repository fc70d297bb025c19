#pragma once

#include <span>
#include <string>
#include <vector>

namespace fremis::app {

/// One `fremis_n_app COMMAND`.
struct Subcommand {
    const char* name;
    const char* summary;
    /// Gets what follows the command's name; returns the exit code of the process.
    int (*run)(std::span<const std::string> arguments);
};

/// Puts a command into the program that its unit is linked into. One static object for each command, in a source file
/// of the program's own target: parts of the product add theirs without the program naming them.
class SubcommandRegistration {
public:
    explicit SubcommandRegistration(const Subcommand& command);
};

/// The commands of this program by name. Thread: any, once main has begun.
[[nodiscard]] std::vector<Subcommand> subcommands();

} // namespace fremis::app
