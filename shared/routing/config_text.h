#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fremis::routing {

/// What is wrong with a text, and where.
struct TextFault {
    std::optional<std::size_t> offset; ///< byte; empty = the text as a whole
    std::string message;
};

/// A place in a text as people count: line and column from 1, columns in characters, a byte order mark not counted.
struct Spot {
    int line = 0;
    int column = 0;
};

/// Finds lines by byte offset.
class TextLines {
public:
    explicit TextLines(std::string_view text);
    [[nodiscard]] Spot spotOf(std::size_t offset) const;
    [[nodiscard]] std::size_t lineStart(std::size_t offset) const; ///< first byte of the line
    [[nodiscard]] std::size_t
    lineEnd(std::size_t offset) const; ///< first byte after its line break, or the text's size
    [[nodiscard]] std::size_t lineCount() const { return m_starts.size(); }
    [[nodiscard]] std::size_t lineNumber(std::size_t offset) const; ///< from 0
    /// Line `number` (from 0) without its line break.
    [[nodiscard]] std::string_view line(std::size_t number) const;

private:
    std::string_view m_text;
    std::vector<std::size_t> m_starts;
};

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
inline constexpr int kMaxNesting = 8;

/// What has to hold before a YAML parser sees the text: size, UTF-8, no control characters, no tabs outside comments,
/// no directives, and bounds on nesting, line length and number of parts that keep any parser's work small.
[[nodiscard]] std::optional<TextFault> checkText(std::string_view text);

/// A text that has passed checkText() without byte order mark, comments, blanks before a line break and empty lines,
/// none of which mean anything in a config.yml: a parser may need more time for them than for the rest.
class CondensedText {
public:
    explicit CondensedText(std::string_view text);
    [[nodiscard]] const std::string& text() const { return m_text; }
    /// Where a byte of text() stands in the whole text; its size when `offset` is at the end.
    [[nodiscard]] std::size_t originalOffset(std::size_t offset) const;

private:
    struct Cut {
        std::size_t offset;  ///< in m_text
        std::size_t removed; ///< bytes left out before
    };
    std::size_t m_start; ///< bytes of the byte order mark
    std::string m_text;
    std::vector<Cut> m_cuts; ///< ascending; one a line
};

} // namespace fremis::routing
