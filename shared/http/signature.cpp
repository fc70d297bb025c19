#include "shared/http/signature.h"

#include "shared/base/hex.h"
#include "shared/http/message.h"
#include "shared/http/syntax.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <vector>

namespace fremis::http {

using base::Reason;

namespace {

using Digest = std::array<unsigned char, 32>;

const unsigned char* bytesOf(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data()); // OpenSSL's view of text
}

Digest sha256(std::string_view text) {
    Digest digest{};
    EVP_Digest(text.data(), text.size(), digest.data(), nullptr, EVP_sha256(), nullptr);
    return digest;
}

std::string sortedQuery(std::string_view query) {
    std::vector<std::string_view> pairs;
    while (!query.empty()) {
        pairs.push_back(query.substr(0, query.find('&')));
        query.remove_prefix(std::min(query.size(), pairs.back().size() + 1));
    }
    std::sort(pairs.begin(), pairs.end());
    std::string joined;
    for (const std::string_view pair : pairs)
        joined.append(joined.empty() ? "" : "&").append(pair);
    return joined;
}

bool isNonce(std::string_view text) {
    return text.size() >= 16 && text.size() <= 64 && std::all_of(text.begin(), text.end(), [](char c) {
               return isAlpha(c) || isDigit(c) || c == '_' || c == '-';
           });
}

bool isHexDigest(std::string_view text) {
    return text.size() == 2 * sizeof(Digest) &&
           std::all_of(text.begin(), text.end(), [](char c) { return isDigit(c) || (c >= 'a' && c <= 'f'); });
}

bool parseTimestamp(std::string_view text, std::int64_t& seconds) {
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    return problem == std::errc() && end == text.data() + text.size() && seconds >= 0 && !text.empty() &&
           isDigit(text.front());
}

/// Takes over "Name=value" when the name is known and new and the value has its form.
bool takeField(std::string_view item, SignatureFields& fields, bool& timed) {
    const std::size_t equals = std::min(item.find('='), item.size());
    const std::string_view name = item.substr(0, equals);
    const std::string_view value = item.substr(std::min(item.size(), equals + 1));
    if (name == "Timestamp")
        return !std::exchange(timed, true) && parseTimestamp(value, fields.timestamp);
    const auto take = [value](std::string& field) {
        const bool first = field.empty() && !value.empty();
        field = std::string(value);
        return first;
    };
    if (name == "Credential")
        return take(fields.credential);
    if (name == "Nonce")
        return isNonce(value) && take(fields.nonce);
    return name == "Signature" && isHexDigest(value) && take(fields.signature);
}

} // namespace

bool equalInConstantTime(std::string_view a, std::string_view b) {
    return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::string canonicalText(const SignedParts& parts, std::int64_t timestamp, std::string_view nonce) {
    const std::size_t mark = std::min(parts.target.find('?'), parts.target.size());
    const std::string_view query = parts.target.substr(std::min(parts.target.size(), mark + 1));
    std::string text(kSignatureScheme);
    text.append("\n").append(parts.method).append("\n").append(parts.target.substr(0, mark)).append("\n");
    text.append(sortedQuery(query)).append("\n").append(std::to_string(timestamp)).append("\n");
    text.append(nonce).append("\n").append(base::hexText(sha256(parts.body)));
    return text;
}

std::string sign(std::string_view secret, const SignedParts& parts, std::int64_t timestamp, std::string_view nonce) {
    const std::string text = canonicalText(parts, timestamp, nonce);
    Digest digest{};
    unsigned int size = 0;
    HMAC(EVP_sha256(), secret.data(), static_cast<int>(secret.size()), bytesOf(text), text.size(), digest.data(),
         &size);
    return base::hexText(digest);
}

std::string authorizationFor(std::string_view credential, std::string_view secret, const SignedParts& parts,
                             std::int64_t timestamp) {
    std::array<unsigned char, 16> entropy{};
    RAND_bytes(entropy.data(), static_cast<int>(entropy.size()));
    const std::string nonce = base::hexText(entropy);
    std::string value(kSignatureScheme);
    value.append(" Credential=").append(credential).append(", Timestamp=").append(std::to_string(timestamp));
    value.append(", Nonce=").append(nonce).append(", Signature=").append(sign(secret, parts, timestamp, nonce));
    return value;
}

base::Result<SignatureFields> parseAuthorization(std::string_view value) {
    const auto refuse = [] { return base::fail(Reason::Unauthorized, "the request is not signed as demanded"); };
    const std::size_t space = std::min(value.find(' '), value.size());
    if (!sameToken(value.substr(0, space), kSignatureScheme))
        return refuse();
    SignatureFields fields;
    bool timed = false;
    bool sound = true;
    forEachListItem(value.substr(space),
                    [&](std::string_view item) { sound = sound && takeField(item, fields, timed); });
    if (!sound || !timed || fields.credential.empty() || fields.nonce.empty() || fields.signature.empty())
        return refuse();
    return fields;
}

base::Status NonceCache::use(std::string_view credential, std::string_view nonce, std::int64_t now) {
    const std::lock_guard lock(m_mutex);
    while (!m_byAge.empty() && m_byAge.front().forgetAt < now) {
        m_seen.erase(m_byAge.front().key);
        m_byAge.pop_front();
    }
    std::string key(credential);
    key.append("\n").append(nonce);
    if (m_seen.contains(key))
        return base::fail(Reason::Replayed, "this nonce was used before");
    if (m_seen.size() >= m_capacity)
        return base::fail(Reason::Overloaded, "too many signed requests");
    // A timestamp may lie one window ahead and is good for one more: two windows cover all that verify() lets in.
    m_byAge.push_back({now + 2 * kSignatureWindow.count(), key});
    m_seen.insert(std::move(key));
    return {};
}

base::Status verify(const SignatureFields& fields, std::string_view secret, const SignedParts& parts,
                    const base::Clock& clock, NonceCache& nonces) {
    const std::int64_t now = std::chrono::duration_cast<std::chrono::seconds>(clock.sinceEpoch()).count();
    if (!equalInConstantTime(sign(secret, parts, fields.timestamp, fields.nonce), fields.signature))
        return base::fail(Reason::Unauthorized, "the request is not signed as demanded");
    if (fields.timestamp < now - kSignatureWindow.count() || fields.timestamp > now + kSignatureWindow.count())
        return base::fail(Reason::ClockSkew, "the signature's time is too far from ours");
    return nonces.use(fields.credential, fields.nonce, now);
}

} // namespace fremis::http
