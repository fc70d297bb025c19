#pragma once

#include "shared/base/error.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace fremis::hashing {

/// Little-endian integers and length-prefixed texts: the bytes of a serialised map. Internal to this folder.
class ByteWriter {
public:
    void u8(std::uint8_t value) { m_bytes.push_back(static_cast<char>(value)); }
    void u32(std::uint32_t value) { put(value, 4); }
    void u64(std::uint64_t value) { put(value, 8); }
    void text(std::string_view value) {
        u32(static_cast<std::uint32_t>(value.size()));
        m_bytes.append(value);
    }
    void raw(std::string_view value) { m_bytes.append(value); }
    [[nodiscard]] std::string& bytes() { return m_bytes; }

private:
    void put(std::uint64_t value, int size) {
        for (int i = 0; i < size; ++i)
            m_bytes.push_back(static_cast<char>(value >> (8 * i)));
    }
    std::string m_bytes;
};

/// Reads what ByteWriter wrote. After the first impossible read every answer is 0 or empty and ok() is false.
class ByteReader {
public:
    explicit ByteReader(std::string_view bytes) : m_rest(bytes) {}
    [[nodiscard]] std::uint8_t u8() { return static_cast<std::uint8_t>(get(1)); }
    [[nodiscard]] std::uint32_t u32() { return static_cast<std::uint32_t>(get(4)); }
    [[nodiscard]] std::uint64_t u64() { return get(8); }
    [[nodiscard]] std::string_view text() { return raw(u32()); }
    [[nodiscard]] std::string_view raw(std::size_t size) {
        if (size > m_rest.size())
            return fail();
        const std::string_view taken = m_rest.substr(0, size);
        m_rest.remove_prefix(size);
        return taken;
    }
    [[nodiscard]] bool ok() const { return m_ok; }
    [[nodiscard]] std::size_t left() const { return m_rest.size(); }
    /// Everything read, nothing left.
    [[nodiscard]] bool finished() const { return m_ok && m_rest.empty(); }

private:
    std::string_view fail() {
        m_ok = false;
        m_rest = {};
        return {};
    }
    std::uint64_t get(std::size_t size) {
        std::uint64_t value = 0;
        const std::string_view bytes = raw(size);
        for (std::size_t i = 0; i < bytes.size(); ++i)
            value |= std::uint64_t{static_cast<std::uint8_t>(bytes[i])} << (8 * i);
        return value;
    }
    std::string_view m_rest;
    bool m_ok = true;
};

[[nodiscard]] inline tl::unexpected<base::Error> corrupt(std::string what) {
    return base::fail(base::Reason::CorruptData, "the serialised map is damaged", std::move(what));
}

} // namespace fremis::hashing
