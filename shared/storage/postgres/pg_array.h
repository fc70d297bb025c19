#pragma once

#include "shared/base/hex.h"
#include "shared/storage/batch.h"

#include <charconv>

namespace fremis::storage {

/// A PostgreSQL array as the text of a statement parameter, "{...}": one statement then carries a whole batch. Never
/// part of SQL text.
class PgArray {
public:
    void add(std::integral auto value) {
        separate();
        m_text += std::to_string(value);
    }
    void add(bool value) {
        separate();
        m_text += value ? 't' : 'f';
    }
    void add(double value) {
        std::array<char, 32> digits{};
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value)
                             .ptr; // shortest text that reads back equal
        separate();
        m_text.append(digits.data(), end);
    }
    void add(std::string_view value) {
        separate();
        m_text += '"';
        for (const char c : value) {
            if (c == '"' || c == '\\')
                m_text += '\\';
            m_text += c;
        }
        m_text += '"';
    }
    void addNull() {
        separate();
        m_text += "NULL";
    }
    /// As hexadecimal text; SQL decodes it.
    void addHex(std::span<const std::uint8_t> bytes) {
        separate();
        m_text += base::hexText(bytes);
    }
    [[nodiscard]] std::string text() const { return m_text + '}'; }

private:
    void separate() {
        if (m_text.size() > 1)
            m_text += ',';
    }
    std::string m_text = "{";
};

/// The three columns that name a face, for unnest().
struct PgFaceKeys {
    PgArray keyspaces, partitions, faces;
    void add(const FaceKey& key) {
        keyspaces.add(key.keyspace);
        partitions.add(static_cast<int>(key.partition));
        faces.add(std::string_view(key.face));
    }
};

} // namespace fremis::storage
