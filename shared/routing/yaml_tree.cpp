#include "shared/routing/yaml_tree.h"

#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <exception>
#include <istream>
#include <streambuf>
#include <utility>

namespace fremis::routing {

namespace {

// Leaves the parser from inside an event; caught in readYaml().
struct Refused {
    TextFault fault;
};

[[noreturn]] void refuse(std::size_t offset, std::string message) {
    throw Refused{{offset, std::move(message)}};
}

std::size_t originalOffset(const YAML::Mark& mark, const CondensedText& condensed, std::string_view text) {
    return std::min(text.size(), condensed.originalOffset(static_cast<std::size_t>(std::max(0, mark.pos))));
}

// End of a quoted text that begins at `begin`; refuses one that goes over several lines.
std::size_t endOfQuoted(std::string_view text, std::size_t begin) {
    const char quote = text[begin];
    for (std::size_t i = begin + 1; i < text.size(); ++i) {
        if (text[i] == '\n')
            break;
        if (quote == '"' && text[i] == '\\')
            ++i;
        else if (text[i] == quote && quote == '\'' && i + 1 < text.size() && text[i + 1] == quote)
            ++i;
        else if (text[i] == quote)
            return i + 1;
    }
    refuse(begin, "write the value on one line");
}

// yaml-cpp's events instead of its node graph: nothing is expanded, every part has a place, and a bad part ends the
// work.
class TreeBuilder : public YAML::EventHandler {
public:
    TreeBuilder(std::string_view text, const CondensedText& condensed) : m_text(text), m_condensed(condensed) {}

    YamlNode takeRoot() { return std::move(m_root); }

    void OnDocumentStart(const YAML::Mark& mark) override {
        const std::size_t at = offsetOf(mark);
        if (m_started)
            refuse(at, m_text.substr(at, 3) == "---" ? "a second document; one file holds one map"
                                                     : "text after the end of the document");
        m_started = true;
    }
    void OnDocumentEnd() override {}

    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        YamlNode node = made(mark, "?", anchor, YamlNode::Kind::Null);
        node.end = node.begin;
        for (const std::string_view word : {"~", "null", "Null", "NULL"}) // what the parser takes for an absent value
            if (m_text.substr(node.begin, word.size()) == word)
                node.end = node.begin + word.size();
        add(std::move(node));
    }
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override { refuse(offsetOf(mark), "aliases are not allowed"); }
    void OnAnchor(const YAML::Mark& mark, const std::string&) override {
        refuse(offsetOf(mark), "anchors are not allowed");
    }

    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  const std::string& value) override {
        YamlNode node = made(mark, tag, anchor, YamlNode::Kind::Scalar);
        const char first = node.begin < m_text.size() ? m_text[node.begin] : ' ';
        node.quoted = tag == "!";
        node.value = value;
        if (node.quoted && (first == '|' || first == '>'))
            refuse(node.begin, "write the value on one line");
        if (node.quoted && first != '"' && first != '\'')
            refuse(node.begin, "tags are not allowed"); // "! x" comes with the same tag as quoted text
        if (!node.quoted && m_text.substr(node.begin, value.size()) != value)
            refuse(node.begin, "write the value on one line");
        node.end = node.quoted ? endOfQuoted(m_text, node.begin) : node.begin + value.size();
        add(std::move(node));
    }

    void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value) override {
        open(made(mark, tag, anchor, YamlNode::Kind::List), '[');
    }
    void OnSequenceEnd() override { close(']'); }
    void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value) override {
        open(made(mark, tag, anchor, YamlNode::Kind::Map), '{');
    }
    void OnMapEnd() override { close('}'); }

