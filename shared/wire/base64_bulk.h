#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fremis::wire {

/// Decodes the longest run at the start of `text` that it can decode 32 characters at a time, in either alphabet, and
/// returns its length: a multiple of 4, 0 where the processor has no AVX2. It stops before anything that is not of an
/// alphabet and leaves at least the last 16 characters to the caller. Writes 3 bytes for 4 characters, and for speed up
/// to 8 bytes more: `out` has room for text.size() / 4 * 3 bytes. Private to this library.
[[nodiscard]] std::size_t decodeBase64Bulk(std::string_view text, std::uint8_t* out);

} // namespace fremis::wire
