#include "shared/http/message.h"

#include <algorithm>

namespace fremis::http {

namespace {

char lowered(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
}

} // namespace

bool sameToken(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lowered(x) == lowered(y); });
}

const std::string* Request::header(std::string_view name) const {
    const auto found =
        std::find_if(headers.begin(), headers.end(), [&](const Header& h) { return sameToken(h.name, name); });
    return found == headers.end() ? nullptr : &found->value;
}

const std::string* Request::queryValue(std::string_view name) const {
    const auto found = std::find_if(query.begin(), query.end(), [&](const auto& pair) { return pair.first == name; });
    return found == query.end() ? nullptr : &found->second;
}

std::string_view Request::parameter(std::string_view name) const {
    const auto found =
        std::find_if(parameters.begin(), parameters.end(), [&](const auto& pair) { return pair.first == name; });
    return found == parameters.end() ? std::string_view() : std::string_view(found->second);
}

} // namespace fremis::http
