#pragma once

#include "shared/base/error.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fremis::wire {

using Bytes = std::vector<std::uint8_t>;

/// Base64 (RFC 4648) read tolerantly: line breaks anywhere, padding or none, the standard and the URL-safe alphabet,
/// and a `data:image/…;base64,` prefix. Anything else, an '=' inside or a length of 1 mod 4 fails with
/// Reason::ImageNotBase64. Text in the standard alphabet without line breaks is decoded in one pass and copied nowhere.
/// Thread: any.
[[nodiscard]] base::Result<Bytes> decodeBase64(std::string_view text);

/// The same into `out`, whose memory is used again; `out` is unspecified after a failure.
[[nodiscard]] base::Status decodeBase64(std::string_view text, Bytes& out);

/// Standard alphabet, padded, without line breaks.
[[nodiscard]] std::string encodeBase64(std::span<const std::uint8_t> bytes);

} // namespace fremis::wire
