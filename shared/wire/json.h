#pragma once

#include "shared/base/error.h"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string_view>

namespace fremis::wire {

/// What a document may hold at most; the fields nobody reads count too.
struct JsonLimits {
    std::size_t depth = 32;         ///< nested objects and arrays, the outermost one included
    std::size_t keys = 10'000;      ///< over the whole document
    std::size_t keyBytes = 1'024;   ///< one key, unescaped
    std::size_t values = 1'200'000; ///< over the whole document, objects and arrays included
};

enum class JsonKind : std::uint8_t { Null, Bool, Number, String, Array, Object };

class JsonObject;
class JsonDocument;

/// A value inside a JsonDocument: a pointer, cheap to copy, valid as long as the document lives.
class JsonValue {
public:
    class Iterator;

    [[nodiscard]] JsonKind kind() const { return m_node->kind(); }
    [[nodiscard]] bool is(JsonKind wanted) const { return kind() == wanted; }
    /// The value of a Bool.
    [[nodiscard]] bool asBool() const { return m_node->size == 4; }
    /// A String without its escapes; or the token of a Number as the sender wrote it, never read as a double.
    [[nodiscard]] std::string_view text() const { return {m_node->text, m_node->size}; }
    /// Elements of an Array, members of an Object.
    [[nodiscard]] std::size_t size() const { return m_node->size; }
    /// The elements of an Array.
    [[nodiscard]] Iterator begin() const;
    [[nodiscard]] Iterator end() const;
    /// Call only on an Object.
    [[nodiscard]] JsonObject object() const;

private:
    friend class JsonObject;
    friend class JsonDocument;
    friend class JsonTreeBuilder;

    /// Nodes lie in document order, a key before its value, so a subtree is one run of `span` nodes.
    struct Node {
        const char* text;          ///< String, Number, Bool and keys
        std::uint32_t size;        ///< bytes of `text`, or the number of children
        std::uint32_t spanAndKind; ///< span << 3 | kind
        [[nodiscard]] JsonKind kind() const { return static_cast<JsonKind>(spanAndKind & 7u); }
        [[nodiscard]] std::uint32_t span() const { return spanAndKind >> 3; }
    };

    explicit JsonValue(const Node* node) : m_node(node) {}
    const Node* m_node;
};

class JsonValue::Iterator {
public:
    using value_type = JsonValue;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;

    JsonValue operator*() const { return JsonValue(m_node); }
    Iterator& operator++() {
        m_node += m_node->span();
        return *this;
    }
    void operator++(int) { ++*this; }
    bool operator==(const Iterator&) const = default;

private:
    friend class JsonValue;
    explicit Iterator(const Node* node) : m_node(node) {}
    const Node* m_node;
};

/// An object inside a JsonDocument; valid as long as the document lives.
class JsonObject {
public:
    /// The member `key`; nothing when it is absent or null, which mean the same here. Fails with Reason::DuplicateKey
    /// when the object has it twice. Keys that nobody asks for may be doubled.
    [[nodiscard]] base::Result<std::optional<JsonValue>> find(std::string_view key) const;

private:
    friend class JsonValue;
    friend class JsonDocument;
    explicit JsonObject(const JsonValue::Node* node) : m_node(node) {}
    const JsonValue::Node* m_node;
};

/// A strictly checked request body (RFC 8259): one object in UTF-8, with or without a byte order mark. The whole text
/// is checked, fields that nobody reads included. The document owns a copy of what it shows; its buffers come from the
/// calling thread's reserve and return to it, or to the system when they are large. Movable. Thread: one at a time.
///
/// Fails with InvalidJson, InvalidUtf8, NotAnObject, JsonTooDeep, JsonTooManyKeys, KeyTooLong or JsonTooLarge.
/// Cost: about one copy of the text plus 30 ns for each value; nesting costs no stack.
class JsonDocument {
public:
    [[nodiscard]] static base::Result<JsonDocument> parse(std::string_view body, const JsonLimits& limits = {});
    JsonDocument(JsonDocument&&) noexcept;
    JsonDocument& operator=(JsonDocument&&) noexcept;
    ~JsonDocument();

    [[nodiscard]] JsonObject root() const;

    struct Buffers; ///< private to json.cpp

private:
    explicit JsonDocument(std::unique_ptr<Buffers> buffers);
    std::unique_ptr<Buffers> m_buffers;
};

inline JsonValue::Iterator JsonValue::begin() const {
    return Iterator(m_node + 1);
}
inline JsonValue::Iterator JsonValue::end() const {
    return Iterator(m_node + m_node->span());
}
inline JsonObject JsonValue::object() const {
    return JsonObject(m_node);
}

} // namespace fremis::wire