private:
    [[nodiscard]] std::size_t offsetOf(const YAML::Mark& mark) const {
        return originalOffset(mark, m_condensed, m_text);
    }

    [[nodiscard]] YamlNode made(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                                YamlNode::Kind kind) const {
        YamlNode node;
        node.kind = kind;
        node.begin = offsetOf(mark);
        if (anchor != YAML::NullAnchor)
            refuse(node.begin, "anchors are not allowed");
        if (tag != "?" && tag != "!" && !tag.empty())
            refuse(node.begin, "tags are not allowed");
        return node;
    }

    void open(YamlNode node, char bracket) {
        if (m_open.size() >= static_cast<std::size_t>(kMaxNesting))
            refuse(node.begin, "nested deeper than 8 levels");
        node.flow = node.begin < m_text.size() && m_text[node.begin] == bracket;
        m_open.push_back(std::move(node));
    }

    void close(char bracket) {
        YamlNode node = std::move(m_open.back());
        m_open.pop_back();
        node.end = node.items.empty() ? node.begin + (node.flow ? 1 : 0) : node.items.back().end;
        if (node.flow)
            node.end = std::min(m_text.size(), closingBracket(node.end, bracket));
        add(std::move(node));
    }

    // Behind the last part of a flow collection come blanks, a comma and comments, then the bracket.
    [[nodiscard]] std::size_t closingBracket(std::size_t from, char bracket) const {
        for (std::size_t i = from; i < m_text.size(); ++i) {
            if (m_text[i] == bracket)
                return i + 1;
            if (m_text[i] == '#')
                i = std::min(m_text.find('\n', i), m_text.size());
        }
        return m_text.size();
    }

    void add(YamlNode node) {
        if (m_open.empty()) {
            m_root = std::move(node);
            return;
        }
        YamlNode& parent = m_open.back();
        const bool isKey = parent.kind == YamlNode::Kind::Map && parent.items.size() % 2 == 0;
        if (isKey && !node.isScalar())
            refuse(node.begin, "a key must be a word");
        if (parent.kind == YamlNode::Kind::Map && !isKey && node.kind == YamlNode::Kind::Null && node.begin == node.end)
            node.begin = node.end = afterColon(parent.items.back().end, node.begin);
        parent.items.push_back(std::move(node));
    }

    // The parser places an absent value where it noticed the absence, lines later; people look behind the colon.
    [[nodiscard]] std::size_t afterColon(std::size_t keyEnd, std::size_t noticed) const {
        const std::size_t colon = m_text.find(':', keyEnd);
        return colon == std::string_view::npos || colon >= noticed ? keyEnd : colon + 1;
    }

    std::string_view m_text;
    const CondensedText& m_condensed; // what the parser reads
    bool m_started = false;
    std::vector<YamlNode> m_open;
    YamlNode m_root;
};

// Lets the parser read the caller's bytes without a copy.
class ViewBuffer : public std::streambuf {
public:
    explicit ViewBuffer(std::string_view text) {
        char* begin = const_cast<char*>(text.data()); // NOLINT: the get area of a streambuf is never written to
        setg(begin, begin, begin + text.size());
    }
};

TextFault faultOf(const YAML::ParserException& e, std::string_view text, const CondensedText& condensed) {
    if (e.mark.is_null())
        return {std::nullopt, "not readable as YAML: " + e.msg};
    const std::size_t at = originalOffset(e.mark, condensed, text);
    if (dynamic_cast<const YAML::DeepRecursion*>(&e) != nullptr)
        return {at, "nested deeper than 8 levels"};
    if (at < text.size() && text[at] == '*')
        return {at, "aliases are not allowed"};
    const std::size_t lineStart = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
    const std::string_view line = text.substr(lineStart, text.find('\n', lineStart) - lineStart);
    if (line.find("address: [") != std::string_view::npos)
        return {at, "not readable as YAML; put an IPv6 address in quotes: \"[v6]:port\""};
    return {at, "not readable as YAML: " + e.msg};
}

} // namespace

const YamlNode* YamlNode::findKey(std::string_view key) const {
    for (std::size_t i = 0; i + 1 < items.size(); i += 2)
        if (kind == Kind::Map && items[i].value == key)
            return &items[i];
    return nullptr;
}

const YamlNode* YamlNode::find(std::string_view key) const {
    const YamlNode* found = findKey(key);
    return found != nullptr ? found + 1 : nullptr;
}

tl::expected<YamlNode, TextFault> readYaml(std::string_view text) {
    const CondensedText condensed(text);
    try {
        ViewBuffer buffer(condensed.text());
        std::istream stream(&buffer);
        YAML::Parser parser(stream);
        TreeBuilder builder(text, condensed);
        while (parser.HandleNextDocument(builder)) {
        }
        return builder.takeRoot();
    } catch (const Refused& refused) {
        return tl::unexpected(refused.fault);
    } catch (const YAML::ParserException& e) {
        return tl::unexpected(faultOf(e, text, condensed));
    } catch (const std::exception& e) {
        return tl::unexpected(TextFault{std::nullopt, std::string("not readable as YAML: ") + e.what()});
    }
}

} // namespace fremis::routing
