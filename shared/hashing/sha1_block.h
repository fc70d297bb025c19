#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace fremis::hashing {

/// SHA-1 of texts that fit one block, by the CPU's SHA instructions (x86 SHA extensions). For keys of this size the
/// general library spends most of its time around the block function, not in it.
inline constexpr std::size_t kSha1ShortBytes = 55;

/// False on CPUs (and builds) without the instructions; then the functions below must not be called.
[[nodiscard]] bool hasSha1Instructions();

using Sha1Words = std::array<std::uint32_t, 5>;

/// `text` is at most kSha1ShortBytes long.
[[nodiscard]] Sha1Words sha1Short(std::string_view text);
/// first, separator, second as one text of at most kSha1ShortBytes.
[[nodiscard]] Sha1Words sha1ShortJoined(std::string_view first, char separator, std::string_view second);
/// Two texts at once: the second hides in the first one's latency.
[[nodiscard]] std::array<Sha1Words, 2> sha1ShortPair(std::string_view first, std::string_view second);

} // namespace fremis::hashing
