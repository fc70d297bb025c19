#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fremis::app {

/// Rows under named columns, for a terminal or as CSV. Numbers use a point and no grouping.
class TextTable {
public:
    enum class Align { Left, Right };
    struct Column {
        std::string title;
        Align align = Align::Left;
    };

    explicit TextTable(std::vector<Column> columns) : m_columns(std::move(columns)) {}

    /// As many cells as columns.
    void add(std::vector<std::string> cells) { m_rows.push_back(std::move(cells)); }
    [[nodiscard]] bool empty() const { return m_rows.empty(); }

    /// Aligned columns, two blanks apart, the titles above; each line ends with a line feed.
    [[nodiscard]] std::string text() const;
    /// RFC 4180 with line feeds, a header line first. Cells that a spreadsheet would run as a formula get a leading '.
    [[nodiscard]] std::string csv() const;

private:
    std::vector<Column> m_columns;
    std::vector<std::vector<std::string>> m_rows;
};

/// A number with `digits` decimals, whatever the locale.
[[nodiscard]] std::string decimalText(double value, int digits);

} // namespace fremis::app
