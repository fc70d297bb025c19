#include "shared/wire/json_writer.h"

#include "shared/base/log.h"

#include <algorithm>
#include <cmath>

namespace fremis::wire {

namespace {

// The shortest form that reads back equal. A whole number keeps its ".0": readers that guess types then see the same
// type always.
template<std::floating_point T> std::string_view shortest(T number, char (&digits)[40]) {
    char* end = std::to_chars(digits, digits + sizeof digits - 2, number).ptr;
    if (std::all_of(digits, end, [](char c) { return c == '-' || (c >= '0' && c <= '9'); })) {
        *end++ = '.';
        *end++ = '0';
    }
    return {digits, static_cast<std::size_t>(end - digits)};
}

bool needsNoEscape(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
}

} // namespace

void JsonWriter::separate() {
    if (m_needsComma)
        m_text += ',';
    m_needsComma = true;
}

JsonWriter& JsonWriter::open(char bracket) {
    separate();
    m_text += bracket;
    m_needsComma = false;
    return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
    m_text += bracket;
    m_needsComma = true;
    return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
    value(name);
    m_text += ':';
    m_needsComma = false;
    return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
    separate();
    if (needsNoEscape(text)) { // plain ASCII: most ids and all keys
        m_text += '"';
        m_text += text;
        m_text += '"';
    } else {
        m_text += base::jsonQuoted(text);
    }
    return *this;
}

JsonWriter& JsonWriter::value(double number) {
    char digits[40];
    return std::isfinite(number) ? raw(shortest(number, digits)) : null();
}

JsonWriter& JsonWriter::value(float number) {
    char digits[40];
    return std::isfinite(number) ? raw(shortest(number, digits)) : null();
}

JsonWriter& JsonWriter::raw(std::string_view json) {
    separate();
    m_text += json;
    return *this;
}

} // namespace fremis::wire
