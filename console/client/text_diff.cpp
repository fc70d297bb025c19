#include "console/client/text_diff.h"

#include <algorithm>
#include <cstdint>

namespace fremis::console {

namespace {

constexpr std::size_t kMostCompared = 4000;

std::vector<QByteArray> splitLines(const QByteArray& text) {
    std::vector<QByteArray> lines;
    for (const auto& line : text.split('\n'))
        lines.push_back(line.endsWith('\r') ? line.chopped(1) : line);
    if (!lines.empty() && lines.back().isEmpty())
        lines.pop_back(); // what follows the last line end is no line
    return lines;
}

/// Builds the rows of a diff from the front.
class Rows {
public:
    Rows(const std::vector<QByteArray>& before, const std::vector<QByteArray>& after)
        : m_before(before), m_after(after) {}
    void same() {
        ++m_oldLine;
        ++m_newLine;
        m_rows.push_back({DiffLine::Kind::Same, m_oldLine, m_newLine, textAt(m_after, m_newLine)});
    }
    void removed() {
        ++m_oldLine;
        m_rows.push_back({DiffLine::Kind::Removed, m_oldLine, 0, textAt(m_before, m_oldLine)});
    }
    void added() {
        ++m_newLine;
        m_rows.push_back({DiffLine::Kind::Added, 0, m_newLine, textAt(m_after, m_newLine)});
    }
    [[nodiscard]] std::vector<DiffLine> take() { return std::move(m_rows); }

private:
    static QString textAt(const std::vector<QByteArray>& lines, int line) {
        return QString::fromUtf8(lines[static_cast<std::size_t>(line - 1)]);
    }
    const std::vector<QByteArray>& m_before;
    const std::vector<QByteArray>& m_after;
    std::vector<DiffLine> m_rows;
    int m_oldLine = 0;
    int m_newLine = 0;
};

/// Lengths of the longest common subsequences of all pairs of tails; rows of `columns` + 1.
std::vector<std::uint16_t> commonTails(const QByteArray* before, std::size_t rows, const QByteArray* after,
                                       std::size_t columns) {
    std::vector<std::uint16_t> common((rows + 1) * (columns + 1));
    const auto at = [columns](std::size_t row, std::size_t column) { return row * (columns + 1) + column; };
    for (std::size_t row = rows; row-- > 0;)
        for (std::size_t column = columns; column-- > 0;)
            common[at(row, column)] = before[row] == after[column]
                                          ? static_cast<std::uint16_t>(common[at(row + 1, column + 1)] + 1)
                                          : std::max(common[at(row + 1, column)], common[at(row, column + 1)]);
    return common;
}

void addDifference(Rows& rows, const QByteArray* before, std::size_t oldCount, const QByteArray* after,
                   std::size_t newCount) {
    std::size_t row = 0;
    std::size_t column = 0;
    if (oldCount <= kMostCompared && newCount <= kMostCompared) {
        const auto common = commonTails(before, oldCount, after, newCount);
        const auto lengthAt = [&](std::size_t r, std::size_t c) { return common[r * (newCount + 1) + c]; };
        while (row < oldCount && column < newCount) {
            if (before[row] == after[column]) {
                rows.same();
                ++row;
                ++column;
            } else if (lengthAt(row + 1, column) >= lengthAt(row, column + 1)) {
                rows.removed();
                ++row;
            } else {
                rows.added();
                ++column;
            }
        }
    }
    for (; row < oldCount; ++row)
        rows.removed();
    for (; column < newCount; ++column)
        rows.added();
}

} // namespace

std::vector<DiffLine> diffLines(const QByteArray& before, const QByteArray& after) {
    const auto oldLines = splitLines(before);
    const auto newLines = splitLines(after);
    const auto shorter = std::min(oldLines.size(), newLines.size());
    std::size_t head = 0;
    while (head < shorter && oldLines[head] == newLines[head])
        ++head;
    std::size_t tail = 0;
    while (tail < shorter - head && oldLines[oldLines.size() - 1 - tail] == newLines[newLines.size() - 1 - tail])
        ++tail;
    Rows rows(oldLines, newLines);
    for (std::size_t line = 0; line < head; ++line)
        rows.same();
    addDifference(rows, oldLines.data() + head, oldLines.size() - head - tail, newLines.data() + head,
                  newLines.size() - head - tail);
    for (std::size_t line = 0; line < tail; ++line)
        rows.same();
    return rows.take();
}

} // namespace fremis::console
