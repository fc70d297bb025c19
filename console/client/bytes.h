#pragma once

#include <QByteArray>

#include <string_view>

namespace fremis::console {

/// The bytes as the std side of the project takes them; valid as long as they are.
[[nodiscard]] inline std::string_view viewOf(const QByteArray& bytes) {
    return {bytes.data(), static_cast<std::size_t>(bytes.size())};
}

} // namespace fremis::console
