#include "shared/wire/json.h"

#include <simdjson.h>

#include <cstring>
#include <string>
#include <vector>

namespace fremis::wire {

namespace {

using base::Reason;

// Larger buffers than this are given back after use: one 36 MiB body must not stay in each thread for ever. simdjson
// adds up to 5.7 times as much (4 bytes of index and 1.7 of unescaped text per byte), of which an ordinary body touches
// next to nothing.
constexpr std::size_t kKeptTextBytes = 4u << 20;
constexpr std::size_t kKeptNodes = (4u << 20) / 16;
constexpr std::size_t kGrowth = 64u << 10;

tl::unexpected<base::Error> notJson(std::string detail) {
    return base::fail(Reason::InvalidJson, "the body is not valid JSON", std::move(detail));
}

bool isBlank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

std::string_view withoutTrailingBlanks(std::string_view text) {
    while (!text.empty() && isBlank(text.back()))
        text.remove_suffix(1);
    return text;
}

// RFC 8259 allows UTF-8 only. The others would fail too, but as broken UTF-8, which hides what is wrong.
bool isUtf16Or32(std::string_view text) {
    return text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF") ||
           text.substr(0, 4).find('\0') != std::string_view::npos;
}

std::size_t skipDigits(std::string_view text, std::size_t at) {
    while (at < text.size() && text[at] >= '0' && text[at] <= '9')
        ++at;
    return at;
}

// RFC 8259 section 6: [-] int [frac] [exp]
bool isNumber(std::string_view text) {
    std::size_t at = text.starts_with('-') ? 1 : 0;
    const std::size_t whole = at;
    at = skipDigits(text, at);
    if (at == whole || (text[whole] == '0' && at > whole + 1))
        return false;
    if (at < text.size() && text[at] == '.') {
        const std::size_t fraction = at + 1;
        at = skipDigits(text, fraction);
        if (at == fraction)
            return false;
    }
    if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
        ++at;
        if (at < text.size() && (text[at] == '+' || text[at] == '-'))
            ++at;
        const std::size_t exponent = at;
        at = skipDigits(text, exponent);
        if (at == exponent)
            return false;
    }
    return at == text.size();
}

// Whether each escape has the form that section 7 gives it; surrogates are not paired here.
bool escapesHaveTheRightForm(std::string_view raw) {
    for (auto at = raw.find('\\'); at != std::string_view::npos; at = raw.find('\\', at)) {
        const auto escaped = raw.substr(at + 1, 5);
        if (escaped.empty())
            return false;
        if (escaped[0] != 'u') {
            if (std::string_view("\"\\/bfnrt").find(escaped[0]) == std::string_view::npos)
                return false;
            at += 2;
            continue;
        }
        if (escaped.size() < 5 || escaped.find_first_not_of("0123456789abcdefABCDEF", 1) != std::string_view::npos)
            return false;
        at += 6;
    }
    return true;
}

} // namespace

// `text` is a copy of the body with the zeroed padding that simdjson reads; strings without escapes are shown in place,
// the others in the parser's own buffer.
struct JsonDocument::Buffers {
    std::unique_ptr<char[]> text;
    std::size_t textBytes = 0;
    simdjson::ondemand::parser parser;
    std::vector<JsonValue::Node> nodes;
    struct Level {
        std::uint32_t node; ///< index of the open array or object
        bool isObject;
    };
    std::vector<Level> levels;

    // Copies the body in; false when simdjson cannot take that much.
    [[nodiscard]] bool hold(std::string_view body) {
        const std::size_t padded = body.size() + simdjson::SIMDJSON_PADDING;
        if (textBytes < padded) {
            textBytes = (padded + kGrowth - 1) / kGrowth * kGrowth;
            text = std::make_unique_for_overwrite<char[]>(textBytes);
        }
        std::memcpy(text.get(), body.data(), body.size());
        std::memset(text.get() + body.size(), 0, simdjson::SIMDJSON_PADDING);
        return parser.capacity() >= body.size() || parser.allocate(textBytes) == simdjson::SUCCESS;
    }

    [[nodiscard]] bool isWorthKeeping() const {
        return textBytes <= kKeptTextBytes + kGrowth && nodes.capacity() <= kKeptNodes;
    }
};

