#pragma once

#include <charconv>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace fremis::wire {

/// Appends one JSON text, in compact form, to a string it owns. The caller keeps the grammar: inside an object each
/// value follows a key(). Thread: one.
///
///     JsonWriter json;
///     json.beginObject().member("face_id", "7").key("deleted").value(true).endObject();
class JsonWriter {
public:
    JsonWriter& beginObject() { return open('{'); }
    JsonWriter& endObject() { return close('}'); }
    JsonWriter& beginArray() { return open('['); }
    JsonWriter& endArray() { return close(']'); }

    JsonWriter& key(std::string_view name);

    /// Bytes that are not UTF-8 become U+FFFD.
    JsonWriter& value(std::string_view text);
    JsonWriter& value(const char* text) { return value(std::string_view(text)); }
    JsonWriter& value(const std::string& text) { return value(std::string_view(text)); }
    JsonWriter& value(bool truth) { return raw(truth ? "true" : "false"); }
    JsonWriter& null() { return raw("null"); }
    template<std::integral T>
    requires(!std::same_as<T, bool>) JsonWriter& value(T number) {
        char digits[24];
        const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
        return raw({digits, static_cast<std::size_t>(end - digits)});
    }
    /// The shortest text that reads back to the same value. Not finite: null, JSON has no word for it.
    JsonWriter& value(double number);
    JsonWriter& value(float number);

    /// Anything with a value(), or an std::optional of it (nothing is null).
    template<class T> JsonWriter& member(std::string_view name, const T& something) {
        key(name);
        if constexpr (requires { something.has_value(); })
            return something ? value(*something) : null();
        else
            return value(something);
    }

    /// Ready JSON: one value, or inside an object after a member, the text `"a":1,"b":2` of more members.
    JsonWriter& raw(std::string_view json);

    [[nodiscard]] const std::string& text() const { return m_text; }
    [[nodiscard]] std::string take() { return std::move(m_text); }

private:
    JsonWriter& open(char bracket);
    JsonWriter& close(char bracket);
    void separate();

    std::string m_text;
    bool m_needsComma = false;
};

} // namespace fremis::wire
