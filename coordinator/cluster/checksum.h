#pragma once

#include "shared/hashing/hash.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

namespace fremis::coordinator {

/// Little-endian.
template<class Number> void appendNumber(std::string& bytes, Number number) {
    for (std::size_t i = 0; i < sizeof(Number); ++i)
        bytes += static_cast<char>(static_cast<std::make_unsigned_t<Number>>(number) >> (8 * i));
}

/// `bytes` must reach that far.
template<class Number> [[nodiscard]] Number numberAt(std::string_view bytes, std::size_t offset) {
    Number number = 0;
    for (std::size_t i = sizeof(Number); i-- > 0;)
        number = static_cast<Number>(number << 8 | static_cast<unsigned char>(bytes[offset + i]));
    return number;
}

/// XXH64 over values one behind the other. Finds damage, not forgery.
class Checksum {
public:
    Checksum& add(std::uint64_t number) {
        appendNumber(m_bytes, number);
        return *this;
    }
    template<std::size_t Size> Checksum& add(const std::array<std::uint8_t, Size>& id) {
        m_bytes.append(reinterpret_cast<const char*>(id.data()), Size);
        return *this;
    }
    Checksum& add(std::string_view text) {
        m_bytes += text;
        return add(static_cast<std::uint64_t>(text.size()));
    }
    [[nodiscard]] std::uint64_t value() const { return hashing::xxh64(m_bytes); }

private:
    std::string m_bytes;
};

} // namespace fremis::coordinator