namespace {

// One set of buffers per thread: a handler has one body in hands at a time. A second document at once gets its own.
thread_local std::unique_ptr<JsonDocument::Buffers> t_reserve;

std::unique_ptr<JsonDocument::Buffers> takeBuffers() {
    return t_reserve ? std::move(t_reserve) : std::make_unique<JsonDocument::Buffers>();
}

void giveBack(std::unique_ptr<JsonDocument::Buffers> buffers) {
    if (buffers && !t_reserve && buffers->isWorthKeeping())
        t_reserve = std::move(buffers);
}

} // namespace

// Walks the tokens that simdjson's first pass found and writes the tree. simdjson guarantees UTF-8, closed strings and
// no control characters in them; the grammar, the escapes, the literals and the limits are checked here, in document
// order, so that the first thing wrong is the one that is told. The stack is a vector of at most `limits.depth` levels.
class JsonTreeBuilder {
public:
    JsonTreeBuilder(JsonDocument::Buffers& buffers, simdjson::ondemand::json_iterator tokens, const JsonLimits& limits)
        : m_nodes(buffers.nodes), m_levels(buffers.levels), m_tokens(std::move(tokens)), m_limits(limits) {
        m_nodes.clear();
        m_levels.clear();
    }

    base::Status build() {
        do {
            if (m_tokens.at_end())
                return notJson("it ends too early");
            if (auto step = m_valueIsDue ? takeValue() : takeSeparator(); !step)
                return step;
        } while (!m_levels.empty());
        if (!m_tokens.at_end())
            return notJson("text after the end");
        if (m_nodes.front().kind() != JsonKind::Object)
            return base::fail(Reason::NotAnObject, "the body is not a JSON object");
        return {};
    }

private:
    using Node = JsonValue::Node;

    [[nodiscard]] char next() const { return m_tokens.at_end() ? '\0' : static_cast<char>(*m_tokens.peek()); }
    [[nodiscard]] std::string_view token() const {
        return withoutTrailingBlanks({reinterpret_cast<const char*>(m_tokens.peek()), m_tokens.peek_length()});
    }
    void advance() { static_cast<void>(m_tokens.return_current_and_advance()); }

    void add(JsonKind kind, std::string_view text) {
        m_nodes.push_back(
            Node{text.data(), static_cast<std::uint32_t>(text.size()), 1u << 3 | static_cast<std::uint32_t>(kind)});
    }

    base::Status takeValue() {
        if (m_nodes.size() - m_keys >= m_limits.values)
            return base::fail(Reason::JsonTooLarge, "the JSON has too many values");
        if (!m_levels.empty())
            ++m_nodes[m_levels.back().node].size;
        m_valueIsDue = false;
        switch (next()) {
        case '{':
            return open(JsonKind::Object);
        case '[':
            return open(JsonKind::Array);
        case '"':
            return takeString();
        default:
            return takeLiteral();
        }
    }

    base::Status open(JsonKind kind) {
        if (m_levels.size() >= m_limits.depth)
            return base::fail(Reason::JsonTooDeep, "the JSON is nested too deeply");
        const bool isObject = kind == JsonKind::Object;
        m_levels.push_back({static_cast<std::uint32_t>(m_nodes.size()), isObject});
        add(kind, {});
        advance();
        if (next() == (isObject ? '}' : ']'))
            return {}; // takeSeparator() closes it
        m_valueIsDue = true;
        return isObject ? takeKey() : base::Status();
    }

    // After a value: a comma, or the end of the array or object.
    base::Status takeSeparator() {
        const auto level = m_levels.back();
        const char separator = next();
        advance();
        if (separator == ',') {
            m_valueIsDue = true;
            return level.isObject ? takeKey() : base::Status();
        }
        if (separator != (level.isObject ? '}' : ']'))
            return notJson("a comma or a bracket is missing");
        Node& node = m_nodes[level.node];
        const auto span = static_cast<std::uint32_t>(m_nodes.size() - level.node);
        node.spanAndKind = span << 3 | (node.spanAndKind & 7u);
        m_levels.pop_back();
        return {};
    }

