#include "shared/routing/config_text.h"

#include "shared/base/ids.h"
#include "shared/routing/cluster_config.h"

#include <algorithm>

namespace fremis::routing {

namespace {

// yaml-cpp 0.7 needs about 3 us for a key or value (measured), and reads ahead over a whole flow collection before its
// first event, so events alone cannot bound its work. The largest file has 2,048 entries of up to 11 parts each (an
// address counts as three).
constexpr std::size_t kMaxParts = 24'000;
constexpr std::size_t kMaxLineBytes = 128 * 1024;

std::optional<std::size_t> firstBadUtf8(std::string_view text) {
    constexpr std::size_t kLongest = 4;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t length = 1;
        while (length <= kLongest && !base::isUtf8(text.substr(at, length)))
            ++length;
        if (length > kLongest)
            return at;
        at += length;
    }
    return std::nullopt;
}

std::optional<TextFault> checkCharacters(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        if (c == '\r' && (i + 1 == text.size() || text[i + 1] != '\n'))
            return TextFault{i, "a carriage return without line feed"};
        if ((c < ' ' && c != '\n' && c != '\r' && c != '\t') || c == 0x7F)
            return TextFault{i, "a control character"};
    }
    return std::nullopt;
}

bool isBlank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

// Walks over a text just closely enough to tell comments and quoted text from the rest. Quotes end with their line:
// values over several lines are refused anyway.
class Skimmer {
public:
    explicit Skimmer(std::string_view text) : m_text(text) {}

    std::optional<TextFault> run(std::size_t from) {
        for (std::size_t start = from; start < m_text.size();) {
            const std::size_t end = std::min(m_text.find('\n', start), m_text.size());
            if (auto fault = line(start, end))
                return fault;
            start = end + 1;
        }
        return std::nullopt;
    }

    /// Where the comments begin that run() passed, ascending; each ends with its line.
    [[nodiscard]] const std::vector<std::size_t>& comments() const { return m_comments; }

private:
    std::optional<TextFault> line(std::size_t start, std::size_t end) {
        if (end - start > kMaxLineBytes)
            return TextFault{start, "a line longer than 128 KiB"};
        if (start < end && m_text[start] == '%')
            return TextFault{start, "directives are not allowed"};
        m_quote = m_last = 0;
        m_blankBefore = true;
        for (std::size_t i = start; i < end; ++i) {
            const char c = m_text[i];
            if (c == '#' && m_blankBefore && m_quote == 0) {
                m_comments.push_back(i);
                break;
            }
            if (c == '\t')
                return TextFault{i, "a tab; use spaces"};
            if (m_quote != 0)
                inQuote(c, i);
            else if (auto fault = outside(c, i))
                return fault;
            m_blankBefore = isBlank(c);
        }
        return m_last == 0 ? std::nullopt : countPart();
    }

    void inQuote(char c, std::size_t& i) {
        const bool doubled = m_quote == '\'' && m_text.substr(i, 2) == "''";
        if (doubled || (m_quote == '"' && c == '\\'))
            ++i;
        else if (c == m_quote)
            m_quote = 0;
    }

    std::optional<TextFault> outside(char c, std::size_t i) {
        if (isBlank(c))
            return std::nullopt;
        const bool tokenStart = startsToken();
        if ((c == '"' || c == '\'') && tokenStart)
            m_quote = c;
        else if ((c == '[' || c == '{') && tokenStart && ++m_depth > kMaxNesting)
            return TextFault{i, "nested deeper than 8 levels"};
        else if ((c == ']' || c == '}') && m_depth > 0)
            --m_depth;
        m_last = c;
        return c == ',' || c == ':' ? countPart() : std::nullopt;
    }

    [[nodiscard]] bool startsToken() const {
        switch (m_last) {
        case 0:
        case '[':
        case '{':
        case ',':
            return true;
        case ':':
            return m_blankBefore || m_depth > 0;
        case '-':
        case '?':
            return m_blankBefore;
        default:
            return false;
        }
    }

