#pragma once

#include "shared/base/error.h"

#include <charconv>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

class QCommandLineParser;

/// Command lines of the services: `--flag value` and `--flag=value`, each flag known and given once, secrets by flag,
/// file or environment. Every error is a usage error: one line for standard error, exit 2. Thread: the main one.
namespace fremis::app {

struct Flag {
    const char* name;  ///< without dashes
    const char* value; ///< what the help calls its value; nullptr: a switch
    const char* help;
    bool repeatable = false;
};

/// One line for each flag, for --help.
[[nodiscard]] std::string helpLines(std::span<const Flag> flags);

/// The flags of a command line, checked against a table.
class GivenFlags {
public:
    [[nodiscard]] static base::Result<GivenFlags> parse(std::span<const std::string> arguments,
                                                        std::span<const Flag> table);

    [[nodiscard]] bool has(const std::string& name) const;
    [[nodiscard]] std::string text(const std::string& name) const; ///< empty when not given
    [[nodiscard]] std::vector<std::string> texts(const std::string& name) const;

private:
    std::shared_ptr<QCommandLineParser> m_parser;
};

/// A whole number in a range. Shown in the error as `name`.
template<class Number>
[[nodiscard]] base::Result<Number> numberOf(const std::string& name, const std::string& text, Number least,
                                            Number most) {
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < least || number > most)
        return base::fail(base::Reason::InvalidParams,
                          name + " takes a whole number from " + std::to_string(least) + " to " + std::to_string(most));
    return number;
}

/// Takes a number when the flag is given.
template<class Number, class Target>
[[nodiscard]] base::Status takeNumber(const GivenFlags& given, const char* flag, Number least, Number most,
                                      Target& target) {
    if (!given.has(flag))
        return {};
    auto number = numberOf<Number>(std::string("--") + flag, given.text(flag), least, most);
    if (!number)
        return tl::unexpected(number.error());
    target = static_cast<Number>(*number);
    return {};
}

/// Takes one of the words when the flag is given.
template<class Enum>
[[nodiscard]] base::Status takeWord(const GivenFlags& given, const char* flag,
                                    std::initializer_list<std::pair<const char*, Enum>> words, Enum& target) {
    if (!given.has(flag))
        return {};
    const auto word = given.text(flag);
    std::string known;
    for (const auto& [name, value] : words) {
        if (word == name) {
            target = value;
            return {};
        }
        known += (known.empty() ? "" : " or ") + std::string(name);
    }
    return base::fail(base::Reason::InvalidParams, std::string("--") + flag + " takes " + known);
}

using Environment = std::map<std::string, std::string>;
[[nodiscard]] Environment currentEnvironment();

/// A secret by `--name`, `--name-file` or an environment variable, or from systemd's credentials folder. Two forms at
/// once are an error.
[[nodiscard]] base::Status takeSecret(const GivenFlags& given, const Environment& environment, const std::string& name,
                                      const char* variable, std::string& target);

/// The file that takeSecret() turns to when neither flag nor variable has the secret; empty when there is none.
[[nodiscard]] std::filesystem::path secretFileOf(const GivenFlags& given, const Environment& environment,
                                                 const std::string& name);

/// A file with secrets that others can read is one more of the warnings, or with --strict-perms an error.
[[nodiscard]] base::Status checkSecretFile(const GivenFlags& given, const std::filesystem::path& file,
                                           std::vector<std::string>& warnings);

/// True when a secret came as a flag: a warning is due.
[[nodiscard]] bool hasSecretFlags(const GivenFlags& given);

/// Overwrites the values of secret flags in the process's own argument list, so that `ps` and /proc do not show them.
/// Call first thing in main, after copying the arguments. Returns true when there was one.
bool wipeSecretArguments(int argc, char** argv);

} // namespace fremis::app
