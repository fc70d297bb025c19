#include "shared/http/target.h"

#include "shared/http/syntax.h"

#include <algorithm>

namespace fremis::http {

namespace {

/// One decoded byte of "%xy"; nothing unless both digits are there and the byte is not NUL.
std::optional<char> escapedByte(std::string_view text) {
    if (text.size() < 3)
        return std::nullopt;
    const int high = hexDigit(text[1]);
    const int low = hexDigit(text[2]);
    if (high < 0 || low < 0 || high + low == 0)
        return std::nullopt;
    return static_cast<char>(high * 16 + low);
}

/// Appends the decoded pairs of "a=1&b" to `pairs`; empty pieces are skipped. False for a bad escape.
bool appendPairs(std::string_view query, std::vector<std::pair<std::string, std::string>>& pairs) {
    while (!query.empty()) {
        const std::string_view piece = query.substr(0, query.find('&'));
        query.remove_prefix(std::min(query.size(), piece.size() + 1));
        if (piece.empty())
            continue;
        const std::size_t equals = std::min(piece.find('='), piece.size());
        auto name = percentDecoded(piece.substr(0, equals), true);
        auto value = percentDecoded(piece.substr(std::min(piece.size(), equals + 1)), true);
        if (!name || !value)
            return false;
        pairs.emplace_back(std::move(*name), std::move(*value));
    }
    return true;
}

} // namespace

std::optional<std::string> percentDecoded(std::string_view text, bool plusIsSpace) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '%') {
            const auto byte = escapedByte(text.substr(i));
            if (!byte)
                return std::nullopt;
            out.push_back(*byte);
            i += 2;
        } else {
            out.push_back(plusIsSpace && text[i] == '+' ? ' ' : text[i]);
        }
    }
    return out;
}

std::optional<Target> parseTarget(std::string_view target) {
    if (target.find('#') != std::string_view::npos)
        return std::nullopt;
    const std::size_t mark = std::min(target.find('?'), target.size());
    auto path = percentDecoded(target.substr(0, mark));
    if (!path)
        return std::nullopt;
    Target parsed{std::move(*path), {}};
    if (!appendPairs(target.substr(std::min(target.size(), mark + 1)), parsed.query))
        return std::nullopt;
    return parsed;
}

} // namespace fremis::http
