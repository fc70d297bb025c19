#include "shared/routing/text_layout.h"

#include <algorithm>
#include <array>

namespace fremis::routing {

namespace {

std::string_view withoutIndent(std::string_view line) {
    const auto first = line.find_first_not_of(' ');
    return first == std::string_view::npos ? std::string_view{} : line.substr(first);
}

bool isComment(std::string_view line) { return withoutIndent(line).starts_with('#'); }

std::size_t indentOf(std::string_view line) { return line.size() - withoutIndent(line).size(); }

// Text that every YAML reader takes for the same text without quotes.
bool isSafeBare(std::string_view text) {
    const auto isWordChar = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' || c == '_' || c == '-' ||
               c == ':' || c == '/';
    };
    const bool hasLetter = std::any_of(text.begin(), text.end(), [](char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; });
    const bool isAddress = text.find(':') != std::string_view::npos;
    constexpr std::array<std::string_view, 8> kWords{"true", "false", "yes", "no", "on", "off", "null", "y"};
    const auto sameWord = [text](std::string_view word) {
        return std::equal(word.begin(), word.end(), text.begin(), text.end(), [](char a, char b) { return a == (b | 0x20); });
    };
    return !text.empty() && std::all_of(text.begin(), text.end(), isWordChar) && (hasLetter || isAddress) &&
           text.front() != '-' && text.front() != ':' && text.front() != '.' && text.back() != ':' &&
           std::none_of(kWords.begin(), kWords.end(), sameWord);
}

std::string quoted(std::string_view text, char quote) {
    std::string out(1, quote);
    for (const char c : text) {
        if (quote == '\'' && c == '\'')
            out += '\'';
        if (quote == '"' && (c == '"' || c == '\\'))
            out += '\\';
        out += c;
    }
    return out + quote;
}

} // namespace

TextLayout::TextLayout(const YamlDocument& document) : m_document(document) {
    const YamlNode* nodes = document.root.find("nodes");
    if (nodes != nullptr && nodes->kind == YamlNode::Kind::List)
        m_nodes = nodes;
    const auto newline = document.text.find('\n');
    if (newline != std::string::npos && newline > 0 && document.text[newline - 1] == '\r')
        m_lineBreak = "\r\n";
}

std::size_t TextLayout::dashOf(const YamlNode& item) const {
    // On the item's own line, or on one above when only a comment follows the dash.
    const TextLines& lines = m_document.lines;
    std::size_t number = lines.lineNumber(item.begin);
    for (;; --number) {
        const std::string_view line = lines.line(number);
        if (withoutIndent(line).starts_with('-') || number == 0)
            return static_cast<std::size_t>(line.data() - m_document.text.data()) + indentOf(line);
    }
}

Extent TextLayout::entryLines(std::size_t entry) const {
    const TextLines& lines = m_document.lines;
    const YamlNode& item = m_nodes->items[entry];
    const std::size_t dash = dashOf(item);
    const std::size_t indent = dash - lines.lineStart(dash);
    std::size_t first = lines.lineNumber(dash);
    while (first > 0 && isComment(lines.line(first - 1)) && indentOf(lines.line(first - 1)) == indent)
        --first;
    std::size_t last = lines.lineNumber(item.end > item.begin ? item.end - 1 : item.begin);
    while (last + 1 < lines.lineCount() && isComment(lines.line(last + 1)) && indentOf(lines.line(last + 1)) > indent)
        ++last;
    const auto begin = static_cast<std::size_t>(lines.line(first).data() - m_document.text.data());
    const std::string_view lastLine = lines.line(last);
    return {begin, lines.lineEnd(static_cast<std::size_t>(lastLine.data() - m_document.text.data()))};
}

std::string TextLayout::quotedLike(std::string_view value, const YamlNode* like) const {
    if (like == nullptr && m_nodes != nullptr && !m_nodes->items.empty())
        like = m_nodes->items.front().find("address");
    if (like != nullptr && like->quoted)
        return quoted(value, m_document.text[like->begin]);
    return isSafeBare(value) ? std::string(value) : quoted(value, '"');
}

std::string TextLayout::keyIndent(const YamlNode& map) const {
    return std::string(map.begin - m_document.lines.lineStart(map.begin), ' ');
}

std::string TextLayout::asLinesAt(std::size_t offset, std::string lines) const {
    const std::string& text = m_document.text;
    if (offset < text.size() || text.empty() || text.back() == '\n')
        return lines;
    lines.resize(lines.size() - m_lineBreak.size());
    return std::string(m_lineBreak) + lines;
}

bool TextLayout::spacedEntries() const {
    if (m_nodes->items.size() < 2)
        return false;
    const std::size_t second = entryLines(1).begin;
    const std::size_t number = m_document.lines.lineNumber(second);
    return number > 0 && withoutIndent(m_document.lines.line(number - 1)).empty();
}

std::string TextLayout::separator() const {
    if (m_nodes->items.size() < 2)
        return ", ";
    const std::size_t from = m_nodes->items[0].end;
    const std::string between = m_document.text.substr(from, m_nodes->items[1].begin - from);
    return between.find('#') == std::string::npos ? between : ", ";
}

std::vector<std::pair<std::string, std::string>> TextLayout::pairsOf(const NodeEntry& entry, const YamlNode& like) const {
    std::vector<std::pair<std::string, std::string>> all{{"address", quotedLike(entry.address.text(), like.find("address"))},
                                                         {"partition_start", std::to_string(entry.range.first)},
                                                         {"partition_end", std::to_string(entry.range.last)}};
    if (entry.name)
        all.emplace_back("name", quotedLike(*entry.name, like.find("name")));
    if (entry.weight)
        all.emplace_back("weight", entry.weight->text());
    const auto placeOf = [&like](const std::string& key) {
        const YamlNode* node = like.findKey(key);
        return node != nullptr ? node - like.items.data() : static_cast<std::ptrdiff_t>(like.items.size());
    };
    std::stable_sort(all.begin(), all.end(), [&](const auto& a, const auto& b) { return placeOf(a.first) < placeOf(b.first); });
    return all;
}

std::string TextLayout::entryText(const NodeEntry& entry, std::size_t likeEntry) const {
    const YamlNode& like = m_nodes->items[likeEntry];
    const auto pairs = pairsOf(entry, like);
    const bool brackets = like.flow || m_nodes->flow;
    std::string braced = "{";
    for (const auto& [key, value] : pairs)
        braced += (braced.size() > 1 ? ", " : "") + key + ": " + value;
    braced += "}";
    if (m_nodes->flow)
        return braced;
    const std::size_t dash = dashOf(like);
    const bool ownLine = m_document.lines.lineNumber(dash) != m_document.lines.lineNumber(like.begin);
    const std::string indent(dash - m_document.lines.lineStart(dash), ' ');
    const std::string gap(ownLine ? 1 : like.begin - dash - 1, ' ');
    std::string text = spacedEntries() ? std::string(m_lineBreak) : std::string{};
    if (brackets)
        return text + indent + "-" + gap + braced + std::string(m_lineBreak);
    for (std::size_t i = 0; i < pairs.size(); ++i)
        text += indent + (i == 0 ? "-" : " ") + gap + pairs[i].first + ": " + pairs[i].second + std::string(m_lineBreak);
    return text;
}

} // namespace fremis::routing
