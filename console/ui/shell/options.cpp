#include "console/ui/shell/options.h"

namespace fremis::console::ui {

QString helpText() {
    return QStringLiteral("fremis_n_console [options]\n"
                          "The operator console of a FREMIS-N cluster.\n\n"
                          "  --url URL              connect to this coordinator, like http://127.0.0.1:4005\n"
                          "  --profile NAME         connect with a saved profile\n"
                          "  --demo                 open a cluster that exists in memory only\n"
                          "  --demo=real            start a small cluster on this computer and open it\n"
                          "  --scenario FILE        the demo cluster lives through this story (JSON)\n"
                          "  --page PAGE            open with this page: overview, map, nodes, ...\n"
                          "  --snapshot FILE        show a saved snapshot, read-only\n"
                          "  --lang en|id           language\n"
                          "  --theme light|dark|system\n"
                          "  --import-profiles FILE add the profiles of an exported file and leave\n"
                          "  --screenshot-dir DIR   save a picture of every page and leave\n"
                          "  --selftest             open every page once and leave\n"
                          "  --version              name the version and leave\n"
                          "  --help                 this text\n");
}

Options parseOptions(const QStringList& arguments) {
    Options options;
    const std::array<std::pair<QLatin1String, QString*>, 9> withValue = {
        {{QLatin1String("--url"), &options.url},
         {QLatin1String("--profile"), &options.profile},
         {QLatin1String("--scenario"), &options.scenario},
         {QLatin1String("--page"), &options.page},
         {QLatin1String("--snapshot"), &options.snapshot},
         {QLatin1String("--lang"), &options.language},
         {QLatin1String("--theme"), &options.theme},
         {QLatin1String("--import-profiles"), &options.importProfiles},
         {QLatin1String("--screenshot-dir"), &options.screenshotDir}}};
    const std::array<std::pair<QLatin1String, bool*>, 4> switches = {{{QLatin1String("--demo"), &options.demo},
                                                                      {QLatin1String("--selftest"), &options.selftest},
                                                                      {QLatin1String("--version"), &options.version},
                                                                      {QLatin1String("--help"), &options.help}}};
    // A value may follow after "=" or as the next argument.
    for (int i = 1; i < arguments.size(); ++i) {
        const QString& argument = arguments[i];
        const auto flag =
            std::find_if(switches.begin(), switches.end(), [&](const auto& s) { return argument == s.first; });
        if (flag != switches.end()) {
            *flag->second = true;
            continue;
        }
        if (argument == QLatin1String("--demo=real")) {
            options.realDemo = true;
            continue;
        }
        const QString name = argument.section(QLatin1Char('='), 0, 0);
        const auto option =
            std::find_if(withValue.begin(), withValue.end(), [&](const auto& o) { return name == o.first; });
        if (option == withValue.end()) {
            options.problem = QStringLiteral("unknown option: %1").arg(argument);
            return options;
        }
        if (argument.contains(QLatin1Char('=')))
            *option->second = argument.section(QLatin1Char('='), 1);
        else if (i + 1 < arguments.size())
            *option->second = arguments[++i];
        if (option->second->isEmpty())
            options.problem = QStringLiteral("%1 needs a value").arg(name);
    }
    options.demo = options.demo || !options.scenario.isEmpty();
    if (!options.language.isEmpty() && options.language != QLatin1String("en") &&
        options.language != QLatin1String("id"))
        options.problem = QStringLiteral("--lang is en or id");
    const QStringList themes = {QString(), QStringLiteral("light"), QStringLiteral("dark"), QStringLiteral("system")};
    if (!themes.contains(options.theme))
        options.problem = QStringLiteral("--theme is light, dark or system");
    return options;
}

} // namespace fremis::console::ui
