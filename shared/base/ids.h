#pragma once

#include "shared/base/error.h"

#include <compare>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace fremis::base {

/// Number of partitions of every cluster. Frozen: the partition rule and all stored data depend on it.
inline constexpr int kPartitionCount = 256;
using Partition = std::uint8_t;

/// The identity of a face inside a keyspace: 1..255 bytes of UTF-8, compared byte for byte, never a number.
class FaceId {
public:
    /// Fails with Reason::InvalidFaceId.
    [[nodiscard]] static Result<FaceId> parse(std::string_view text);
    /// For text that a store or a generator has already checked.
    [[nodiscard]] static FaceId trusted(std::string text) { return FaceId(std::move(text)); }
    [[nodiscard]] const std::string& text() const { return m_text; }
    auto operator<=>(const FaceId&) const = default;

private:
    explicit FaceId(std::string text) : m_text(std::move(text)) {}
    std::string m_text;
};

/// A keyspace's name: 1..128 bytes of UTF-8, no slash or backslash, not "." or "..", compared byte for byte.
class KeyspaceName {
public:
    /// Fails with Reason::InvalidKeyspace.
    [[nodiscard]] static Result<KeyspaceName> parse(std::string_view text);
    [[nodiscard]] static KeyspaceName trusted(std::string text) { return KeyspaceName(std::move(text)); }
    [[nodiscard]] const std::string& text() const { return m_text; }
    auto operator<=>(const KeyspaceName&) const = default;

private:
    explicit KeyspaceName(std::string text) : m_text(std::move(text)) {}
    std::string m_text;
};

/// One enrolled photo of a face. On the wire and in text columns an unsigned 64-bit decimal without leading zeros;
/// it does not fit a signed 64-bit column.
class Variation {
public:
    constexpr explicit Variation(std::uint64_t value) : m_value(value) {}
    /// Plain digits, 1..20 of them, at most 2^64-1. Fails with Reason::InvalidVariations.
    [[nodiscard]] static Result<Variation> parse(std::string_view text);
    [[nodiscard]] std::uint64_t value() const { return m_value; }
    [[nodiscard]] std::string text() const { return std::to_string(m_value); }
    auto operator<=>(const Variation&) const = default;

private:
    std::uint64_t m_value;
};

/// A face id from a JSON integer: its digits are the text. True when `token` is an integer literal of JSON.
[[nodiscard]] bool isJsonInteger(std::string_view token);

/// True when `text` is well-formed UTF-8 (RFC 3629: no overlong form, no surrogate, at most U+10FFFF).
[[nodiscard]] bool isUtf8(std::string_view text);

} // namespace fremis::base

template<> struct std::hash<fremis::base::FaceId> {
    std::size_t operator()(const fremis::base::FaceId& id) const noexcept {
        return std::hash<std::string>{}(id.text());
    }
};
template<> struct std::hash<fremis::base::KeyspaceName> {
    std::size_t operator()(const fremis::base::KeyspaceName& name) const noexcept {
        return std::hash<std::string>{}(name.text());
    }
};
