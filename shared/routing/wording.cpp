#include "shared/routing/wording.h"

#include <algorithm>

namespace fremis::routing {

Wording Wording::of(const std::string& text) {
    Wording wording;
    const auto known = std::find(kPatterns.begin(), kPatterns.end(), text);
    if (known != kPatterns.end())
        wording.m_pattern = *known;
    else
        wording.m_value = text;
    return wording;
}

std::string Wording::text() const {
    if (m_pattern.empty())
        return m_value;
    std::string text;
    for (std::size_t i = 0; i < m_pattern.size(); ++i) {
        const char next = i + 1 < m_pattern.size() ? m_pattern[i + 1] : '\0';
        if (m_pattern[i] != '%' || next < '1' || next > '9') {
            text += m_pattern[i];
            continue;
        }
        if (const auto place = static_cast<std::size_t>(next - '1'); place < m_values.size())
            text += m_values[place].text();
        ++i;
    }
    return text;
}

void Wording::makeOneLine() {
    std::replace_if(
        m_value.begin(), m_value.end(), [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7F; }, '?');
    for (Wording& value : m_values)
        value.makeOneLine();
}

} // namespace fremis::routing
