#include "shared/app/flags.h"

#include "shared/base/secret_file.h"

#include <QCommandLineParser>
#include <QString>
#include <QStringList>

#include <algorithm>
#include <array>
#include <cstring>

extern char** environ;

namespace fremis::app {

using base::fail;
using base::Reason;
using base::Result;
using base::Status;

namespace {

constexpr std::array kSecretFlags{std::string_view("--access-key"), std::string_view("--secret-key"),
                                  std::string_view("--db-password"), std::string_view("--dk")};

Status checkForm(std::span<const std::string> arguments, std::span<const Flag> table) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const auto& argument = arguments[i];
        if (!argument.starts_with("--") || argument == "--")
            return fail(Reason::InvalidParams, "unexpected argument '" + argument.substr(0, 60) + "'");
        const auto name = argument.substr(2, argument.find('=') - 2);
        const auto flag = std::find_if(table.begin(), table.end(), [&](const Flag& f) { return name == f.name; });
        if (flag == table.end())
            return fail(Reason::InvalidParams, "unknown flag --" + name.substr(0, 60));
        if (flag->value && argument.find('=') == std::string::npos) {
            // A value never looks like a flag; what follows a flag that lacks its value is the next flag.
            if (++i == arguments.size() || arguments[i].starts_with("--"))
                return fail(Reason::InvalidParams, "missing value of --" + name);
        }
    }
    return {};
}

} // namespace

std::string helpLines(std::span<const Flag> flags) {
    std::string text;
    for (const auto& flag : flags) {
        std::string left =
            std::string("  --") + flag.name + (flag.value ? std::string(" ") + flag.value : std::string());
        left.resize(std::max<std::size_t>(left.size() + 1, 32), ' ');
        text += left + flag.help + "\n";
    }
    return text;
}

Result<GivenFlags> GivenFlags::parse(std::span<const std::string> arguments, std::span<const Flag> table) {
    if (auto formed = checkForm(arguments, table); !formed)
        return tl::unexpected(formed.error());
    GivenFlags given;
    given.m_parser = std::make_shared<QCommandLineParser>();
    for (const auto& flag : table)
        given.m_parser->addOption(QCommandLineOption(QString::fromLatin1(flag.name), QString(),
                                                     flag.value ? QString::fromLatin1(flag.value) : QString()));
    QStringList list{QStringLiteral("fremis_n_app")};
    for (const auto& argument : arguments)
        list << QString::fromStdString(argument);
    if (!given.m_parser->parse(list))
        return fail(Reason::InvalidParams, given.m_parser->errorText().toStdString());
    for (const auto& flag : table)
        if (!flag.repeatable && given.m_parser->optionNames().count(QString::fromLatin1(flag.name)) > 1)
            return fail(Reason::InvalidParams, std::string("--") + flag.name + " is given twice");
    return given;
}

bool GivenFlags::has(const std::string& name) const {
    return m_parser->optionNames().contains(QString::fromStdString(name));
}

std::string GivenFlags::text(const std::string& name) const {
    return m_parser->value(QString::fromStdString(name)).toStdString();
}

std::vector<std::string> GivenFlags::texts(const std::string& name) const {
    std::vector<std::string> values;
    for (const auto& value : m_parser->values(QString::fromStdString(name)))
        values.push_back(value.toStdString());
    return values;
}

Status takeSecret(const GivenFlags& given, const Environment& environment, const std::string& name,
                  const char* variable, std::string& target) {
    const bool byFlag = given.has(name);
    const bool byFile = given.has(name + "-file");
    const auto found = environment.find(variable);
    const bool byVariable = found != environment.end();
    if (byFlag + byFile + byVariable > 1)
        return fail(Reason::InvalidParams, "--" + name + " is given in two forms (flag, file, environment)");
    if (byFlag) {
        target = given.text(name);
    } else if (byVariable) {
        target = found->second;
    } else if (const auto file = secretFileOf(given, environment, name); !file.empty()) {
        auto secret = base::readSecretFile(file);
        if (!secret)
            return tl::unexpected(secret.error());
        target = std::move(*secret);
    }
    return {};
}

std::filesystem::path secretFileOf(const GivenFlags& given, const Environment& environment, const std::string& name) {
    if (given.has(name + "-file"))
        return given.text(name + "-file");
    const auto folder = environment.find("CREDENTIALS_DIRECTORY");
    if (folder == environment.end())
        return {};
    const auto file = std::filesystem::path(folder->second) / name;
    return std::filesystem::exists(file) ? file : std::filesystem::path();
}

Status checkSecretFile(const GivenFlags& given, const std::filesystem::path& file, std::vector<std::string>& warnings) {
    auto warning = base::secretFileWarning(file);
    if (warning && given.has("strict-perms"))
        return fail(Reason::InvalidParams, *warning);
    if (warning)
        warnings.push_back(std::move(*warning));
    return {};
}

bool hasSecretFlags(const GivenFlags& given) {
    return std::any_of(kSecretFlags.begin(), kSecretFlags.end(),
                       [&](std::string_view flag) { return given.has(std::string(flag.substr(2))); });
}

bool wipeSecretArguments(int argc, char** argv) {
    bool wiped = false;
    const auto wipe = [&](char* value) {
        std::memset(value, 'x', std::strlen(value));
        wiped = true;
    };
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument(argv[i]);
        for (const auto flag : kSecretFlags) {
            if (argument == flag && i + 1 < argc)
                wipe(argv[i + 1]);
            else if (argument.starts_with(flag) && argument.size() > flag.size() && argument[flag.size()] == '=')
                wipe(argv[i] + flag.size() + 1);
        }
    }
    return wiped;
}

Environment currentEnvironment() {
    Environment environment;
    for (char** entry = environ; *entry; ++entry) {
        const std::string_view text(*entry);
        const auto equals = text.find('=');
        if (equals != std::string_view::npos)
            environment.emplace(text.substr(0, equals), text.substr(equals + 1));
    }
    return environment;
}

} // namespace fremis::app
