#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace fremis::app::ring {

enum class Format { Table, Json, Csv };

/// A number that is shown with a fixed count of decimals.
struct Decimal {
    double value = 0;
    int decimals = 3;
};
/// A number that is NaN is shown as "-" and null.
using Cell = std::variant<std::monostate, std::string, std::uint64_t, Decimal, bool>;

struct Column {
    std::string key;   ///< in JSON and CSV: lower_snake
    std::string title; ///< in the table
};

struct Table {
    std::string key;   ///< in JSON
    std::string title; ///< above the table; may be empty
    std::vector<Column> columns;
    std::vector<std::vector<Cell>> rows;
};

struct Fact {
    std::string key;
    std::string title;
    Cell value;
};

/// What a command has to say. `command` gives the JSON format's name, "fremis-<command>/1". CSV holds the first table
/// alone, or the facts as one row when there is no table.
struct Report {
    std::string command;
    std::vector<Fact> facts;
    std::vector<Table> tables;
    std::vector<std::string> notes; ///< sentences below the table; "notes" in JSON
};

/// Numbers use a point and no grouping in every locale. Control characters are escaped in tables, quotes doubled in
/// CSV, bytes that are no UTF-8 replaced in JSON.
void write(std::ostream& out, const Report& report, Format format);

[[nodiscard]] std::string decimalText(double value, int decimals);

} // namespace fremis::app::ring
