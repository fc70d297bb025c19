#pragma once

#include <QString>

#include <chrono>
#include <cstdint>
#include <optional>

namespace fremis::console::ui {

/// What is not known is this, never 0.
[[nodiscard]] QString unknownText();
[[nodiscard]] QString numberText(std::int64_t value); ///< 1.234.567 in Indonesian
[[nodiscard]] QString decimalText(double value, int decimals);
[[nodiscard]] QString shortNumberText(std::int64_t value); ///< 4.8k, 1.2M
[[nodiscard]] QString percentText(std::optional<double> percent, int decimals = 0);
[[nodiscard]] QString bytesText(std::optional<std::int64_t> bytes);     ///< 84.1 KiB, 1.2 GiB
[[nodiscard]] QString durationText(std::chrono::milliseconds duration); ///< 42 s, 3 min, 2 h 5 min, 4 d
[[nodiscard]] QString ageText(std::chrono::milliseconds age);           ///< "3 s ago"
[[nodiscard]] QString latencyText(std::optional<double> milliseconds);  ///< 12 ms
[[nodiscard]] QString clockText(std::chrono::milliseconds sinceEpoch);  ///< local HH:mm:ss, as in charts and logs

} // namespace fremis::console::ui
