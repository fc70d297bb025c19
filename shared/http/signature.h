#pragma once

#include "shared/base/clock.h"
#include "shared/base/error.h"

#include <chrono>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_set>

namespace fremis::http {

/// The scheme's name, first word of the Authorization header and first line of what is signed.
inline constexpr std::string_view kSignatureScheme = "FREMISN-HMAC-SHA256";
inline constexpr std::chrono::seconds kSignatureWindow{300};

/// What a signature covers. `target` as on the request line; its query pairs may come in any order.
struct SignedParts {
    std::string_view method;
    std::string_view target;
    std::string_view body;
};

struct SignatureFields {
    std::string credential;
    std::int64_t timestamp = 0; ///< seconds since 1970
    std::string nonce;
    std::string signature; ///< 64 lower-case hex digits
};

/// The seven lines under the MAC: scheme, method, path as sent, sorted query pairs, timestamp, nonce, hex SHA-256 of
/// the body.
[[nodiscard]] std::string canonicalText(const SignedParts& parts, std::int64_t timestamp, std::string_view nonce);

/// Lower-case hex HMAC-SHA256 of canonicalText().
[[nodiscard]] std::string sign(std::string_view secret, const SignedParts& parts, std::int64_t timestamp,
                               std::string_view nonce);

/// The value of an Authorization header with a fresh nonce.
[[nodiscard]] std::string authorizationFor(std::string_view credential, std::string_view secret,
                                           const SignedParts& parts, std::int64_t timestamp);

/// Reads an Authorization header's value. Fails with Reason::Unauthorized on anything but the four fields, each once.
[[nodiscard]] base::Result<SignatureFields> parseAuthorization(std::string_view value);

/// Nonces seen inside the window. Bounded: a full cache refuses (Reason::Overloaded), it never forgets a live nonce.
/// Thread: any.
class NonceCache {
public:
    explicit NonceCache(std::size_t capacity = 1 << 20) : m_capacity(capacity) {}
    /// Takes note of a nonce whose signature was found right; fails with Reason::Replayed when it was there. `now`:
    /// seconds.
    [[nodiscard]] base::Status use(std::string_view credential, std::string_view nonce, std::int64_t now);

private:
    struct Entry {
        std::int64_t forgetAt;
        std::string key;
    };
    const std::size_t m_capacity;
    std::mutex m_mutex;
    std::unordered_set<std::string> m_seen;
    std::deque<Entry> m_byAge; ///< in the order of arrival, so forgetAt rises
};

/// Checks signature, window and nonce, in this order: a wrong signature never spends a nonce and learns nothing of our
/// clock. Reasons: Unauthorized, ClockSkew, Replayed, Overloaded.
[[nodiscard]] base::Status verify(const SignatureFields& fields, std::string_view secret, const SignedParts& parts,
                                  const base::Clock& clock, NonceCache& nonces);

/// Comparison whose time depends on the lengths only.
[[nodiscard]] bool equalInConstantTime(std::string_view a, std::string_view b);

} // namespace fremis::http
