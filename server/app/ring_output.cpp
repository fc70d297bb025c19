#include "server/app/ring_output.h"

#include "shared/base/ids.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace fremis::app::ring {

namespace {

std::string plainText(const Cell& cell) {
    struct Visitor {
        std::string operator()(std::monostate) const { return "-"; }
        std::string operator()(const std::string& text) const { return text; }
        std::string operator()(std::uint64_t number) const { return std::to_string(number); }
        std::string operator()(const Decimal& number) const {
            return std::isfinite(number.value) ? decimalText(number.value, number.decimals) : "-";
        }
        std::string operator()(bool yes) const { return yes ? "yes" : "no"; }
    };
    return std::visit(Visitor(), cell);
}

bool isNumber(const Cell& cell) {
    return std::holds_alternative<std::uint64_t>(cell) || std::holds_alternative<Decimal>(cell) ||
           std::holds_alternative<std::monostate>(cell);
}

std::string escapedByte(unsigned char byte, std::string_view prefix) {
    static constexpr char kDigits[] = "0123456789abcdef";
    return std::string(prefix) + kDigits[byte >> 4] + kDigits[byte & 15];
}

// A key from a file must not be able to move the cursor or colour the terminal.
std::string forTerminal(std::string_view text) {
    const bool utf8 = base::isUtf8(text);
    std::string safe;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte == 0x7F || (!utf8 && byte >= 0x80))
            safe += escapedByte(byte, "\\x");
        else
            safe += c;
    }
    return safe;
}

// Characters, not bytes: enough for the names nodes have.
std::size_t widthOf(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string jsonText(std::string_view text) {
    const bool utf8 = base::isUtf8(text);
    std::string quoted = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\')
            (quoted += '\\') += c;
        else if (byte < 0x20)
            quoted += escapedByte(byte, "\\u00");
        else if (byte >= 0x80 && !utf8)
            quoted += "\\ufffd";
        else
            quoted += c;
    }
    return quoted + "\"";
}

std::string jsonValue(const Cell& cell) {
    struct Visitor {
        std::string operator()(std::monostate) const { return "null"; }
        std::string operator()(const std::string& text) const { return jsonText(text); }
        std::string operator()(std::uint64_t number) const { return std::to_string(number); }
        std::string operator()(const Decimal& number) const {
            return std::isfinite(number.value) ? decimalText(number.value, number.decimals) : "null";
        }
        std::string operator()(bool yes) const { return yes ? "true" : "false"; }
    };
    return std::visit(Visitor(), cell);
}

std::string csvText(const Cell& cell) {
    if (std::holds_alternative<std::monostate>(cell))
        return {};
    std::string text = plainText(cell);
    if (text.find_first_of("\",\r\n") == std::string::npos)
        return text;
    std::string quoted = "\"";
    for (const char c : text)
        quoted.append(c == '"' ? 2 : 1, c);
    return quoted + "\"";
}

void pad(std::ostream& out, std::string_view text, std::size_t width, bool right) {
    const std::string space(width - std::min(width, widthOf(text)), ' ');
    right ? out << space << text : out << text << space;
}

bool isBlank(const Cell& cell) {
    const auto* text = std::get_if<std::string>(&cell);
    return text != nullptr ? text->empty() : std::holds_alternative<std::monostate>(cell);
}

// Zones nobody named, partners nobody asked for: columns without a value only take room. JSON and CSV keep them.
Table withoutBlankColumns(const Table& table) {
    if (table.rows.empty())
        return table;
    Table shown{table.key, table.title, {}, std::vector<std::vector<Cell>>(table.rows.size())};
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        if (std::all_of(table.rows.begin(), table.rows.end(), [i](const auto& row) { return isBlank(row[i]); }))
            continue;
        shown.columns.push_back(table.columns[i]);
        for (std::size_t r = 0; r < table.rows.size(); ++r)
            shown.rows[r].push_back(table.rows[r][i]);
    }
    return shown;
}

