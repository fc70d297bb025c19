#pragma once

#include <concepts>
#include <initializer_list>
#include <string>
#include <string_view>

namespace fremis::base {

enum class LogLevel { Debug, Info, Warning, Error };

/// One named value of a log line. Ids of faces and images may appear at Debug only; secrets and embeddings never.
struct LogField {
    template<std::integral T>
    LogField(std::string_view fieldName, T number) : name(fieldName), value(std::to_string(number)), isText(false) {}
    LogField(std::string_view fieldName, double number);
    LogField(std::string_view fieldName, std::string_view text) : name(fieldName), value(text), isText(true) {}
    LogField(std::string_view fieldName, const char* text) : LogField(fieldName, std::string_view(text)) {}
    LogField(std::string_view fieldName, const std::string& text) : LogField(fieldName, std::string_view(text)) {}

    std::string_view name;
    std::string value;
    bool isText;
};

/// Lines below `level` are dropped. Default: Info.
void setLogLevel(LogLevel level);
[[nodiscard]] bool logs(LogLevel level);

/// Writes one line of JSON to standard error: {"time":…,"level":…,"event":…, fields…}. Whole lines only. Thread: any.
void log(LogLevel level, std::string_view event, std::initializer_list<LogField> fields = {});

/// `text` as a JSON string with its quotes; bytes that are not UTF-8 become U+FFFD.
[[nodiscard]] std::string jsonQuoted(std::string_view text);

} // namespace fremis::base