    base::Status takeKey() {
        if (next() != '"')
            return notJson("a key is missing");
        if (++m_keys > m_limits.keys)
            return base::fail(Reason::JsonTooManyKeys, "the JSON has too many keys");
        if (auto status = takeString(); !status)
            return status;
        if (m_nodes.back().size > m_limits.keyBytes)
            return base::fail(Reason::KeyTooLong, "a key of the JSON is too long");
        if (next() != ':')
            return notJson("a colon is missing");
        advance();
        return {};
    }

    base::Status takeString() {
        const auto quoted = token();
        if (quoted.size() < 2 || quoted.back() != '"')
            return notJson("a string is not closed");
        auto text = quoted.substr(1, quoted.size() - 2);
        if (std::memchr(text.data(), '\\', text.size()) != nullptr) {
            const auto raw = simdjson::ondemand::raw_json_string(m_tokens.peek() + 1);
            std::string_view plain;
            if (m_tokens.unescape(raw).get(plain) != simdjson::SUCCESS)
                return escapesHaveTheRightForm(text) ? notUtf8() : notJson("an escape has a wrong form");
            text = plain;
        }
        add(JsonKind::String, text);
        advance();
        return {};
    }

    base::Status takeLiteral() {
        const auto text = token();
        if (text == "null")
            add(JsonKind::Null, text);
        else if (text == "true" || text == "false")
            add(JsonKind::Bool, text);
        else if (isNumber(text))
            add(JsonKind::Number, text);
        else
            return notJson("a value has a wrong form");
        advance();
        return {};
    }

    static base::Status notUtf8() { return base::fail(Reason::InvalidUtf8, "the JSON has an unpaired surrogate"); }

    std::vector<Node>& m_nodes;
    std::vector<JsonDocument::Buffers::Level>& m_levels;
    simdjson::ondemand::json_iterator m_tokens;
    const JsonLimits& m_limits;
    std::size_t m_keys = 0;
    bool m_valueIsDue = true;
};

JsonDocument::JsonDocument(std::unique_ptr<Buffers> buffers) : m_buffers(std::move(buffers)) {}
JsonDocument::JsonDocument(JsonDocument&&) noexcept = default;

JsonDocument& JsonDocument::operator=(JsonDocument&& other) noexcept {
    std::swap(m_buffers, other.m_buffers);
    return *this;
}

JsonDocument::~JsonDocument() {
    giveBack(std::move(m_buffers));
}

base::Result<JsonDocument> JsonDocument::parse(std::string_view body, const JsonLimits& limits) {
    if (isUtf16Or32(body))
        return notJson("it is not in UTF-8");
    if (body.starts_with("\xEF\xBB\xBF"))
        body.remove_prefix(3);
    if (body.empty())
        return notJson("it is empty");

    JsonDocument document(takeBuffers()); // gives them back, whatever happens
    Buffers& buffers = *document.m_buffers;
    if (!buffers.hold(body))
        return base::fail(Reason::JsonTooLarge, "the JSON is too large");

    simdjson::ondemand::json_iterator tokens;
    const auto error =
        buffers.parser.iterate_raw(simdjson::padded_string_view(buffers.text.get(), body.size(), buffers.textBytes))
            .get(tokens);
    if (error == simdjson::UTF8_ERROR)
        return base::fail(Reason::InvalidUtf8, "the body is not UTF-8");
    if (error != simdjson::SUCCESS)
        return notJson(simdjson::error_message(error));
    if (auto status = JsonTreeBuilder(buffers, std::move(tokens), limits).build(); !status)
        return tl::unexpected(std::move(status.error()));
    return document;
}

JsonObject JsonDocument::root() const {
    return JsonObject(m_buffers->nodes.data());
}

base::Result<std::optional<JsonValue>> JsonObject::find(std::string_view key) const {
    const JsonValue::Node* found = nullptr;
    const auto* const end = m_node + m_node->span();
    for (const auto* name = m_node + 1; name != end;) {
        const auto* const value = name + 1;
        if (std::string_view(name->text, name->size) == key) {
            if (found != nullptr)
                return base::fail(Reason::DuplicateKey, "the field " + std::string(key) + " is given twice");
            found = value;
        }
        name = value + value->span();
    }
    if (found == nullptr || found->kind() == JsonKind::Null)
        return std::nullopt;
    return JsonValue(found);
}

} // namespace fremis::wire