void writeTable(std::ostream& out, const Table& table) {
    std::vector<std::size_t> widths;
    for (const Column& column : table.columns)
        widths.push_back(widthOf(column.title));
    std::vector<bool> right(widths.size(), true);
    for (const auto& row : table.rows)
        for (std::size_t i = 0; i < row.size(); ++i) {
            widths[i] = std::max(widths[i], widthOf(forTerminal(plainText(row[i]))));
            right[i] = right[i] && isNumber(row[i]);
        }
    if (!table.title.empty())
        out << table.title << '\n';
    const auto line = [&](const auto& textAt) {
        for (std::size_t i = 0; i < widths.size(); ++i) {
            const bool last = i + 1 == widths.size();
            pad(out, textAt(i), last && !right[i] ? 0 : widths[i], right[i]);
            out << (last ? "\n" : "  ");
        }
    };
    line([&](std::size_t i) { return table.columns[i].title; });
    line([&](std::size_t i) { return std::string(widths[i], '-'); });
    for (const auto& row : table.rows)
        line([&](std::size_t i) { return forTerminal(plainText(row[i])); });
}

void writeTables(std::ostream& out, const Report& report) {
    std::size_t width = 0;
    for (const Fact& fact : report.facts)
        width = std::max(width, widthOf(fact.title));
    for (const Fact& fact : report.facts) {
        pad(out, fact.title, width, false);
        out << "  " << forTerminal(plainText(fact.value)) << '\n';
    }
    bool first = report.facts.empty();
    for (const Table& table : report.tables) {
        out << (first ? "" : "\n");
        first = false;
        writeTable(out, withoutBlankColumns(table));
    }
    for (std::size_t i = 0; i < report.notes.size(); ++i)
        out << (i == 0 && !first ? "\n" : "") << report.notes[i] << '\n';
}

void writeJsonRows(std::ostream& out, const Table& table) {
    out << '[';
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
        out << (r == 0 ? "\n    {" : ",\n    {");
        for (std::size_t i = 0; i < table.columns.size(); ++i)
            out << (i == 0 ? "" : ", ") << jsonText(table.columns[i].key) << ": " << jsonValue(table.rows[r][i]);
        out << '}';
    }
    out << (table.rows.empty() ? "]" : "\n  ]");
}

void writeJson(std::ostream& out, const Report& report) {
    out << "{\n  \"format\": " << jsonText("fremis-" + report.command + "/1");
    for (const Fact& fact : report.facts)
        out << ",\n  " << jsonText(fact.key) << ": " << jsonValue(fact.value);
    for (const Table& table : report.tables) {
        out << ",\n  " << jsonText(table.key) << ": ";
        writeJsonRows(out, table);
    }
    if (!report.notes.empty()) {
        out << ",\n  \"notes\": [";
        for (std::size_t i = 0; i < report.notes.size(); ++i)
            out << (i == 0 ? "" : ", ") << jsonText(report.notes[i]);
        out << ']';
    }
    out << "\n}\n";
}

void writeCsvLine(std::ostream& out, const std::vector<Cell>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i)
        out << (i == 0 ? "" : ",") << csvText(cells[i]);
    out << '\n';
}

void writeCsv(std::ostream& out, const Report& report) {
    std::vector<Cell> header;
    if (report.tables.empty()) {
        std::vector<Cell> row;
        for (const Fact& fact : report.facts) {
            header.emplace_back(fact.key);
            row.push_back(fact.value);
        }
        writeCsvLine(out, header);
        writeCsvLine(out, row);
        return;
    }
    for (const Column& column : report.tables.front().columns)
        header.emplace_back(column.key);
    writeCsvLine(out, header);
    for (const auto& row : report.tables.front().rows)
        writeCsvLine(out, row);
}

} // namespace

std::string decimalText(double value, int decimals) {
    std::array<char, 400> buffer;
    const auto end =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, decimals).ptr;
    return {buffer.data(), end};
}

void write(std::ostream& out, const Report& report, Format format) {
    switch (format) {
    case Format::Table:
        return writeTables(out, report);
    case Format::Json:
        return writeJson(out, report);
    case Format::Csv:
        return writeCsv(out, report);
    }
}

} // namespace fremis::app::ring
