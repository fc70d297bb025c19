#include "shared/base/log.h"

#include "shared/base/clock.h"
#include "shared/base/ids.h"

#include <unistd.h>

#include <atomic>
#include <cmath>
#include <cstdio>

namespace fremis::base {

namespace {

std::atomic<LogLevel> s_level{LogLevel::Info};

std::string_view nameOf(LogLevel level) {
    switch (level) {
    case LogLevel::Debug:
        return "debug";
    case LogLevel::Info:
        return "info";
    case LogLevel::Warning:
        return "warning";
    case LogLevel::Error:
        return "error";
    }
    return "error";
}

// Length of the well-formed UTF-8 sequence at the start, 0 if there is none.
std::size_t sequenceLength(std::string_view text) {
    for (std::size_t length = 1; length <= 4 && length <= text.size(); ++length)
        if (isUtf8(text.substr(0, length)))
            return length;
    return 0;
}

} // namespace

LogField::LogField(std::string_view fieldName, double number) : name(fieldName), isText(false) {
    char text[40];
    std::snprintf(text, sizeof text, "%.6g", number);
    value = std::isfinite(number) ? text : "null";
}

void setLogLevel(LogLevel level) {
    s_level = level;
}

bool logs(LogLevel level) {
    return level >= s_level;
}

std::string jsonQuoted(std::string_view text) {
    std::string out = "\"";
    while (!text.empty()) {
        const auto byte = static_cast<unsigned char>(text.front());
        const std::size_t length = sequenceLength(text);
        if (length == 0) {
            out += "\xEF\xBF\xBD";
        } else if (byte == '"' || byte == '\\') {
            out += {'\\', text.front()};
        } else if (byte < 0x20 || byte == 0x7F) {
            char escape[8];
            std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(byte));
            out += escape;
        } else {
            out += text.substr(0, length);
        }
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return out += '"';
}

void log(LogLevel level, std::string_view event, std::initializer_list<LogField> fields) {
    if (!logs(level))
        return;
    std::string line = "{\"time\":\"" + isoTime(SystemClock().sinceEpoch()) + "\",\"level\":\"" +
                       std::string(nameOf(level)) + "\",\"event\":" + jsonQuoted(event);
    for (const auto& field : fields)
        line += "," + jsonQuoted(field.name) + ":" + (field.isText ? jsonQuoted(field.value) : field.value);
    line += "}\n";
    // One write per line keeps lines of several threads whole; a log that cannot be written must not stop the service.
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.data(), line.size());
}

} // namespace fremis::base
