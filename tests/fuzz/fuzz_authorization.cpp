// The Authorization header of signed requests, and request targets.
#include "shared/http/signature.h"
#include "shared/http/syntax.h"
#include "shared/http/target.h"

#include <cstdlib>

using namespace fremis;

namespace {

void require(bool fact) {
    if (!fact)
        std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (const auto fields = http::parseAuthorization(text)) {
        require(!fields->credential.empty() && fields->nonce.size() >= 16 && fields->nonce.size() <= 64);
        require(fields->signature.size() == 64 && fields->timestamp >= 0);
    }
    if (const auto target = http::isVisibleAscii(text) ? http::parseTarget(text) : std::nullopt) {
        require(target->path.size() <= text.size() && target->path.find('\0') == std::string::npos);
        for (const auto& [name, value] : target->query)
            require(name.find('\0') == std::string::npos && value.find('\0') == std::string::npos);
    }
    const http::SignedParts parts{"GET", text, text};
    require(http::canonicalText(parts, 1, "n").starts_with(http::kSignatureScheme));
    return 0;
}
