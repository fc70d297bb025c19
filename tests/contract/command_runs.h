#pragma once

#include "tests/support/app_process.h"

#include <QString>
#include <QStringList>

/// Runs of the program from start to end, for the tests of command lines.
namespace fremis::test {

inline constexpr int kUsageError = 2;
inline constexpr int kBadConfiguration = 78;

struct Ended {
    std::optional<int> code;
    std::string output;
    std::string errors;
};

/// Runs the program to its end.
inline Ended run(AppOptions options, std::chrono::milliseconds deadline = std::chrono::seconds(20)) {
    auto process = AppProcess::start(std::move(options));
    if (!process)
        return {};
    const auto code = (*process)->waitExit(deadline);
    return {code, (*process)->outputText(), (*process)->errorText()};
}

/// The same with no other arguments than these.
inline Ended runBare(const char* subcommand, std::vector<std::string> arguments) {
    AppOptions options;
    options.subcommand = subcommand;
    options.arguments = std::move(arguments);
    options.listenAnywhere = false;
    options.modelPack = false;
    return run(std::move(options));
}

inline qsizetype linesIn(const std::string& text) {
    return QString::fromStdString(text).split(QLatin1Char('\n'), Qt::SkipEmptyParts).size();
}

inline std::vector<std::string> standardTexts(const QStringList& texts) {
    std::vector<std::string> result;
    for (const auto& text : texts)
        result.push_back(text.toStdString());
    return result;
}

} // namespace fremis::test
