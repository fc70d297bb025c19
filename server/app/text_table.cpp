#include "server/app/text_table.h"

#include <algorithm>
#include <charconv>

namespace fremis::app {

namespace {

// Characters of a terminal cell: UTF-8 continuation bytes take no room.
std::size_t widthOf(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

bool isNumber(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size();
}

std::string csvCell(std::string_view text) {
    std::string out;
    if (!text.empty() && std::string_view("=+-@").find(text.front()) != std::string_view::npos && !isNumber(text))
        out += '\'';
    out += text;
    if (out.find_first_of(",\"\r\n") == std::string::npos)
        return out;
    std::string quoted = "\"";
    for (const char c : out)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

} // namespace

std::string TextTable::text() const {
    std::vector<std::size_t> widths;
    for (std::size_t c = 0; c < m_columns.size(); ++c) {
        widths.push_back(widthOf(m_columns[c].title));
        for (const auto& row : m_rows)
            widths[c] = std::max(widths[c], widthOf(row[c]));
    }
    std::string out;
    const auto line = [&](const auto& cellOf) {
        for (std::size_t c = 0; c < m_columns.size(); ++c) {
            const std::string& cell = cellOf(c);
            const std::string room(widths[c] - widthOf(cell), ' ');
            out += (c == 0 ? "" : "  ") + (m_columns[c].align == Align::Left ? cell + room : room + cell);
        }
        out.erase(out.find_last_not_of(' ') + 1);
        out += '\n';
    };
    line([this](std::size_t c) -> const std::string& { return m_columns[c].title; });
    for (const auto& row : m_rows)
        line([&row](std::size_t c) -> const std::string& { return row[c]; });
    return out;
}

std::string TextTable::csv() const {
    std::string out;
    for (std::size_t c = 0; c < m_columns.size(); ++c)
        out += (c == 0 ? "" : ",") + csvCell(m_columns[c].title);
    out += '\n';
    for (const auto& row : m_rows) {
        for (std::size_t c = 0; c < row.size(); ++c)
            out += (c == 0 ? "" : ",") + csvCell(row[c]);
        out += '\n';
    }
    return out;
}

std::string decimalText(double value, int digits) {
    char text[64];
    const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, digits).ptr;
    return {text, end};
}

} // namespace fremis::app