    std::optional<TextFault> countPart() {
        if (++m_parts > kMaxParts)
            return TextFault{std::nullopt, "more than 24000 keys and values"};
        return std::nullopt;
    }

    std::string_view m_text;
    char m_quote = 0;
    char m_last = 0; // last character of this line that is not blank
    bool m_blankBefore = true;
    int m_depth = 0;
    std::size_t m_parts = 0;
    std::vector<std::size_t> m_comments;
};

std::size_t contentStart(std::string_view text) {
    return text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
}

} // namespace

TextLines::TextLines(std::string_view text) : m_text(text) {
    m_starts.push_back(text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0);
    for (std::size_t i = 0; i < text.size(); ++i)
        if (text[i] == '\n')
            m_starts.push_back(i + 1);
}

std::size_t TextLines::lineNumber(std::size_t offset) const {
    const auto after = std::upper_bound(m_starts.begin(), m_starts.end(), offset);
    return after == m_starts.begin() ? 0 : static_cast<std::size_t>(after - m_starts.begin()) - 1;
}

std::size_t TextLines::lineStart(std::size_t offset) const {
    return m_starts[lineNumber(offset)];
}

std::size_t TextLines::lineEnd(std::size_t offset) const {
    const std::size_t next = lineNumber(offset) + 1;
    return next < m_starts.size() ? m_starts[next] : m_text.size();
}

std::string_view TextLines::line(std::size_t number) const {
    const std::size_t end = number + 1 < m_starts.size() ? m_starts[number + 1] : m_text.size();
    std::string_view line = m_text.substr(m_starts[number], end - m_starts[number]);
    while (!line.empty() && (line.back() == '\n' || line.back() == '\r'))
        line.remove_suffix(1);
    return line;
}

Spot TextLines::spotOf(std::size_t offset) const {
    offset = std::min(offset, m_text.size());
    const std::size_t number = lineNumber(offset);
    const std::size_t start = std::min(m_starts[number], offset);
    const std::string_view before = m_text.substr(start, offset - start);
    const auto characters = std::count_if(before.begin(), before.end(), [](char c) { return (c & 0xC0) != 0x80; });
    return {static_cast<int>(number) + 1, static_cast<int>(characters) + 1};
}

std::optional<TextFault> checkText(std::string_view text) {
    if (text.size() > kMaxConfigBytes)
        return TextFault{std::nullopt, "larger than 1 MiB"};
    if (const auto bad = firstBadUtf8(text))
        return TextFault{*bad, "not UTF-8 text"};
    if (auto fault = checkCharacters(text))
        return fault;
    return Skimmer(text).run(contentStart(text));
}

CondensedText::CondensedText(std::string_view text) : m_start(contentStart(text)) {
    Skimmer skimmer(text);
    (void)skimmer.run(contentStart(text));
    auto comment = skimmer.comments().begin();
    std::size_t removed = 0;
    for (std::size_t start = m_start, next = 0; start < text.size(); start = next) {
        const std::size_t end = std::min(text.find('\n', start), text.size());
        next = std::min(end + 1, text.size());
        std::size_t kept = end;
        if (comment != skimmer.comments().end() && *comment < next)
            kept = *comment++;
        while (kept > start && isBlank(text[kept - 1]))
            --kept;
        const std::size_t resumed = kept == start ? next : end; // an empty line goes with its line break
        removed += resumed - kept;
        m_text.append(text.substr(start, kept - start));
        m_cuts.push_back({m_text.size(), removed});
        m_text.append(text.substr(resumed, next - resumed));
    }
}

std::size_t CondensedText::originalOffset(std::size_t offset) const {
    const auto after = std::upper_bound(m_cuts.begin(), m_cuts.end(), offset,
                                        [](std::size_t at, const Cut& cut) { return at < cut.offset; });
    return m_start + offset + (after == m_cuts.begin() ? 0 : std::prev(after)->removed);
}

} // namespace fremis::routing
